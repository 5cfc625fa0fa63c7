"""The 200 findings between two parts that were the deepest when depth was still measured to the nearest surface: each of
them still has a depth.

deepest.tsv has the model, below PLIANT_ASSETS, and the names of the two parts. They were found by `pliant check` of all
glTF models there.

usage: test_deepest.py PLIANT
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

SKIPPED, MOST_LOST = 77, 10


def main():
    if "PLIANT_ASSETS" not in os.environ:
        print("skipped: PLIANT_ASSETS is not set")
        return SKIPPED
    models = collections.defaultdict(set)
    for line in (pathlib.Path(__file__).parent / "deepest.tsv").read_text().splitlines():
        model, *names = line.split("\t")
        models[model].add(tuple(names))
    done = subprocess.run([os.path.abspath(sys.argv[1]), "check", *sorted(models), "--no-volume", "--json", "-"], cwd=os.environ["PLIANT_ASSETS"],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    lost = []
    for report in json.loads(done.stdout)["files"]:
        deep = {tuple(pair["names"]) for pair in report["pairs"] if pair.get("is_finding") and pair.get("depth", 0) > 0}
        lost += [(report["file"], *names) for names in sorted(models[report["file"]] - deep)]
    for words in lost:
        print("without a depth:", *words)
    print(f"{sum(map(len, models.values()))} findings, {len(lost)} without a depth, at most {MOST_LOST}")
    return len(lost) > MOST_LOST


if __name__ == "__main__":
    sys.exit(main())
