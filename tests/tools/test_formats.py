"""Formats beside glTF, from outside: STL, MDD, caches together, FBX, Draco; and what is refused says what to do.

usage: test_formats.py PLIANT MAN-PAGE

FBX and Draco are tested where the build has them; those of PLIANT_ASSETS where that is set.
"""
import csv
import json
import os
import pathlib
import struct
import sys
import unittest

from test_command import Case

ASSETS = os.environ.get("PLIANT_ASSETS")
POINTS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
TRIANGLES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
             (1, 5, 7), (1, 7, 3)]


def box(at):
    return [tuple(p + a for p, a in zip(point, at)) for point in POINTS]


BOXES = {"a": box((0, 0, 0)), "b": box((0.5, 0.25, 0.125)), "c": box((9, 0, 0))}


def obj(boxes):
    lines, first = [], 1
    for name, points in boxes.items():
        lines += [f"o {name}"] + ["v %r %r %r" % point for point in points]
        lines += ["f %d %d %d" % tuple(first + i for i in triangle) for triangle in TRIANGLES]
        first += len(points)
    return "\n".join(lines) + "\n"


def corners(boxes):
    return [[points[i] for i in triangle] for points in boxes.values() for triangle in TRIANGLES]


def pc2(frames, start=0.0):
    return struct.pack("<12sIIffI", b"POINTCACHE2", 1, len(frames[0]), start, 1.0, len(frames)) + b"".join(
        struct.pack("<3f", *point) for frame in frames for point in frame)


def mdd(frames, times):
    return struct.pack(f">II{len(frames)}f", len(frames), len(frames[0]), *times) + b"".join(
        struct.pack(">3f", *point) for frame in frames for point in frame)


FBX = """; FBX 7.4.0 project file
FBXHeaderExtension:  {{
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}}
GlobalSettings:  {{
	Version: 1000
	Properties70:  {{
		P: "UnitScaleFactor", "double", "Number", "",{factor}
	}}
}}
Objects:  {{
{objects}}}
Connections:  {{
{connections}}}
"""


MORPH = """	Geometry: 300, "Geometry::wide", "Shape" {{
		Version: 100
		Indexes: *8 {{
			a: 0,1,2,3,4,5,6,7
		}}
		Vertices: *24 {{
			a: {moves}
		}}
		Normals: *24 {{
			a: {moves}
		}}
	}}
	Deformer: 301, "Deformer::", "BlendShape" {{
		Version: 100
	}}
	Deformer: 302, "SubDeformer::wide", "BlendShapeChannel" {{
		Version: 100
		DeformPercent: 0
		FullWeights: *1 {{
			a: 100
		}}
	}}
	AnimationStack: 400, "AnimStack::grow", "" {{
	}}
	AnimationLayer: 401, "AnimLayer::grow", "" {{
	}}
	AnimationCurveNode: 402, "AnimCurveNode::DeformPercent", "" {{
	}}
	AnimationCurve: 403, "AnimCurve::", "" {{
		Default: 0
		KeyVer: 4008
		KeyTime: *2 {{
			a: 0,46186158000
		}}
		KeyValueFloat: *2 {{
			a: 0,100
		}}
	}}
"""
MOVED = """	AnimationCurveNode: 404, "AnimCurveNode::T", "" {
	}
	AnimationCurve: 405, "AnimCurve::", "" {
		Default: 0
		KeyVer: 4008
		KeyTime: *2 {
			a: 0,46186158000
		}
		KeyValueFloat: *2 {
			a: 0,0
		}
	}
"""


def fbx(boxes, factor, moves=None, has_moved_node=True):
    """The boxes as ASCII FBX; the first has a target that moves each vertex by so much, from 0 to 1 in a second."""
    objects = connections = ""
    if moves:
        objects = MORPH.format(moves=",".join("%r,%r,%r" % moves for _ in range(8))) + MOVED * has_moved_node
        connections = '''	C: "OO",301,100
	C: "OO",302,301
	C: "OO",300,302
	C: "OO",401,400
	C: "OO",402,401
	C: "OP",402,302, "DeformPercent"
	C: "OP",403,402, "d|DeformPercent"
'''
        if has_moved_node:
            connections += '	C: "OO",404,401\n	C: "OP",404,201, "Lcl Translation"\n	C: "OP",405,404, "d|Y"\n'
    for i, (name, points) in enumerate(boxes.items()):
        numbers = ",".join(repr(float(c)) for point in points for c in point)
        indices = ",".join(f"{a},{b},{-c - 1}" for a, b, c in TRIANGLES)
        objects += f"""	Geometry: {100 + i}, "Geometry::{name}", "Mesh" {{
		Vertices: *24 {{
			a: {numbers}
		}}
		PolygonVertexIndex: *36 {{
			a: {indices}
		}}
		GeometryVersion: 124
	}}
	Model: {200 + i}, "Model::{name}", "Mesh" {{
		Version: 232
	}}
"""
        connections += f'	C: "OO",{200 + i},0\n	C: "OO",{100 + i},{200 + i}\n'
    return FBX.format(factor=factor, objects=objects, connections=connections)


class Formats(Case):
    def pairs(self, *words):
        ran = self.run_it("check", *words, "--json", "-")
        self.assertIn(ran.returncode, (0, 1), ran.stderr)
        report = json.loads(ran.stdout)
        return report, {tuple(pair["names"]): pair["stretches"][0]["pairs"][0] for pair in report["pairs"] if pair["stretches"]}

    def test_stl(self):
        data = [corner for triangle in corners(BOXES) for corner in triangle]
        body = b"".join(struct.pack("<12f2x", 0, 0, 0, *[c for corner in triangle for c in corner]) for triangle in corners(BOXES))
        (self.at / "binary.stl").write_bytes(b"solid, and binary all the same".ljust(80) + struct.pack("<I", len(data) // 3) + body)
        text = "solid one thing\n"
        for triangle in corners(BOXES):
            text += "facet normal 0 0 0\nouter loop\n" + "".join("vertex %r %r %r\n" % c for c in triangle) + "endloop\nendfacet\n"
        (self.at / "text.stl").write_text(text + "endsolid one\nsolid empty\nendsolid\n")
        for name in ("binary.stl", "text.stl"):
            report, pairs = self.pairs(name)
            self.assertEqual((report["format"], [(part["triangles"], part["vertices"]) for part in report["parts"]]), ("STL", [(36, 24)]))
            self.assertTrue(report["parts"][0]["is_closed"])
            self.assertEqual(list(pairs.values()), [12])
        two = "".join(f"solid {name}\n" + "".join("vertex %r %r %r\n" % c for triangle in corners({name: points}) for c in triangle)
                      for name, points in BOXES.items())
        (self.at / "two.stl").write_text(two)
        report, pairs = self.pairs("two.stl")
        self.assertEqual([part["name"] for part in report["parts"]], ["a", "b", "c"])
        self.assertEqual(list(pairs), [("a", "b")])
        for text, error in (("solid x\nvertex 0 0 0\n", "it ends within a triangle"), ("hello", "it is no STL"), ("solid x\n", "no triangles"),
                            ("solid x\nvertex 0 0 0\nsolid y\nvertex 0 0 0\nvertex 0 0 1\n", "begins within a triangle")):
            (self.at / "bad.stl").write_text(text)
            self.expect(3, "check", "bad.stl", err=error)

    def write_caches(self):
        still, frames = BOXES["a"], [box((2 - 0.5 * i, 0.25, 0.125)) for i in range(5)]
        for name, points in (("body", still), ("skirt", frames[0])):
            (self.at / f"{name}.obj").write_text(obj({"part": points}))
        return [still] * 5, frames

    def test_mdd(self):
        still, frames = self.write_caches()
        (self.at / "skirt.pc2").write_bytes(pc2(frames, 10))
        (self.at / "skirt.mdd").write_bytes(mdd(frames, [(10 + i) / 30 for i in range(5)]))
        one, other = (self.pairs(f"skirt.{kind}")[0] for kind in ("pc2", "mdd"))
        self.assertEqual((one.pop("format"), other.pop("format")), ("PC2 over OBJ", "MDD over OBJ"))
        self.assertEqual(one["runs"][1]["first_frame"], 10)
        for report in (one, other):
            report.pop("file")
            for run in report["runs"]:
                run["rate"], run["start"] = round(run["rate"], 3), round(run["start"], 5)
        self.assertEqual(one, other)
        for data, error in ((mdd(frames, [0, 1, 2, 3, 9]), "not evenly spaced"), (mdd(frames, range(5))[:-4], "not as long as"),
                            (mdd([frame[1:] for frame in frames], range(5)), "has 7 points, and its mesh has 8")):
            (self.at / "skirt.mdd").write_bytes(data)
            self.expect(3, "check", "skirt.mdd", err=error)

    def test_caches_together(self):
        still, frames = self.write_caches()
        (self.at / "body.pc2").write_bytes(pc2(still))
        (self.at / "skirt.mdd").write_bytes(mdd(frames, [i / 30 for i in range(5)]))
        report, pairs = self.pairs("body.pc2", "skirt.mdd", "--animation", "cache")
        self.assertEqual((report["format"], [part["name"] for part in report["parts"]]), ("2 caches over OBJ", ["part", "part#2"]))
        self.assertEqual(list(pairs), [("part", "part#2")])
        samples = [at["sample"] + k for at in report["pairs"][1]["stretches"] for k in range(len(at["pairs"]))]
        self.assertEqual(samples, [2, 3, 4])
        (self.at / "skirt.mdd").write_bytes(mdd(frames[1:], [i / 30 for i in range(4)]))
        self.expect(3, "check", "body.pc2", "skirt.mdd", err="skirt.mdd has 4 samples, and the first cache 5")

    def test_frames_of_a_sequence(self):
        for i in range(8, 13):
            (self.at / f"s{i}.obj").write_text(obj({"a": BOXES["a"], "b": box((3 - 0.25 * i, 0.25, 0.125))}))
        report, _ = self.pairs("s##.obj", "--fps", "24")
        self.assertEqual((report["runs"][1]["first_frame"], report["runs"][1]["frame_count"]), (8, 5))
        report, _ = self.pairs("s##.obj", "--fps", "24", "--frames", "9:11:2")
        self.assertEqual((report["runs"][1]["first_frame"], report["runs"][1]["frame_count"]), (9, 2))
        self.expect(2, "check", "s#.obj", "--frames", "13", err="has frames 8 to 12")

    def test_fbx(self):
        (self.at / "x.fbx").write_text(fbx(BOXES, 250.0))
        ran = self.run_it("inspect", "x.fbx")
        if "without libassimp" in ran.stderr:
            self.assertEqual(ran.returncode, 3)
            self.skipTest("this build is without libassimp")
        report, pairs = self.pairs("x.fbx")
        self.assertEqual((report["format"], [part["name"] for part in report["parts"]]), ("FBX", ["a", "b", "c"]))
        self.assertEqual(list(pairs), [("a", "b")])
        volume = report["pairs"][1]["worst"]["volume"]  # of a half by three quarters by seven eighths, in units of 2.5 m
        self.assertAlmostEqual(volume, 0.5 * 0.75 * 0.875 * 2.5 ** 3, delta=0.05)
        (self.at / "x.fbx").write_text(fbx(BOXES, 1.0)[:900])
        self.assertEqual(self.run_it("check", "x.fbx").returncode, 3)

    def test_fbx_morph_animation(self):
        """A target that an animation moves: as the same boxes, moved."""
        note = "weights of morph targets at rest are not read: they are 0 where no animation moves them; --morph sets them"
        for has_moved_node in (True, False):
            (self.at / "x.fbx").write_text(fbx(BOXES, 100.0, (0.75, 0, 0), has_moved_node))
            if "without libassimp" in self.run_it("inspect", "x.fbx").stderr:
                self.skipTest("this build is without libassimp")
            self.assertIn(f"note: {note}", self.run_it("inspect", "x.fbx").stdout)
            for frame in range(5):
                ran = self.run_it("check", "x.fbx", "--animation", "grow", "--rate", "4", "--frames", frame, "--csv", "-")
                self.assertEqual(ran.stderr, f"pliant: x.fbx: note: {note}\n")
                found = {(row["a"], row["b"]): float(row["volume"]) for row in csv.DictReader(ran.stdout.splitlines())}
                overlap = 1 - abs(0.5 - 0.75 * frame / 4)  # of the first box, which the target moves along x, with the second
                self.assertEqual(list(found), [("a", "b")])
                self.assertAlmostEqual(found["a", "b"], overlap * 0.75 * 0.875, delta=0.03)

    def test_fbx_targets_that_cannot_be_told_apart(self):
        """Two targets of one name beside each other are shapes of one channel, in between: said, and not guessed."""
        text = fbx(BOXES, 100.0, (0.75, 0, 0)).replace('	C: "OO",300,302\n', '	C: "OO",300,302\n	C: "OO",310,302\n')
        start, end = text.index("	Geometry: 300"), text.index("	Deformer: 301")
        (self.at / "x.fbx").write_text(text[:end] + text[start:end].replace("300", "310") + text[end:])
        ran = self.run_it("check", "x.fbx")
        if "without libassimp" in ran.stderr:
            self.skipTest("this build is without libassimp")
        self.assertIn("1 animation is left out, of morph targets: of shapes in between", ran.stderr)

    @unittest.skipUnless(ASSETS, "PLIANT_ASSETS is not set")
    def test_assets(self):
        folder = pathlib.Path(ASSETS)
        if "without libassimp" not in self.run_it("inspect", folder / "blender/mh_female_sport.fbx").stderr:
            _, pairs = self.pairs(folder / "blender/mh_female_sport.fbx", "--animation", "squat_Armature", "--frames", "24", "--no-volume")
            self.assertEqual(pairs[("body.001", "female_sportsuit01.001")], 2076)  # frame 30 of the GLB: the same moment
        if "without libdraco" not in self.run_it("inspect", folder / "loader-variants/Fox_dr.glb").stderr:
            counts = [self.pairs(folder / name)[1] for name in ("loader-variants/Fox_dr.glb", "khronos/Fox.glb")]
            self.assertEqual(*counts)

    def test_refused_with_what_to_do(self):
        for ending, advice in (("abc", "Alembic is not read: export it as glTF"), ("usdz", "USD is not read"), ("blend", "project of Blender"),
                               ("xyz", "its ending is none of .gltf .glb .vrm .obj .ply .pc2 .mdd .stl .fbx")):
            (self.at / f"x.{ending}").write_text("")
            self.expect(3, "check", f"x.{ending}", err=advice)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
