"""Checks what Blender evaluates, by the check of the command `pliant`. Knows no panel and no operator, so scripts can use it too.

A Recording takes the evaluated meshes of objects, frame by frame. From them pliant.model() makes what the command reads from
a file: parts with their vertices at rest, shape keys and weights, by which vertices of a seam are welded, and with their
vertices in each frame. Its check() is the command's: the same pairs, the same depths, the same verdicts. It needs nothing of
Blender, and so runs in a thread of its own.
"""
import heapq
import re
import time

import numpy

import pliant

CLIP = "animation"  # a scene may be called "rest", which is the rest pose


def read(collection, attribute, width, kind):
    """An attribute of all items of a collection, as an array (n, width), or (n,) if the width is 0."""
    array = numpy.empty(len(collection) * max(width, 1), kind)
    collection.foreach_get(attribute, array)
    return array.reshape(-1, width) if width else array


def glob(name):
    """A name as a glob that matches it alone."""
    return re.sub(r"[*?\[]", r"[\g<0>]", name)


# ---- Objects ---------------------------------------------------------------------------------------------------------


def active_modifiers(source):
    return [modifier for modifier in source.modifiers if modifier.show_viewport]


def is_animated(keys):
    data = keys.animation_data if keys else None
    return data is not None and bool(data.action or data.drivers or any(not track.mute for track in data.nla_tracks))


def read_targets(source):
    """Displacements of shape keys."""
    keys = source.data.shape_keys
    if not keys:
        return None
    places = {key.name: read(key.data, "co", 3, numpy.float32) for key in keys.key_blocks}
    moved = [places[key.name] - places[key.relative_key.name] for key in keys.key_blocks if key != keys.reference_key]
    return numpy.array(moved) if moved else None


def read_groups(vertices):
    """(vertex, group, weight) of all that vertices have, as three arrays. Blender has them vertex by vertex alone."""
    items, counts = [], []
    for vertex in vertices:
        before = len(items)
        for item in vertex.groups:
            items.append(item.group)
            items.append(item.weight)
        counts.append((len(items) - before) // 2)
    groups, weights = numpy.array(items, float).reshape(-1, 2).T
    return numpy.repeat(numpy.arange(len(counts)), counts), groups.astype(int), weights


def read_skin(source, bones):
    """Bones and weights of all vertices, or (None, None). New bones are added to the dictionary {name: number}."""
    deforming = {bone.name for modifier in active_modifiers(source) if modifier.type == "ARMATURE" and modifier.object
                 for bone in modifier.object.data.bones if bone.use_deform}
    numbers = numpy.array([bones.setdefault(group.name, len(bones)) if group.name in deforming else -1 for group in source.vertex_groups])
    if not len(numbers) or numbers.max() < 0:
        return None, None
    vertices = source.data.vertices
    rows, groups, shares = read_groups(vertices)
    found = numbers[groups]
    is_used = (found >= 0) & (shares > 0)
    rows, found, shares = rows[is_used], found[is_used], shares[is_used]
    places = numpy.arange(len(rows)) - numpy.searchsorted(rows, rows)  # of each weight among those of its vertex
    width = int(places.max(initial=0)) + 1
    joints, weights = numpy.zeros((len(vertices), width), numpy.uint16), numpy.zeros((len(vertices), width), numpy.float32)
    joints[rows, places], weights[rows, places] = found, shares
    is_rigid = numpy.unique(joints[weights > 0]).size < 2
    if is_rigid and (len(active_modifiers(source)) > 1 or source.data.shape_keys):
        return None, None  # one bone would mean: rigid
    return joints, weights


class RecordedPart:
    """An object: its mesh as it is first seen, and its vertices in each frame if something deforms it."""

    def __init__(self, source, depsgraph, bones):
        mesh = source.evaluated_get(depsgraph).data
        mesh.calc_loop_triangles()
        self.source, self.name = source, source.name_full
        self.triangles = read(mesh.loop_triangles, "vertices", 3, numpy.int32)
        self.polygons = read(mesh.loop_triangles, "polygon_index", 0, numpy.int32)
        self.vertex_count, self.polygon_count = len(mesh.vertices), len(mesh.polygons)
        self.is_own = (self.vertex_count, self.polygon_count) == (len(source.data.vertices), len(source.data.polygons))
        self.deforms = bool(active_modifiers(source)) or is_animated(source.data.shape_keys)
        self.rest = read((source.data if self.is_own and self.deforms else mesh).vertices, "co", 3, numpy.float32)
        self.targets = read_targets(source) if self.is_own else None
        self.joints, self.weights = read_skin(source, bones) if self.is_own else (None, None)
        self.frames, self.transforms = [], []

    def add_frame(self, depsgraph):
        """False: it has another mesh now."""
        evaluated = self.source.evaluated_get(depsgraph)
        mesh = evaluated.data
        if (len(mesh.vertices), len(mesh.polygons)) != (self.vertex_count, self.polygon_count):
            return False
        if self.deforms:
            self.frames.append(read(mesh.vertices, "co", 3, numpy.float32))
        self.transforms.append(numpy.array(evaluated.matrix_world, numpy.float32)[:3])
        return True

    def drop_frame(self, count):
        del self.frames[count:], self.transforms[count:]

    def arrays(self):
        frames = numpy.array(self.frames) if self.deforms else None
        return self.name, self.rest, self.triangles, frames, self.targets, self.joints, self.weights

    def vertices_at(self, index):
        """In world coordinates."""
        vertices = self.frames[index] if self.deforms else self.rest
        return vertices @ self.transforms[index][:, :3].T + self.transforms[index][:, 3]


class Stretch:
    """Frames in which all objects have the same meshes."""

    def __init__(self, sources, depsgraph):
        self.frames, self.bones = [], {}
        self.parts = [RecordedPart(source, depsgraph, self.bones) for source in sources]

    def add(self, frame, depsgraph):
        if not all([part.add_frame(depsgraph) for part in self.parts]):
            for part in self.parts:
                part.drop_frame(len(self.frames))
            return False
        self.frames.append(frame)
        return True

    def model(self, rate):
        transforms = numpy.array([part.transforms for part in self.parts]).transpose(1, 0, 2, 3)
        return pliant.model([part.arrays() for part in self.parts], transforms, joints=list(self.bones), name=CLIP,
                            format="Blender", start=self.frames[0] / rate, rate=rate)


class Recording:
    """What Blender evaluates of objects. allowed: pairs of names that may intersect. within: of which objects the
    self-collision is checked: 'deformed', 'all', 'none'. length: meters of a unit."""

    def __init__(self, objects, *, within="deformed", allowed=(), name="scene", rate=24.0, step=1, length=1.0):
        self.sources = [source for source in objects if source.type == "MESH" and len(source.data.polygons)]
        self.within, self.allowed, self.name, self.rate, self.length = within, list(allowed), name, rate / step, length
        self.stretches, self.running, self.is_cancelled = [], None, False
        self.all, self.share = 0, 0.0  # frames; how much of the time of check() is spent, about

    def add(self, frame, depsgraph):
        """Takes a frame, which Blender has evaluated."""
        if self.sources and not (self.stretches and self.stretches[-1].add(frame, depsgraph)):
            self.stretches.append(Stretch(self.sources, depsgraph))
            self.stretches[-1].add(frame, depsgraph)
        self.all += 1

    def cancel(self):
        """Ends check(), which runs in another thread: what it found until then is its answer."""
        self.is_cancelled = True
        if self.running is not None:
            self.running.cancel()

    def check(self, *, depth="worst", page=False, keep=True):
        """Checks all frames that were added. May be called from any thread. Returns Findings."""
        reports, before = [], 0
        for stretch in self.stretches:
            model = self.running = stretch.model(self.rate)
            first, last, start = before / self.all, (before + len(stretch.frames)) / self.all, time.monotonic()

            def progress(*unused, model=model, first=first, last=last, start=start):
                spent, left = time.monotonic() - start, model.seconds_left()
                if left is not None and spent > 0:
                    self.share = max(self.share, first + (last - first) * spent / (spent + left))
                return not self.is_cancelled

            allow = [tuple(map(glob, pair)) for pair in self.allowed]
            units = {1.0: "m", 0.01: "cm", 0.001: "mm"}
            reports.append((stretch, model, model.check(
                file=self.name, within=self.within, depth=depth, clips=[CLIP], allow=allow, page=page, keep=keep,
                progress=progress, unit=units.get(round(self.length, 6)))))
            before += len(stretch.frames)
            self.share = last
            if self.is_cancelled:
                break
        self.running = None
        return Findings(reports)


# ---- What was found --------------------------------------------------------------------------------------------------


class Finding:
    """Two parts (or one, twice) that intersect. In `rows` are all frames in which they do: as Report.rows() has them."""

    def __init__(self, a, b):
        self.a, self.b, self.rows, self.words, self.verdict, self.is_finding = a, b, {}, "", "", False
        self.worst = None

    def add(self, stretch, pair, rows):
        """Takes what the report of a stretch says of the pair. Returns how bad the worst of it is."""
        self.is_finding |= pair["is_finding"]
        self.rows.update((frame, row) for row in rows.values() for frame in frames_of(stretch, pair, row))
        worst = stretch.frames[pair["worst"]["sample"]]
        if self.worst is None or badness(self.rows[worst]) > badness(self.rows[self.worst]):
            self.worst, self.words, self.verdict = worst, pair["words"], pair["verdict"]
        return badness(self.rows[worst])

    @property
    def is_within(self):
        return self.a == self.b


def badness(row):
    """By what the worst of several rows is chosen: as the command does."""
    return row.get("depth", -1.0), row.get("cut", -1.0), row["pairs"]


def frames_of(stretch, pair, row):
    """What stands still is checked once, and is so in all frames."""
    return stretch.frames if pair["kind"] == "rigid" else [stretch.frames[row["sample"]]]


class Findings:
    """What the reports of a recording's stretches say, by frames and objects. Findings are in the order of the command: what
    shows most is first. Those of several stretches are merged, the worse of the next ones first."""

    def __init__(self, reports):
        self.reports, found, orders = reports, {}, []
        self.where = {frame: (number, index) for number, (stretch, _, _) in enumerate(reports)
                      for index, frame in enumerate(stretch.frames)}
        for stretch, _, report in reports:
            orders.append([])
            for number in report.order:
                pair = report.data["pairs"][number]
                if pair["stretches"]:
                    finding = found.setdefault(tuple(pair["names"]), Finding(*pair["names"]))
                    orders[-1].append((finding.add(stretch, pair, report.rows(number)), finding))
        merged = heapq.merge(*orders, key=lambda item: item[0], reverse=True)
        self.items = list(dict.fromkeys(finding for _, finding in merged))

    def __iter__(self):
        return (finding for finding in self.items if finding.is_finding)

    def texts(self):
        return [report.text for _, _, report in self.reports]

    def pages(self):
        return [report.page for _, _, report in self.reports]

    def at(self, frame):
        """What there is of a frame: (stretch, model, report, index), or None."""
        if frame not in self.where:
            return None
        number, index = self.where[frame]
        return (*self.reports[number], index)

    def contacts(self, frame):
        """Pairs of triangles of a frame: (part a, part b, array (n, 2) of triangles of these parts), of findings alone."""
        here = self.at(frame)
        if here is None:
            return
        stretch, model, report, index = here
        parts, faces = {part.name: part for part in stretch.parts}, {source.name: source.faces for source in model.sources}
        for number, pair in enumerate(report.data["pairs"]):
            triangles = report.contacts.get((0 if pair["kind"] == "rigid" else index, number))
            if triangles is not None and pair["is_finding"]:
                a, b = pair["names"]
                yield parts[a], parts[b], numpy.column_stack([faces[a][triangles[:, 0]], faces[b][triangles[:, 1]]])

    def faces(self, frame):
        """Of each part that is in a finding, the faces that intersect: {name: array of polygon indices, rising}."""
        found = {}
        for a, b, triangles in self.contacts(frame):
            for part, column in ((a, 0), (b, 1)):
                found.setdefault(part.name, []).append(part.polygons[triangles[:, column]])
        return {name: numpy.unique(numpy.concatenate(rows)) for name, rows in found.items()}

    def depths(self, frame):
        """Of each part, how deep its vertices are in another or in itself, in a frame that was measured: {name: array}."""
        here = self.at(frame)
        if here is None:
            return {}
        stretch, model, report, index = here
        became = {source.name: source.welded(part.triangles) for part in stretch.parts for source in model.sources
                  if source.name == part.name}
        found = {part.name: numpy.zeros(part.vertex_count, numpy.float32) for part in stretch.parts}
        for number, pair in enumerate(report.data["pairs"]):
            sides = report.insides.get((0 if pair["kind"] == "rigid" else index, number))
            if sides is None or not pair["is_finding"]:
                continue
            for name, (vertices, depths) in zip(pair["names"], sides):
                of_welded = numpy.zeros(int(became[name].max()) + 2, numpy.float32)
                of_welded[vertices] = depths  # the last one stays 0: vertices that nothing has
                deep = of_welded[became[name]]
                found[name][:len(deep)] = numpy.maximum(found[name][:len(deep)], deep)
        return found

    def places(self, frame):
        """Regions of a frame that was measured, the deepest first: (finding, region of the report)."""
        found = []
        for finding in self:
            found += [(finding, region) for region in finding.rows.get(frame, {}).get("regions", ())]
        return sorted(found, key=lambda item: -item[1]["depth"])

    def cut(self, frame):
        """Where surfaces cross: segments in world coordinates, an array (n, 2, 3)."""
        here = self.at(frame)
        segments = []
        for a, b, triangles in self.contacts(frame):
            world, bodies = pliant.World(), []
            for part, column in ((a, 0), (b, 1)) if a is not b else ((a, None),):
                used = numpy.unique(triangles if column is None else triangles[:, column])
                bodies.append(world.add_soup())
                bodies[-1].set_primitives(part.vertices_at(here[3]).astype(numpy.float32), part.triangles[used])
            segments += segments_of(world, world.collide() if len(bodies) == 2 else bodies[0].self_collide())
        return numpy.concatenate(segments) if segments else numpy.zeros((0, 2, 3), numpy.float32)


def segments_of(world, contacts):
    """What two triangles of each contact have in common, if that is a segment."""
    found = world.intersections(contacts)
    points, starts = found.points.positions, found.first_points[found.point_counts == 2]
    return [numpy.stack([points[starts], points[starts + 1]], axis=1)] if len(starts) else []
