"""Objects that go in any order, in the middle of anything, on any thread."""
import gc
import itertools
import os
import queue
import subprocess
import sys
import threading
import weakref

import numpy
import pytest

import pliant

gc.collect()
gc.freeze()  # what the tools of the tests hold is not searched in each of some thousand collections


class Watched(numpy.ndarray):
    """An array that can be watched."""


def watched(array):
    return array.view(Watched)


def ball(subdivisions=2):
    return pliant.Shape(*pliant.scenes.icosphere(subdivisions))


@pytest.mark.parametrize("order", itertools.permutations(range(5)))
def test_delete_in_every_order(order):
    shape = ball()
    world = pliant.World(threads=2)
    body = world.add(shape)
    positions = numpy.array(shape.vertices)
    body.borrow(positions)
    view = shape.edges
    body.end.borrow(positions)
    objects = [shape, world, body, positions, view]
    del shape, world, body, positions, view
    for i in order:
        objects[i] = None
        gc.collect()
        if objects[1] is not None:
            assert len(objects[1].collide()) == 0 and len(objects[1].sweep(includes_self=True)) <= 1
        if objects[2] is not None:
            assert objects[2].vertices.shape == (162, 3)
        if objects[4] is not None:
            assert objects[4].max() == 161


@pytest.mark.parametrize("order", itertools.permutations(range(5)))
def test_delete_answers_in_every_order_after_a_query_that_raised(order):
    world = pliant.World(threads=2)
    a, b = world.add(ball()), world.add(ball())
    b.transform = numpy.array([[1.0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]])
    contacts = world.collide()
    with pytest.raises(ZeroDivisionError) as raised:
        world.collide(progress=lambda done, total: 1 / 0)
    regions = world.regions(contacts)
    objects = [contacts, regions, regions.points.positions, raised, (world, a, b)]
    del contacts, regions, raised, world, a, b
    for i in order:
        objects[i] = None
        gc.collect()
        if objects[0] is not None:
            assert objects[0].triangles.shape == (len(objects[0]), 2)
        if objects[1] is not None:
            assert len(objects[1].curves) > 0 and objects[1].depths.max() > 0
        if objects[2] is not None:
            assert numpy.isfinite(objects[2]).all()
        if objects[4] is not None:
            assert objects[4][0].collide(count_only=True) > 0


def test_objects_end_on_other_threads():
    """Each thread makes worlds of one shape, and drops what another thread has made, in any order."""
    shape, made, failures = ball(), queue.Queue(), []

    def stop(done, total):
        raise StopIteration

    def work(seed):
        random = numpy.random.default_rng(seed)
        for _ in range(20):
            world = pliant.World(threads=int(random.integers(1, 3)))
            bodies = [world.add(shape) for _ in range(3)]
            bodies[0].borrow(numpy.array(shape.vertices))
            bodies[1].transform = numpy.float32([[1, 0, 0, random.uniform(0.5, 1.5)], [0, 1, 0, 0], [0, 0, 1, 0]])
            with pytest.raises(StopIteration):
                world.collide(progress=stop)
            contacts = world.collide()
            objects = [world, *bodies, contacts, world.regions(contacts), bodies[0].end, shape.edges]
            made.put([objects[i] for i in random.permutation(len(objects))])
            del world, bodies, contacts, objects
            others = made.get()
            while others:
                others.pop()

    def guarded(seed):
        try:
            work(seed)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and made.empty() and len(shape.edges) == 480


def test_borrowed_arrays_live_as_long_as_they_are_read():
    world = pliant.World()
    body, soup = world.add(ball()), world.add_soup()
    ways = {
        "borrow": lambda: body.borrow(numpy.array(body.shape.vertices)),
        "vertices": lambda: setattr(body, "vertices", body.shape.vertices),
        "rest": body.rest,
    }
    for name, way in ways.items():
        array = watched(numpy.array(body.shape.vertices))
        alive = weakref.ref(array)
        body.borrow(array)
        del array
        gc.collect()
        assert alive() is not None and world.collide() is not None, name
        way()
        gc.collect()
        assert alive() is None, name
    for name in ("remove", "world"):
        arrays = [watched(numpy.zeros((3, 3), "f4")), watched(numpy.array([[0, 1, 2]], "u4"))]
        alive = [weakref.ref(array) for array in arrays]
        target = soup if name == "remove" else world.add_soup()
        target.borrow_primitives(*arrays)
        del arrays
        gc.collect()
        assert alive[0]() is not None and alive[1]() is None  # corners are copied
        if name == "remove":
            world.remove(soup)
        else:
            body = soup = target = ways = way = None
            world = None
        gc.collect()
        assert all(array() is None for array in alive), name


def test_a_body_with_the_index_of_a_removed_end_keeps_its_array():
    world = pliant.World()
    body = world.add(ball())
    end = body.end
    world.remove(end)
    other = world.add(body.shape)
    assert other.index == end.index and other != end
    array = watched(numpy.array(other.shape.vertices))
    alive = weakref.ref(array)
    other.borrow(array)
    del array
    world.remove(body)
    gc.collect()
    assert alive() is not None and other.shape is not None and numpy.array_equal(other.vertices, other.shape.vertices)


def test_an_end_keeps_what_its_body_borrows():
    world = pliant.World()
    body, soup = world.add(ball()), world.add_soup()
    arrays = [watched(numpy.array(body.shape.vertices)), watched(numpy.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))]
    alive = [weakref.ref(array) for array in arrays]
    body.borrow(arrays[0])
    soup.borrow_primitives(arrays[1], numpy.array([[0, 1, 2], [0, 1, 3]], "u4"))
    ends = [body.end, soup.end]
    arrays[0] += 1
    arrays[1] += 1
    expected = [numpy.array(array) for array in arrays]
    del arrays
    body.rest()
    soup.set_primitives(numpy.zeros((3, 3), "f4"))
    gc.collect()
    for end, array, found in zip(ends, expected, alive):
        assert found() is not None and numpy.array_equal(end.vertices, array)
    assert ends[1].triangle_count == 2 and len(world.collide(ends[1], ends[1])) == 0
    world.remove(ends[0])
    world.remove(soup)
    gc.collect()
    assert alive[0]() is None and alive[1]() is None


def test_an_end_locks_the_memory_that_it_reads():
    world = pliant.World()
    body = world.add(ball())
    memory = bytearray(body.shape.vertices.tobytes())
    body.borrow(memoryview(memory).cast("f", (body.vertex_count, 3)))
    end = body.end
    body.rest()
    with pytest.raises(BufferError):
        memory.append(0)
    assert numpy.array_equal(end.vertices, body.shape.vertices)
    end.rest()
    memory.append(0)


def test_bodies_that_are_added_while_another_is_removed_are_kept():
    world, shape, added = pliant.World(), ball(), []
    body = world.add(shape)
    indices = {body.index, body.end.index}
    array = watched(numpy.array(shape.vertices))
    weakref.finalize(array, lambda: added.extend([world.add(shape), world.add(shape)]))
    body.borrow(array)
    del array
    world.remove(body)
    assert {one.index for one in added} == indices and all(one.shape is shape for one in added)


def test_cycles_through_borrowed_arrays_are_collected():
    world = pliant.World()
    body = world.add(ball())
    array = watched(numpy.array(body.shape.vertices))
    array.world, array.body = world, body
    body.borrow(array)
    alive = weakref.ref(array)
    del world, body, array
    gc.collect()
    assert alive() is None


def test_a_failed_call_keeps_what_was_borrowed():
    world = pliant.World()
    body = world.add(ball())
    array = watched(numpy.array(body.shape.vertices))
    alive = weakref.ref(array)
    body.borrow(array)
    del array
    for wrong in (numpy.zeros((3, 3), "f4"), numpy.zeros((3, 2), "f4"), None):
        with pytest.raises((ValueError, TypeError)):
            body.borrow(wrong)
        with pytest.raises((ValueError, TypeError)):
            body.vertices = wrong
    gc.collect()
    assert alive() is not None and numpy.array_equal(body.vertices, body.shape.vertices)


def test_results_outlive_their_world():
    world = pliant.World()
    a, b = world.add(ball()), world.add(ball())
    b.transform = numpy.array([[1.0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]])
    contacts = world.collide()
    regions, triangles = world.regions(contacts), contacts.triangles
    expected = triangles.copy()
    positions = regions.points.positions
    del world, a, b, contacts, regions
    gc.collect()
    assert numpy.array_equal(triangles, expected) and numpy.isfinite(positions).all()


def test_a_second_thread_is_refused():
    world = pliant.World()
    a = world.add(ball(3))
    world.add(a.shape)
    inside, done, refused = threading.Event(), threading.Event(), []

    def wait(finished, total):
        inside.set()
        done.wait(10)

    setters = {"transform": numpy.eye(3, 4), "vertices": a.shape.vertices, "filter": (1, 1), "loose_box": None,
               "weights": numpy.zeros(1), "joints": numpy.zeros((1, 3, 4))}
    shape = a.shape
    thread = threading.Thread(target=lambda: world.collide(progress=wait))
    thread.start()
    assert inside.wait(10)
    calls = [world.collide, world.stats, world.add_soup, a.rest, a.self_collide, lambda: world.near(1), lambda: world.remove(a),
             lambda: world.add(shape), lambda: a.shape, lambda: a.box, lambda: a.end, lambda: a.vertices, lambda: world.bodies,
             lambda: a.borrow(numpy.zeros((642, 3), "f4")), lambda: a.is_alive]
    calls += [lambda name=name, value=value: setattr(a, name, value) for name, value in setters.items()]
    for call in calls:
        try:
            call()
        except pliant.Busy:
            refused.append(call)
    done.set()
    thread.join()
    assert len(refused) == len(calls)
    assert len(world.collide()) > 0


def test_another_thread_cancels_a_query():
    world = pliant.World()
    a, b = world.add(ball(5)), world.add(ball(5))
    b.transform = numpy.array([[1, 0, 0, 0.01], [0, 1, 0, 0], [0, 0, 1, 0]])
    inside, done, raised = threading.Event(), threading.Event(), []

    def wait(finished, total):
        inside.set()
        done.wait(10)

    def work():
        try:
            world.near(0.1, progress=wait)
        except pliant.Cancelled as error:
            raised.append(error)

    world.cancel()  # nothing runs
    thread = threading.Thread(target=work)
    thread.start()
    assert inside.wait(10)
    world.cancel()
    done.set()
    thread.join()
    assert len(raised) == 1 and len(world.near(0.001)) >= 0


def test_queries_release_the_gil():
    worlds = []
    for _ in range(2):
        world = pliant.World()
        a, b = world.add(ball(5)), world.add(ball(5))
        b.transform = numpy.array([[1, 0, 0, 0.01], [0, 1, 0, 0], [0, 0, 1, 0]])
        worlds.append(world)
    ticks, answers = [], []
    threads = [threading.Thread(target=lambda world=world: answers.append(world.near(0.005))) for world in worlds]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        ticks.append(1)
    assert len(ticks) > 10 and len(answers) == 2 and len(answers[0]) == len(answers[1])


def test_a_forked_child_refuses_worlds_with_threads():
    world = pliant.World(threads=2)
    world.add(ball())
    single = pliant.World()
    single.add(ball())
    child = os.fork()
    if child == 0:
        try:
            world.collide()
        except pliant.Error as error:
            del world
            gc.collect()
            os._exit(7 if "forked" in str(error) and len(single.collide()) == 0 else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert len(world.collide()) == 0


def test_no_leak_in_many_rounds():
    script, is_asan = os.path.join(os.path.dirname(__file__), "leaks.py"), "libasan" in os.environ.get("LD_PRELOAD", "")
    options = {"ASAN_OPTIONS": "detect_leaks=1:exitcode=0", "PYTHONMALLOC": "malloc"} if is_asan else {}
    run = subprocess.run([sys.executable, script], env=os.environ | options, capture_output=True, text=True, check=True)
    assert "_pliant.abi3" not in run.stderr, run.stderr
    assert is_asan or int(run.stdout) < 64 << 10  # what the sanitizer keeps grows for a while


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer checks more")
def test_again_with_the_debug_allocator():
    if os.environ.get("PYTHONMALLOC"):
        pytest.skip("this is that run")
    run = subprocess.run([sys.executable, "-X", "dev", "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__,
                          os.path.join(os.path.dirname(__file__), "test_calls.py")],
                         env=os.environ | {"PYTHONMALLOC": "debug"}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_hold_refuses_setters_until_it_ends():
    world = pliant.World()
    a, b = world.add(ball()), world.add(ball())
    b.transform = numpy.array([[1, 0, 0, 0.5], [0, 1, 0, 0], [0, 0, 1, 0]])
    contacts = len(world.collide())
    with world.hold() as held:
        assert held is world and len(world.collide()) == contacts > 0
        with pytest.raises(pliant.Busy):
            b.transform = numpy.eye(3, 4)
        with pytest.raises(pliant.Busy):
            world.hold()
    b.transform = numpy.eye(3, 4)
    with pytest.raises(ZeroDivisionError):
        with world.hold():
            1 / 0
    with pytest.raises(ValueError):
        world.release()


def test_readers_ask_on_threads_of_their_own():
    world = pliant.World()
    a, b = world.add(ball()), world.add(ball())
    b.transform = numpy.array([[1, 0, 0, 0.5], [0, 1, 0, 0], [0, 0, 1, 0]])
    readers = [world.reader() for _ in range(4)]
    with pytest.raises(pliant.Busy):
        readers[0].collide()
    expected = world.collide().triangles.tolist()
    answers = [None] * 4

    def ask(i):
        for _ in range(10):
            answers[i] = readers[i].collide(a, b).triangles.tolist()

    with world.hold():
        threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        contacts = readers[0].collide()
        assert len(readers[1].regions(contacts)) == len(world.regions(contacts)) == 1
        assert readers[2].body(a.index).index == a.index and len(readers[2].bodies) == 2
        del readers[3]
    assert answers == [expected] * 4
    with pytest.raises(pliant.Busy):
        world.hold() and world.reader()
    world.release()
    del world, a, b, contacts
    gc.collect()
    assert readers[0].threads == 1
