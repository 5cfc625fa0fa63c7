"""Checks Blender's meshes with pliant. Knows no panel and no operator, so scripts can use it too.

A part is an object with a body in a world. Its vertices come from the evaluated mesh, by foreach_get. If all
objects have nothing but shape keys and one armature, parts can be native instead: their shapes have targets and a skin, and a
frame only sets weights and matrices, so that Blender need not evaluate the meshes at all.
"""
import collections

import numpy

import pliant

Finding = collections.namedtuple("Finding", "a b triangles contacts")
Finding.__doc__ = "Two parts (or one, twice) that intersect: names, pairs of triangles, and the contacts themselves."

Place = collections.namedtuple("Place", "a b depth joint_a joint_b position")
Place.__doc__ = "A region: names of both parts, its depth, the bones that are there, and where it is deepest."

MAX_INFLUENCES = 8


def read(collection, attribute, width, kind):
    """An attribute of all items of a collection, as an array (n, width), or (n,) if the width is 0."""
    array = numpy.empty(len(collection) * max(width, 1), kind)
    collection.foreach_get(attribute, array)
    return array.reshape(-1, width) if width else array


def matrix_of(matrix):
    return numpy.array(matrix, dtype=numpy.float64)


class EvaluatedPart:
    """An object whose vertices are read from its evaluated mesh, at every frame."""

    def __init__(self, world, source, depsgraph):
        self.source, self.name, self.world = source, source.name, world
        self.body = None
        self.update(depsgraph)

    def update(self, depsgraph):
        evaluated = self.source.evaluated_get(depsgraph)
        mesh = evaluated.data
        vertices = read(mesh.vertices, "co", 3, numpy.float32)
        if self.body is None or len(vertices) != len(self.vertices) or len(mesh.polygons) != self.polygon_count:
            self.rebuild(mesh, vertices)
        self.vertices = vertices
        self.body.borrow(vertices)
        self.body.transform = matrix_of(evaluated.matrix_world)[:3]

    def rebuild(self, mesh, vertices):
        mesh.calc_loop_triangles()
        triangles = read(mesh.loop_triangles, "vertices", 3, numpy.int32)
        if len(triangles) == 0:
            raise ValueError(f"{self.name} has no faces")
        self.polygons = read(mesh.loop_triangles, "polygon_index", 0, numpy.int32)
        self.polygon_count, self.vertices = len(mesh.polygons), vertices
        if self.body is not None:
            self.world.remove(self.body)
        self.body = self.world.add(pliant.Shape(vertices, triangles))


class NativePart:
    """An object that follows an armature, over shape keys: nothing of it is evaluated by Blender."""

    def __init__(self, world, source, depsgraph):
        self.source, self.name = source, source.name
        mesh = source.data
        keys = mesh.shape_keys
        mesh.calc_loop_triangles()
        triangles = read(mesh.loop_triangles, "vertices", 3, numpy.int32)
        self.polygons, self.polygon_count = read(mesh.loop_triangles, "polygon_index", 0, numpy.int32), len(mesh.polygons)
        rest = read(keys.reference_key.data, "co", 3, numpy.float32) if keys else read(mesh.vertices, "co", 3, numpy.float32)
        self.keys = [key for key in keys.key_blocks if key != keys.reference_key] if keys else []
        targets = [read(key.data, "co", 3, numpy.float32) - read(key.relative_key.data, "co", 3, numpy.float32) for key in self.keys]
        self.armature = next((modifier.object for modifier in source.modifiers), None)
        skin = self.read_skin(mesh) if self.armature else None
        self.body = world.add(pliant.Shape(rest, triangles, targets=targets or None, skin=skin))
        self.update(depsgraph)

    def read_skin(self, mesh):
        """Joints and weights of all vertices. Joint 0 stays at rest, and moves what no bone does."""
        names = {group.index: group.name for group in self.source.vertex_groups}
        bones = [bone for bone in self.armature.data.bones if bone.use_deform]
        numbers = {bone.name: i + 1 for i, bone in enumerate(bones)}
        joints, weights = numpy.zeros((2, len(mesh.vertices), MAX_INFLUENCES))
        for i, vertex in enumerate(mesh.vertices):
            pairs = [(numbers[names[group.group]], group.weight) for group in vertex.groups
                     if names.get(group.group) in numbers and group.weight > 0][:MAX_INFLUENCES]
            for k, (joint, weight) in enumerate(pairs or [(0, 1.0)]):
                joints[i, k], weights[i, k] = joint, weight
        weights /= weights.sum(axis=1, keepdims=True)
        numbers = {bone.name: i for i, bone in enumerate(self.armature.pose.bones)}
        self.bones = numpy.array([numbers[bone.name] for bone in bones])
        self.inverses = numpy.linalg.inv(numpy.array([matrix_of(bone.matrix_local) for bone in bones]))
        return joints.astype(numpy.uint16), weights, len(bones) + 1

    def update(self, depsgraph):
        place = matrix_of(self.source.evaluated_get(depsgraph).matrix_world)
        if self.keys:
            self.body.weights = numpy.array([0.0 if key.mute else key.value for key in self.keys])
        if self.armature:
            pose = self.armature.evaluated_get(depsgraph)
            to_armature = numpy.linalg.inv(matrix_of(pose.matrix_world)) @ place
            back = numpy.linalg.inv(to_armature)
            # Blender's matrices are flat by columns.
            matrices = read(pose.pose.bones, "matrix", 16, numpy.float32).reshape(-1, 4, 4).transpose(0, 2, 1)[self.bones]
            self.body.joints = numpy.concatenate([numpy.eye(4)[None], back @ matrices @ self.inverses @ to_armature])[:, :3]
        self.body.transform = place[:3]


def can_be_native(source):
    """Whether an object moves by shape keys and at most one plain armature, and by nothing else. Parents of other types
    deform it, or are vertices of a mesh that has to be evaluated."""
    modifiers, keys = list(source.modifiers), source.data.shape_keys
    if source.parent_type not in ("OBJECT", "BONE") or source.show_only_shape_key:
        return False
    if keys and (not keys.use_relative or any(key.vertex_group for key in keys.key_blocks)):
        return False
    if not modifiers:
        return True
    first = modifiers[0]
    return (len(modifiers) == 1 and first.type == "ARMATURE" and first.show_viewport and first.object is not None and first.use_vertex_groups
            and not first.use_bone_envelopes and not first.use_deform_preserve_volume and not first.vertex_group
            and not any(bone.bbone_segments > 1 for bone in first.object.data.bones)
            and max((sum(group.weight > 0 for group in vertex.groups) for vertex in source.data.vertices), default=0) <= MAX_INFLUENCES)


class Checker:
    """A world with a body for each mesh object. allowed: set of pairs of names that may intersect."""

    def __init__(self, objects, depsgraph, *, native=False, within=True, allowed=(), threads=0):
        self.world = pliant.World(threads=threads)
        self.within, self.allowed = within, {frozenset(pair) for pair in allowed}
        meshes = [source for source in objects if source.type == "MESH" and len(source.data.polygons)]
        # The modifiers of an evaluated mesh may read others: these have to be evaluated too.
        kind = NativePart if native and all(map(can_be_native, meshes)) else EvaluatedPart
        self.parts = [kind(self.world, source, depsgraph) for source in meshes]

    def update(self, depsgraph):
        """Moves all bodies to where Blender has them now."""
        for part in self.parts:
            part.update(depsgraph)

    def by_index(self):
        return {part.body.index: part for part in self.parts}

    def is_allowed(self, a, b):
        return frozenset((a, b)) in self.allowed

    def check(self):
        """All findings of this frame, in the order of parts."""
        contacts, parts, findings = self.world.collide(), self.by_index(), []
        bodies, triangles = contacts.bodies, contacts.triangles
        starts = numpy.flatnonzero(numpy.any(numpy.diff(bodies, axis=0, prepend=0), axis=1)) if len(bodies) else []
        for first, end in zip(starts, [*starts[1:], len(bodies)]):
            a, b = (parts[int(index)].name for index in bodies[first])
            if not self.is_allowed(a, b):
                findings.append(Finding(a, b, triangles[first:end], None))
        for part in self.parts if self.within else ():
            own = part.body.self_collide()
            if len(own) and not self.is_allowed(part.name, part.name):
                findings.append(Finding(part.name, part.name, own.triangles, own))
        return findings

    def faces(self, findings):
        """Of each part that is in a finding, the faces that intersect: {name: array of polygon indices, rising}."""
        parts, found = {part.name: part for part in self.parts}, collections.defaultdict(list)
        for finding in findings:
            found[finding.a].append(finding.triangles[:, 0])
            found[finding.b].append(finding.triangles[:, 1])
        return {name: numpy.unique(parts[name].polygons[numpy.concatenate(rows)]) for name, rows in found.items()}

    # ---- Depth -----------------------------------------------------------------------------------------------------

    def regions(self):
        """Regions of this frame: (regions, depths of both sides, part a, part b, row) of each."""
        parts = self.by_index()
        queries = [self.world.collide()] + [part.body.self_collide() for part in self.parts if self.within]
        for contacts in queries:
            regions = self.world.regions(contacts) if len(contacts) else ()
            depths = pliant.measure.depths(self.world, regions)[0] if len(regions) else ()
            for row in range(len(regions)):
                a, b = (parts[int(index)] for index in regions.bodies[row])
                if not self.is_allowed(a.name, b.name):
                    yield regions, depths[row], a, b, row

    def deep_vertices(self, regions, row, side, limit, part, other):
        """Vertices of a part that are on the wrong side, and how deep each is, up to a limit."""
        first, count = regions.first_vertices[row, side], regions.vertex_counts[row, side]
        vertices = regions.vertices[first:first + count]
        if part is other or limit == 0:
            return vertices, numpy.full(len(vertices), limit)
        return vertices, self.world.closest_points(part.body.vertices[vertices], other.body).distances.clip(max=limit)

    def places(self):
        """Regions as a list, the deepest first."""
        found = []
        for regions, depths, a, b, row in self.regions():
            side = int(depths.argmax())
            joints = [bone_at(part, regions.deepest_triangles[row, k] if k == side else regions.closest_triangles[row, side])
                      for k, part in enumerate((a, b))]
            found.append(Place(a.name, b.name, float(depths[side]), *joints, tuple(map(float, regions.deepest[row, side]))))
        return sorted(found, key=lambda place: -place.depth)

    def depths(self):
        """Of each part, how deep its vertices are: {name: array}. Vertices that are on the right side have 0."""
        found = {part.name: numpy.zeros(part.body.vertex_count, numpy.float32) for part in self.parts}
        for regions, depths, a, b, row in self.regions():
            for side, (part, other) in enumerate(((a, b), (b, a))):
                vertices, deep = self.deep_vertices(regions, row, side, depths[side], part, other)
                found[part.name][vertices] = numpy.maximum(found[part.name][vertices], deep)
        return found


def bone_at(part, triangle):
    """The bone that moves a triangle most, or ""."""
    mesh, shape = part.source.data, part.body.shape
    if triangle < 0 or len(mesh.vertices) != shape.vertex_count:
        return ""
    sums = collections.Counter()
    for vertex in shape.triangles[triangle]:
        for group in mesh.vertices[int(vertex)].groups:
            if group.group < len(part.source.vertex_groups):
                sums[part.source.vertex_groups[group.group].name] += group.weight
    return max(sums, key=sums.get) if sums else ""


class Quiet:
    """While it is open, Blender does not evaluate the meshes of native parts."""

    def __init__(self, parts):
        self.modifiers = [modifier for part in parts if isinstance(part, NativePart) for modifier in part.source.modifiers
                          if modifier.show_viewport]

    def __enter__(self):
        for modifier in self.modifiers:
            modifier.show_viewport = False

    def __exit__(self, *unused):
        for modifier in self.modifiers:
            modifier.show_viewport = True
