"""Uses everything, some hundred times, and prints how many bytes more are in use after the second half than after the first.

Under AddressSanitizer with detect_leaks=1, what the module still holds at the end is in the sanitizer's report.
"""
import ctypes
import gc
import sys

import numpy

import pliant


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                                                     "uordblks", "fordblks", "keepcost")]


def used():
    """What malloc has given away, and Python's own blocks. What a process has of memory varies by megabytes."""
    mallinfo = ctypes.CDLL(None).mallinfo2  # of glibc 2.33 or newer
    mallinfo.restype = Mallinfo
    info = mallinfo()
    return info.uordblks + info.hblkhd + 64 * sys.getallocatedblocks()


def refused(call):
    try:
        call()
    except (ValueError, TypeError, pliant.Error, ZeroDivisionError):
        return
    raise AssertionError("not refused")


def round_trip(shape):
    world = pliant.World(threads=2)
    a, b, soup = world.add(shape), world.add(shape), world.add_soup("points")
    a.borrow(numpy.array(shape.vertices))
    b.end.vertices = shape.vertices
    soup.borrow_primitives(numpy.zeros((3, 3), "f4"))
    triangles = world.add_soup()
    triangles.borrow_primitives(shape.vertices, shape.triangles.astype("u4"))
    a.end, triangles.end, soup.end
    world.remove(triangles)
    contacts = world.collide()
    world.regions(contacts), world.intersections(contacts), world.intersections(contacts[:5]), world.volume(a, resolution=16), world.near(0.1), world.sweep()
    world.volume(world.add(pliant.Shape(shape.vertices, shape.triangles[1:]))), world.contains(a, b)
    world.cast_rays(numpy.array([[0, 0, 0, 1, 0, 0, 9]], "f4")), world.closest_points(numpy.zeros((2, 3), "f4"), a)
    contacts.array, contacts.triangles, a.vertices, a.box, shape.edges, world.stats(), a.self_collide()
    world.body_pairs(), world.bodies_within(0.1), world.closest(a, b), world.cancel()
    world.vertex_distances(world.near(0.1), a)
    b.has_self = False
    b.rest()
    for call in (lambda: world.near(-1), lambda: world.regions(contacts), lambda: world.regions(contacts[:]),
                 lambda: world.intersections(contacts), lambda: world.intersections(numpy.zeros(3)), lambda: world.vertex_distances(contacts, a),
                 lambda: world.bodies_within(progress=lambda done, total: 1 / 0), lambda: a.borrow(numpy.zeros(3)), lambda: a.borrow(None),
                 lambda: pliant.Shape(shape.vertices, numpy.zeros((1, 3), "f4")),
                 lambda: pliant.Shape(shape.vertices, shape.triangles, targets=[shape.vertices, shape.vertices[1:]]),
                 lambda: pliant.Shape.from_bytes(b"nothing"), lambda: world.collide(progress=lambda done, total: 1 / 0),
                 lambda: world.volume(a, progress=lambda done, total: 1 / 0),
                 lambda: world.contains(a, b, progress=3)):
        refused(call)
    pliant.Shape.from_bytes(shape.to_bytes())
    world.remove(a)


def main():
    shape = pliant.Shape(*pliant.scenes.icosphere(1))
    sizes = []
    for _ in range(8):
        for _ in range(25):
            round_trip(shape)
        gc.collect()
        sizes.append(used())
    print(sizes[7] - sizes[3])


if __name__ == "__main__":
    main()
