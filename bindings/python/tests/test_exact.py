"""Contacts of random worlds against brute force in exact arithmetic, for every way in which bodies move."""
import os

import numpy
from hypothesis import HealthCheck, given, settings, strategies

import brute
import pliant

IS_LONG = os.environ.get("PLIANT_PYTHON_TESTS") == "long"
WORLDS = 250  # of one example: 10^5 worlds in all, 10^6 in a long run
EXAMPLES = 20 if "libasan" in os.environ.get("LD_PRELOAD", "") else 4000 if IS_LONG else 400
VERTICES, TRIANGLES = 5, 3
MAX = 900  # so that a moved vertex is within what brute force allows

settings.register_profile("pliant", deadline=None, database=None, derandomize=not IS_LONG, print_blob=True,
                          suppress_health_check=list(HealthCheck))
settings.load_profile("pliant")


# ---- Ways to move: each sets a body, and returns where its vertices are. `extra` are random integers, from -10 to 10


def at_rest(world, extra, vertices, triangles):
    world.add(pliant.Shape(vertices, triangles))
    return vertices


def borrowed(world, extra, vertices, triangles):
    positions = vertices[::-1].copy()
    world.add(pliant.Shape(vertices, triangles)).borrow(positions)
    return positions


def supplied(world, extra, vertices, triangles):
    world.add(pliant.Shape(vertices, triangles)).vertices = vertices[::-1]
    return vertices[::-1]


def moved(world, extra, vertices, triangles):
    rows = IDENTITY.copy()
    rows[:, 3] = extra[:3]
    world.add(pliant.Shape(vertices, triangles)).transform = rows
    return vertices + extra[:3]


def morphed(world, extra, vertices, triangles):
    target = extra[: 3 * VERTICES].reshape(VERTICES, 3).astype("f4")
    world.add(pliant.Shape(vertices, triangles, targets=[target])).weights = extra[-1:].astype("f4")
    return vertices + extra[-1] * target


def skinned(world, extra, vertices, triangles):
    joints, matrices = numpy.abs(extra[:VERTICES, None]) % 2, numpy.stack([IDENTITY, IDENTITY])
    matrices[:, :, 3] = extra[:6].reshape(2, 3)
    world.add(pliant.Shape(vertices, triangles, skin=(joints, ONES, 2))).joints = matrices
    return vertices + matrices[joints[:, 0], :, 3]


def soup(world, extra, vertices, triangles):
    world.add_soup().set_primitives(vertices, triangles)
    return vertices


WAYS = (at_rest, borrowed, supplied, moved, morphed, skinned, soup)
IDENTITY, ONES = numpy.eye(3, 4, dtype="f4"), numpy.ones((VERTICES, 1), "f4")


def make_worlds(random, greatest, ways):
    """Worlds of two bodies, and where the corners of their triangles are: (worlds, bodies, TRIANGLES, 3, 3) integers."""
    shape = WORLDS, len(ways)
    vertices = random.integers(-greatest, greatest + 1, (*shape, VERTICES, 3)).astype("f4")
    triangles = random.integers(0, VERTICES, (*shape, TRIANGLES, 3)).astype("u4")
    extra = random.integers(-10, 11, (*shape, 3 * VERTICES + 1))
    worlds, corners = [pliant.World() for _ in range(WORLDS)], numpy.empty((*shape, TRIANGLES, 3, 3), numpy.int64)
    for i, world in enumerate(worlds):
        for k, way in enumerate(ways):
            corners[i, k] = way(world, extra[i, k], vertices[i, k], triangles[i, k])[triangles[i, k]]
    return worlds, corners


def expected_rows(corners):
    """What brute force says about the pairs of all worlds, at once: (worlds, TRIANGLES, TRIANGLES) booleans."""
    a = numpy.repeat(corners[:, 0], TRIANGLES, axis=1).reshape(-1, 3, 3)
    b = numpy.tile(corners[:, 1], (1, TRIANGLES, 1, 1)).reshape(-1, 3, 3)
    assert max(abs(a).max(), abs(b).max()) <= brute.BEYOND
    return brute.intersect(a, b).reshape(-1, TRIANGLES, TRIANGLES)


@settings(max_examples=EXAMPLES)
@given(strategies.integers(0, 2**32), strategies.sampled_from([1, 2, 3, 5, 10, 50, MAX]),
       strategies.tuples(strategies.sampled_from(WAYS), strategies.sampled_from(WAYS)))
def test_worlds_against_brute_force(seed, greatest, ways):
    random = numpy.random.default_rng(seed)
    worlds, corners = make_worlds(random, greatest, ways)
    expected = expected_rows(corners)
    found = numpy.zeros_like(expected)
    for number, world in enumerate(worlds):
        rows = world.collide().triangles
        found[number, rows[:, 0], rows[:, 1]] = True
    assert numpy.array_equal(found, expected), f"worlds {numpy.unique(numpy.nonzero(found != expected)[0])}"


# ---- Any floats ------------------------------------------------------------------------------------------------------

numbers = strategies.one_of(strategies.floats(width=32, allow_nan=False, allow_infinity=False),
                            strategies.floats(-2, 2, width=32), strategies.integers(-3, 3).map(float))
triangle = strategies.lists(strategies.tuples(numbers, numbers, numbers), min_size=3, max_size=3)


@settings(max_examples=3000 if IS_LONG else 300)
@given(triangle, triangle)
def test_any_floats_against_rational_arithmetic(a, b):
    scaled = brute.integers(a + b)
    expected = bool(brute.intersect(scaled[None, :3], scaled[None, 3:])[0])
    a, b = numpy.array(a, "f4"), numpy.array(b, "f4")
    assert pliant.triangles_intersect(a, b) == expected
    world = pliant.World()
    for corners in (a, b):
        world.add(pliant.Shape(corners, numpy.array([[0, 1, 2]])))
    assert world.collide(count_only=True) == expected


def test_brute_force_knows_what_touches():
    flat = numpy.array([[[0, 0, 0], [4, 0, 0], [0, 4, 0]]])
    cases = [([[2, 2, 0], [3, 3, 0], [3, 3, 3]], True), ([[2, 3, 0], [3, 3, 0], [3, 3, 3]], False),
             ([[1, 1, 1], [1, 1, 2], [1, 1, 3]], False), ([[1, 1, -1], [1, 1, 2], [1, 1, 3]], True),
             ([[5, 0, 0]] * 3, False), ([[4, 0, 0]] * 3, True), ([[5, 0, 0], [6, 0, 0], [7, 0, 0]], False)]
    for corners, expected in cases:
        assert brute.intersect(flat, numpy.array([corners]))[0] == expected
