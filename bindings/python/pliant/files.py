"""Shapes in files, and meshes of other packages."""
import mmap

from ._pliant import Shape


def save_shape(shape, path):
    """Writes a shape with its tree to a file."""
    with open(path, "wb") as file:
        file.write(shape.to_bytes())


def load_shape(path):
    """A shape from such a file, which is mapped: nothing is read before it is needed, nothing is copied.

    >>> import pliant, tempfile, os
    >>> shape = pliant.Shape(*pliant.scenes.icosphere(1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pliant.save_shape(shape, os.path.join(folder, "ball.pliant"))
    ...     pliant.load_shape(os.path.join(folder, "ball.pliant"))
    <pliant.Shape of 42 vertices, 80 triangles>
    """
    with open(path, "rb") as file:
        return Shape.from_bytes(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def from_meshio(mesh, **options):
    """A shape of the triangles (and quads, cut in two) of a meshio.Mesh, or of anything with `points` and `cells`.

    >>> import numpy, types
    >>> cells = [types.SimpleNamespace(type="quad", data=numpy.array([[0, 1, 2, 3]]))]
    >>> square = types.SimpleNamespace(points=numpy.array([[0, 0], [1, 0], [1, 1], [0, 1]]), cells=cells)
    >>> from_meshio(square).triangles.tolist()
    [[0, 1, 2], [0, 2, 3]]
    """
    import numpy
    points = numpy.asarray(mesh.points, dtype=numpy.float32)
    if points.shape[1] == 2:
        points = numpy.column_stack([points, numpy.zeros(len(points), numpy.float32)])
    parts = []
    for cell in mesh.cells:
        if cell.type == "triangle":
            parts.append(cell.data)
        elif cell.type == "quad":
            parts.append(numpy.asarray(cell.data)[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3))
    if not parts:
        raise ValueError("the mesh has no triangles and no quads")
    return Shape(numpy.ascontiguousarray(points), numpy.concatenate(parts), **options)
