"""Tests of the add-on, inside of Blender: tests/run starts them."""
import os
import sys
import time
import types

import numpy

numpy.bool = bool  # Blender 3.4 reads glTF by a name that numpy 1.24 has no longer
sys.path[:0] = os.environ["PLIANT_TEST_PATHS"].split(os.pathsep)

import bpy  # noqa: E402

import bvhtree  # noqa: E402
import pliant  # noqa: E402
import pliant_check  # noqa: E402
from pliant_check import checker, operators  # noqa: E402

ASSETS = os.environ.get("PLIANT_ASSETS")
MODELS = {"makehuman/mh_female_sport.glb": 20, "khronos/CesiumMan.glb": 10, "kaykit/Knight.glb": 10}


def empty_scene(fps=30):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps


def expected_faces(objects, depsgraph):
    """The answer by the library alone: meshes read face by face, in world coordinates, as soups of triangles."""
    world, owners = pliant.World(), []
    for item in objects:
        evaluated = item.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        mesh.calc_loop_triangles()
        vertices = numpy.array([vertex.co for vertex in mesh.vertices], numpy.float32)
        triangles = numpy.array([triangle.vertices for triangle in mesh.loop_triangles])
        body = world.add_soup()
        body.set_primitives(vertices, triangles)
        body.transform = numpy.array(evaluated.matrix_world)[:3]
        owners.append((body, item.name, [triangle.polygon_index for triangle in mesh.loop_triangles]))
        evaluated.to_mesh_clear()
    found = {name: set() for _, name, _ in owners}
    by_index = {body.index: (name, polygons) for body, name, polygons in owners}
    for contacts in [world.collide()] + [body.self_collide() for body, _, _ in owners]:
        for bodies, triangles in zip(contacts.bodies.tolist(), contacts.triangles.tolist()):
            for index, triangle in zip(bodies, triangles):
                name, polygons = by_index[index]
                found[name].add(polygons[triangle])
    return {name: sorted(faces) for name, faces in found.items()}


def selected_faces(objects):
    return {item.name: [polygon.index for polygon in item.data.polygons if polygon.select] for item in objects}


def meshes():
    return [item for item in bpy.context.scene.objects if item.type == "MESH" and item.visible_get()]


# ---- Tests -----------------------------------------------------------------------------------------------------------


def make_balls():
    empty_scene()
    for x in (0, 1.5, 9):
        bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3, location=(x, 0.1, 0))
    return meshes()


def test_check_frame_selects_faces():
    balls = make_balls()
    assert bpy.ops.pliant.check_frame() == {"FINISHED"}
    found = selected_faces(balls)
    assert found == expected_faces(balls, bpy.context.evaluated_depsgraph_get())
    assert found[balls[0].name] and found[balls[1].name] and not found[balls[2].name]
    rows = bpy.context.scene.pliant_check.findings
    assert len(rows) == 1 and {rows[0].a, rows[0].b} == {balls[0].name, balls[1].name} and rows[0].count > 0


def test_modifiers_are_applied():
    balls = make_balls()
    balls[2].modifiers.new("near", "DISPLACE").strength = 7
    bpy.ops.pliant.check_frame()
    assert selected_faces(balls) == expected_faces(balls, bpy.context.evaluated_depsgraph_get())
    balls[1].modifiers.new("finer", "SUBSURF").levels = 1
    assert bpy.ops.pliant.check_frame() == {"FINISHED"}  # its faces are others: they are not selected


def test_allowed_pairs_are_not_reported():
    balls = make_balls()
    bpy.ops.pliant.check_frame()
    assert bpy.ops.pliant.allow() == {"FINISHED"}
    bpy.ops.pliant.check_frame()
    assert not any(selected_faces(balls).values()) and len(bpy.context.scene.pliant_check.findings) == 0
    bpy.ops.pliant.clear_allowed()
    bpy.ops.pliant.check_frame()
    assert any(selected_faces(balls).values())


def test_heat_map_and_regions():
    balls = make_balls()
    assert bpy.ops.pliant.heat_map() == {"FINISHED"} and bpy.ops.pliant.list_regions() == {"FINISHED"}
    regions = bpy.context.scene.pliant_check.regions
    assert len(regions) == 1 and 0.4 < regions[0].depth < 0.51
    for ball, is_hot in zip(balls, (True, True, False)):
        colors = checker.read(ball.data.color_attributes[operators.HEAT].data, "color", 4, numpy.float32)
        assert (colors[:, 0].max() > 0.9) == is_hot and colors.shape == (len(ball.data.vertices), 4)


def test_an_arm_is_not_deep_in_its_sleeve():
    """What comes out of an open surface is farther from it than what is through it, and yet not deep."""
    empty_scene()
    bpy.ops.mesh.primitive_cylinder_add(vertices=32, radius=0.5, depth=6)
    bpy.ops.object.modifier_add(type="SUBSURF")
    bpy.context.object.modifiers[0].subdivision_type, bpy.context.object.modifiers[0].levels = "SIMPLE", 3
    bpy.ops.mesh.primitive_cylinder_add(vertices=32, radius=0.52, depth=1, end_fill_type="NOTHING", location=(0.04, 0, 0))
    depths = checker.Checker(meshes(), bpy.context.evaluated_depsgraph_get()).depths()
    assert max(float(depth.max()) for depth in depths.values()) < 0.1
    places = checker.Checker(meshes(), bpy.context.evaluated_depsgraph_get()).places()
    assert places and places[0].depth < 0.1


def test_animation_has_markers_at_its_worst_frames():
    balls = make_balls()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 20
    for frame, x in ((1, 9), (20, 1.9)):
        balls[2].location.x = x
        balls[2].keyframe_insert("location", frame=frame)
    scene.frame_set(3)
    assert bpy.ops.pliant.check_animation() == {"FINISHED"} and scene.frame_current == 3
    frames = [marker.frame for marker in scene.timeline_markers]
    assert len(frames) == 3 and min(frames) > 10
    rows = {frozenset((row.a, row.b)): row.frame for row in scene.pliant_check.findings}
    assert rows[frozenset((balls[1].name, balls[2].name))] > 10


def make_rig():
    """Two balls that follow an armature of one bone."""
    balls = make_balls()[:2]
    bpy.ops.object.armature_add()
    armature = bpy.context.object
    for ball in balls:
        ball.vertex_groups.new(name=armature.data.bones[0].name).add(range(len(ball.data.vertices)), 1, "REPLACE")
        ball.modifiers.new("rig", "ARMATURE").object = armature
    return balls, armature


class Animation:
    """The operator without Blender's own part of it: there is no window here that could send events."""
    start, step, end, invoke, modal, cancel = (getattr(operators.PLIANT_OT_check_animation, name)
                                               for name in ("start", "step", "end", "invoke", "modal", "cancel"))

    def __init__(self, fails_at=""):
        self.calls, self.reports, self.fails_at = [], [], fails_at
        manager = types.SimpleNamespace(**{name: self.recorder(name) for name in (
            "progress_begin", "progress_update", "progress_end", "event_timer_add", "event_timer_remove", "modal_handler_add")})
        bpy.context.view_layer.update()
        self.context = types.SimpleNamespace(scene=bpy.context.scene, window=None, window_manager=manager,
                                             visible_objects=bpy.context.visible_objects,
                                             evaluated_depsgraph_get=bpy.context.evaluated_depsgraph_get)

    def recorder(self, name):
        def record(*unused, **also_unused):
            self.calls.append(name)
            if name == self.fails_at:
                raise RuntimeError(name)
        return record

    def report(self, kind, text):
        self.reports.append((kind, text))

    def send(self, kind):
        return self.modal(self.context, types.SimpleNamespace(type=kind))


def test_every_end_of_an_animation_restores_the_scene():
    balls, _ = make_rig()
    scene = bpy.context.scene
    scene.pliant_check.native = True
    scene.frame_start, scene.frame_end = 1, 3

    def is_restored(animation):
        return (all(ball.modifiers[0].show_viewport for ball in balls) and scene.frame_current == 7
                and animation.calls.count("progress_end") == 1
                and animation.calls.count("event_timer_add") == animation.calls.count("event_timer_remove"))

    ways = {"end": lambda one: [one.send("TIMER") for _ in range(3)][-1] == {"FINISHED"}, "escape": lambda one: one.send("ESC") == {"CANCELLED"},
            "failure": lambda one: one.send("TIMER") == {"CANCELLED"} and one.reports[0][0] == {"ERROR"},
            "cancel": lambda one: one.cancel(one.context) is None}
    for name, way in ways.items():
        scene.frame_set(7)
        animation = Animation("progress_update" if name == "failure" else "")
        assert animation.invoke(animation.context, None) == {"RUNNING_MODAL"}
        assert not any(ball.modifiers[0].show_viewport for ball in balls), name
        assert way(animation) and is_restored(animation), name
        animation.cancel(animation.context)
        assert is_restored(animation), name
    animation = Animation("modal_handler_add")
    try:
        animation.invoke(animation.context, None)
    except RuntimeError:
        assert is_restored(animation)
    else:
        raise AssertionError("the failure was lost")


def test_native_parts_need_plain_rigs():
    changes = {
        "parent": lambda ball, armature: (setattr(ball, "parent", armature), setattr(ball, "parent_type", "ARMATURE")),
        "shown key": lambda ball, armature: (ball.shape_key_add(name="rest"), setattr(ball, "show_only_shape_key", True)),
        "hidden modifier": lambda ball, armature: setattr(ball.modifiers[0], "show_viewport", False),
        "other modifier": lambda ball, armature: ball.modifiers.new("more", "DISPLACE"),
    }
    for name, change in changes.items():
        balls, armature = make_rig()
        assert all(map(checker.can_be_native, balls))
        change(balls[1], armature)
        assert checker.can_be_native(balls[0]) and not checker.can_be_native(balls[1]), name
        for items, kind in ((balls, checker.EvaluatedPart), (balls[:1], checker.NativePart)):
            bpy.context.view_layer.update()
            found = checker.Checker(items, bpy.context.evaluated_depsgraph_get(), native=True)
            assert all(isinstance(part, kind) for part in found.parts), name


def import_model(name):
    empty_scene()
    bpy.ops.import_scene.gltf(filepath=os.path.join(ASSETS, name))
    return meshes()


def test_models_equal_the_library():
    if not ASSETS:
        return "skipped: no PLIANT_ASSETS"
    for name, frame in MODELS.items():
        items = import_model(name)
        bpy.context.scene.frame_set(frame)
        bpy.ops.pliant.check_frame()
        found = selected_faces(items)
        assert found == expected_faces(items, bpy.context.evaluated_depsgraph_get()), name
        assert any(found.values()), name
        print(f"test: {name}: {sum(map(len, found.values()))} faces, equal")


def close_enough(one, other):
    """Whether native parts find what evaluated ones do, but for pairs that rounding decides."""
    sizes = [sum(len(finding.triangles) for finding in findings) for findings in (one, other)]
    return abs(sizes[0] - sizes[1]) <= 0.01 * max(sizes) + 2


def play(scene, frames, step, parts=()):
    """Seconds of the processor, and what each frame gave."""
    start = time.process_time()
    with checker.Quiet(parts):
        found = []
        for frame in frames:
            scene.frame_set(frame)
            found.append(step(bpy.context.evaluated_depsgraph_get()))
    return time.process_time() - start, found


def test_whole_action_against_bvhtree():
    if not ASSETS:
        return "skipped: no PLIANT_ASSETS"
    items = import_model("makehuman/mh_female_sport.glb")
    scene, depsgraph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    armature = next(item for item in scene.objects if item.type == "ARMATURE")
    armature.animation_data.action = next(action for action in bpy.data.actions if action.name.startswith("squat_Armature"))
    low, high = map(int, armature.animation_data.action.frame_range)
    frames = range(low, high + 1)
    scripts = {"evaluated": checker.Checker(items, depsgraph), "native": checker.Checker(items, depsgraph, native=True)}
    assert all(isinstance(part, checker.NativePart) for part in scripts["native"].parts)
    times, found = {}, {}

    def step_of(script):
        def step(depsgraph):
            script.update(depsgraph)
            return script.check()
        return step

    for name, script in scripts.items():
        runs = [play(scene, frames, step_of(script), script.parts) for _ in range(3)]
        times[name], found[name] = min(run[0] for run in runs), runs[0][1]
    assert all(map(close_enough, found["evaluated"], found["native"]))
    times["bare"] = min(play(scene, frames, lambda depsgraph: None)[0] for _ in range(3))
    times["bvhtree"], theirs = play(scene, frames, bvhtree.Script(items).check)
    missed = 0
    for findings, pairs in zip(found["evaluated"], theirs):
        for finding in findings:
            if finding.a != finding.b:
                polygons = [part.polygons for part in scripts["evaluated"].parts if part.name in (finding.a, finding.b)]
                ours = {(int(polygons[0][a]), int(polygons[1][b])) for a, b in finding.triangles}
                missed += len(ours - set(map(tuple, pairs[finding.a, finding.b])))
    print(f"test: {len(frames)} frames: evaluated {times['evaluated']:.2f} s, native {times['native']:.2f} s, BVHTree "
          f"{times['bvhtree']:.2f} s, of which Blender alone {times['bare']:.2f} s; BVHTree misses {missed} pairs of faces between objects")
    print(f"figure blender.action.frames {len(frames)}")
    print(f"figure blender.action.vs_bvhtree {times['bvhtree'] / times['native']:.1f} x")
    print(f"figure blender.action.evaluated_vs_bvhtree {times['bvhtree'] / times['evaluated']:.1f} x")
    print(f"figure blender.action.query_vs_bvhtree {(times['bvhtree'] - times['bare']) / (times['evaluated'] - times['bare']):.1f} x")


def main():
    tests = {name: test for name, test in globals().items() if name.startswith("test_")}
    pliant_check.register()
    for name, test in tests.items():
        start = time.perf_counter()
        print(test() or f"test: {name} passed in {time.perf_counter() - start:.1f} s", flush=True)
    pliant_check.unregister()
    print("all passed")


main()
