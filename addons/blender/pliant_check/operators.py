"""Operators: check a frame, check the animation, select, heat map, regions, markers, allow, report."""
import contextlib
import os
import subprocess
import tempfile

import bpy
import numpy

from . import checker

HEAT = "pliant_depth"
SURFACE, DEEP = numpy.array([0.8, 0.8, 0.8, 1]), numpy.array([1, 0, 0, 1])  # colors
MARKER = "pliant"
WORST = 3  # frames that get a marker


def settings_of(context):
    return context.scene.pliant_check


def make_checker(context, **options):
    settings = settings_of(context)
    allowed = [(row.a, row.b) for row in settings.allowed]
    objects = context.selected_objects if settings.only_selected else context.visible_objects
    return checker.Checker(objects, context.evaluated_depsgraph_get(), within=settings.within, allowed=allowed, **options)


def show_findings(context, frames):
    """Fills the list of findings: one row for each two parts, at the frame with the most pairs."""
    settings, worst = settings_of(context), {}
    for frame, findings in frames.items():
        for finding in findings:
            key = finding.a, finding.b
            if key not in worst or len(finding.triangles) > worst[key][1]:
                worst[key] = frame, len(finding.triangles)
    settings.findings.clear()
    for (a, b), (frame, count) in sorted(worst.items(), key=lambda item: -item[1][1]):
        row = settings.findings.add()
        row.a, row.b, row.frame, row.count = a, b, frame, count


def select_faces(objects, faces):
    """Selects the faces of each object, and no others. Names of objects whose faces modifiers have made others of."""
    skipped = []
    for source in objects:
        mesh, indices = source.data, faces.get(source.name, numpy.zeros(0, int))
        if len(indices) and indices[-1] >= len(mesh.polygons):
            skipped.append(source.name)
            continue
        selected = numpy.zeros(len(mesh.polygons), bool)
        selected[indices] = True
        for items in (mesh.vertices, mesh.edges):
            items.foreach_set("select", numpy.zeros(len(items), bool))
        mesh.polygons.foreach_set("select", selected)
        mesh.update()
    return skipped


class Check:
    """What all operators have in common: they need Object Mode."""
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT"


class PLIANT_OT_check_frame(Check, bpy.types.Operator):
    """Find faces that intersect in this frame, and select them"""
    bl_idname, bl_label = "pliant.check_frame", "Check This Frame"

    def execute(self, context):
        found = make_checker(context)
        findings = found.check()
        skipped = select_faces([part.source for part in found.parts], found.faces(findings))
        show_findings(context, {context.scene.frame_current: findings})
        if skipped:
            self.report({"WARNING"}, "Modifiers change the faces of " + ", ".join(skipped))
        self.report({"INFO"}, f"{sum(len(finding.triangles) for finding in findings)} intersecting pairs of triangles")
        return {"FINISHED"}


class PLIANT_OT_check_animation(Check, bpy.types.Operator):
    """Check every frame of the scene's range. Escape ends it"""
    bl_idname, bl_label = "pliant.check_animation", "Check the Animation"

    def start(self, context):
        self.checker = make_checker(context, native=settings_of(context).native)
        self.next, self.frames = context.scene.frame_start, {}
        self.changes = contextlib.ExitStack()  # what end() takes back, the last one first
        self.changes.callback(context.scene.frame_set, context.scene.frame_current)
        self.changes.enter_context(checker.Quiet(self.checker.parts))

    def step(self, context):
        context.scene.frame_set(self.next)
        self.checker.update(context.evaluated_depsgraph_get())
        self.frames[self.next] = self.checker.check()
        self.next += 1

    def end(self, context):
        self.changes.close()
        show_findings(context, self.frames)
        mark_worst(context.scene, self.frames)

    def execute(self, context):
        self.start(context)
        try:
            while self.next <= context.scene.frame_end:
                self.step(context)
        finally:
            self.end(context)
        return {"FINISHED"}

    def invoke(self, context, event):
        self.start(context)
        manager = context.window_manager
        with contextlib.ExitStack() as failure:
            failure.callback(self.end, context)
            manager.progress_begin(context.scene.frame_start, context.scene.frame_end)
            self.changes.callback(manager.progress_end)
            self.changes.callback(manager.event_timer_remove, manager.event_timer_add(0.001, window=context.window))
            manager.modal_handler_add(self)
            failure.pop_all()
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        """An exception is reported, and ends the check as Escape does: frames until then are shown."""
        is_cancelled = event.type == "ESC"
        try:
            if event.type == "TIMER":
                self.step(context)
                context.window_manager.progress_update(self.next)
        except Exception as error:
            self.report({"ERROR"}, f"Frame {self.next}: {error}")
            is_cancelled = True
        if not is_cancelled and self.next <= context.scene.frame_end:
            return {"RUNNING_MODAL"}
        self.end(context)
        return {"CANCELLED"} if is_cancelled else {"FINISHED"}

    def cancel(self, context):
        """Blender ends it: a window is closed, or another file is opened."""
        self.end(context)


def mark_worst(scene, frames):
    """Markers at the frames with the most pairs; those of the last run go."""
    for marker in [marker for marker in scene.timeline_markers if marker.name.startswith(MARKER)]:
        scene.timeline_markers.remove(marker)
    counts = {frame: sum(len(finding.triangles) for finding in findings) for frame, findings in frames.items()}
    worst = sorted((frame for frame in counts if counts[frame]), key=lambda frame: (-counts[frame], frame))[:WORST]
    for frame in worst:
        scene.timeline_markers.new(f"{MARKER}: {counts[frame]} pairs", frame=frame)


class PLIANT_OT_heat_map(Check, bpy.types.Operator):
    """Write the depth of each vertex into a color attribute: gray is the surface, red the deepest"""
    bl_idname, bl_label = "pliant.heat_map", "Heat Map of Depth"

    def execute(self, context):
        found = make_checker(context)
        depths = found.depths()
        deepest = max((float(depth.max()) for depth in depths.values()), default=0.0)
        for part in found.parts:
            mesh, depth = part.source.data, depths[part.name]
            if len(mesh.vertices) != len(depth):
                self.report({"WARNING"}, f"Modifiers change the vertices of {part.name}")
                continue
            attribute = mesh.color_attributes.get(HEAT) or mesh.color_attributes.new(HEAT, "FLOAT_COLOR", "POINT")
            share = depth / deepest if deepest > 0 else depth
            colors = (share[:, None] * DEEP + (1 - share[:, None]) * SURFACE).astype(numpy.float32)
            attribute.data.foreach_set("color", colors.ravel())
            mesh.color_attributes.active_color = attribute
            mesh.update()
        self.report({"INFO"}, f"The deepest vertex is {deepest:.4g} deep")
        return {"FINISHED"}


class PLIANT_OT_list_regions(Check, bpy.types.Operator):
    """List where parts are inside each other in this frame, with bones and depth"""
    bl_idname, bl_label = "pliant.list_regions", "List Regions"

    def execute(self, context):
        rows = settings_of(context).regions
        rows.clear()
        for place in make_checker(context).places():
            row = rows.add()
            row.a, row.b, row.depth, row.joint_a, row.joint_b, row.position = (
                place.a, place.b, place.depth, place.joint_a, place.joint_b, place.position)
        return {"FINISHED"}


class PLIANT_OT_allow(Check, bpy.types.Operator):
    """Allow the two parts of the active row to intersect"""
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


class PLIANT_OT_report(Check, bpy.types.Operator):
    """Export the scene, and check it by the pliant command, with a report as one HTML page"""
    bl_idname, bl_label = "pliant.report", "Export HTML Report"
    filepath: bpy.props.StringProperty(subtype="FILE_PATH", default="//pliant-report.html")

    def invoke(self, context, event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        from pliant.__main__ import command
        path = command()
        if path is None:
            self.report({"ERROR"}, "This package of pliant has no command")
            return {"CANCELLED"}
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "scene.glb")
            bpy.ops.export_scene.gltf(filepath=model, export_format="GLB")
            allow = [word for row in settings_of(context).allowed for word in ("--allow", f"{row.a}:{row.b}")]
            run = subprocess.run([str(path), "check", model, "--html", bpy.path.abspath(self.filepath), *allow],
                                 capture_output=True, text=True)
        if run.returncode not in (0, 1):
            self.report({"ERROR"}, run.stderr.strip()[-400:] or "the command failed")
            return {"CANCELLED"}
        self.report({"INFO"}, f"Written: {self.filepath}")
        return {"FINISHED"}


CLASSES = (PLIANT_OT_check_frame, PLIANT_OT_check_animation, PLIANT_OT_heat_map, PLIANT_OT_list_regions, PLIANT_OT_allow,
           PLIANT_OT_clear_allowed, PLIANT_OT_report)
