"""What the 3D views show of the last check: cuts, depths as colors, and pins from the deepest points to the other surface."""
import bpy
import numpy

from . import operators

SHALLOW, DEEP = numpy.array([1.0, 0.85, 0.2, 0.55]), numpy.array([0.4, 0.0, 0.6, 0.8])  # colors
CUT, PIN = (1.0, 1.0, 1.0, 1.0), (0.1, 0.5, 1.0, 1.0)


class Shown:
    """What is drawn, and what it was made of."""
    handle = key = batches = None


def depth_triangles(stretch, index, depths):
    """Corners of all triangles that have a deep vertex, (3n, 3), the deepest last, and their colors, (3n, 4)."""
    corners, shares = [numpy.zeros((0, 3, 3))], [numpy.zeros((0, 3))]
    for part in stretch.parts:
        depth = depths[part.name]
        triangles = part.triangles[(depth[part.triangles] > 0).any(axis=1)]
        corners.append(part.vertices_at(index)[triangles])
        shares.append(depth[triangles])
    corners, shares = numpy.concatenate(corners), numpy.concatenate(shares)
    order = numpy.argsort(shares.sum(axis=1), kind="stable")
    shares = (shares[order] / (shares.max() if len(shares) else 1)).reshape(-1, 1)
    colors = (1 - shares) * SHALLOW + shares * DEEP
    return corners[order].reshape(-1, 3).astype(numpy.float32), colors.astype(numpy.float32)


def shapes(findings, frame):
    """What there is to draw at a frame: {"cut": points of lines, "pins": the same, "depth": (corners, colors)}."""
    here = findings.at(frame) if findings else None
    if here is None:
        return None
    pins = [[region["deepest"], region["closest"]] for _, region in findings.places(frame)]
    return {"cut": findings.cut(frame).reshape(-1, 3), "pins": numpy.array(pins, numpy.float32).reshape(-1, 3),
            "depth": depth_triangles(here[0], here[3], findings.depths(frame))}


def shader_of(name):
    import gpu
    try:
        return gpu.shader.from_builtin(name)
    except ValueError:  # before Blender 4.0
        return gpu.shader.from_builtin("3D_" + name)


def make_batches(found):
    from gpu_extras.batch import batch_for_shader
    plain, smooth = shader_of("UNIFORM_COLOR"), shader_of("SMOOTH_COLOR")
    corners, colors = found["depth"]
    return [(smooth, None, batch_for_shader(smooth, "TRIS", {"pos": corners, "color": colors})),
            (plain, CUT, batch_for_shader(plain, "LINES", {"pos": found["cut"]})),
            (plain, PIN, batch_for_shader(plain, "LINES", {"pos": found["pins"]}))]


def draw():
    import gpu
    scene, findings = bpy.context.scene, operators.Latest.findings
    if findings is None or not scene.pliant_check.overlay:
        return
    key = id(findings), scene.frame_current
    if Shown.key != key:
        found = shapes(findings, scene.frame_current)
        Shown.key, Shown.batches = key, make_batches(found) if found else []
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE")  # what is deep is inside
    gpu.state.line_width_set(2)
    for shader, color, batch in Shown.batches:
        shader.bind()
        if color:
            shader.uniform_float("color", color)
        batch.draw(shader)
    gpu.state.blend_set("NONE")


@bpy.app.handlers.persistent
def forget(*unused):
    """Another file was opened."""
    operators.Latest.findings = Shown.key = Shown.batches = None


def register():
    Shown.handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW")
    bpy.app.handlers.load_post.append(forget)


def unregister():
    bpy.types.SpaceView3D.draw_handler_remove(Shown.handle, "WINDOW")
    bpy.app.handlers.load_post.remove(forget)
    forget()
