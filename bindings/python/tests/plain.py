"""The package without numpy, on any Python from 3.11 on: python3 plain.py. Arrays are memory views, answers are bytes."""
import array
import pickle
import struct
import sys
import threading

import pliant


def rows(kind, numbers, *shape):
    return memoryview(array.array(kind, numbers)).cast("B").cast(kind, shape)


def main():
    vertices = rows("f", [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], 4, 3)
    triangles = rows("I", [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], 4, 3)
    shape = pliant.Shape(vertices, triangles)
    assert shape.is_closed and pickle.loads(pickle.dumps(shape)).to_bytes() == shape.to_bytes()
    world = pliant.World(threads=2)
    a, b = world.add(shape), world.add(shape)
    b.transform = rows("d", [1, 0, 0, .5, 0, 1, 0, .25, 0, 0, 1, .125], 3, 4)
    pairs = [struct.unpack("<4I2i", item)[-2:] for item in (world.collide().memory()[i:i + 24] for i in range(0, 72, 24))]
    assert pairs == [(3, 0), (3, 1), (3, 2)], pairs
    a.borrow(vertices)
    assert world.collide(count_only=True) == 3 and len(world.intersections(world.collide())) == 3
    assert world.collide().stamp > 0 and len(world.collide(a, a)) == 0 and a.end.vertex_count == 4
    assert abs(world.volume(a).volume - 1 / 6) < 0.01 and not world.contains(a, b)
    for wrong, kind in ((lambda: a.borrow(rows("d", [0] * 12, 4, 3)), ValueError), (lambda: world.near(-1), ValueError),
                        (lambda: pliant.Shape(vertices, rows("I", [9] * 3, 1, 3)), IndexError), (lambda: a.borrow(3), TypeError)):
        try:
            wrong()
        except kind as error:
            assert str(error)
        else:
            raise AssertionError("not refused")
    threads = [threading.Thread(target=lambda: pliant.World().add(shape)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    world.remove(a)
    del world, b
    assert not hasattr(pliant, "nothing")
    print("plain: passed on Python", sys.version.split()[0])


if __name__ == "__main__":
    main()
