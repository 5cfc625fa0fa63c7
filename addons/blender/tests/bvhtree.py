"""What a script does that has Blender's own BVHTree and not pliant: the same question, for comparison."""
import numpy
from mathutils.bvhtree import BVHTree


def corners_of(mesh):
    """Vertices of each face, the last one repeated where a face has fewer than the largest."""
    widest = max((len(polygon.vertices) for polygon in mesh.polygons), default=0)
    return numpy.array([[*polygon.vertices] + [polygon.vertices[-1]] * (widest - len(polygon.vertices)) for polygon in mesh.polygons])


class Script:
    def __init__(self, objects):
        self.objects = [item for item in objects if item.type == "MESH"]
        self.corners = {item.name: corners_of(item.data) for item in self.objects}

    def apart(self, name, pairs):
        """Pairs of faces of one object that share no vertex."""
        rows = numpy.array(pairs, dtype=int).reshape(-1, 2)
        rows = rows[rows[:, 0] < rows[:, 1]]
        a, b = self.corners[name][rows[:, 0]], self.corners[name][rows[:, 1]]
        return rows[~(a[:, :, None] == b[:, None, :]).any(axis=(1, 2))]

    def check(self, depsgraph):
        """Pairs of faces of this frame: {(a, b): rows}. Objects are all at one place."""
        trees = {item.name: BVHTree.FromObject(item, depsgraph) for item in self.objects}
        names, found = list(trees), {}
        for i, a in enumerate(names):
            for b in names[i + 1:]:
                found[a, b] = trees[a].overlap(trees[b])
            found[a, a] = self.apart(a, trees[a].overlap(trees[a]))
        return found
