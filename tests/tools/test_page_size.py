"""Pages of real models are small: test_page_size.py PLIANT. Exit 77: PLIANT_ASSETS is not set, or this build has no page."""
import os
import pathlib
import subprocess
import sys
import tempfile

ASSETS = os.environ.get("PLIANT_ASSETS")
MOST = {"kaykit/Knight.glb": 6e6, "threejs/RobotExpressive.glb": 2e6, "makehuman/mh_female_sport.glb": 2e6}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def size_of(program, model, folder):
    page = pathlib.Path(folder, "page.html")
    ran = subprocess.run([program, "check", pathlib.Path(ASSETS, model), "--no-config", "--html", page],
                         capture_output=True, text=True)
    if "has no page in it" in ran.stderr:
        skip("this build has no page in it")
    if ran.returncode not in (0, 1):
        sys.exit(ran.stderr)
    return page.stat().st_size


def main():
    if not ASSETS:
        skip("PLIANT_ASSETS is not set")
    with tempfile.TemporaryDirectory() as folder:
        sizes = {model: size_of(sys.argv[1], model, folder) for model in MOST}
    for model, size in sizes.items():
        print(f"{model}: {size / 1e6:.2f} MB, at most {MOST[model] / 1e6:.0f}")
    sys.exit(any(size > MOST[model] for model, size in sizes.items()))


main()
