"""The panel in the sidebar of the 3D view, and what a scene remembers."""
import bpy


class PLIANT_Pair(bpy.types.PropertyGroup):
    a: bpy.props.StringProperty()
    b: bpy.props.StringProperty()


class PLIANT_Finding(bpy.types.PropertyGroup):
    a: bpy.props.StringProperty()
    b: bpy.props.StringProperty()
    frame: bpy.props.IntProperty()
    count: bpy.props.IntProperty()


class PLIANT_Region(bpy.types.PropertyGroup):
    a: bpy.props.StringProperty()
    b: bpy.props.StringProperty()
    joint_a: bpy.props.StringProperty()
    joint_b: bpy.props.StringProperty()
    depth: bpy.props.FloatProperty()
    position: bpy.props.FloatVectorProperty(size=3)


class PLIANT_Settings(bpy.types.PropertyGroup):
    within: bpy.props.BoolProperty(name="Self-collision", default=True, description="Check faces within each object too")
    only_selected: bpy.props.BoolProperty(name="Selected Objects", description="Check the selected objects, not all visible ones")
    native: bpy.props.BoolProperty(
        name="Native Rigs", default=True,
        description="If all objects have just shape keys and an armature, do not evaluate their meshes: faster, and rounded differently")
    findings: bpy.props.CollectionProperty(type=PLIANT_Finding)
    regions: bpy.props.CollectionProperty(type=PLIANT_Region)
    allowed: bpy.props.CollectionProperty(type=PLIANT_Pair)
    active: bpy.props.IntProperty()
    active_region: bpy.props.IntProperty()


def names(row):
    return row.a if row.a == row.b else f"{row.a} / {row.b}"


class PLIANT_UL_findings(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index):
        row = layout.split(factor=0.6)
        row.label(text=names(item))
        row.label(text=f"{item.count} in f. {item.frame}")


class PLIANT_UL_regions(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index):
        row = layout.split(factor=0.7)
        row.label(text=" / ".join(filter(None, (item.joint_a, item.joint_b))) or names(item))
        row.label(text=f"{item.depth:.3g}")


class PLIANT_PT_panel(bpy.types.Panel):
    bl_label, bl_category, bl_space_type, bl_region_type = "Pliant", "Pliant", "VIEW_3D", "UI"

    def draw(self, context):
        layout, settings = self.layout, context.scene.pliant_check
        column = layout.column(align=True)
        column.operator("pliant.check_frame")
        column.operator("pliant.check_animation")
        for name in ("within", "only_selected", "native"):
            layout.prop(settings, name)
        layout.template_list("PLIANT_UL_findings", "", settings, "findings", settings, "active", rows=3)
        layout.operator("pliant.allow")
        if settings.allowed:
            layout.label(text=f"{len(settings.allowed)} pairs are allowed")
            layout.operator("pliant.clear_allowed")
        layout.operator("pliant.list_regions")
        layout.template_list("PLIANT_UL_regions", "", settings, "regions", settings, "active_region", rows=3)
        layout.operator("pliant.heat_map")
        layout.operator("pliant.report")


CLASSES = (PLIANT_Pair, PLIANT_Finding, PLIANT_Region, PLIANT_Settings, PLIANT_UL_findings, PLIANT_UL_regions, PLIANT_PT_panel)
