"""Operators: check a frame, check the animation, go to a place, vertex groups of depth, allow, report."""
import contextlib
import os
import threading

import bpy
import numpy

from . import checker

DEPTH = "pliant_depth"
MARKER = "pliant"
WORST = 3  # frames that get a marker
MODES = {"OBJECT", "POSE", "PAINT_WEIGHT", "PAINT_VERTEX"}


class Latest:
    """What the last check found. A file that is opened has nothing yet."""
    findings = None


def settings_of(context):
    return context.scene.pliant_check


def chosen_objects(context):
    """All that is visible, or what is selected: with a selected armature, all that it moves."""
    if not settings_of(context).only_selected:
        return context.visible_objects
    selected = set(context.selected_objects)
    return [item for item in context.visible_objects
            if item in selected or item.parent in selected or any(getattr(modifier, "object", None) in selected for modifier in item.modifiers)]


def make_recording(context):
    scene, settings = context.scene, settings_of(context)
    return checker.Recording(chosen_objects(context), within=settings.within, allowed=[(row.a, row.b) for row in settings.allowed],
                             name=scene.name, rate=scene.render.fps / scene.render.fps_base, step=scene.frame_step,
                             length=scene.unit_settings.scale_length)


def check_frame(context, depth="all"):
    """Checks the frame as it is: also poses that have no keys."""
    recording = make_recording(context)
    recording.add(context.scene.frame_current, context.evaluated_depsgraph_get())
    Latest.findings = recording.check(depth=depth)
    return Latest.findings


# ---- Words -----------------------------------------------------------------------------------------------------------


def length_text(scene, length):
    """In the units of the scene."""
    units = scene.unit_settings
    if units.system == "NONE":
        return f"{length:.3g}"
    meters = length * units.scale_length
    if units.system == "METRIC":
        return next(f"{meters * scale:.3g} {unit}" for unit, scale, least in (("km", 1e-3, 1e3), ("m", 1, 1), ("mm", 1e3, 0)) if meters >= least)
    feet = meters / 0.3048
    return f"{feet:.3g} ft" if feet >= 1 else f"{12 * feet:.3g} in"


def how_bad(scene, row):
    if row.get("depth", 0) > 0:
        return length_text(scene, row["depth"])
    return f"{length_text(scene, row['cut'])} cut" if row.get("cut", 0) > 0 else f"{row['pairs']} pairs"


def names(finding):
    return finding.a if finding.a == finding.b else f"{finding.a} / {finding.b}"


def summary_of(findings):
    return next((f"The worst: {finding.words}" for finding in findings), "Nothing intersects")


# ---- What is shown ---------------------------------------------------------------------------------------------------


def place_of(findings, finding, frame):
    """Where it is deepest, or where two of its triangles are."""
    regions = finding.rows[frame].get("regions")
    if regions:
        return regions[0]["deepest"]
    index = findings.at(frame)[3]
    for a, b, triangles in findings.contacts(frame):
        if (a.name, b.name) == (finding.a, finding.b):
            return a.vertices_at(index)[a.triangles[triangles[0, 0]]].mean(axis=0)
    return (0, 0, 0)


def show_findings(context, findings):
    """Fills the lists: findings at their worst frames, and the places that they have there."""
    scene, settings = context.scene, settings_of(context)
    settings.findings.clear()
    settings.regions.clear()
    settings["active"] = settings["active_region"] = 0  # without going there
    places = []
    for finding in findings:
        worst = finding.rows[finding.worst]
        row = settings.findings.add()
        row.a, row.b, row.verdict, row.words, row.frame = finding.a, finding.b, finding.verdict, finding.words, finding.worst
        row.count, row.depth, row.text = worst["pairs"], worst.get("depth", 0), how_bad(scene, worst)
        row.position = place_of(findings, finding, finding.worst)
        places += [(finding, region) for region in worst.get("regions", ())]
    for finding, region in sorted(places, key=lambda item: -item[1]["depth"]):
        row = settings.regions.add()
        row.a, row.b, row.frame, row.depth, row.position = finding.a, finding.b, finding.worst, region["depth"], region["deepest"]
        row.text = length_text(scene, region["depth"])
        row.joints = ", ".join(f"{name} {share:.0%}" for name, share in region.get("joints", ())[:2])


def select_faces(findings, frame):
    """Selects the faces of each object, and no others. Names of objects whose faces modifiers have made others of."""
    here, skipped = findings.at(frame), []
    faces = findings.faces(frame)
    for part in here[0].parts if here else ():
        mesh, indices = part.source.data, faces.get(part.name, numpy.zeros(0, int))
        if not part.is_own and len(indices):
            skipped.append(part.name)
            continue
        selected = numpy.zeros(len(mesh.polygons), bool)
        selected[indices if part.is_own else []] = True
        for items in (mesh.vertices, mesh.edges):
            items.foreach_set("select", numpy.zeros(len(items), bool))
        mesh.polygons.foreach_set("select", selected)
        mesh.update()
    return skipped


def worst_frames(findings):
    """Of each frame its worst finding and that row: {frame: (finding, row)}, where depth was measured."""
    worst = {}
    for finding in findings:
        for frame, row in finding.rows.items():
            if "depth" in row and (frame not in worst or checker.badness(row) > checker.badness(worst[frame][1])):
                worst[frame] = finding, row
    return worst


def mark_worst(scene, findings):
    """Markers at the deepest frames, half a second and a tenth of the range apart; those of the last run go."""
    for marker in [marker for marker in scene.timeline_markers if marker.name.startswith(MARKER)]:
        scene.timeline_markers.remove(marker)
    worst, marked = worst_frames(findings), []
    apart = max(scene.render.fps / scene.render.fps_base / 2, (scene.frame_end - scene.frame_start) / 10)
    for frame in sorted(worst, key=lambda frame: (*(-number for number in checker.badness(worst[frame][1])), frame)):
        if len(marked) < WORST and all(abs(frame - other) >= apart for other in marked):
            finding, row = worst[frame]
            scene.timeline_markers.new(f"{MARKER}: {how_bad(scene, row)} {names(finding)}", frame=frame)
            marked.append(frame)


def go_to(context, row):
    """Goes to the frame of a row, and turns all 3D views to its place."""
    if context.scene.frame_current != row.frame:
        context.scene.frame_set(row.frame)
    context.scene.cursor.location = row.position
    here = Latest.findings and Latest.findings.at(row.frame)
    distance = max(8 * row.depth, here[2].data["size"] / 8 if here else 0)
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                view = area.spaces.active.region_3d
                view.view_location = row.position
                view.view_distance = distance or view.view_distance
                area.tag_redraw()


# ---- A check that Blender goes on beside -------------------------------------------------------------------------------


class Job:
    """Records frames, one in each step, and then checks them in a thread."""

    def __init__(self, context, frames, **options):
        self.scene, self.get_depsgraph = context.scene, context.evaluated_depsgraph_get
        self.recording, self.options = make_recording(context), options
        self.frames, self.count = list(frames), len(frames)
        self.findings = self.error = self.thread = None
        self.changes = contextlib.ExitStack()  # what end() takes back
        self.changes.callback(self.scene.frame_set, self.scene.frame_current)

    def run(self):
        try:
            self.findings = self.recording.check(**self.options)
        except Exception as error:
            self.error = error

    def step(self):
        """False: it is done. A frame to record, or a look at the thread."""
        if self.frames:
            self.scene.frame_set(self.frames.pop(0))
            self.recording.add(self.scene.frame_current, self.get_depsgraph())
            return True
        if self.thread is None:
            self.end()  # from now on the user has the frames
            self.thread = threading.Thread(target=self.run)
            self.thread.start()
        self.thread.join(0.02)
        return self.thread.is_alive()

    def share(self):
        recorded = 1 - len(self.frames) / max(self.count, 1)
        return (recorded + self.recording.share) / 2

    def stop(self):
        """Ends the check: what was found is short to come."""
        self.frames = []
        self.recording.cancel()
        while self.step():
            pass

    def end(self):
        self.changes.close()


class Check:
    """What all operators have in common."""
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode in MODES


class Checking(Check):
    """Operators that check the animation. Escape ends the recording, and what there is is checked; or it ends the check, and
    what was found is shown."""
    job_options, is_whole = {}, False

    def make_job(self, context):
        scene = context.scene
        return Job(context, range(scene.frame_start, scene.frame_end + 1, scene.frame_step), **self.job_options)

    def execute(self, context):
        self.job = self.make_job(context)
        try:
            while self.job.step():
                pass
        finally:
            self.job.end()
        return self.conclude(context)

    def start(self, context):
        self.job = self.make_job(context)
        manager = context.window_manager
        with contextlib.ExitStack() as failure:
            failure.callback(self.job.end)
            manager.progress_begin(0, 100)
            self.shown = contextlib.ExitStack()
            self.shown.callback(manager.progress_end)
            failure.callback(self.shown.close)
            self.shown.callback(manager.event_timer_remove, manager.event_timer_add(0.001, window=context.window))
            manager.modal_handler_add(self)
            failure.pop_all()
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        """An exception is reported, and ends the check. All other events are the user's."""
        try:
            if event.type == "ESC" and self.job.frames and not self.is_whole:
                self.job.frames = []
                return {"RUNNING_MODAL"}
            if event.type == "ESC":
                self.job.stop()
            elif event.type != "TIMER":
                return {"PASS_THROUGH"}
            elif self.job.step():
                context.window_manager.progress_update(int(100 * self.job.share()))
                return {"RUNNING_MODAL"}
        except Exception as error:
            self.job.error = error
        self.job.end()
        self.shown.close()
        done = self.conclude(context)
        return {"CANCELLED"} if event.type == "ESC" else done

    def cancel(self, context):
        """Blender ends it: a window is closed, or another file is opened."""
        self.job.recording.cancel()
        self.job.end()
        self.shown.close()

    def conclude(self, context):
        if self.job.error is not None or self.job.findings is None:
            self.report({"ERROR"}, str(self.job.error or "there is nothing to check"))
            return {"CANCELLED"}
        return self.show(context, self.job.findings)


class PLIANT_OT_check_frame(Check, bpy.types.Operator):
    """Find faces that intersect in this frame, and select them"""
    bl_idname, bl_label = "pliant.check_frame", "Check This Frame"

    def execute(self, context):
        findings = check_frame(context)
        skipped = select_faces(findings, context.scene.frame_current)
        show_findings(context, findings)
        if skipped:
            self.report({"WARNING"}, "Modifiers change the faces of " + ", ".join(skipped))
        self.report({"INFO"}, summary_of(findings))
        return {"FINISHED"}


class PLIANT_OT_check_animation(Checking, bpy.types.Operator):
    """Check every frame of the scene's range. Escape ends it"""
    bl_idname, bl_label = "pliant.check_animation", "Check the Animation"

    def invoke(self, context, event):
        return self.start(context)

    def show(self, context, findings):
        Latest.findings = findings
        show_findings(context, findings)
        mark_worst(context.scene, findings)
        self.report({"INFO"}, summary_of(findings))
        return {"FINISHED"}


class PLIANT_OT_go(Check, bpy.types.Operator):
    """Go to the frame and the place of the active row"""
    bl_idname, bl_label = "pliant.go", "Go There"

    def execute(self, context):
        settings = settings_of(context)
        if not 0 <= settings.active < len(settings.findings):
            return {"CANCELLED"}
        go_to(context, settings.findings[settings.active])
        return {"FINISHED"}


class PLIANT_OT_depth_groups(Check, bpy.types.Operator):
    """Write the depth of vertices in this frame into a vertex group: 1 is the deepest of all objects"""
    bl_idname, bl_label = "pliant.depth_groups", "Depth to Vertex Groups"

    def execute(self, context):
        findings, frame = check_frame(context), context.scene.frame_current
        depths, here = findings.depths(frame), findings.at(frame)
        deepest = max((float(depth.max()) for depth in depths.values()), default=0.0)
        for part in here[0].parts if here else ():
            groups, depth = part.source.vertex_groups, depths[part.name]
            if DEPTH in groups:
                groups.remove(groups[DEPTH])
            if depth.max() > 0 and not part.is_own:
                self.report({"WARNING"}, f"Modifiers change the vertices of {part.name}")
            elif depth.max() > 0:
                group = groups.new(name=DEPTH)
                for vertex in numpy.flatnonzero(depth):
                    group.add([int(vertex)], float(depth[vertex]) / deepest, "REPLACE")
        show_findings(context, findings)
        self.report({"INFO"}, f"The deepest vertex, of weight 1: {length_text(context.scene, deepest)}")
        return {"FINISHED"}


class PLIANT_OT_allow(Check, bpy.types.Operator):
    """Allow the two objects of the active row to intersect"""
    bl_idname, bl_label = "pliant.allow", "Allow This Pair"

    def execute(self, context):
        settings = settings_of(context)
        if not 0 <= settings.active < len(settings.findings):
            return {"CANCELLED"}
        finding = settings.findings[settings.active]
        if not any({row.a, row.b} == {finding.a, finding.b} for row in settings.allowed):
            row = settings.allowed.add()
            row.a, row.b = finding.a, finding.b
        settings.findings.remove(settings.active)
        return {"FINISHED"}


class PLIANT_OT_clear_allowed(Check, bpy.types.Operator):
    """Forget all pairs that are allowed"""
    bl_idname, bl_label = "pliant.clear_allowed", "Clear Allowed Pairs"

    def execute(self, context):
        settings_of(context).allowed.clear()
        return {"FINISHED"}


class PLIANT_OT_report(Checking, bpy.types.Operator):
    """Check the animation, and write a report as one HTML page. Escape ends it"""
    bl_idname, bl_label = "pliant.report", "Export HTML Report"
    filepath: bpy.props.StringProperty(subtype="FILE_PATH", default="//pliant-report.html")
    job_options, is_whole = {"page": True}, True

    def invoke(self, context, event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        return super().execute(context) if bpy.app.background else self.start(context)

    def show(self, context, findings):
        if self.job.recording.is_cancelled:
            return {"CANCELLED"}
        stem, ending = os.path.splitext(bpy.path.abspath(self.filepath))
        for number, page in enumerate(findings.pages()):
            with open(f"{stem}-{number + 1}{ending}" if number else stem + ending, "wb") as file:
                file.write(page)
        self.report({"INFO"}, f"Written: {self.filepath}")
        return {"FINISHED"}


CLASSES = (PLIANT_OT_check_frame, PLIANT_OT_check_animation, PLIANT_OT_go, PLIANT_OT_depth_groups, PLIANT_OT_allow,
           PLIANT_OT_clear_allowed, PLIANT_OT_report)
