"""The panel in the sidebar of the 3D view, and what a scene remembers."""
import bpy

from . import operators

WITHIN = (("deformed", "Deforming Objects", "Objects that something deforms are checked with themselves too"),
          ("all", "All Objects", "All objects are checked with themselves too"),
          ("none", "None", "No object is checked with itself"))


def redraw(settings, context):
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            area.tag_redraw()


def go_to_finding(settings, context):
    if 0 <= settings.active < len(settings.findings):
        operators.go_to(context, settings.findings[settings.active])


def go_to_region(settings, context):
    if 0 <= settings.active_region < len(settings.regions):
        operators.go_to(context, settings.regions[settings.active_region])


class PLIANT_Pair(bpy.types.PropertyGroup):
    a: bpy.props.StringProperty()
    b: bpy.props.StringProperty()


class PLIANT_Finding(bpy.types.PropertyGroup):
    a: bpy.props.StringProperty()
    b: bpy.props.StringProperty()
    verdict: bpy.props.StringProperty()
    words: bpy.props.StringProperty()
    text: bpy.props.StringProperty()
    frame: bpy.props.IntProperty()
    count: bpy.props.IntProperty()
    depth: bpy.props.FloatProperty()
    position: bpy.props.FloatVectorProperty(size=3)


class PLIANT_Region(bpy.types.PropertyGroup):
    a: bpy.props.StringProperty()
    b: bpy.props.StringProperty()
    joints: bpy.props.StringProperty()
    text: bpy.props.StringProperty()
    frame: bpy.props.IntProperty()
    depth: bpy.props.FloatProperty()
    position: bpy.props.FloatVectorProperty(size=3)


class PLIANT_Settings(bpy.types.PropertyGroup):
    within: bpy.props.EnumProperty(name="Self", items=WITHIN, description="Which objects are checked with themselves")
    only_selected: bpy.props.BoolProperty(
        name="Selected Objects", description="Check the selected objects and what selected armatures move, not all that is visible")
    overlay: bpy.props.BoolProperty(name="Overlay", default=True, update=redraw,
                                    description="Show cuts, depths and the deepest points in the 3D view, in frames that were checked")
    findings: bpy.props.CollectionProperty(type=PLIANT_Finding)
    regions: bpy.props.CollectionProperty(type=PLIANT_Region)
    allowed: bpy.props.CollectionProperty(type=PLIANT_Pair)
    active: bpy.props.IntProperty(update=go_to_finding)
    active_region: bpy.props.IntProperty(update=go_to_region)


class PLIANT_UL_findings(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index):
        row = layout.split(factor=0.5)
        row.label(text=operators.names(item))
        row.label(text=f"{item.text}, f. {item.frame}")


class PLIANT_UL_regions(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index):
        row = layout.split(factor=0.7)
        row.label(text=item.joints or operators.names(item))
        row.label(text=item.text)


class PLIANT_PT_panel(bpy.types.Panel):
    bl_label, bl_category, bl_space_type, bl_region_type = "Pliant", "Pliant", "VIEW_3D", "UI"

    def draw(self, context):
        layout, settings = self.layout, context.scene.pliant_check
        column = layout.column(align=True)
        column.operator("pliant.check_frame")
        column.operator("pliant.check_animation")
        for name in ("within", "only_selected", "overlay"):
            layout.prop(settings, name)
        layout.template_list("PLIANT_UL_findings", "", settings, "findings", settings, "active", rows=3)
        row = layout.row(align=True)
        row.operator("pliant.go")
        row.operator("pliant.allow")
        if settings.allowed:
            layout.label(text=f"{len(settings.allowed)} pairs are allowed")
            layout.operator("pliant.clear_allowed")
        layout.template_list("PLIANT_UL_regions", "", settings, "regions", settings, "active_region", rows=3)
        layout.operator("pliant.depth_groups")
        layout.operator("pliant.report")


CLASSES = (PLIANT_Pair, PLIANT_Finding, PLIANT_Region, PLIANT_Settings, PLIANT_UL_findings, PLIANT_UL_regions, PLIANT_PT_panel)
