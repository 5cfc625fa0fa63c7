"""Models and shapes in files, and meshes of other packages."""
import collections
import mmap
import os

from . import _pliant
from ._pliant import Shape

Clip = collections.namedtuple("Clip", "name start end rate frame_count")
Clip.__doc__ = "An animation: seconds from start to end, and its frames at a rate."


class Part:
    """What is checked against what: a name, and the shape, with its targets and its skin."""

    def __init__(self, name, vertices, triangles, targets, joints, weights, joint_count, **options):
        self.name = name
        skin = None if joints is None else (joints, weights, joint_count)
        self.shape = Shape(vertices, triangles, targets=targets, skin=skin, **options)

    def __repr__(self):
        return f"<pliant.Part '{self.name}' of {self.shape.triangle_count} triangles>"


class Model:
    """A model that read() has read: `parts`, `clips`, and where the parts are at a time.

    bodies = model.add_to(world), then model.pose(bodies, model.clips[0], time) for each frame.
    """

    def __init__(self, path, weld, by, options):
        if not hasattr(_pliant, "_read"):
            raise NotImplementedError("this package was built without the reader of the command")
        if by not in ("node", "material"):
            raise ValueError(f"by is '{by}', it must be one of 'node', 'material'")
        self._model = _pliant._read(os.fspath(path), weld, by == "material")
        self.parts = [Part(*part, **options) for part in self._model.parts()]
        self.clips = [Clip(*clip) for clip in self._model.clips()]

    def add_to(self, world):
        """Adds a body for each part, in its rest pose as the file has it."""
        bodies = [world.add(part.shape) for part in self.parts]
        self.pose(bodies)
        return bodies

    def pose(self, bodies, clip=None, time=0.0):
        """Moves the bodies to where their parts are at a time of a clip; without a clip, to the rest pose."""
        number = -1 if clip is None else self.clips.index(clip)
        for body, (transform, joints, weights, vertices) in zip(bodies, self._model.pose(number, time), strict=True):
            if vertices is not None:
                body.vertices = vertices
            if weights is not None:
                body.weights = weights
            if joints is not None:
                body.joints = joints
            body.transform = transform


def read(path, *, weld=True, by="node", **options):
    """Reads a model: .gltf, .glb, .vrm, .obj, .ply, .stl, .pc2, .mdd, or a sequence as name_####.obj. And .fbx, if the
    package was built with assimp, which wheels are not.

    weld: vertices that a seam has split are one. by: parts are nodes, or each 'material' of a node. `options` are those of
    Shape().

    >>> import pliant, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "square.obj")
    ...     with open(path, "w") as file:
    ...         _ = file.write("v 0 0 0\\nv 1 0 0\\nv 1 1 0\\nv 0 1 0\\nf 1 2 3 4\\n")
    ...     model = pliant.read(path)
    >>> model.parts, model.clips
    ([<pliant.Part 'mesh' of 2 triangles>], [])
    """
    return Model(path, weld, by, options)


def save_shape(shape, path):
    """Writes a shape with its tree to a file."""
    with open(path, "wb") as file:
        file.write(shape.to_bytes())


def load_shape(path):
    """A shape from such a file, which is mapped: nothing is read before it is needed, nothing is copied.

    >>> import pliant, tempfile, os
    >>> shape = pliant.Shape(*pliant.scenes.icosphere(1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pliant.save_shape(shape, os.path.join(folder, "ball.pliant"))
    ...     pliant.load_shape(os.path.join(folder, "ball.pliant"))
    <pliant.Shape of 42 vertices, 80 triangles>
    """
    with open(path, "rb") as file:
        return Shape.from_bytes(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def from_meshio(mesh, **options):
    """A shape of the triangles (and quads, cut in two) of a meshio.Mesh, or of anything with `points` and `cells`.

    >>> import numpy, types
    >>> cells = [types.SimpleNamespace(type="quad", data=numpy.array([[0, 1, 2, 3]]))]
    >>> square = types.SimpleNamespace(points=numpy.array([[0, 0], [1, 0], [1, 1], [0, 1]]), cells=cells)
    >>> from_meshio(square).triangles.tolist()
    [[0, 1, 2], [0, 2, 3]]
    """
    import numpy
    points = numpy.asarray(mesh.points, dtype=numpy.float32)
    if points.shape[1] == 2:
        points = numpy.column_stack([points, numpy.zeros(len(points), numpy.float32)])
    parts = []
    for cell in mesh.cells:
        if cell.type == "triangle":
            parts.append(cell.data)
        elif cell.type == "quad":
            parts.append(numpy.asarray(cell.data)[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3))
    if not parts:
        raise ValueError("the mesh has no triangles and no quads")
    return Shape(numpy.ascontiguousarray(points), numpy.concatenate(parts), **options)
