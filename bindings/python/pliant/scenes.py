"""The project's scenes, frame by frame, with the exact answer: to compare other methods with.

>>> import pliant
>>> scene = pliant.scenes.Scene("bumpy")
>>> scene.body_count, scene.frame_count, len(scene.triangles[0])
(2, 200, 20480)
>>> frame = scene[100]
>>> frame.vertices[0].shape
(10242, 3)
>>> len(frame.contacts) > 0
True

Bodies that morph or follow joints can be added with their rigs, and posed:

>>> scene = pliant.scenes.Scene("dolphins", size=0)
>>> world = pliant.World()
>>> bodies = scene.add_to(world)
>>> scene.pose(bodies, 100)
>>> bodies[0].shape.target_count, bool(abs(bodies[0].vertices - scene.vertices(100)[0]).max() < 1e-5)
(3, True)

A method is measured with `compare`: it gets vertices and triangles of all bodies, and returns rows of
(body a, body b, triangle a, triangle b), bodies counted from 0.

>>> result = compare(lambda vertices, triangles: exact(vertices, triangles), "bumpy", frames=range(98, 101))
>>> result.missed, result.false_positives
(0, 0)
"""
import collections
import time

import numpy

from . import _pliant

NAMES = ("bumpy", "crowd", "passing", "dolphins", "face", "museum", "living_room")
STATUES = ("knot", "rabbit", "reptile", "santa", "dragon")
PAIR_COUNT = 7  # of statues

Frame = collections.namedtuple("Frame", "index vertices triangles contacts")
Rig = collections.namedtuple("Rig", "vertices triangles targets morph skin")
StatuePair = collections.namedtuple("StatuePair", "names is_deep meshes")
Comparison = collections.namedtuple("Comparison", "frame_count contact_count missed false_positives seconds exact_seconds")


def icosphere(subdivisions):
    """Vertices and triangles of a unit sphere of 20 * 4^n triangles, closed.

    >>> [len(part) for part in icosphere(1)]
    [42, 80]
    """
    return _pliant._icosphere(subdivisions)


def statue(name):
    """Vertices and triangles of a closed body by its name, one of STATUES: 12,000 to 520,000 triangles.

    >>> [len(part) for part in statue("knot")]
    [6000, 12000]
    """
    if name not in STATUES:
        raise ValueError(f"name is '{name}', it must be one of {STATUES}")
    return _pliant._statue(STATUES.index(name))


def statue_pair(number):
    """Two statues that reach into each other, by a number below PAIR_COUNT: names, whether it is deep, and both meshes.

    >>> pair = statue_pair(0)
    >>> pair.names, pair.is_deep, [len(triangles) for vertices, triangles in pair.meshes]
    (('knot', 'rabbit'), False, [12000, 50000])
    """
    numbers, is_deep, *meshes = _pliant._statue_pair(number)
    return StatuePair(tuple(STATUES[i] for i in numbers), is_deep, meshes)


def rows_of(contacts):
    """Contacts as rows of (body a, body b, triangle a, triangle b), bodies counted from 0."""
    return numpy.hstack([contacts.bodies.astype(numpy.int64) - 1, contacts.triangles])


def exact(vertices, triangles):
    """The exact answer for bodies, of vertices and triangles each."""
    world = _pliant.World()
    for positions, corners in zip(vertices, triangles):
        world.add(_pliant.Shape(positions, corners))
    return rows_of(world.collide())


def set_poses(bodies, poses):
    """Moves bodies to poses that Scene.poses() returned."""
    for body, (transform, weights, joints) in zip(bodies, poses, strict=True):
        if weights is not None:
            body.weights = weights
        if joints is not None:
            body.joints = joints
        body.transform = transform


class Scene:
    """A scene by its name, one of NAMES. It is a sequence of frames.

    A frame has the vertices of all bodies, (n, 3) float32 in world coordinates, their triangles, (m, 3), and the exact
    contacts as rows of (body a, body b, triangle a, triangle b). `size` is how finely bodies are divided: of "bumpy" and
    "crowd" 20 * 4^size triangles, of "dolphins" 0 to 5, which are 564 to 589,824 triangles. `is_posed`: bodies have rigs
    or transforms; otherwise all that is known is where their vertices are.
    """

    def __init__(self, name, size=None):
        self.name = name
        self._scene = _pliant._scene(name, -1 if size is None else size)
        self.body_count, self.frame_count, is_posed = self._scene.counts
        self.is_posed = bool(is_posed)
        self.triangles = [self._scene.triangles(body) for body in range(self.body_count)]
        self._world = _pliant.World()
        self._bodies = [self._world.add(_pliant.Shape(self._scene.vertices(body, 0), triangles))
                        for body, triangles in enumerate(self.triangles)]

    def vertices(self, index):
        """Where all bodies are at a frame."""
        return [self._scene.vertices(body, index) for body in range(self.body_count)]

    def rig(self, body):
        """What a shape of this body is made of: Shape(**scene.rig(0)._asdict())."""
        vertices, targets, has_references, skin = self._scene.rig(body)
        return Rig(vertices, self.triangles[body], targets, "references" if has_references else "displacements", skin)

    def add_to(self, world, **options):
        """Adds the bodies to a world, with their morph targets and skins. `options` are those of Shape()."""
        shapes, made = [], {}
        for body, triangles in enumerate(self.triangles):
            key = triangles.tobytes()  # bodies of the same mesh share a shape
            if key not in made:
                made[key] = _pliant.Shape(**self.rig(body)._asdict(), **options)
            shapes.append(made[key])
        return [world.add(shape) for shape in shapes]

    def poses(self, index):
        """(transform, weights, joints) of all bodies at a frame; None of what a body does not have."""
        return [self._scene.pose(body, index) for body in range(self.body_count)]

    def pose(self, bodies, index):
        """Moves the bodies of add_to() to where they are at a frame."""
        if not self.is_posed:
            for body, vertices in zip(bodies, self.vertices(index), strict=True):
                body.vertices = vertices
            return
        set_poses(bodies, self.poses(index))

    def contacts(self, vertices):
        """The exact contacts of bodies that are there."""
        for body, positions in zip(self._bodies, vertices):
            body.borrow(positions)
        return rows_of(self._world.collide())

    def __len__(self):
        return self.frame_count

    def __getitem__(self, index):
        vertices = self.vertices(range(self.frame_count)[index])
        return Frame(index, vertices, self.triangles, self.contacts(vertices))


def compare(method, name, frames=None):
    """Runs a method on the frames of a scene, and counts the pairs that it misses, those that it reports wrongly, and the seconds."""
    scene = Scene(name)
    frames = range(scene.frame_count) if frames is None else frames
    counts, seconds = [0, 0, 0], [0.0, 0.0]
    for index in frames:
        vertices = scene.vertices(index)
        start = time.perf_counter()
        expected = scene.contacts(vertices)
        middle = time.perf_counter()
        found = method(vertices, scene.triangles)
        seconds[0] += time.perf_counter() - middle
        seconds[1] += middle - start
        expected, found = set(map(tuple, expected.tolist())), set(map(tuple, numpy.asarray(found).tolist()))
        for i, rows in enumerate((expected, expected - found, found - expected)):
            counts[i] += len(rows)
    return Comparison(len(frames), *counts, *seconds)
