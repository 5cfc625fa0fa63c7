"""Builds the wheel and tries it: its tag, its symbols, and its tests on every Python from 3.11 on that can be found.

usage: python3 check_wheel.py [FOLDER]     where the wheel goes, by default build/wheel. Exits with 77 without `build`.

A Python with numpy runs the calls, lifetimes and documents; one without runs plain.py.
"""
import glob
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent.parent


def pythons():
    """Paths of all interpreters of a version that the wheel is for, one of each version and kind."""
    found = {}
    patterns = [f"{folder}/python3*" for folder in os.get_exec_path()] + [os.path.expanduser("~/.pyenv/versions/*/bin/python3")]
    for path in sorted({path for pattern in patterns for path in glob.glob(pattern) if re.search(r"python3(\.\d+)?$", path)}):
        code = "import sys, importlib.util as u; print(sys.version.split()[0], u.find_spec('numpy') is not None)"
        run = subprocess.run([path, "-c", code], capture_output=True, text=True)
        if run.returncode == 0 and tuple(map(int, run.stdout.split()[0].split(".")[:2])) >= (3, 11):
            found.setdefault(tuple(run.stdout.split()), path)
    return found


def main():
    if importlib.util.find_spec("build") is None:
        print("skipped: `build` is not installed")
        return 77
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else TOP / "build/wheel").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, HERE.parent], check=True,
                   stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    glibc = int(re.search(r"-cp311-abi3-manylinux_2_(\d+)_", wheel.name).group(1))
    with tempfile.TemporaryDirectory() as installed:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(installed)
        for path in pathlib.Path(installed).glob("pliant/bin/*"):
            path.chmod(0o755)
        environment = {key: value for key, value in os.environ.items() if key != "PLIANT_COMMAND"} | {"PYTHONPATH": installed}
        passed = 0
        for (version, has_numpy), path in pythons().items():
            tests = [path, HERE / "run.py", "wheel"] if has_numpy == "True" else [path, HERE / "plain.py"]
            subprocess.run(tests, env=environment, check=True)
            subprocess.run([path, "-m", "pliant", "--version"], env=environment, check=True)
            passed += 1
    print(f"figure python.wheel.glibc 2.{glibc:02}")
    print(f"figure python.wheel.versions {passed}")
    return glibc > 17


if __name__ == "__main__":
    sys.exit(main())
