"""The command's job in Blender: every frame of a model, every pair of its parts, by BVHTree. bench/command starts it:

blender -b --factory-startup -P bench/same_job/blender.py -- MODEL FOLDER     FOLDER has the script bvhtree.py

Counted: posing, Blender's evaluation of all vertices, the trees, the pairs. Not counted: reading the file.
"""
import sys
import time

import numpy

numpy.bool = bool  # Blender 3.4 reads glTF by a name that numpy 1.24 has no longer

import bpy  # noqa: E402

MODEL, FOLDER = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, FOLDER)
import bvhtree  # noqa: E402

RATE = 30


def read_model():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = RATE
    bpy.ops.import_scene.gltf(filepath=MODEL, merge_vertices=True)
    return [item for item in bpy.context.scene.objects if item.type == "MESH" and item.visible_get()]


def animated():
    """All that has animations: objects and shape keys."""
    things = [*bpy.context.scene.objects, *bpy.data.shape_keys]
    return [thing for thing in things if thing.animation_data]


def select(clip, values):
    """Plays one clip alone, from the rest pose; None: none."""
    for thing in animated():
        thing.animation_data.action = None
        for track in thing.animation_data.nla_tracks:
            track.mute = track.name != clip
    for block, value in values.items():
        block.value = value
    for item in bpy.context.scene.objects:
        for bone in item.pose.bones if item.pose else ():
            bone.matrix_basis.identity()


def clips():
    """(name, first frame, last frame) of each; Blender's strips begin with frame 1."""
    ends = {}
    for thing in animated():
        for track in thing.animation_data.nla_tracks:
            strips = [(strip.frame_start, strip.frame_end) for strip in track.strips]
            first, last = ends.get(track.name, strips[0])
            ends[track.name] = min(first, *(start for start, _ in strips)), max(last, *(end for _, end in strips))
    return [(name, round(first), round(last)) for name, (first, last) in ends.items()]


def main():
    items = read_model()
    scene = bpy.context.scene
    values = {block: block.value for keys in bpy.data.shape_keys for block in keys.key_blocks}
    plan = [(None, 0, 0), *clips()]
    frames = 0
    sums = {"different": 0, "self": 0}
    clock, processor = time.perf_counter(), time.process_time()
    script = bvhtree.Script(items)
    for clip, first, last in plan:
        select(clip, values)
        for frame in range(first, last + 1):
            scene.frame_set(frame)
            for (a, b), pairs in script.check(bpy.context.evaluated_depsgraph_get()).items():
                sums["self" if a == b else "different"] += len(pairs)
            frames += 1
    print(f"blender seconds {time.perf_counter() - clock:.3f} processor {time.process_time() - processor:.3f} frames {frames} "
          f"different {sums['different']} self {sums['self']} triangles {sum(len(item.data.polygons) for item in items)}", flush=True)


main()
