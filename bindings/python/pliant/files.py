"""Models and shapes in files, and meshes of other packages."""
import collections
import functools
import mmap
import os

from . import _pliant
from ._pliant import Shape
from .checks import Report, Source

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


def reader():
    """The functions of the command that are in the module, where it was built with them."""
    if not hasattr(_pliant, "_read"):
        raise NotImplementedError("this package was built without the reader of the command")
    return _pliant


class Model:
    """A model that read() has read, or model() has made: `parts`, `clips`, and where the parts are at a time.

    bodies = model.add_to(world), then model.pose(bodies, model.clips[0], time) for each frame. Or model.check().
    """

    def __init__(self, model, options):
        self._model, self._options = model, options
        self.clips = [Clip(*clip) for clip in model.clips()]

    @functools.cached_property
    def parts(self):
        return [Part(*part, **self._options) for part in self._model.parts()]

    @functools.cached_property
    def sources(self):
        return [Source(*source) for source in self._model.sources()]

    def check(self, *, file="", unit=None, within="deformed", depth="worst", rate=0.0, frames=(0, -1, 1), clips=(), allow=(),
              exclude=(), max_depth=0.0, keep=True, page=False, volume=True, threads=0, progress=None):
        """Checks all of it as `pliant check` does, in every frame: what intersects, and how deep. Returns a Report.

        within: self-collisions of parts that something deforms ('deformed'), of 'all', or 'none'. depth: measured in frames
        that say most ('worst'), in 'all' frames, or 'none'. clips: names as globs, 'rest' is the rest pose. frames: first,
        last (-1: the end) and step. rate: samples a second, 0 for the model's own. allow, exclude: pairs of names as globs.
        max_depth: findings are deeper. file, unit: names for the report. page: an HTML page is made too. volume: common
        volumes are measured. keep: contacts and insides are kept. threads: 0 for one on each processor; the report does
        not depend on it. progress: called with the samples that are done and all, and then for each depth, with all; if it
        returns False, the check ends, and its report says that it is incomplete. Runs without the GIL.

        >>> import pliant
        >>> vertices, triangles = pliant.scenes.icosphere(2)
        >>> places = [[[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, 0]] for x in (0, 1.9)]
        >>> balls = pliant.model([("a", vertices, triangles), ("b", vertices, triangles)], [places])
        >>> report = balls.check()
        >>> report.data["pairs"][1]["verdict"], round(report.data["pairs"][1]["worst"]["depth"], 2)
        ('penetrating', 0.1)
        """
        flat = [tuple(name for pair in pairs for name in pair) for pairs in (allow, exclude)]
        return Report(*self._model.check(file, unit, within, depth, rate, tuple(frames), tuple(clips), *flat, max_depth, keep, page,
                                         volume, threads, progress))

    def cancel(self):
        """Ends a check of this model that runs in another thread. What it found until then is its report."""
        self._model.cancel()

    def seconds_left(self):
        """How long a check of this model will go on, about: a check that has `progress`, which may ask. None: not known."""
        return self._model.seconds_left()

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
    if by not in ("node", "material"):
        raise ValueError(f"by is '{by}', it must be one of 'node', 'material'")
    return Model(reader()._read(os.fspath(path), weld, by == "material"), options)


def model(parts, transforms, *, joints=(), name="frames", format="meshes", start=0.0, rate=30.0, weld=True, **options):
    """A model of arrays that another program has evaluated, to check() it as if it were a file.

    parts: (name, vertices, triangles), and up to four more: vertices in each frame (frames, n, 3), if they move against
    each other; morph targets (targets, n, 3), displacements; joints (n, k), numbers in the names that `joints` has; and
    their weights (n, k). Each may be None. Targets and joints move nothing: vertices of a part are welded where they have
    the same of everything, and reports name joints. transforms: of each part in each frame (frames, parts, 3, 4).
    name, start, rate: of the only clip, whose frames these are; seconds, and frames a second. weld: vertices that a seam has
    split are one. format: what a report says that the model is. `options` are those of Shape().
    """
    import numpy
    if len({part[0] for part in parts}) < len(parts):
        raise ValueError("two parts have one name")
    parts = [(*part, *[None] * (7 - len(part))) for part in parts]
    transforms = numpy.asarray(transforms, numpy.float32).reshape(-1, len(parts), 12)
    return Model(reader()._model_of(format, name, parts, transforms, list(joints), start, rate, weld), options)


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
