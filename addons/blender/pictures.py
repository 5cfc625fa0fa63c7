"""Pictures of the add-on for docs/blender.md, inside of Blender with a window: make-pictures starts it.

The scene is an arm in a sleeve that two bones bend. Each picture is made by the add-on's own operators. Blender draws
between two steps, so each step is one call of a timer.
"""
import math
import os
import sys

sys.path[:0] = os.environ["PLIANT_PICTURE_PATHS"].split(os.pathsep)

import bpy  # noqa: E402
import mathutils  # noqa: E402

import pliant_check  # noqa: E402

FOLDER = os.environ["PLIANT_PICTURE_FOLDER"]
ELBOW, BEND = 1.0, 2.2  # where the elbow is along z, and by how much it bends, in radians
CENTER = 0, -0.25, 0.62  # of the pictures


def tube(name, radius, low, high, rings, segments, is_closed):
    """A tube around z; its ends are closed by fans, or left open."""
    ring = [(math.cos(2 * math.pi * i / segments), math.sin(2 * math.pi * i / segments)) for i in range(segments)]
    heights = [low + (high - low) * i / (rings - 1) for i in range(rings)]
    vertices = [(radius * x, radius * y, z) for z in heights for x, y in ring]
    faces = [(r * segments + i, r * segments + (i + 1) % segments, (r + 1) * segments + (i + 1) % segments, (r + 1) * segments + i)
             for r in range(rings - 1) for i in range(segments)]
    if is_closed:
        faces += [tuple(reversed(range(segments))), tuple(range((rings - 1) * segments, rings * segments))]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.polygons.foreach_set("use_smooth", [len(face) == 4 for face in faces])
    item = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(item)
    return item


def add_bones():
    armature = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    upper, lower = (armature.data.edit_bones.new(name) for name in ("upper", "lower"))
    upper.head, upper.tail, lower.tail = (0, 0, 0), (0, 0, ELBOW), (0, 0, 2 * ELBOW)
    lower.parent, lower.use_connect = upper, True
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def follow(item, armature, width):
    """Weights that change from one bone to the other within a width around the elbow."""
    groups = {name: item.vertex_groups.new(name=name) for name in ("upper", "lower")}
    for vertex in item.data.vertices:
        share = min(max((vertex.co.z - ELBOW) / width + 0.5, 0), 1)
        groups["lower"].add([vertex.index], share, "REPLACE")
        groups["upper"].add([vertex.index], 1 - share, "REPLACE")
    modifier = item.modifiers.new("rig", "ARMATURE")
    modifier.object, modifier.show_in_editmode, modifier.show_on_cage = armature, True, True


def make_scene():
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    armature = add_bones()
    arm, sleeve = tube("arm", 0.2, 0, 2, 61, 32, True), tube("sleeve", 0.22, 0.1, 1.45, 41, 32, False)
    follow(arm, armature, 0.5)
    follow(sleeve, armature, 0.9)
    bone = armature.pose.bones["lower"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0), (40, BEND)):
        bone.rotation_euler = angle, 0, 0
        bone.keyframe_insert("rotation_euler", frame=frame)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 40
    armature.hide_set(True)
    bpy.context.view_layer.objects.active = None


# ---- The window --------------------------------------------------------------------------------


def view():
    area = next(area for area in bpy.context.window.screen.areas if area.type == "VIEW_3D")
    return area, next(region for region in area.regions if region.type == "WINDOW")


def fill_window():
    with context_of():
        bpy.ops.screen.screen_full_area()


def only_our_panel():
    """Which tab of the sidebar is shown cannot be chosen in Blender 3.4: so there is only ours.

    What Blender has in C comes with an active object only.
    """
    for panel in bpy.types.Panel.__subclasses__():
        place = getattr(panel, "bl_space_type", ""), getattr(panel, "bl_region_type", "")
        if place == ("VIEW_3D", "UI") and not panel.__name__.startswith("PLIANT"):
            try:
                bpy.utils.unregister_class(panel)
            except RuntimeError:
                pass  # its parent is gone


def set_view():
    space, turn = view()[0].spaces.active, mathutils.Euler((math.radians(78), 0, math.radians(62)))
    space.show_region_ui, space.show_region_toolbar, space.show_gizmo = True, False, False
    space.overlay.show_floor = space.overlay.show_axis_x = space.overlay.show_axis_y = False
    space.overlay.show_cursor = False
    region = space.region_3d
    region.view_rotation, region.view_location, region.view_distance = turn.to_quaternion(), CENTER, 2.3


def context_of():
    area, region = view()
    return bpy.context.temp_override(window=bpy.context.window, area=area, region=region)


def save(name):
    with context_of():
        bpy.ops.screen.screenshot_area(filepath=os.path.join(FOLDER, name))


# ---- Steps -------------------------------------------------------------------------------------


def check():
    with context_of():
        bpy.ops.pliant.check_animation("EXEC_DEFAULT")
        bpy.context.scene.frame_set(40)
        bpy.ops.pliant.check_frame()


def show_faces():
    for item in bpy.data.objects:
        item.select_set(item.type == "MESH")
    bpy.context.view_layer.objects.active = bpy.data.objects["arm"]
    view()[0].spaces.active.show_region_ui = False
    bpy.context.scene.pliant_check.overlay = False
    with context_of():
        bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.tool_settings.mesh_select_mode = (False, False, True)


def show_depth():
    with context_of():
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.ops.object.select_all(action="DESELECT")
    bpy.data.objects["sleeve"].hide_set(True)
    bpy.context.scene.pliant_check.overlay = True


STEPS = [only_our_panel, fill_window, make_scene, set_view, check, lambda: None, lambda: save("blender-panel.png"), show_faces, lambda: None,
         lambda: save("blender-faces.png"), show_depth, lambda: None, lambda: save("blender-depth.png"), bpy.ops.wm.quit_blender]


def next_step():
    try:
        STEPS.pop(0)()
    except Exception:
        import traceback
        traceback.print_exc()
        sys.stdout.flush()
        os._exit(1)
    return 0.5 if STEPS else None


bpy.context.preferences.view.show_splash = False
bpy.context.preferences.themes[0].view_3d.space.gradients.background_type = "SINGLE_COLOR"  # small files
pliant_check.register()
bpy.app.timers.register(next_step, first_interval=2)
