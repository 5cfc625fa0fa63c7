"""The add-on beside the command: the same models, the same moments, imported as Blender does by default."""
import collections
import math
import os
import subprocess

import bpy
import numpy
from io_scene_gltf2.blender.imp.gltf2_blender_scene import BlenderScene

import pliant
from pliant_check import checker

FOLDERS = "blender", "kaykit", "khronos", "loader-variants", "makehuman", "threejs", "toys"
SAMPLES = 4  # of the longest animation, about

IMPORTERS = {".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path), ".gltf": lambda path: bpy.ops.import_scene.gltf(filepath=path),
             ".obj": lambda path: bpy.ops.wm.obj_import(filepath=path), ".fbx": lambda path: bpy.ops.import_scene.fbx(filepath=path)}




class Allowed(collections.namedtuple("Allowed", "why share far depth parts")):
    """How a model may differ. why: in words. share: of all pairs of triangles. far: how far corners are from where the command has
    them, and depth: of a row, both as shares of the size. parts: that only one of both has."""

    def covers(self, row, size):
        return abs(row[3][1] - row[4][1]) <= self.depth * size


def allowed(why="", share=0.0, far=1e-6, depth=1e-5, parts=()):
    return Allowed(why, share, far, depth, parts)


EXACT = allowed()
TURNS = "Blender interpolates turns between two keys by component"
TOUCHES = "what just touches: Blender's matrices round"
LIES = "parts that lie in each other: rounding decides which triangles touch"
SCENES = "Blender shows what the file does not"
GRAZES = "legs graze each other: the last bit decides"
HALF = GRAZES + "; and whether an open shoe is around a fold half a time"
# Models that differ, and why. Numbers are measured, and rounded up.
ALLOWED = {
    "arm.glb": allowed(TURNS, share=0.015, far=5e-3, depth=3e-4),
    "arm_quantized.glb": allowed(TURNS, share=0.015, far=5e-3, depth=3e-4),
    "arm_sparse.glb": allowed(TURNS, share=0.015, far=5e-3, depth=3e-4),
    "arm_text.gltf": allowed(TURNS, share=0.015, far=5e-3, depth=3e-4),
    "blender/mh_female_sport.fbx": allowed(HALF, share=1e-4, depth=3e-4),
    "kaykit/Barbarian.glb": allowed(LIES, share=5e-5, depth=1e-3),
    "kaykit/Knight.glb": allowed(LIES, share=0.013, depth=1e-4),
    "kaykit/Mage.glb": allowed(LIES, share=2e-3, depth=3e-4),
    "kaykit/Rogue_Hooded.glb": allowed(LIES, share=2e-3, depth=5e-4),
    "khronos/Fox.glb": allowed(TURNS, far=3e-3),
    "khronos/InterpolationTest.glb": allowed(TURNS, far=3e-2),
    "khronos/RecursiveSkeletons.glb": allowed(TOUCHES, share=0.25, far=1e-4),
    "khronos/RiggedFigure.glb": allowed(TURNS, far=6e-4),
    "khronos/SimpleSkin.gltf": allowed(TURNS, far=3e-4),
    "loader-variants/Fox_q.glb": allowed(TURNS, far=4e-3),
    "makehuman/mh_female_sport.glb": allowed(GRAZES, share=3e-3, far=2e-5, depth=4e-3),
    "makehuman/mh_male_casual.glb": allowed(HALF, share=4e-3, far=2e-5, depth=3e-4),
    "threejs/RobotExpressive.glb": allowed("Blender drops three triangles that have a corner twice", parts=("Foot.L", "Foot.R")),
    "toys/floor.obj": allowed(TOUCHES, share=0.7),
    "toys/hidden.gltf": allowed(SCENES, share=1, depth=0.2, parts=("b",)),
    "toys/orphan.gltf": allowed(SCENES, share=1, depth=0.2, parts=("b",)),
    "toys/stack.obj": allowed(TOUCHES, share=0.06),
    "toys/twoscenes.gltf": allowed(SCENES, share=1, depth=0.2, parts=("b",)),
}
# Models that Debian's Blender cannot read.
NOT_IMPORTED = {"arm_meshopt.glb": "meshopt", "loader-variants/Fox_dr.glb": "Draco", "loader-variants/Fox_mo.glb": "meshopt",
                "loader-variants/MorphStressTest_mo.glb": "meshopt"}


def command(*words):
    run = subprocess.run([os.environ["PLIANT_COMMAND"], "check", "-q", "--no-config", "--json", "-", *words], capture_output=True, text=True)
    return pliant.Report(run.stdout) if run.returncode in (0, 1) else run.stderr.strip()


def report_of(path, rate=None):
    """All models of a folder have the same options: some frames of each animation, and all depths."""
    rates = [] if rate is None else ["--rate", str(rate)]
    whole = command(path, "--depth", "none", "--no-self", "--parts", "*", *rates)
    if isinstance(whole, str):
        return whole
    longest = max((run["frame_count"] for run in whole.data["runs"]), default=1)
    step = max(1, math.ceil(longest / SAMPLES))
    return command(path, "--depth", "all", "--frames", f"::{step}", "--no-volume", *rates)


def owners():
    """All that may have an action."""
    for item in bpy.data.objects:
        yield item
        keys = getattr(item.data, "shape_keys", None)
        if keys:
            yield keys


def play(*names):
    """Gives everything the actions of an animation, as the importer does for the first."""
    for owner in owners():
        data = owner.animation_data
        if not data:
            continue
        tracks = [track.strips[0].action for track in data.nla_tracks if track.name in names and track.strips]
        actions = [action for action in bpy.data.actions if action.name == f"{owner.name}|Armature|{names[0]}"]  # of FBX
        data.action = next(iter(tracks + actions), None)


def pose_bones():
    return [bone for item in bpy.data.objects if item.pose for bone in item.pose.bones]


def moved_values():
    """What animations set: (item, attribute, value)."""
    for item in [*pose_bones(), *bpy.data.objects]:
        yield from ((item, name, getattr(item, name).copy()) for name in ("location", "rotation_quaternion", "scale"))
    for keys in bpy.data.shape_keys:
        yield from ((key, "value", key.value) for key in keys.key_blocks)


def import_model(path):
    """Imports it, and returns where all is before the first animation moves it: an animation that moves only some leaves the
    others there."""
    kept = []

    def keep_pose(gltf):
        kept.extend(moved_values())
        create_animations(gltf)

    create_animations = BlenderScene.create_animations
    BlenderScene.create_animations = staticmethod(keep_pose)
    try:
        IMPORTERS[os.path.splitext(path)[1]](path)
    finally:
        BlenderScene.create_animations = staticmethod(create_animations)
    return kept


def reset_pose(kept):
    for item, name, value in kept:
        setattr(item, name, value)


def set_time(scene, seconds, first):
    frame = first + seconds * scene.render.fps / scene.render.fps_base
    scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))


def meshes():
    return [item for item in bpy.context.scene.objects if item.type == "MESH" and item.visible_get()]


# ---- Which part is which object --------------------------------------------------------------------------------------


class File:
    """Where the corners of all triangles are, as the command reads them."""

    def __init__(self, path):
        self.model, self.world = pliant.read(path), pliant.World()
        self.bodies = self.model.add_to(self.world)
        self.clips = {clip.name: clip for clip in self.model.clips}

    def corners(self, run, seconds):
        self.model.pose(self.bodies, self.clips.get(run["name"]), seconds)
        return {source.name: body.vertices[source.triangles] for source, body in zip(self.model.sources, self.bodies)}

    def pairs(self, a, b):
        """Of two parts, where they are now."""
        bodies = {source.name: body for source, body in zip(self.model.sources, self.bodies)}
        return self.world.collide(bodies[a], bodies[b], count_only=True)


def corners_of(recording, index):
    """The same of what Blender has; its z is up."""
    found = {}
    for part in recording.stretches[-1].parts:
        x, y, z = part.vertices_at(index).T
        found[part.name] = numpy.stack([x, z, -y], axis=1)[part.triangles]
    return found


def distance(one, other):
    return float(numpy.linalg.norm(one - other, axis=2).max()) if one.shape == other.shape else math.inf


def match(theirs, ours):
    """{name in the file: name in Blender}: the nearest with as many triangles. An importer gives names of its own."""
    names, left = {}, dict(ours)
    for name, corners in theirs.items():
        if left:
            nearest = min(left, key=lambda other: (distance(corners, left[other]), other != name))
            if distance(corners, left[nearest]) < math.inf:
                names[name] = nearest
                del left[nearest]
    return names


# ---- A model -----------------------------------------------------------------------------------------------------------


def rows_of(report, run, names, still):
    """{(a, b): {sample of a run: (pairs, depth)}}, by the names in Blender. What stands still is checked once, at first: depth is
    of that; but surfaces that lie in each other have other pairs wherever they are rounded, so these are of each sample."""
    found, first = {}, run["first_sample"]
    for number, pair in enumerate(report.data["pairs"]):
        rows = {sample: (row["pairs"], row.get("depth", 0.0)) for sample, row in report.rows(number).items()}
        is_still = pair["kind"] == "rigid" and 0 in rows
        found[tuple(sorted(names.get(name, name) for name in pair["names"]))] = {
            i: (still[i][tuple(pair["names"])], rows[0][1]) if is_still else rows.get(first + i) for i in range(run["frame_count"])}
    return found


class Compared:
    """A model: how far corners are from where the command has them, and the rows of both, (pairs, depth) of each."""

    def __init__(self, path, rate=None):
        self.path, self.rows, self.far, self.missing, self.extra = path, [], 0.0, set(), set()
        self.report = report_of(path, rate)
        if isinstance(self.report, str):
            raise RuntimeError(self.report)
        bpy.ops.wm.read_factory_settings(use_empty=True)
        kept = import_model(path)
        self.size, self.file = self.report.data["size"], File(path)
        for run, recording in check_runs(self.report.data, kept, 1 if path.endswith(".fbx") else 0):
            self.compare(run, recording)

    def compare(self, run, recording):
        scale = bpy.context.scene.unit_settings.scale_length
        names, still = {}, []
        for i in range(run["frame_count"]):
            seconds = run["start"] + (run["first_frame"] + i * run["frame_step"]) / run["rate"]
            theirs = self.file.corners(run, seconds)
            ours = {name: corners * scale for name, corners in corners_of(recording, i).items()}
            still.append({tuple(pair["names"]): self.file.pairs(*pair["names"])
                          for pair in self.report.data["pairs"] if pair["kind"] == "rigid"})
            names = names or match(theirs, ours)
            self.far = max([self.far] + [distance(theirs[name], ours[other]) for name, other in names.items()])
        self.missing |= set(theirs) - set(names)
        self.extra |= set(ours) - set(names.values())
        findings = recording.check(depth="all")
        if not findings.reports:
            return
        theirs = rows_of(self.report, run, names, still)
        ours = {tuple(sorted((finding.a, finding.b))): finding.rows for finding in findings.items}
        for key in sorted(set(theirs) | set(ours)):
            for i, frame in enumerate(recording.stretches[-1].frames):
                one, other = theirs.get(key, {}).get(i), ours.get(key, {}).get(frame)
                if one or other:
                    other = (other["pairs"], other.get("depth", 0.0)) if other else (0, 0.0)
                    self.rows.append((run["name"], i, key, one or (0, 0.0), other))

    def differing(self):
        return [row for row in self.rows if row[3][0] != row[4][0]]

    def depth_off(self):
        return max((abs(one[1] - other[1]) for *_, one, other in self.rows), default=0.0)


def check_runs(report, kept, first_frame):
    """The moments of the command's report in Blender: a recording of each run, but the rest pose, which an import has no more."""
    scene, first, clips = bpy.context.scene, 0, 0
    for run in report["runs"]:
        run["first_sample"], first = first, first + run["frame_count"]
        is_rest = run["name"].startswith("rest") and run["frame_count"] == 1
        if is_rest and len(report["runs"]) > 1:
            continue
        if not is_rest:
            reset_pose(kept)
            play(run["name"], f"Anim_{clips}")
            clips += 1
        recording = checker.Recording(meshes(), name=run["name"], rate=run["rate"])
        for i in range(run["frame_count"]):
            frame = run["first_frame"] + i * run["frame_step"]
            if not is_rest:
                set_time(scene, run["start"] + frame / run["rate"], first_frame)
            recording.add(frame, bpy.context.evaluated_depsgraph_get())
        yield run, recording
