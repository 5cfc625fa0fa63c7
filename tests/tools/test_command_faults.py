"""Every allocation of the pliant command fails in turn, and then that one with all behind it.

usage: test_command_faults.py PLIANT FAIL-ALLOCATION STEP

Of each run every STEP-th allocation is tried. A run must end, by no signal; it says what is wrong and exits with 3
or 4, or it gives the same output and the same files as a run in which nothing fails. Nothing half is left behind.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PLIANT, PRELOAD, STEP = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
sys.argv[2:] = [__file__]  # for the models of the other test
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from test_command import SLIDE, gltf  # noqa: E402

CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\n"
# Two triangles, each through the other.
CROSS = "o a\nv 0 0 0\nv 3 0 0\nv 0 3 0\nf 1 2 3\no b\nv 1 1 -1\nv 1 1 2\nv 1 0.5 2\nf 4 5 6\n"
JOBS = [
    ["check", "model.gltf", "--jobs", "1", "--frames", "::10", "--json", "x.json", "--junit", "x.xml"],
    ["check", "cube.obj", "--jobs", "1", "--csv", "x.csv", "--baseline", "rest"],
    ["check", "cross.obj", "--jobs", "1", "--csv-frames", "x.csv", "--sarif", "x.sarif"],
    ["check", "model.gltf", "--jobs", "1", "--frames", "::10", "--html", "x.html"],
    ["check", "seq#.obj", "--jobs", "1", "--no-weld"],
    ["check", "cross.obj", "cube.obj", "--jobs", "1", "--lines", "x.jsonl"],
    ["check", "cross.obj", "--jobs", "1", "--cache", "kept"],
    ["merge", "cross.jsonl", "--json", "x.json"],
    ["inspect", "cube.obj", "--jobs", "1"],
    ["render", "cube.obj", "-o", "x.png", "--size", "32x32"],
    ["render", "cross.obj", "-o", "x.png", "--size", "32x32", "--worst"],
]


def write_models(at):
    (at / "model.gltf").write_text(gltf({"body": (0, 0, 0), "suit": (5, 0, 0)}, {"slide": SLIDE["slide"]}))
    (at / "cross.obj").write_text(CROSS)
    for name in ("cube.obj", "seq1.obj", "seq2.obj"):
        (at / name).write_text(CUBE)


def run(at, words, **more):
    for path in at.glob("x.*"):
        path.unlink()
    environment = {**os.environ, "LD_PRELOAD": str(PRELOAD), "MALLOC_ARENA_MAX": "1", **more}
    ran = subprocess.run([PLIANT, *words], cwd=at, env=environment, capture_output=True, timeout=60)
    text = re.sub(rb"takes about .*", b"", ran.stdout)  # a time is another one each time
    return ran.returncode, text, ran.stderr, {path.name: path.read_bytes() for path in sorted(at.glob("x.*"))}


def check(at, words, whole, count, more):
    for number in range(1 + STEP // 2, count + 1, STEP):
        code, out, err, files = run(at, words, FAIL_AT=str(number), **more)
        where = f"{' '.join(words)}: allocation {number} of {count}{' and all behind it' if more else ''}"
        if code in (3, 4) or (code == 2 and b"memory" in err):
            is_told = re.fullmatch(rb"(pliant: [^\n]*\n)+", err) or b"memory" in files.get("x.jsonl", b"")
            if not is_told and not more:
                sys.exit(f"{where}: exit {code}, and stderr is {err!r}")
        elif code < 0 or (code, out) != (whole[0], whole[1]) or files != whole[3]:
            sys.exit(f"{where}: exit {code}, {err!r}")
        if any("." in name[2:].partition(".")[2] for name in files):
            sys.exit(f"{where}: a half of a file is left: {list(files)}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        write_models(at)
        subprocess.run([PLIANT, "check", "cross.obj", "--lines", "cross.jsonl", "-q"], cwd=at)
        for words in JOBS:
            whole = run(at, words, FAIL_COUNT=str(at / "count"))
            count = int((at / "count").read_text())
            for more in ({}, {"FAIL_ALL": "1"}):
                check(at, words, whole, count, more)
            print(f"{' '.join(words)}: exit {whole[0]}, {count} allocations, every {STEP}. of them")


main()
