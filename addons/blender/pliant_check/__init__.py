"""Pliant for Blender: which faces intersect, in a frame or in an animation, where and how deep."""
import os
import sys

bl_info = {
    "name": "Pliant",
    "author": "The Pliant developers",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Pliant",
    "description": "Finds faces that intersect, exactly, in a frame or an animation",
    "category": "Mesh",
}

# Blender 4.2 and later installs the wheel that the manifest names. Before that, the package is in this folder.
_library = os.path.join(os.path.dirname(__file__), "lib")
if os.path.isdir(_library) and _library not in sys.path:
    sys.path.append(_library)

import bpy  # noqa: E402

from . import operators, overlay, panel  # noqa: E402

CLASSES = panel.CLASSES + operators.CLASSES


def register():
    for item in CLASSES:
        bpy.utils.register_class(item)
    bpy.types.Scene.pliant_check = bpy.props.PointerProperty(type=panel.PLIANT_Settings)
    overlay.register()


def unregister():
    overlay.unregister()
    del bpy.types.Scene.pliant_check
    for item in reversed(CLASSES):
        bpy.utils.unregister_class(item)
