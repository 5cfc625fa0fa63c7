"""Whether triangles share a point, in exact integer arithmetic, by all axes that can separate two of them.

Two disjoint convex sets P and Q are separated along a normal of a facet of P - Q. If P - Q has a volume, that is a cross
product of two edges. If it is flat, an edge crossed with that, or the normal of its plane; if it is a segment, the edge, or
the part of the distance that is across it; if it is a point, the distance. So trying all of these decides every pair,
triangles without area included. The coordinates are integers, or floats that were scaled to integers.
"""
import fractions
import itertools
import math

import numpy

BEYOND = 1 << 10  # greatest coordinate for which 64 bits hold every product here


def dot(a, b):
    return a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]


def cross(a, b):
    return numpy.stack([a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
                        a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], axis=-1)


def axes(a, b):
    """All axes that can separate triangles a and b, of shape (n, 3, 3) each: (n, axes, 3)."""
    edges = [t[:, (i + 1) % 3] - t[:, i] for t in (a, b) for i in range(3)]
    normals = [cross(p, q) for p, q in itertools.combinations(edges, 2)]
    distance = a[:, 0] - b[:, 0]
    return itertools.chain(normals, edges, [distance], (cross(e, cross(distance, e)) for e in edges),
                           (cross(n, e) for n in normals for e in edges))


def intersect(a, b):
    """Of each of n pairs of triangles, (n, 3, 3) integers each, whether they share a point."""
    together = numpy.ones(len(a), dtype=bool)
    rest = numpy.arange(len(a))
    for axis in axes(a, b):
        axis = axis[rest][:, None]
        on_a, on_b = dot(a[rest], axis), dot(b[rest], axis)
        apart = (on_a.max(1) < on_b.min(1)) | (on_b.max(1) < on_a.min(1))
        together[rest[apart]] = False
        rest = rest[~apart]
        if len(rest) == 0:
            break
    return together


def integers(points):
    """Finite floats as Python's integers, scaled by one power of two: no rounding, no limit."""
    exact = [[fractions.Fraction(float(x)) for x in point] for point in points]
    scale = math.lcm(*(x.denominator for point in exact for x in point))
    return numpy.array([[int(x * scale) for x in point] for point in exact], dtype=object)
