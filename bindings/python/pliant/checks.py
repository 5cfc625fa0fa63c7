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
    """

    def __init__(self, text, page, contacts, triangles, insides, vertices):
        self.text, self.page = text, page
        self.contacts = {(sample, pair): triangles[first:first + count] for sample, pair, first, count in contacts}
        self.insides = {}
        for sample, pair, first, *counts in insides:
            sides, depths = [], vertices[:, 1].view("f4")
            for count in counts:
                sides.append((vertices[first:first + count, 0], depths[first:first + count]))
                first += count
            self.insides[sample, pair] = tuple(sides)

    @functools.cached_property
    def data(self):
        return json.loads(self.text)
