"""What the command's check says of a model: see Model.check()."""
import functools
import json


class Source:
    """A part as it was given: which of its triangles are checked, and which vertices became one."""

    def __init__(self, name, triangles, faces):
        self.name, self.triangles, self.faces = name, triangles, faces[:, 1]

    def welded(self, given):
        """Of each vertex of the given triangles the vertex that it became; -1 if no triangle that is checked has it."""
        import numpy
        given = numpy.asarray(given)
        became = numpy.full(int(given.max()) + 1, -1, numpy.int32)
        became[given[self.faces]] = self.triangles
        return became


class Report:
    """What Model.check() found. Samples, pairs and parts have the numbers that they have in `data`. Within one part, all
    vertices that are inside are of a.

    Report(text) reads a report that the command wrote. It has `text`, `data` and rows() alone.
    """

    def __init__(self, text, page=None, contacts=(), triangles=None, insides=(), vertices=None, order=()):
        self.text, self.page, self.order = text, page, list(order)
        self.contacts = {(sample, pair): triangles[first:first + count] for sample, pair, first, count in contacts}
        self.insides = {}
        if vertices is None and insides:  # bars that cross have regions, and no vertex is inside
            import numpy
            vertices = numpy.zeros((0, 2), numpy.int32)
        for sample, pair, first, *counts in insides:
            sides, depths = [], vertices[:, 1].view("f4")
            for count in counts:
                sides.append((vertices[first:first + count, 0], depths[first:first + count]))
                first += count
            self.insides[sample, pair] = tuple(sides)

    @functools.cached_property
    def data(self):
        return json.loads(self.text)

    def rows(self, pair):
        """Of a pair, by its number: {sample: row}, of each sample in which its parts intersect, in rising order.

        `data` is shorter: it has numbers of pairs of triangles in stretches, and equal measures once. A row here has all of a
        sample: `sample`, `pairs`, `new`, and the other fields of its stretch; if it was measured, also those of its row.

        >>> import pliant
        >>> vertices, triangles = pliant.scenes.icosphere(2)
        >>> places = [[[[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, 0]] for x in (0, end)] for end in (3, 1.9, 1.9)]
        >>> balls = pliant.model([("a", vertices, triangles), ("b", vertices, triangles)], places)
        >>> report = balls.check(clips=["frames"])
        >>> [(sample, round(row["depth"], 2)) for sample, row in report.rows(1).items()]
        [(1, 0.1), (2, 0.1)]
        """
        item, step, found = self.data["pairs"][pair], self.data["shard_count"], {}
        for stretch in item["stretches"]:
            for k, (pairs, new) in enumerate(zip(stretch["pairs"], stretch.get("new", stretch["pairs"]))):
                sample = stretch["sample"] + k * step
                found[sample] = {**stretch, "sample": sample, "pairs": pairs, "new": new}
        for row in item["rows"]:
            measures = {name: value for name, value in row.items() if name not in ("sample", "also")}
            for sample in (row["sample"], *row.get("also", ())):
                found[sample].update(measures)
        return found
