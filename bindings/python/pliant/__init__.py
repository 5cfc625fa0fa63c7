"""Pliant: exact collision detection between deforming meshes.

>>> import numpy, pliant
>>> vertices, triangles = pliant.scenes.icosphere(2)
>>> ball = pliant.Shape(vertices, triangles)
>>> world = pliant.World()
>>> a, b = world.add(ball), world.add(ball)
>>> b.transform = numpy.array([[1, 0, 0, 1.9], [0, 1, 0, 0.1], [0, 0, 1, 0.2]])
>>> contacts = world.collide()
>>> contacts.triangles.shape[1]
2
>>> bool(world.regions(contacts).depths.max() < 0.1)
True
"""
import importlib as _importlib
import os as _os

from . import _pliant
from ._pliant import *  # noqa: F403
from ._pliant import __version__  # noqa: F401
from .checks import Report, Source
from .files import Clip, Model, Part, from_meshio, load_shape, model, read, save_shape

__all__ = [name for name in dir(_pliant) if not name.startswith("_") and name != "Numbers"]
__all__ += ["Clip", "Model", "Part", "from_meshio", "load_shape", "measure", "model", "read", "Report", "Source",
            "save_shape", "scenes"]

_os.register_at_fork(after_in_child=_pliant._after_fork)


def __getattr__(name):
    # These need numpy, which the rest does not import before it is used.
    if name in ("measure", "scenes"):
        return _importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'pliant' has no attribute '{name}'")
