"""What the notebooks share: times in turns, the figures of pliant-bench, and lines for scripts/check-notebooks."""
import os
import pathlib
import re
import statistics
import subprocess
import time

TOP = pathlib.Path(__file__).resolve().parents[3]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?$")


def milliseconds(call, *arguments):
    start = time.perf_counter()
    call(*arguments)
    return 1e3 * (time.perf_counter() - start)


def turns(ways, rounds=5):
    """Median milliseconds of each way, by its name. All run in turn, after one round that does not count."""
    times = [[milliseconds(way) for way in ways.values()] for _ in range(rounds + 1)][1:]
    return {name: statistics.median(column) for name, column in zip(ways, zip(*times))}


class Bench:
    """What a program of bench/ prints when it is run quickly.

    `figures` by their keys, and `rows`: lines as lists of words and numbers. Both are empty if the program was not built.
    PLIANT_BENCH names the folder of the programs, by default build/release/bench.
    """

    def __init__(self, program, experiment):
        path = pathlib.Path(os.environ.get("PLIANT_BENCH") or TOP / "build/release/bench", program)
        self.name, self.figures, self.rows = f"{program} {experiment}", {}, []
        if not path.exists():
            print(f"skipped: {program} is not built, nothing to compare with")
            return
        run = subprocess.run([path, experiment, "--quick"], capture_output=True, text=True, check=True)
        for line in run.stdout.splitlines():
            words = [float(word) if NUMBER.match(word) else word for word in line.split()]
            if words[:1] == ["figure"]:
                self.figures[words[1]] = words[2]
            elif words:
                self.rows.append(words)

    def __bool__(self):
        return bool(self.figures or self.rows)

    def after(self, *title):
        """The rows below one that begins with these words."""
        starts = [i for i, row in enumerate(self.rows) if tuple(row[:len(title)]) == title]
        return self.rows[starts[0] + 1:] if starts else []


def figure(key, value, unit):
    print(f"figure notebook.{key} {value:.4g} {unit}")


def beside(key, here, bench, unit="ms"):
    """Prints what was measured here beside what pliant-bench says, and the median of their ratios as a figure."""
    both = {name: (here[name], bench[name]) for name in here if name in bench}
    if not both:
        return
    print(f"{'':28} {'here':>10} {'bench':>10}  {unit}")
    for name, (mine, theirs) in both.items():
        print(f"{str(name):28} {mine:10.4g} {theirs:10.4g}  {mine / theirs:.2f} times")
    figure(f"{key}.vs_bench", statistics.median(mine / theirs for mine, theirs in both.values()), "x")
