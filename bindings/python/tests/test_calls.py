"""Every call: what it returns, and what it refuses."""
import ast
import doctest
import gc
import json
import math
import os
import pathlib
import pickle
import subprocess
import sys

import numpy
import pytest

import pliant
import pliant.checks
import pliant.files
from pliant.__main__ import command


@pytest.fixture
def ball():
    return pliant.Shape(*pliant.scenes.icosphere(3))


@pytest.fixture
def pair(ball):
    """A world, and two balls that reach into each other."""
    world = pliant.World()
    a, b = world.add(ball), world.add(ball)
    b.transform = moved(1.5)
    return world, a, b


def moved(x, y=0.0, z=0.0):
    return numpy.hstack([numpy.eye(3), [[x], [y], [z]]]).astype("f4")


@pytest.mark.parametrize("module", [pliant, pliant.checks, pliant.files, pliant.measure, pliant.scenes])
def test_examples_in_docstrings(module):
    result = doctest.testmod(module)
    assert result.attempted > 0 and result.failed == 0


def test_examples_in_the_tutorial():
    page = pathlib.Path(__file__).resolve().parents[3] / "docs/python.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 20 and result.failed == 0


def test_the_reference_is_that_of_the_package():
    """Pages of docs/ that are made of docstrings and stubs; without the reader some functions are missing."""
    if not hasattr(pliant._pliant, "_read"):
        pytest.skip("built without the reader of the command")
    script = pathlib.Path(__file__).resolve().parents[3] / "scripts/render-python"
    run = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


# ---- Shapes ----------------------------------------------------------------------------------------------------------


def test_shape_knows_its_mesh(ball):
    vertices, triangles = pliant.scenes.icosphere(3)
    assert numpy.array_equal(ball.vertices, vertices) and numpy.array_equal(ball.triangles, triangles)
    assert (ball.vertex_count, ball.triangle_count, ball.is_closed) == (642, 1280, True)
    assert len(ball.edges) == 1920 and sorted(ball.vertex_order.tolist()) == list(range(642))
    assert not ball.vertices.flags.writeable
    with pytest.raises(AttributeError):
        ball.vertex_count = 3


@pytest.mark.parametrize("kind", ["i4", "u4", "i8", "u8", "u2", "i2"])
def test_triangles_of_any_integers(kind):
    vertices, triangles = pliant.scenes.icosphere(1)
    assert numpy.array_equal(pliant.Shape(vertices, triangles.astype(kind)).triangles, triangles)


def test_vertices_in_any_order_of_memory():
    vertices, triangles = pliant.scenes.icosphere(1)
    for array in (numpy.asfortranarray(vertices), vertices.astype("f8"), vertices[::-1][::-1], numpy.repeat(vertices, 2, 0)[::2]):
        assert numpy.array_equal(pliant.Shape(array, triangles).vertices, vertices)


@pytest.mark.parametrize("vertices, triangles, word", [
    (numpy.zeros((4, 2), "f4"), numpy.zeros((1, 3), "i4"), "shape is"),
    (numpy.zeros(12, "f4"), numpy.zeros((1, 3), "i4"), "shape is"),
    (numpy.zeros((4, 3), "i4"), numpy.zeros((1, 3), "i4"), "float32"),
    (numpy.zeros((4, 3), ">f4"), numpy.zeros((1, 3), "i4"), "order"),
    (numpy.zeros((4, 3), "c8"), numpy.zeros((1, 3), "i4"), "float32"),
    (numpy.zeros((4, 3), "f4"), numpy.zeros((1, 3), "f4"), "integers"),
    (numpy.zeros((4, 3), "f4"), numpy.full((1, 3), -1), "out of range"),
    (numpy.zeros((4, 3), "f4"), numpy.full((1, 3), 2**40), "out of range"),
    (numpy.zeros((4, 3), "f4"), numpy.full((1, 3), 2**64 - 1, "u8"), "out of range"),
    (numpy.zeros((0, 3), "f4"), numpy.zeros((1, 3), "i4"), "vertices"),
])
def test_meshes_that_are_refused(vertices, triangles, word):
    with pytest.raises(ValueError, match=word):
        pliant.Shape(vertices, triangles)


def test_what_is_no_array_is_refused():
    with pytest.raises(TypeError, match="vertices: an array is needed"):
        pliant.Shape([[0, 0, 0]], numpy.zeros((1, 3), "i4"))
    with pytest.raises(pliant.BadIndex, match="def.triangles.data"):
        pliant.Shape(numpy.zeros((2, 3), "f4"), numpy.array([[0, 1, 2]]))
    with pytest.raises(ValueError, match="tree is 'none', it must be one of 'full'"):
        pliant.Shape(numpy.zeros((3, 3), "f4"), numpy.array([[0, 1, 2]]), tree="none")


def test_targets_and_skins():
    vertices, triangles = pliant.scenes.icosphere(2)
    count = len(vertices)
    dense, sparse = numpy.full((count, 3), 0.5, "f4"), (numpy.array([3, 5]), numpy.ones((2, 3), "f4"))
    shape = pliant.Shape(vertices, triangles, targets=[dense, sparse],
                         skin=(numpy.zeros((count, 2), "u2"), numpy.tile(numpy.array([1, 0], "f4"), (count, 1))))
    assert (shape.target_count, shape.joint_count) == (2, 1)
    body = pliant.World().add(shape)
    body.weights = numpy.array([2, -1], "f4")
    expected = vertices + numpy.float32(1)
    expected[[3, 5]] -= 1
    assert numpy.allclose(body.vertices, expected, atol=1e-6)
    body.joints = moved(0, 0, 3)[None]
    assert numpy.allclose(body.vertices, expected + [0, 0, 3], atol=1e-6)
    stacked = pliant.Shape(vertices, triangles, targets=numpy.stack([dense, dense]), morph="references")
    assert stacked.target_count == 2
    with pytest.raises(ValueError, match="targets: the shape"):
        pliant.Shape(vertices, triangles, targets=[dense[1:]])
    with pytest.raises(TypeError, match="skin"):
        pliant.Shape(vertices, triangles, skin=dense)
    with pytest.raises(pliant.BadArgument, match="weights"):
        body.weights = numpy.zeros(3, "f4")


def test_radii_add_to_the_distance():
    vertices, triangles = pliant.scenes.icosphere(1)
    world = pliant.World()
    shape = pliant.Shape(vertices, triangles)
    a, b = world.add(shape), world.add(shape)
    b.transform = moved(2.5, 0, 0)
    assert len(world.near(0.0)) == 0 and a.radius == 0
    a.radius = 0.25
    b.vertex_radii = numpy.full(len(vertices), 0.5)
    assert a.radius == 0.25 and b.vertex_radii.tolist() == [0.5] * len(vertices)
    assert a.vertex_radii.tolist() == [0.25] * len(vertices)
    assert len(world.near(0.0)) > 0 and len(world.body_pairs()) == 1
    assert len(world.near(0.0, a, includes_self=True)) == 0
    assert len(world.near(0.0, a, includes_self=True, rest_distance=-1)) > 0
    assert world.sweep().times.tolist() == [0] and world.sweep(rest_distance=-1).is_conservative
    b.vertex_radii = None
    a.radius = 0
    assert len(world.near(0.0)) == 0
    with pytest.raises(pliant.BadArgument, match="radius is -1"):
        a.radius = -1
    with pytest.raises(pliant.BadArgument, match="radii"):
        b.vertex_radii = numpy.zeros(3)


def test_vertices_in_double_are_covered_by_near_and_sweep():
    vertices = numpy.array([[0, 0, 0], [4, 0, 0], [0, 4, 0]], "f4")
    world = pliant.World()
    shape = pliant.Shape(vertices, numpy.array([[0, 1, 2]]))
    world.add(shape)
    body = world.add(shape)
    above = numpy.array([[1, 1, 1], [1.5, 1, 2], [1, 1.5, 2]])
    world.origin = (1e3, 0, 0)
    assert world.origin == (1e3, 0, 0)
    body.vertices64 = above + (1e3, 0, 0)
    assert body.vertices.tolist() == above.tolist() and body.rounding_error == 0
    assert world.near(1.0).flags.tolist() == [0]
    above[0, 2] = 1 - 2 ** -25 + 2 ** -40
    body.vertices64 = above + (1e3, 0, 0)
    assert 2 ** -26 < body.rounding_error < 2 ** -24
    assert body.vertices[0, 2] == 1 and world.near(1 - 2 ** -24).flags.tolist() == [1]
    world.origin = [0, 0, 0]
    body.borrow64(above)
    above[0, 2] = 0.5
    assert len(world.near(0.5)) == 1 and body.vertices[0, 2] == 0.5
    end = body.end
    end.vertices64 = above - (0, 0, 1 + 2 ** -40)
    impacts = world.sweep()
    assert impacts.is_conservative and 0.49 < impacts.times[0] <= 0.5
    with pytest.raises(pliant.BadArgument, match="transform"):
        other = world.add(shape)
        other.transform = moved(1, 0, 0)
        other.vertices64 = above
    with pytest.raises(TypeError):
        world.origin = (1, 2)
    with pytest.raises(AttributeError):
        body.vertices64


def test_weld_closes_a_split_mesh():
    vertices, triangles = pliant.scenes.icosphere(1)
    split = vertices[triangles].reshape(-1, 3)
    corners = numpy.arange(len(split)).reshape(-1, 3)
    assert not pliant.Shape(split, corners).is_closed
    assert pliant.Shape(split, corners, weld=True).is_closed
    assert pliant.Shape(split, corners, groups=numpy.unique(split, axis=0, return_index=True)[1][
        numpy.unique(split, axis=0, return_inverse=True)[1]]).is_closed


def test_pickles_and_bytes(ball, tmp_path):
    for copy in (pickle.loads(pickle.dumps(ball)), pliant.Shape.from_bytes(ball.to_bytes())):
        assert copy.to_bytes() == ball.to_bytes() and numpy.array_equal(copy.vertices, ball.vertices)
    pliant.save_shape(ball, tmp_path / "ball")
    body = pliant.World().add(pliant.load_shape(tmp_path / "ball"))
    gc.collect()
    assert numpy.array_equal(body.vertices, ball.vertices)
    with pytest.raises(pliant.BadData):
        pliant.Shape.from_bytes(ball.to_bytes()[:-64])
    with pytest.raises(TypeError):
        pliant.Shape.from_bytes("text")


def test_shape_is_the_same_for_any_number_of_threads():
    mesh = pliant.scenes.icosphere(6)
    assert pliant.Shape(*mesh, threads=3).to_bytes() == pliant.Shape(*mesh).to_bytes()


# ---- Bodies ----------------------------------------------------------------------------------------------------------


def test_bodies_are_found_by_their_index(pair):
    world, a, b = pair
    assert world.bodies == [a, b] and world.body(b.index) == b and a != b and hash(a) == hash(world.body(a.index))
    assert len(world) == 2 and a.world is world and a.is_alive
    world.remove(a)
    assert not a.is_alive and world.bodies == [b]
    with pytest.raises(pliant.BadId):
        a.transform = moved(1)
    with pytest.raises(IndexError):
        world.body(a.index)
    with pytest.raises(IndexError):
        world.body(-1)


def test_attributes_of_a_body(pair):
    world, a, b = pair
    assert numpy.array_equal(b.transform, moved(1.5)) and b.shape is a.shape
    a.filter = (1, 0)
    assert a.filter == (1, 0) and len(world.collide()) == 0
    assert a.vertex_count == 642 and a.triangle_count == 1280 and a.nonfinite_count == 0
    assert numpy.allclose(a.box, [[-1] * 3, [1] * 3], atol=0.001)
    a.loose_box = numpy.array([[-2.0] * 3, [2.0] * 3])
    a.loose_box = None
    assert numpy.array_equal(b.corners(numpy.array([5, 5])), numpy.repeat(b.vertices[a.shape.triangles[[5]]], 2, 0))
    with pytest.raises(IndexError):
        b.corners(numpy.array([1280]))
    for name in ("weights", "joints", "loose_box"):
        with pytest.raises(AttributeError):
            getattr(a, name)
    with pytest.raises(AttributeError):
        del a.transform
    with pytest.raises(ValueError, match="shape is \\(4, 4\\), it must be \\(3, 4\\)"):
        a.transform = numpy.eye(4)
    with pytest.raises(ValueError, match="finite"):
        a.transform = numpy.full((3, 4), math.nan)


def test_borrowed_vertices_are_read_in_place(pair):
    world, a, b = pair
    positions = a.vertices
    a.borrow(positions)
    count = len(world.collide())
    positions += 10
    assert count > 0 and len(world.collide()) == 0
    with pytest.raises(ValueError):
        positions.resize((3, 3), refcheck=False)
    wide = numpy.zeros((len(positions), 5), "f4")
    wide[:, :3] = a.shape.vertices
    a.borrow(wide[:, :3])
    assert len(world.collide()) == count
    one = world.add_soup("points")
    one.borrow_primitives(numpy.zeros((2, 3), "f4")[::2])
    for refused in (numpy.zeros((1, 6), "f4")[:, ::2], numpy.zeros((1, 3), "f4")[:, ::-1]):
        with pytest.raises(ValueError, match="without gaps"):
            one.borrow_primitives(refused)
    world.remove(one)
    for refused in (positions.astype("f8"), positions[::-1], numpy.asfortranarray(positions), positions[1:]):
        with pytest.raises(ValueError):
            a.borrow(refused)
    assert len(world.collide()) == count
    a.rest()
    wide.resize((1, 1), refcheck=False)


# ---- Queries ---------------------------------------------------------------------------------------------------------


def test_contacts(pair):
    world, a, b = pair
    contacts = world.collide()
    assert contacts.triangles.shape == (len(contacts), 2) and contacts.triangles.dtype == numpy.int32
    assert numpy.array_equal(numpy.asarray(contacts)["triangles"], contacts.triangles)
    assert contacts.array["body_a"].tolist() == [a.index] * len(contacts)
    assert numpy.array_equal(world.collide(a, b).triangles, contacts.triangles)
    assert numpy.array_equal(world.collide(b).triangles, contacts.triangles)
    assert world.collide(count_only=True) == len(contacts) and len(world.collide(kind="any")) == 1
    limited = world.collide(max_contacts=3)
    assert len(limited) == 3 and limited.is_limit_reached and not contacts.is_limit_reached
    kept = contacts.triangles.copy()
    contacts.triangles[0] = 7  # the caller's own
    assert numpy.array_equal(world.collide().triangles, kept)
    world.remove(b)
    assert world.collide().triangles.shape == (0, 2) and len(world.collide()[:]) == 0
    with pytest.raises(ValueError, match="kind is 'some'"):
        world.collide(kind="some")
    with pytest.raises(ValueError, match="another world"):
        world.collide(pliant.World().add(a.shape))
    with pytest.raises(TypeError):
        world.collide(1)


def test_answers_do_not_depend_on_threads(ball):
    found = []
    for threads in (1, 3, 0):
        world = pliant.World(threads=threads)
        for i in range(12):
            world.add(ball).transform = moved(i * 0.7, i % 3)
        found.append(world.collide().array.tobytes()[4:8] + world.collide().triangles.tobytes())
    assert found[0][4:] == found[1][4:] == found[2][4:]


def test_self_collision(ball):
    folded = numpy.array(ball.vertices)
    folded[:, 2] = numpy.abs(folded[:, 2]) - folded[:, 2].clip(max=0) * 0.5
    body = pliant.World().add(ball)
    assert len(body.self_collide()) == 0
    body.vertices = folded * [1, 1, 0]
    contacts = body.self_collide()
    assert len(contacts) > 0 and (contacts.triangles[:, 0] < contacts.triangles[:, 1]).all()
    assert body.self_collide(count_only=True) == len(contacts)
    world = body.world
    other = world.add(ball)
    other.transform = moved(5)
    assert numpy.array_equal(world.collide(body, body).array, contacts.array) and len(world.collide()) == 0
    assert numpy.array_equal(world.collide(includes_self=True).triangles, contacts.triangles)
    assert body.has_self and other.has_self
    body.has_self = False
    assert not body.has_self and len(world.collide(includes_self=True)) == 0 and len(body.self_collide()) == len(contacts)
    with pytest.raises(AttributeError):
        del body.has_self


def test_near_and_closest(pair):
    world, a, b = pair
    b.transform = moved(2.01)
    near = world.near(0.05)
    assert len(near) and near.distances.max() <= 0.05 and near.weights.shape == (len(near), 4)
    assert numpy.array_equal(world.near(0.05, a, b).features, near.features)
    assert numpy.array_equal(world.near(0.05, margin=0.1).features, near.features)
    assert near.vertices.shape == (len(near), 4) and near.vertices.dtype == numpy.uint32
    counts = numpy.array([1, 3, 2])[near.kinds]  # vertices of a
    places = numpy.where(numpy.arange(4)[None, :, None] < counts[:, None, None],
                         a.vertices[numpy.minimum(near.vertices, len(a.vertices) - 1)],
                         b.vertices[numpy.minimum(near.vertices, len(b.vertices) - 1)])
    between = (places * near.weights[:, :, None]).sum(axis=1)
    assert numpy.allclose(numpy.linalg.norm(between, axis=1), near.distances, atol=1e-5)
    assert (near.pair_counts == 1).all() and not near.is_limit_reached
    unique = world.near(0.05, unique=True)
    assert 0 < len(unique) < len(near) and unique.pair_counts.sum() == len(near)
    assert numpy.array_equal(unique.kinds, numpy.sort(unique.kinds)) and (unique.kinds != 3).all()
    world.exclude_vertices(a, b, near.vertices[near.kinds == 0][:, :2])
    assert 0 < len(near) - len(world.near(0.05)) and (world.near(0.05).kinds != 0).all()
    world.exclude_vertices(b, a, None)
    assert len(world.near(0.05)) == len(near)
    within = len(world.near(0.2, a))
    a.set_patches(numpy.zeros(a.vertex_count, dtype=numpy.uint32))
    assert within > 0 and len(world.near(0.2, a)) == 0 and len(world.near(0.05)) == len(near)
    a.set_patches(None)
    assert len(world.near(0.2, a)) == within
    with pytest.raises(ValueError, match="count is 3"):
        a.set_patches(numpy.arange(3, dtype=numpy.uint32))
    with pytest.raises(IndexError, match="the body has"):
        world.exclude_vertices(a, b, numpy.array([[0, 1 << 20]], dtype=numpy.uint32))
    some = world.near(0.05, max_pairs=len(near) - 1)
    assert len(some) == len(near) - 1 and some.is_limit_reached
    assert len(world.near(0.01, a)) == 0 and len(world.near(0.2, includes_self=True)) > len(near)
    closest = world.closest(a, b)
    assert closest.distances[0] == near.distances.min() and len(world.closest(a, b, 0.001)) == 0
    assert world.bodies_within(0.05).bodies.tolist() == [[1, 2]] and len(world.bodies_within(0.001)) == 0
    assert len(world.body_pairs()) == 0 and len(world.body_pairs(0.05)) == 1
    distances = world.vertex_distances(near, a)
    assert distances.shape == (a.vertex_count,) and numpy.isinf(distances).any()
    assert distances.min() == numpy.nextafter(near.distances.min(), numpy.float32(0))  # rounded down: half of it is safe
    points = near.features[near.kinds == 0, 0]
    assert len(points) and (distances[points] <= near.distances[near.kinds == 0]).all()
    with pytest.raises(TypeError, match="NearPairs are needed"):
        world.vertex_distances(near.array, a)
    with pytest.raises(ValueError, match="another world"):
        world.vertex_distances(near, pliant.World().add(a.shape))
    own = world.closest(a, a)
    assert own.bodies.tolist() == [[1, 1]] and 0 < own.distances[0] < 0.2


def test_near_pairs(pair):
    world, a, b = pair
    b.transform = moved(2.03)
    near = world.near(0.05)
    vertices = numpy.vstack([a.vertices, b.vertices])
    for kind, name in ((0, "vertex_triangle"), (2, "edge_edge")):
        rows = near.kinds == kind
        first = 1 if kind == 0 else 2  # vertices of a: those of b come behind
        pairs = near.vertices[rows] + (numpy.arange(4) >= first).astype("u4") * numpy.uint32(a.vertex_count)
        distances = pliant.near_pairs(name, vertices, pairs, 0.05)
        assert rows.any() and distances.dtype == numpy.float32 and numpy.array_equal(distances, near.distances[rows])
        details = pliant.near_pairs(name, vertices, pairs, numpy.full(len(pairs), 0.05), details=True)
        assert isinstance(details, pliant.NearPairs) and numpy.array_equal(details.distances, distances)
        for field in ("weights", "normals", "regions", "kinds", "pair_counts"):
            assert numpy.array_equal(getattr(details, field), getattr(near, field)[rows])
        assert (details.features == -1).all() and (details.bodies == 0).all() and numpy.array_equal(details.vertices, pairs)
        limit = 1.001 * float(distances.min())
        some = pliant.near_pairs(name, vertices, pairs, limit)
        assert numpy.array_equal(some, numpy.where(distances < limit, distances, numpy.inf))
        own = pliant.near_pairs(name, vertices, pairs, numpy.nextafter(distances, numpy.float32(0)))
        assert numpy.isinf(own).all()
    empty = numpy.empty((0, 4), "u4")
    assert len(pliant.near_pairs("edge_edge", vertices, empty, 1.0)) == 0
    assert len(pliant.near_pairs("edge_edge", vertices, empty, 1.0, details=True)) == 0
    with pytest.raises(ValueError, match="kind is 'vertex'"):
        pliant.near_pairs("vertex", vertices, empty, 1.0)
    with pytest.raises(ValueError, match="def.distance is -1"):
        pliant.near_pairs("edge_edge", vertices, empty, -1.0)
    with pytest.raises(ValueError, match="distance: the shape is"):
        pliant.near_pairs("edge_edge", vertices, empty, numpy.ones(3))
    with pytest.raises(IndexError, match="def.pairs"):
        pliant.near_pairs("edge_edge", vertices[:3], numpy.array([[0, 1, 2, 3]]), 1.0, details=True)
    with pytest.raises(TypeError, match="distance: an array is needed"):
        pliant.near_pairs("edge_edge", vertices, empty, "far")


def test_sweep_pairs(pair):
    world, a, b = pair
    b.transform, b.end.transform = moved(2.5), moved(1.5)
    impacts = world.sweep(a, b, kind="all")
    start, end = (numpy.vstack([a.vertices, body.vertices]) for body in (b, b.end))
    rows = impacts.kinds == 2
    pairs = impacts.vertices[rows] + numpy.array([0, 0, a.vertex_count, a.vertex_count], "u4")
    times = pliant.sweep_pairs("edge_edge", start, end, pairs)
    assert rows.any() and numpy.array_equal(times, impacts.times[rows])
    latest = float(numpy.sort(times)[len(times) // 2])
    some = pliant.sweep_pairs("edge_edge", start, end, pairs, max_time=latest)
    assert numpy.array_equal(some, numpy.where(times <= latest, times, numpy.inf))
    early = pliant.sweep_pairs("edge_edge", start, end, pairs, distance=0.01)
    assert (early < times).all() and numpy.array_equal(
        early, pliant.sweep_pairs("edge_edge", start, end, pairs, distance=numpy.full(len(pairs), 0.01)))
    with pytest.raises(ValueError, match="end: the shape is"):
        pliant.sweep_pairs("edge_edge", start, end[1:], pairs)
    with pytest.raises(ValueError, match="def.max_time is 2"):
        pliant.sweep_pairs("edge_edge", start, end, pairs, max_time=2)
    with pytest.raises(IndexError, match="def.pairs"):
        pliant.sweep_pairs("edge_edge", start[:4], end[:4], pairs)


@pytest.mark.parametrize("threads", [1, 3])
def test_may_pair(ball, threads):
    asked, refused = [], set()

    def may_pair(a, b):
        assert isinstance(a, pliant.Body) and a.index < b.index
        asked.append((a.index, b.index))
        if "raise" in refused:
            raise LookupError("no answer")
        return not refused & {a.index, b.index}

    world = pliant.World(threads=threads, may_pair=may_pair)
    bodies = [world.add(ball) for _ in range(4)]
    for i, body in enumerate(bodies):
        body.transform = moved(0.1 * i)
        body.end.transform = moved(0.1 * i, 5)
    queries = [lambda: world.collide(), lambda: world.near(0.01), lambda: world.sweep(kind="first"), lambda: world.body_pairs(),
               lambda: world.bodies_within(0.01), lambda: world.collide(bodies[1])]
    for query in queries:
        asked.clear()
        refused.clear()
        all_pairs = {tuple(pair) for pair in query().bodies.tolist()}
        assert asked == sorted(all_pairs) and len(all_pairs) in (3, 6)
        refused.add(2)
        assert {tuple(pair) for pair in query().bodies.tolist()} == {pair for pair in all_pairs if 2 not in pair}
        refused.add("raise")
        asked.clear()
        with pytest.raises(LookupError, match="no answer"):
            query()
        assert len(asked) == 1  # it is not asked again
    with pytest.raises(LookupError):
        world.collide(count_only=True)
    refused.discard("raise")
    assert world.collide(count_only=True) == len(world.collide())
    assert len(world.collide(bodies[0], bodies[1])) > 0  # two given bodies
    reader = world.reader()
    refused.add("raise")
    with world.hold():
        with pytest.raises(LookupError):
            reader.near(0.01)
        refused.discard("raise")
        assert 2 not in reader.near(0.01).bodies
    other = pliant.World(may_pair=lambda a, b: len(world.collide()) == 0)
    other.add(ball), other.add(ball)
    with pytest.raises(LookupError):  # raised two queries deep
        refused.add("raise")
        other.near(0.01)
    refused.clear()
    assert len(other.collide()) == 0
    own = pliant.World(may_pair=lambda a, b: own.collide())
    own.add(ball), own.add(ball)
    with pytest.raises(pliant.Busy):
        own.collide()
    with pytest.raises(TypeError, match="a function is needed"):
        pliant.World(may_pair=3)


def test_sweep(pair):
    world, a, b = pair
    b.transform = moved(4)
    b.end.transform = moved(0)
    assert b.end == b.end and b.end not in world.bodies
    impact = world.sweep()
    assert len(impact) == 1 and 0.49 < impact.times[0] < 0.51
    assert world.sweep(kind="all").times.min() == impact.times[0] and not impact.is_conservative
    assert world.body(b.end.index) == b.end
    assert len(world.sweep(max_time=0.4)) == 0 and world.sweep(distance=0.1).times[0] < impact.times[0]
    world.remove(b)
    assert len(world.sweep()) == 0


def test_an_end_begins_where_its_body_is():
    world, a, b = morphing_pair()
    a.weights = numpy.array([0.5])
    a.transform = moved(0, 1)
    end = a.end
    assert numpy.array_equal(end.vertices, a.vertices) and numpy.array_equal(end.transform, a.transform)
    a.weights = numpy.array([0.0])
    assert not numpy.array_equal(end.vertices, a.vertices)


def test_rays_and_points(pair):
    world, a, b = pair
    rays = numpy.array([[-3, 0.01, 0.02, 1, 0, 0, math.inf], [0, 5, 0, 0, 1, 0, math.inf]], "f4")
    first, every = world.cast_rays(rays), world.cast_rays(rays, kind="all")
    assert first.rays.tolist() == [0] and abs(first.t[0] - 2) < 0.02 and first.sides[0] == 1 and len(every) == 4
    assert len(world.cast_rays(rays, b, kind="any")) == 1
    points = world.closest_points(numpy.array([[0, 0, 0], [1.5, 0, 0], [9, 0, 0]], "f4"), a, is_signed=True)
    assert points.distances[0] < -0.9 and points.distances[2] > 7 and points.positions.shape == (3, 3)
    assert world.closest_points(numpy.zeros((1, 3), "f4"), a, max_distance=0.1).triangles.tolist() == [-1]
    with pytest.raises(ValueError, match="finite"):
        world.closest_points(numpy.full((1, 3), math.nan, "f4"))


def test_hits():
    square = numpy.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], "f4")
    shape = pliant.Shape(square, numpy.array([[0, 1, 2], [0, 2, 3]]),
                         skin=(numpy.array([[0], [1], [1], [0]], "u2"), numpy.ones((4, 1), "f4"), 2))
    world = pliant.World()
    a, b = world.add(shape), world.add(shape)
    b.transform = numpy.hstack([numpy.eye(3), [[0], [0], [1]]])
    ray = [0.9, 0.5, 5, 0, 0, -1, numpy.inf]
    rays = numpy.array([ray, ray, ray, ray], "f4")
    assert world.cast_rays(rays).bodies.tolist() == [b.index] * 4
    assert world.cast_rays(rays, ignored=[b, None, a, b]).bodies.tolist() == [a.index, b.index, b.index, a.index]
    assert len(world.cast_rays(rays, sides="front")) == 4 and len(world.cast_rays(rays, sides="back")) == 0
    a.filter, b.filter = (1, 0xFFFFFFFF), (2, 4)
    hits = world.cast_rays(rays, ray_collides_with=numpy.array([1, 2, 3, 4]), ray_categories=numpy.array([4, 4, 8, 8]))
    assert hits.rays.tolist() == [0, 1, 2] and hits.bodies.tolist() == [a.index, b.index, a.index]
    for wrong in ({"ignored": [a]}, {"ray_categories": numpy.zeros(3, "u4")}, {"sides": "top"}, {"ignored": [1] * 4}, {"ignored": 3}):
        with pytest.raises((ValueError, TypeError)):
            world.cast_rays(rays, **wrong)

    points = world.hit_points(hits)
    assert points.normals.tolist() == [[0, 0, 1]] * 3 and points.stamp > 0
    assert numpy.allclose(points.positions, [[0.9, 0.5, 0], [0.9, 0.5, 1], [0.9, 0.5, 0]])
    assert world.hit_joints(hits).tolist() == [1, 1, 1]
    assert world.hit_points(hits, max_points=1).is_limit_reached
    kept = hits[:1].copy()
    a.transform = numpy.hstack([numpy.eye(3), [[7], [0], [0]]])
    with pytest.raises(pliant.Stale):
        world.hit_points(hits)
    assert numpy.allclose(world.hit_points(kept).positions, [[7.9, 0.5, 0]]) and world.hit_joints(kept).tolist() == [1]
    for call in (world.hit_points, world.hit_joints):
        for wrong in (3, numpy.zeros(3), numpy.zeros(2, [("bodies", "u4")])):
            with pytest.raises(TypeError):
                call(wrong)
    with pytest.raises(ZeroDivisionError):
        world.hit_points(hits[1:2], progress=lambda done, total: 1 // 0)


def test_regions_intersections_and_volumes(pair):
    world, a, b = pair
    contacts = world.collide()
    regions = world.regions(contacts)
    assert len(regions) == 1 and regions.depths.shape == (1, 2) and 0.45 < regions.depths[0, 0] < 0.51
    assert regions.centroids.shape == (1, 2, 3) and regions.array["depth_a"][0] == regions.depths[0, 0]
    assert regions.curves.is_closed.all() and regions.curves.point_ranges[0, 1] == len(regions.points)
    assert regions.triangle_counts.sum() == len(regions.triangles) and len(regions.vertices)
    assert regions.vertex_depths is None and len(regions.pieces) == 0
    sampled = world.regions(contacts, vertex_depths=True, piece_size=0.2)
    assert sampled.vertex_depths.shape == sampled.vertices.shape
    assert 0 < sampled.vertex_depths.max() <= sampled.max_depths.max()
    assert len(sampled.pieces) > 8 and set(sampled.pieces.parts) == {0, 1}
    assert sampled.pieces.corners.shape == (len(sampled.pieces), 9)
    assert abs(sampled.pieces.depths.max() - sampled.max_depths.max()) < 0.1
    cuts = world.intersections(contacts)
    assert len(cuts) == len(contacts) and cuts.point_counts.sum() == len(cuts.points.positions)
    whole, common = world.volume(a), world.volume(a, b, relative_error=0.001)
    assert abs(whole.volume - 4.16) < 0.05 and common.is_reached and common.error <= 0.001 * common.volume
    assert not world.contains(a, b)
    b.transform = moved(0) * numpy.float32(0.5)
    assert world.contains(a, b) and not world.contains(b, a)
    with pytest.raises(TypeError, match="Contacts are needed"):
        world.regions(numpy.zeros(3))
    assert world.stats()["byte_size"] > 0
    memory = world.memory()
    assert memory["total"] == world.stats()["byte_size"] == sum(memory.values()) - memory["total"]
    before = world.collide(a, b).array.copy()
    assert world.trim() is None and world.memory()["total"] == world.memory()["bodies"] < memory["total"]
    assert (world.collide(a, b).array == before).all()


@pytest.mark.parametrize("options", [{"max_contacts": 3}, {"approximate": 1}, {"kind": "first"}, {"kind": "any"}])
def test_regions_need_all_contacts(pair, options):
    world, a, b = pair
    some = world.collide(**options)
    assert len(some) > 0 and len(world.intersections(some)) == len(some)
    with pytest.raises(pliant.BadArgument, match="are needed"):
        world.regions(some)
    assert len(world.regions(world.collide(max_contacts=10**6))) == 1


def morphing_pair():
    vertices, triangles = pliant.scenes.icosphere(2)
    shape, world = pliant.Shape(vertices, triangles, targets=[vertices]), pliant.World()
    a, b = world.add(shape), world.add(shape)
    b.transform = moved(1.5)
    return world, a, b


CHANGES = {
    "transform": lambda a, array: setattr(a, "transform", moved(0.1)),
    "weights": lambda a, array: setattr(a, "weights", numpy.array([0.1])),
    "vertices": lambda a, array: setattr(a, "vertices", array * numpy.float32(1.1)),
    "rest": lambda a, array: a.rest(),
    "a borrowed array": lambda a, array: array.__setitem__(0, array[0] * numpy.float32(1.001)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_answers_that_are_handed_back_must_not_be_stale(change):
    world, a, b = morphing_pair()
    array = numpy.array(a.shape.vertices)
    if change != "weights":
        a.borrow(array)
    contacts = world.collide()
    some = contacts[:]
    assert contacts.stamp > 0 and len(world.regions(contacts)) == 1 and len(world.intersections(contacts)) == len(contacts)
    other = world.add(a.shape)
    other.transform = moved(9)
    assert len(world.regions(contacts)) == 1  # it is in no contact
    CHANGES[change](a, array)
    for call in (world.regions, world.intersections):
        with pytest.raises(pliant.Stale, match="has changed since the query"):
            call(contacts)
    if change == "a borrowed array":
        assert len(world.intersections(some)) == len(some)
    fresh = world.collide()
    assert fresh.stamp > contacts.stamp and len(world.regions(fresh)) == 1


def test_some_items_of_an_answer_have_no_stamp(pair):
    world, a, b = pair
    contacts = world.collide()
    every, mask = world.intersections(contacts), contacts.triangles[:, 0] % 2 == 0
    some = world.intersections(contacts[mask])
    assert 0 < len(some) < len(every) and numpy.array_equal(some.point_counts, every.point_counts[mask])
    assert len(world.intersections(contacts[:0])) == 0
    for items in (contacts[:], contacts.array.copy()):
        with pytest.raises(pliant.BadArgument, match="stamp is 0"):
            world.regions(items)
    with pytest.raises(ValueError, match="shape is \\(\\)"):
        world.intersections(contacts[0])
    with pytest.raises(TypeError, match="Contacts are needed"):
        world.intersections(contacts.triangles)
    wrong = contacts[:1].copy()
    wrong["triangles"] = 0
    with pytest.raises(pliant.BadArgument, match="nothing in common"):
        world.intersections(wrong)
    wrong["body_a"] = 77
    with pytest.raises(pliant.BadId):
        world.intersections(wrong)
    with pytest.raises(pliant.BadId):
        pliant.World().intersections(contacts)
    ends = world.collide(a, b.end)
    assert len(world.intersections(ends[:])) == len(ends) > 0


def test_limits(pair):
    world, a, b = pair
    world.add(a.shape).transform = moved(-1.5)
    contacts = world.collide()
    rays = numpy.array([[-9, 0.01 * i, 0.02, 1, 0, 0, math.inf] for i in range(5)], "f4")
    queries = {
        "max_contacts": world.collide,
        "max_pairs": world.body_pairs,
        "max_regions": lambda **options: world.regions(contacts, **options),
        "max_intersections": lambda **options: world.intersections(contacts, **options),
        "max_hits": lambda **options: world.cast_rays(rays, kind="all", **options),
        "max_points": lambda **options: world.hit_points(world.cast_rays(rays, kind="all"), **options),
    }
    queries["max_pairs "] = world.bodies_within
    for name, query in queries.items():
        every = query()
        count = len(every)
        assert count > 1 and not every.is_limit_reached and every.stamp > 0, name
        name = name.strip()
        some, same = query(**{name: count - 1}), query(**{name: count})
        assert len(some) == count - 1 and some.is_limit_reached and len(same) == count and not same.is_limit_reached, name
        with pytest.raises(pliant.BadArgument):
            query(**{name: -1})
    assert world.near(0.1).stamp > 0 and world.sweep().stamp > 0 and world.closest(a, b).stamp > 0


def test_what_comes_out_of_an_open_surface_is_not_deep(ball):
    world = pliant.World()
    around = numpy.linspace(0, 2 * math.pi, 24, endpoint=False)
    ring = numpy.stack([numpy.cos(around), numpy.sin(around), 0 * around], axis=1)
    sleeve = numpy.vstack([ring, ring + [0, 0, 0.6]]) * [0.97, 0.97, 1]
    i, j = numpy.arange(24), (numpy.arange(24) + 1) % 24
    faces = numpy.vstack([numpy.stack([i, j, j + 24], axis=1), numpy.stack([i, j + 24, i + 24], axis=1)])
    world.add(ball), world.add(pliant.Shape(sleeve, faces))
    found = world.regions(world.collide())
    # The top of the ball is 0.97 from the sleeve, and above it. What is deep of the ball is in the sleeve, and near its wall.
    assert len(found) == 1 and found.is_inside.all() and (found.deepest_triangles >= 0).all()
    assert 0.10 < found.depths[0, 0] < 0.11 and 0 < found.depths[0, 1] < 0.04
    assert (found.max_depths <= 1.02 * found.depths).all() and 0 < found.deepest[0, 0, 2] < 0.6
    measured = pliant.measure.frame(world, volume=False, within=False)
    assert (measured["depth"], measured["max_depth"]) == (found.depths.max(), found.max_depths.max())
    # Sheets have no inside, and so no depth.
    sheets, quad = pliant.World(), numpy.array([[0, 1, 2], [0, 2, 3]])
    for corners in ([-1, -1, 0], [1, -1, 0], [1, 0.5, 0], [-1, 0.5, 0]), ([-2, 0, -1], [2, 0, -1], [2, 0, 0.3], [-2, 0, 0.3]):
        sheets.add(pliant.Shape(numpy.array(corners, "f4"), quad))
    found = sheets.regions(sheets.collide())
    measured = pliant.measure.frame(sheets, volume=False)
    assert len(found) == 1 and (found.deepest_triangles == -1).all() and not found.depths.any() and measured["depth"] == 0 < measured["area"]


def test_open_surfaces_are_no_failure(ball):
    world = pliant.World()
    body, whole = world.add(pliant.Shape(ball.vertices, ball.triangles[1:])), world.add(ball)
    found = world.volume(body)
    assert found.bad_pixel_count > 0 and not found.is_closed and found.volume > 3 and world.volume(whole).is_closed
    half = world.add(pliant.Shape(ball.vertices, ball.triangles[ball.vertices[ball.triangles][:, :, 2].max(axis=1) > 0]))
    whole.transform = moved(0) * numpy.float32(0.5)
    for outer, is_closed in (half, False), (whole, True):
        inside = world.contains(outer, whole if outer is half else half)
        assert not inside and inside.is_closed == is_closed and inside.contains is False
    points = world.closest_points(numpy.array([[0, 0, 0.5], [0, 0, -0.5]], "f4"), half, is_signed=True)
    assert points.is_certain and points.flags.tolist() == [0, 0] and points.distances[0] < 0 < points.distances[1]
    assert world.closest_points(numpy.zeros((1, 3), "f4"), whole, is_signed=True).is_certain
    numbers = world.winding_numbers(numpy.array([[0, 0, 0.5], [0, 0, -0.5], [0, 0, 9]], "f4"), half)
    assert numbers.is_inside.tolist() == [True, False, False] and numbers.is_certain and not numbers.flags.any()
    assert numbers.numbers[0] > 0.5 > numbers.numbers[1] > 0 and 0 < numbers.errors.max() < 1e-12
    assert world.winding_numbers(numpy.zeros((1, 3), "f4"), whole).numbers.tolist() == [1]


def test_progress_of_volumes_and_points(pair):
    world, a, b = pair
    points = numpy.zeros((300, 3), "f4")
    queries = (lambda **of: world.volume(a, b, **of), lambda **of: world.contains(a, b, **of),
               lambda **of: world.closest_points(points, **of), lambda **of: world.winding_numbers(points, a, **of))
    b.transform = moved(0) * numpy.float32(0.5)
    for query in queries:
        asked = []
        query(progress=lambda done, total: asked.append((done, total)))
        assert asked and all(0 <= done <= total for done, total in asked)
        with pytest.raises(pliant.Cancelled):
            query(progress=lambda done, total: False)
    assert world.closest_points(points, collides_with=0).triangles.max() == -1


def test_soups():
    world = pliant.World()
    triangles, points = world.add_soup(), world.add_soup("points", order="sorted")
    corners = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "f4")
    triangles.set_primitives(corners, numpy.array([[0, 1, 2], [0, 1, 3]]))
    places = numpy.array([[0.5, 0, 0], [2, 2, 2]], "f4")
    points.borrow_primitives(places)
    assert world.collide().triangles.tolist() == [[0, 0], [1, 0]]
    places[1] = [0, 0, 1]
    assert world.collide().triangles.tolist() == [[0, 0], [1, 0], [1, 1]]
    triangles.borrow_primitives(corners, numpy.array([[0, 1, 2], [2**32 - 1] * 3], "u4"))
    assert world.collide().triangles.tolist() == [[0, 0]]
    indices = numpy.array([[0, 1, 2], [-1] * 3], "i4")
    triangles.borrow_primitives(corners, indices)
    indices[:] = 2**31 - 1  # they were copied
    assert world.collide().triangles.tolist() == [[0, 0]] and triangles.box.tolist() == [[0, 0, 0], [1, 1, 0]]
    with pytest.raises(IndexError):
        triangles.borrow_primitives(corners, indices)
    with pytest.raises(ValueError, match="gaps"):
        triangles.borrow_primitives(corners, numpy.zeros((1, 6), "u4")[:, ::2])
    with pytest.raises(ValueError, match="count is 4, not 3"):
        triangles.set_primitives(corners)
    with pytest.raises(ValueError, match="soup"):
        world.add(pliant.Shape(corners, numpy.array([[0, 1, 2]]))).set_primitives(corners)
    with pytest.raises(ValueError):
        triangles.borrow(corners)


def test_segments():
    world = pliant.World()
    corners = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [3, 0, 0]], "f4")
    shape = pliant.Shape(corners, numpy.array([[0, 1, 2]]), segments=numpy.array([[1, 4]]))
    assert (shape.triangle_count, shape.segment_count) == (2, 1)
    assert shape.triangles.tolist() == [[0, 1, 2], [1, 4, 4]] and shape.edges.tolist()[-1] == [1, 4]
    assert pliant.Shape.from_bytes(shape.to_bytes()).segment_count == 1
    alone = pliant.Shape(corners, numpy.zeros((0, 3), "u4"), segments=numpy.array([[1, 4]]))
    assert (alone.triangle_count, alone.segment_count, alone.is_closed) == (1, 1, False)
    mesh, soup = world.add(shape), world.add_soup("segments")
    ends = numpy.array([[2, -1, 0], [2, 1, 0], [0, 9, 9], [9, 9, 9]], "f4")
    soup.borrow_primitives(ends)
    assert world.collide().triangles.tolist() == [[1, 0]]
    ends[:2, 2] = 0.25
    assert world.collide().triangles.tolist() == []
    near = world.near(0.25)
    assert near.kinds.tolist() == [2] and near.distances.tolist() == [0.25]
    soup.set_primitives(ends, numpy.array([[2, 3]]))
    assert world.near(0.25).kinds.tolist() == []
    with pytest.raises(IndexError, match="segments"):
        pliant.Shape(corners, numpy.array([[0, 1, 2]]), segments=numpy.array([[1, 5]]))
    with pytest.raises(ValueError):
        pliant.Shape(corners, numpy.array([[0, 1, 2]]), segments=numpy.array([[1, 2, 3]]))
    with pytest.raises(ValueError, match="not 2 for each"):
        soup.set_primitives(corners[:3])


def test_progress_and_cancelling(pair):
    world, a, b = pair
    steps = []
    world.collide(progress=lambda done, total: steps.append((done, total)))
    assert steps and steps[0] == (0, 1)
    with pytest.raises(pliant.Cancelled):
        world.collide(progress=lambda done, total: False)
    with pytest.raises(ZeroDivisionError):
        world.collide(progress=lambda done, total: 1 / 0)
    with pytest.raises(pliant.Busy):
        world.collide(progress=lambda done, total: a.rest())
    assert len(world.collide()) > 0
    contacts, rays = world.collide(), numpy.array([[-9, 0, 0, 1, 0, 0, math.inf]], "f4")
    b.end.transform = moved(0)
    for query in (world.bodies_within, lambda **options: world.closest(a, b, **options),
                  lambda **options: world.near(0.1, **options), lambda **options: world.sweep(**options),
                  lambda **options: world.cast_rays(rays, **options), lambda **options: world.regions(contacts, **options),
                  lambda **options: world.intersections(contacts, **options)):
        steps.clear()
        query(progress=lambda done, total: steps.append((done, total)))
        assert steps and all(0 <= done <= total for done, total in steps)
        with pytest.raises(pliant.Cancelled):
            query(progress=lambda done, total: False)
        with pytest.raises(ZeroDivisionError):
            query(progress=lambda done, total: 1 / 0)
    assert len(world.body_pairs(progress=lambda done, total: True)) == 1


def test_the_command():
    if command() is None:
        pytest.skip("built without the command")
    run = subprocess.run([sys.executable, "-m", "pliant", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.split()[-1] == pliant.__version__


def test_models_equal_those_of_the_command():
    """Every frame of an animated model: as many pairs as the command counts."""
    assets, path = os.environ.get("PLIANT_ASSETS"), command()
    if not assets or path is None or not hasattr(pliant._pliant, "_read"):
        pytest.skip("no PLIANT_ASSETS, or built without the command")
    name = os.path.join(assets, "khronos/CesiumMan.glb")
    model, world = pliant.read(name), pliant.World()
    bodies = model.add_to(world)
    clip = model.clips[0]
    counts = []
    for frame in range(clip.frame_count):
        model.pose(bodies, clip, min(clip.start + frame / clip.rate, clip.end))
        counts.append(bodies[0].self_collide(count_only=True))
    run = subprocess.run([path, "check", name, "--json", "-", "--rate", str(clip.rate)], capture_output=True, text=True)
    report = pliant.Report(run.stdout)
    assert len(report.data["pairs"]) == 1
    found = {sample: row["pairs"] for sample, row in report.rows(0).items()}
    assert {i - 1: n for i, n in found.items() if i > 0} == {i: n for i, n in enumerate(counts) if n > 0}
    with pytest.raises(ValueError, match="nothing.glb"):
        pliant.read("nothing.glb")


@pytest.fixture
def arm(tmp_path):
    """A model of the command's own tests: an arm in a sleeve, a morph target, three animations."""
    maker = command() and command().parent.parent / "tests/make_models"
    if not maker or not maker.exists() or not hasattr(pliant._pliant, "_read"):
        pytest.skip("built without the command, or without tests")
    subprocess.run([maker, tmp_path], check=True, stdout=subprocess.DEVNULL)
    return tmp_path / "arm.glb"


def test_a_check_is_that_of_the_command(arm):
    for options, words in (({}, []), ({"depth": "all", "clips": ["bend"], "frames": (0, -1, 3)}, ["--depth", "all", "--animation", "bend", "--frames", "::3"]),
                           ({"allow": [("arm", "sleeve")], "within": "none"}, ["--allow", "arm:sleeve", "--no-self"])):
        run = subprocess.run([command(), "check", "-q", "--no-config", "--json", "-", arm, *words], capture_output=True, text=True)
        theirs, ours = json.loads(run.stdout), pliant.read(arm).check(file=str(arm), unit="m", **options)
        assert {**ours.data, "settings": theirs["settings"]} == theirs
        if not options:
            assert ours.text == run.stdout
    assert all(len(rows) and rows.shape[1] == 2 for rows in ours.contacts.values())
    run = subprocess.run([command(), "check", "-q", "--no-config", "--html", "-", arm], capture_output=True, text=True)
    if "no page" in run.stderr:
        with pytest.raises(ValueError, match="no page"):
            pliant.read(arm).check(page=True)
    else:
        page = pliant.read(arm).check(file=str(arm), unit="m", page=True).page.decode()
        assert page[:15_000] == run.stdout[:15_000] and page.rstrip().endswith("</html>")


def model_of_poses(path, run):
    """What a host program has: vertices and places in the frames of a run, as it evaluates them."""
    source, world = pliant.read(path), pliant.World()
    bodies = source.add_to(world)
    clip = next(clip for clip in source.clips if clip.name == run["name"])
    frames = []
    for i in range(run["frame_count"]):
        source.pose(bodies, clip, run["start"] + (run["first_frame"] + i * run["frame_step"]) / run["rate"])
        frames.append([body.vertices for body in bodies])
    parts = [(name, vertices, triangles, numpy.array([frame[i] for frame in frames]), targets, joints, weights)
             for i, (name, vertices, triangles, targets, joints, weights, _) in enumerate(source._model.parts())]
    places = numpy.broadcast_to(numpy.eye(4)[:3], (len(frames), len(parts), 3, 4))
    names = [str(i) for i in range(100)]
    return pliant.model(parts, places, joints=names, name=clip.name, start=run["start"], rate=run["rate"])


def test_a_model_of_arrays_is_checked_as_its_file(arm):
    """Equal poses: the same pairs and depths, to the bit, in every frame."""
    same = "pairs", "new", "through", "contained", "depth", "max_depth", "cut", "is_solid", "is_coincident"  # all of a verdict
    whole = pliant.read(arm).check(depth="all")
    first, compared = 0, 0
    for run in whole.data["runs"]:
        first += run["frame_count"]
        if run["name"] == "rest":
            continue
        ours = model_of_poses(arm, run).check(depth="all", clips=[run["name"]])
        assert len(whole.data["pairs"]) == len(ours.data["pairs"])
        for number, pair in enumerate(whole.data["pairs"]):
            theirs = {sample - first + run["frame_count"]: row for sample, row in whole.rows(number).items()
                      if first - run["frame_count"] <= sample < first}
            mine = ours.rows(number)
            assert all("depth" in row for row in mine.values())
            assert {i: [row.get(name) for name in same] for i, row in mine.items()} == \
                   {i: [row.get(name) for name in same] for i, row in theirs.items()}, (run["name"], pair["names"])
            compared += len(mine)
        for (sample, number), sides in ours.insides.items():
            assert all(len(depths) == 0 or 0 < depths.max() <= ours.rows(number)[sample]["max_depth"] * 1.001 for _, depths in sides)
    assert compared > 100


def test_models_of_arrays():
    vertices, triangles = pliant.scenes.icosphere(2)
    corners = triangles.ravel()
    split, eye = (vertices[corners], numpy.arange(len(corners)).reshape(-1, 3)), numpy.eye(4)[:3]
    moved_away = [numpy.array([split[0], split[0] + [0, 0, z]]) for z in (3, 0)]
    places = [[eye, moved(1.5)], [eye, moved(1.5)]]
    welded = pliant.model([("a", *split), ("b", *split)], places)
    assert [len(part.shape.triangles) for part in welded.parts] == [len(triangles)] * 2
    assert welded.sources[0].welded(split[1]).max() + 1 == len(vertices) == welded.parts[0].shape.vertex_count
    report = welded.check()
    assert [pair["kind"] for pair in report.data["pairs"]] == ["undeformed", "rigid", "undeformed"]
    assert report.data["pairs"][1]["verdict"] == "penetrating" and list(report.contacts) == [(0, 1)]
    apart = pliant.model([("a", *split), ("b", *split, moved_away[0])], places, name="away", start=10 / 30)
    rows = apart.check(depth="all", clips=["away"]).rows(1)
    assert list(rows) == [0] and rows[0]["depth"] > 0.2
    assert apart.clips[0].start == 10 / 30 and apart.check(clips=["away"]).data["runs"][0]["first_frame"] == 10
    # Vertices of one place that move apart, or that have other bones, or other targets, are two.
    count = len(split[0])
    joints, weights = numpy.zeros((count, 1), "u2"), numpy.ones((count, 1), "f4")
    joints[::3] = 1
    targets = numpy.zeros((1, count, 3), "f4")
    targets[0, ::3] = 1
    frames = moved_away[1].copy()
    frames[1, ::3] += 1
    for more in ((frames,), (moved_away[1], targets), (moved_away[1], None, joints, weights)):
        made = pliant.model([("a", *split, *more)], [[eye]] * 2, joints=["left", "right"])
        assert made.parts[0].shape.vertex_count > len(vertices)
    assert pliant.model([("a", *split, moved_away[1], None, joints * 0, weights)], [[eye]] * 2, joints=["left"]).check().data["pairs"][0]["stretches"] == []
    for wrong, error in ((lambda: pliant.model([("a", *split), ("a", *split)], places), ValueError),
                         (lambda: pliant.model([("a", *split)], [[eye]] * 0), ValueError),
                         (lambda: pliant.model([("a", vertices, split[1])], [[eye]]), IndexError),
                         (lambda: pliant.model([("a", *split, moved_away[0][:1])], [[eye]] * 2), ValueError),
                         (lambda: pliant.model([("a", *split, None, None, joints, weights)], [[eye]], joints=["left"]), IndexError),
                         (lambda: pliant.model([("a", *split, None, None, joints)], [[eye]], joints=["left", "right"]), ValueError),
                         (lambda: pliant.model([("a", *split)], [[eye]], rate=0), ValueError),
                         (lambda: pliant.model([(3, *split)], [[eye]]), TypeError),
                         (lambda: pliant.model([("a", vertices[:0], triangles[:0])], [[eye]]), ValueError),
                         (lambda: welded.check(clips=["none"]), ValueError),
                         (lambda: welded.check(depth="some"), ValueError),
                         (lambda: welded.check(allow=[("a",)] * 3, clips=[3]), TypeError)):
        with pytest.raises(error):
            wrong()


def test_rows_of_a_report():
    """Each sample with what it has: stretches, their gaps, equal measures at once, and samples that nobody measured."""
    vertices, triangles = pliant.scenes.icosphere(2)
    xs = [3, 1.9, 1.9, 3, 1.5, 1.9]
    balls = pliant.model([("a", vertices, triangles), ("b", vertices, triangles)], [[moved(0), moved(x, 0.1)] for x in xs])
    for depth in "all", "none":
        report = balls.check(clips=["frames"], depth=depth)
        rows = report.rows(1)
        assert list(rows) == [1, 2, 4, 5] == [row["sample"] for row in rows.values()] and report.rows(0) == {}
        assert rows[1]["pairs"] == rows[1]["new"] == rows[5]["pairs"] == len(report.contacts[5, 1]) and rows[4]["pairs"] != rows[5]["pairs"]
        assert all(row["through"] and "also" not in row for row in rows.values())
        measured = {"shown", "volume", "volume_error"}  # of the worst alone
        plain = [{name: value for name, value in row.items() if name not in {"sample"} | measured} for row in rows.values()]
        assert plain[0] == plain[1] == plain[3] != plain[2] and all(("depth" in row) == (depth == "all") for row in plain)
        assert report.order[0] == 1 and sorted(report.order) == [0, 1, 2]
    read = pliant.Report(report.text)
    assert read.rows(1) == rows and read.page is None and read.contacts == read.insides == {} and read.order == []
    shard = {**report.data, "shard": 2, "shard_count": 3, "pairs": [
        {"stretches": [{"sample": 1, "pairs": [7, 8, 9], "new": [0, 8, 2], "contained": "a"}, {"sample": 13, "pairs": [4]}],
         "rows": [{"sample": 4, "also": [13], "depth": 0.5}]}]}
    assert pliant.Report(json.dumps(shard)).rows(0) == {
        1: {"sample": 1, "pairs": 7, "new": 0, "contained": "a"}, 4: {"sample": 4, "pairs": 8, "new": 8, "contained": "a", "depth": 0.5},
        7: {"sample": 7, "pairs": 9, "new": 2, "contained": "a"}, 13: {"sample": 13, "pairs": 4, "new": 4, "depth": 0.5}}


def test_the_order_of_pairs_is_that_of_the_command():
    """What shows comes first: two balls that are deep in each other where nobody sees them come after two that are not so deep."""
    vertices, triangles = pliant.scenes.icosphere(2)
    names = "shell", "deep", "deeper", "left", "right"
    places = moved(0) * numpy.float32(4), moved(-0.5), moved(0.5), moved(9), moved(10.8)
    parts = [(name, vertices, triangles) for name in names]
    report = pliant.model(parts, [places]).check(allow=[("shell", "*")])
    found = [report.data["pairs"][number] for number in report.order if report.data["pairs"][number]["is_finding"]]
    assert [pair["names"] for pair in found] == [["left", "right"], ["deep", "deeper"]]
    assert found[0]["depth"] < found[1]["depth"] and found[1]["shown"] == 0 < found[0]["shown"]


def test_a_check_where_no_vertex_is_inside():
    """Two bars that cross: they are deep in each other, along their edges."""
    cube = numpy.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], "f4")
    faces = numpy.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
                         [1, 5, 7], [1, 7, 3]])
    report = pliant.model([("a", cube * [5, 1, 1], faces), ("b", cube * [1, 5, 1] + [0, 0, 1.25], faces)], [[moved(0), moved(0)]]).check()
    assert report.rows(1)[0]["depth"] > 0.7
    assert [(len(vertices), len(depths), depths.dtype) for vertices, depths in report.insides[0, 1]] == [(0, 0, "f4")] * 2


def test_checks_can_be_cancelled():
    vertices, triangles = pliant.scenes.icosphere(2)
    places = [[moved(0), moved(x / 100)] for x in range(200)]
    balls, seen = pliant.model([("a", vertices, triangles), ("b", vertices, triangles)], places), []
    report = balls.check(clips=["frames"], progress=lambda done, total: seen.append((done, total)) or done < 5)
    assert report.data["tested_count"] < 200 and seen[0] == (1, 200) and seen[-1][0] < 200
    report = balls.check(clips=["frames"], progress=lambda done, total: balls.cancel())
    assert report.data["incomplete"] == "cancelled"

    def fail(done, total):
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        balls.check(progress=fail)
    assert balls.check(depth="none").data["tested_count"] == 201


def test_progress_goes_on_while_depths_are_measured():
    vertices, triangles = pliant.scenes.icosphere(2)
    places = [[moved(0), moved(1.9 - x / 100)] for x in range(50)]
    balls, seen, left = pliant.model([("a", vertices, triangles), ("b", vertices, triangles)], places), [], []
    assert balls.seconds_left() is None
    balls.check(clips=["frames"], depth="all", threads=1, progress=lambda done, total: (seen.append((done, total)), left.append(balls.seconds_left())))
    # Of the phases after it, each depth is told, and what is shown of either part.
    assert seen[:50] == [(i + 1, 50) for i in range(50)] and seen[50:] == [(50, 50)] * 52
    assert left[50] > 0 and left[-1] < left[50] and balls.seconds_left() is None
    report = balls.check(clips=["frames"], depth="all", threads=1, progress=lambda done, total: seen.append((done, total)) or len(seen) < 160)
    assert len(seen) == 160 and report.data["incomplete"] and report.data["tested_count"] == 50
    assert sum("depth" in row for row in report.rows(1).values()) < 50 == len(report.rows(1))


def test_scenes():
    for name in pliant.scenes.NAMES:
        scene = pliant.scenes.Scene(name)
        frame = scene[scene.frame_count - 1]
        assert len(frame.vertices) == scene.body_count and frame.contacts.shape[1] == 4
        world = pliant.World()
        bodies = scene.add_to(world)
        scene.pose(bodies, scene.frame_count - 1)
        assert all(map(numpy.array_equal, (body.vertices for body in bodies), frame.vertices)), name
        assert numpy.array_equal(pliant.scenes.rows_of(world.collide()), frame.contacts)
    assert [len(pliant.scenes.Scene("dolphins", size).triangles[0]) for size in range(3)] == [564, 2256, 9024]
    assert all(pliant.Shape(*pliant.scenes.statue(name)).is_closed for name in pliant.scenes.STATUES[:2])
    for wrong in (lambda: pliant.scenes.Scene("none"), lambda: pliant.scenes.statue("none")):
        with pytest.raises(ValueError):
            wrong()
    for wrong in (lambda: pliant.scenes.Scene("museum", 1), lambda: pliant.scenes.statue_pair(7)):
        with pytest.raises(IndexError):
            wrong()
    nothing = pliant.scenes.compare(lambda vertices, triangles: numpy.zeros((0, 4)), "bumpy", range(90, 100, 5))
    assert nothing.missed == nothing.contact_count > 0 and nothing.false_positives == 0


def test_type_stubs_name_all_that_there_is():
    """Every class, method, attribute and function is in the stubs, and the stubs have no other."""
    path = os.path.join(os.path.dirname(pliant.__file__), "__init__.pyi")
    with open(path) as file:
        module = ast.parse(file.read())
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}

    def names(node):
        own = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        own |= {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
        for base in node.bases:
            own |= names(classes[base.id]) if isinstance(base, ast.Name) and base.id in classes else set()
        return {name for name in own if not name.startswith("_")}

    functions = {node.name for node in module.body if isinstance(node, ast.FunctionDef)}
    public = {name for name in pliant.__all__ if name not in ("measure", "scenes")}
    assert public == {name for name in classes if not name.startswith("_")} | functions
    for name, node in classes.items():
        if name.startswith("_") or issubclass(getattr(pliant, name), (Exception, tuple, pliant.Part, pliant.Model, pliant.Report, pliant.Source)):
            continue
        assert names(node) == {item for item in dir(getattr(pliant, name)) if not item.startswith("_")}, name
