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

Frame = collections.namedtuple("Frame", "index vertices triangles contacts")
Comparison = collections.namedtuple("Comparison", "frame_count contact_count missed false_positives seconds exact_seconds")


def icosphere(subdivisions):
    """Vertices and triangles of a unit sphere of 20 * 4^n triangles, closed.

    >>> [len(part) for part in icosphere(1)]
    [42, 80]
    """
    return _pliant._icosphere(subdivisions)


def rows_of(contacts):
    """Contacts as rows of (body a, body b, triangle a, triangle b), bodies counted from 0."""
    return numpy.hstack([contacts.bodies.astype(numpy.int64) - 1, contacts.triangles])


def exact(vertices, triangles):
    """The exact answer for bodies, of vertices and triangles each."""
    world = _pliant.World()
    for positions, corners in zip(vertices, triangles):
        world.add(_pliant.Shape(positions, corners))
    return rows_of(world.collide())


class Scene:
    """A scene by its name, one of NAMES. It is a sequence of frames.

    A frame has the vertices of all bodies, (n, 3) float32 in world coordinates, their triangles, (m, 3), and the exact
    contacts as rows of (body a, body b, triangle a, triangle b).
    """

    def __init__(self, name):
        self.name = name
        self._scene = _pliant._scene(name)
        self.body_count, self.frame_count = self._scene.counts
        self.triangles = [self._scene.triangles(body) for body in range(self.body_count)]
        self._world = _pliant.World()
        self._bodies = [self._world.add(_pliant.Shape(self._scene.vertices(body, 0), triangles))
                        for body, triangles in enumerate(self.triangles)]

    def vertices(self, index):
        """Where all bodies are at a frame."""
        return [self._scene.vertices(body, index) for body in range(self.body_count)]

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
