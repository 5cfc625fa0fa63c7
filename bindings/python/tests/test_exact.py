"""Contacts of random worlds against brute force in exact arithmetic, for every way in which bodies move."""
import os

import numpy
from hypothesis import HealthCheck, given, settings, strategies

import brute
import pliant

IS_LONG = os.environ.get("PLIANT_PYTHON_TESTS") == "long"
WORLDS = 100  # of one example: 10^5 worlds in all, 10^6 in a long run
EXAMPLES = 10000 if IS_LONG else 1000
BODIES, TRIANGLES = 2, 3
MAX = 900  # so that a moved vertex is within what brute force allows

settings.register_profile("pliant", deadline=None, database=None, derandomize=not IS_LONG, print_blob=True,
                          suppress_health_check=list(HealthCheck))
settings.load_profile("pliant")


# ---- Ways to move: each sets a body, and returns where its vertices are --------------------------------------------


def at_rest(world, random, vertices, triangles):
    world.add(pliant.Shape(vertices, triangles))
    return vertices


def borrowed(world, random, vertices, triangles):
    positions = random.permutation(vertices)
    world.add(pliant.Shape(vertices, triangles)).borrow(positions)
    return positions


def supplied(world, random, vertices, triangles):
    positions = random.permutation(vertices)
    world.add(pliant.Shape(vertices, triangles)).vertices = positions
    return positions


def moved(world, random, vertices, triangles):
    offset = random.integers(-100, 101, (3, 1))
    world.add(pliant.Shape(vertices, triangles)).transform = numpy.hstack([numpy.eye(3), offset])
    return vertices + offset[:, 0]


def morphed(world, random, vertices, triangles):
    target = random.integers(-10, 11, vertices.shape).astype("f4")
    weights = random.integers(-2, 3, 1).astype("f4")
    world.add(pliant.Shape(vertices, triangles, targets=[target])).weights = weights
    return vertices + weights[0] * target


def skinned(world, random, vertices, triangles):
    joints = random.integers(0, 2, (len(vertices), 1))
    matrices = numpy.tile(numpy.eye(3, 4, dtype="f4"), (2, 1, 1))
    matrices[:, :, 3] = random.integers(-10, 11, (2, 3))
    world.add(pliant.Shape(vertices, triangles, skin=(joints, numpy.ones_like(joints, "f4"), 2))).joints = matrices
    return vertices + matrices[joints[:, 0], :, 3]


def soup(world, random, vertices, triangles):
    world.add_soup().set_primitives(vertices, triangles)
    return vertices


WAYS = (at_rest, borrowed, supplied, moved, morphed, skinned, soup)


def make_world(random, greatest, ways):
    """A world, and the corners of all triangles of each of its bodies."""
    world, corners = pliant.World(), []
    for way in ways:
        vertices = random.integers(-greatest, greatest + 1, (random.integers(3, 7), 3)).astype("f4")
        triangles = random.integers(0, len(vertices), (TRIANGLES, 3)).astype("u4")
        corners.append(numpy.asarray(way(world, random, vertices, triangles)).astype(numpy.int64)[triangles])
    return world, corners


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
    worlds, corners = zip(*(make_world(random, greatest, ways) for _ in range(WORLDS)))
    expected = expected_rows(numpy.array(corners))
    for number, world in enumerate(worlds):
        found = numpy.zeros((TRIANGLES, TRIANGLES), dtype=bool)
        rows = world.collide().triangles
        found[rows[:, 0], rows[:, 1]] = True
        assert (found == expected[number]).all(), f"world {number} of the seed {seed}"


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
