"""Tests of what the add-on makes of reports, without Blender: checker.py needs it for recording alone. Exits with 77 without numpy."""
import importlib.util
import pathlib
import sys
import time

if importlib.util.find_spec("numpy") is None:
    print("skipped: not installed: numpy")
    sys.exit(77)

import numpy  # noqa: E402

import pliant  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "pliant_check"))

import checker  # noqa: E402

FAR = 50.0


class Ball(checker.RecordedPart):
    """A ball of radius `size` that was recorded: at (x, y, 0) in each frame. Another y, and edges of two balls do not cross."""

    def __init__(self, name, xs, y=0.0, size=1.0, detail=2):
        self.name, self.frames, self.deforms = name, [], False
        self.rest, self.triangles = pliant.scenes.icosphere(detail)
        self.polygons, self.vertex_count = numpy.arange(len(self.triangles)), len(self.rest)
        self.targets = self.joints = self.weights = None
        self.transforms = [numpy.hstack([size * numpy.eye(3), [[x], [y], [0]]]).astype("f4") for x in xs]


def recorded(*stretches, **options):
    """A recording whose stretches have these balls, and frames from 1 on."""
    recording = checker.Recording([], **options)
    for balls in stretches:
        stretch = checker.Stretch([], None)
        stretch.parts = balls
        stretch.frames = list(range(recording.all + 1, recording.all + 1 + len(balls[0].transforms)))
        recording.stretches.append(stretch)
        recording.all += len(stretch.frames)
    return recording


def names(findings):
    return [(finding.a, finding.b) for finding in findings]


def test_a_finding_has_all_its_frames():
    """Poses that come again, and frames that were not measured, are frames of it too."""
    xs = [3, 1.9, 1.9, 3, 1.5, 1.9]
    for depth in "all", "worst", "none":
        found = recorded([Ball("a", [0] * 6), Ball("b", xs, y=0.1), Ball("c", [0] * 6, size=0.5)], allowed=[("b", "c")]).check(depth=depth)
        finding, still = sorted(found, key=lambda each: each.b)
        assert (finding.a, finding.b, finding.worst) == ("a", "b", 5) and list(finding.rows) == [2, 3, 5, 6], depth
        assert finding.rows[2]["pairs"] == finding.rows[6]["pairs"] > 0 and finding.words and finding.verdict
        measured = [frame for frame, row in finding.rows.items() if "depth" in row]
        assert (measured == list(finding.rows) if depth == "all" else 5 in measured if depth == "worst" else not measured), depth
        assert [len(triangles) for a, b, triangles in found.contacts(6) if b.name == "b"] == [finding.rows[6]["pairs"]]
        assert (still.a, still.b) == ("a", "c") and list(still.rows) == [1, 2, 3, 4, 5, 6]
    assert not list(recorded([Ball("a", [0] * 6), Ball("b", [FAR] * 6)]).check())


def test_many_frames_have_rows_though_few_are_measured():
    xs = numpy.linspace(1.9, 1.4, 60)
    found = recorded([Ball("a", [0] * 60, detail=3), Ball("b", xs, y=0.1, detail=3)]).check()
    finding = next(iter(found))
    measured = [frame for frame, row in finding.rows.items() if "depth" in row]
    assert list(finding.rows) == list(range(1, 61)) and 0 < len(measured) < 60 and finding.worst == 60 in measured
    assert found.places(60) and found.depths(60)["a"].max() > 0.5


def test_findings_are_in_the_order_of_the_command():
    """What one sees comes first, and what is inside of a shell last, however deep it is."""
    shell = Ball("shell", [0], size=4)
    hidden, seen = [Ball("deep", [-0.5]), Ball("deeper", [0.5])], [Ball("left", [9]), Ball("right", [10.8])]
    found = recorded([shell, *hidden, *seen], allowed=[("shell", ball.name) for ball in hidden]).check()
    first, last = found
    assert names(found) == [("left", "right"), ("deep", "deeper")]
    assert first.rows[1]["depth"] < last.rows[1]["depth"]


def test_findings_of_stretches_are_merged_by_the_worse():
    """A stretch after the other, each with reports of its own: a and b are worse in the second one, c and d are in it alone."""
    def balls(b, d, detail=2):
        return [Ball("a", [0, 0], detail=detail), Ball("b", [b, FAR]), Ball("c", [20, 20]), Ball("d", [d, 2 * FAR])]
    found = recorded(balls(1.9, FAR), balls(1.8, 21.9, 1), balls(FAR, 21.5)).check()
    assert names(found) == [("c", "d"), ("a", "b")]
    by_name = {finding.b: finding for finding in found}
    assert list(by_name["b"].rows) == [1, 3] and by_name["b"].worst == 3 and list(by_name["d"].rows) == [3, 5] and by_name["d"].worst == 5
    assert recorded(balls(1.9, FAR)).check().at(3) is None


def test_a_scene_may_be_called_rest():
    for name in "rest", "R*", "[a-z]":
        found = recorded([Ball("a", [0, 0]), Ball("b", [FAR, 1.9])], name=name).check(depth="all")
        finding = next(iter(found))
        assert list(finding.rows) == [2] == [finding.worst] and found.reports[0][2].data["file"] == name
        assert [run["frame_count"] for run in found.reports[0][2].data["runs"]] == [2]


def test_a_pair_that_is_allowed_is_that_pair_alone():
    for name, other in ("A*", "AB"), ("x:y", "x_y"), ("[ab]", "a"), ("?", "Q"), ("a]", "a["), ("[!x", "y!x"), ("A[*]", "A*"):
        balls = [Ball("body", [0]), Ball(name, [1.8]), Ball(other, [-1.8])]
        found = recorded(balls, allowed=[("body", name)]).check(depth="none")
        assert [set(pair) for pair in names(found)] == [{"body", other}], name


def test_the_share_of_a_check_is_of_its_time():
    """All frames are done, and depths take longer: it is told by the time that is left. Of two stretches here, 1 and 3 frames."""
    recording, shares, left = recorded([Ball("a", [0])], [Ball("a", [0, 1, 2])]), [], []

    class Watched:
        """A model whose check tells how long it will go on as it is told."""

        def __init__(self, model):
            self.model, self.seconds_left = model, lambda: left.pop(0)

        def check(self, progress, **options):
            left.extend([None, 1e12, 1e9, 0.0, 1e12])
            for _ in range(5):
                time.sleep(1e-3)
                assert progress(1, 1)
                shares.append(recording.share)
            return self.model.check(**options)

    for stretch in recording.stretches:
        stretch.model = lambda rate, stretch=stretch: Watched(checker.Stretch.model(stretch, rate))
    recording.check()
    assert shares[0] == 0 < shares[1] < shares[2] < 1e-9 and shares[3:5] == [0.25, 0.25]
    assert shares[5] == 0.25 < shares[7] < 0.26 and shares[8:] == [1.0, 1.0] and recording.share == 1


def main():
    for name, test in [(name, test) for name, test in globals().items() if name.startswith("test_")]:
        test()
        print(name, "passed")


if __name__ == "__main__":
    main()
