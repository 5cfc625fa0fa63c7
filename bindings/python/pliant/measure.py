"""Measures of penetration over a sequence, as arrays: what papers on body models report.

>>> import numpy, pliant
>>> world = pliant.World()
>>> ball = pliant.Shape(*pliant.scenes.icosphere(3))
>>> a, b = world.add(ball), world.add(ball)
>>> def pose(frame):
...     b.transform = numpy.array([[1, 0, 0, 2.3 - 0.2 * frame], [0, 1, 0, 0], [0, 0, 1, 0]])
>>> found = sequence(world, range(4), pose)
>>> (found.contacts > 0).tolist()
[False, False, True, True]
>>> bool(0.25 < found.depth[3] <= found.max_depth[3] < 0.31)
True
>>> bool(found.volume[3] > found.volume[2] > 0)
True
>>> found.worst()
3
"""
import dataclasses
import math

import numpy

from . import _pliant


@dataclasses.dataclass
class Measures:
    """One number for each frame, all of shape (frames,). Lengths, areas and volumes are in units of the world.

    contacts: pairs of triangles of different bodies. depth, max_depth: the deepest penetration between bodies is at least
    the one and at most the other. area: of all surface that is on the wrong side. volume: that two bodies share, summed up
    over pairs, NaN if a body is not closed; volume_error: how far it may be off. self_contacts, self_depth, self_area: the
    same within bodies.
    """

    contacts: numpy.ndarray
    depth: numpy.ndarray
    max_depth: numpy.ndarray
    area: numpy.ndarray
    volume: numpy.ndarray
    volume_error: numpy.ndarray
    self_contacts: numpy.ndarray
    self_depth: numpy.ndarray
    self_area: numpy.ndarray

    def worst(self):
        """The frame with the deepest penetration, between bodies or within one."""
        return int(numpy.argmax(numpy.maximum(self.depth, self.self_depth)))


def regions(world, contacts):
    """Depth, upper bound of the depth, and area of the regions of contacts."""
    found = world.regions(contacts) if len(contacts) else ()
    if len(found) == 0:
        return 0.0, 0.0, 0.0
    return float(found.depths.max()), float(found.max_depths.max()), float(found.areas.sum())


def common_volume(world, pairs, **options):
    """The volume that pairs of bodies share, and its error, summed up. NaN if a body is not closed."""
    volume = error = 0.0
    for a, b in pairs:
        found = world.volume(world.body(int(a)), world.body(int(b)), **options)
        if not found.is_closed:
            return math.nan, math.nan
        volume, error = volume + found.volume, error + found.error
    return volume, error


def frame(world, *, volume=True, within=True, **options):
    """All measures of a world as it is now, as a dict of numbers. `options` are those of World.volume()."""
    contacts = world.collide()
    depth, max_depth, area = regions(world, contacts)
    pairs = world.body_pairs().bodies if volume else ()
    common, error = common_volume(world, pairs, **options)
    own = [body.self_collide() for body in world.bodies] if within else []
    parts = [regions(world, found) for found in own] or [(0.0, 0.0, 0.0)]
    return {"contacts": len(contacts), "depth": depth, "max_depth": max_depth, "area": area, "volume": common,
            "volume_error": error, "self_contacts": sum(map(len, own)), "self_depth": max(part[0] for part in parts),
            "self_area": sum(part[2] for part in parts)}


def sequence(world, frames, pose, **options):
    """Calls pose(frame) for each of the frames, then measures the world. `options` are those of frame().

    volume=False and within=False leave out what takes longest: volumes, and penetration within bodies.
    """
    rows = []
    for number in frames:
        pose(number)
        rows.append(frame(world, **options))
    names = [field.name for field in dataclasses.fields(Measures)]
    kinds = dict.fromkeys(("contacts", "self_contacts"), numpy.int64)
    return Measures(**{name: numpy.array([row[name] for row in rows], dtype=kinds.get(name, numpy.float64)) for name in names})
