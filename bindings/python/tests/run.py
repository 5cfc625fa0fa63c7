"""Runs the tests of the package that PYTHONPATH leads to: python3 run.py merge|long|wheel. Exits with 77 if numpy, pytest or
hypothesis is not installed."""
import importlib.util
import os
import pathlib
import sys

missing = [name for name in ("numpy", "pytest", "hypothesis") if importlib.util.find_spec(name) is None]
if missing:
    print("skipped: not installed:", ", ".join(missing))
    sys.exit(77)

import pytest  # noqa: E402

here = pathlib.Path(__file__).resolve().parent
os.environ["PLIANT_PYTHON_TESTS"] = sys.argv[1]
files = [here] if sys.argv[1] != "wheel" else [here / "test_calls.py", here / "test_lifetimes.py"]
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-x", "--rootdir", str(here), *map(str, files)]))
