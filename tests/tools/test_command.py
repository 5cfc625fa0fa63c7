"""The pliant command as its users see it: exit codes, what is said where, files, options, shards.

usage: test_command.py PLIANT MAN-PAGE

Models are made here: boxes that slide into each other.
"""
import base64
import csv
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from gltf_data import GltfData

PLIANT, MAN = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SLOWNESS = int(os.environ.get("PLIANT_SLOWNESS", "1"))  # times as long may what is timed take: emulated, or in plain C
IS_WINDOWS = os.environ.get("PLIANT_SYSTEM") == "Windows"
INTERRUPTED = 0x3A if IS_WINDOWS else -signal.SIGINT  # the last byte of the code that Windows has for it

CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
SIDES = [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3]


def gltf(nodes, clips, targets=()):
    """Boxes {name: (x, y, z)} and clips {name: (node, [(time, (x, y, z))])} as a .gltf with all in it. The
    targets {name: displacement} move a whole box."""
    data = GltfData()
    add = data.add
    points = add([c for corner in CORNERS for c in corner], "f", "VEC3", 5126, min=[-1] * 3, max=[1] * 3)
    indices = add(SIDES, "H", "SCALAR", 5123)
    primitive = {"attributes": {"POSITION": points}, "indices": indices}
    mesh = {"primitives": [primitive]}
    if targets:
        primitive["targets"] = [{"POSITION": add(list(by) * 8, "f", "VEC3", 5126, min=list(by), max=list(by))}
                                for by in targets.values()]
        mesh["extras"] = {"targetNames": list(targets)}
    animations = []
    names = list(nodes)
    for name, (node, keys) in clips.items():
        times = [key[0] for key in keys]
        sampler = {"input": add(times, "f", "SCALAR", 5126, min=[min(times)], max=[max(times)]),
                   "output": add([c for key in keys for c in key[1]], "f", "VEC3", 5126)}
        animations.append({"name": name, "samplers": [sampler],
                           "channels": [{"sampler": 0, "target": {"node": names.index(node), "path": "translation"}}]})
    root = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(names)))}],
            "nodes": [{"name": name, "mesh": 0, "translation": list(at)} for name, at in nodes.items()],
            "meshes": [mesh], **data.members(uri="data:application/octet-stream;base64," + base64.b64encode(data.blob).decode())}
    if animations:
        root["animations"] = animations
    return json.dumps(root)


BOX = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "".join(
    f"f {face}\n" for face in ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"))
EVIL = "h\x1b[31mat\u202e<&\"'"
SLIDE = {"slide": ("suit", [(0, (5, 0, 0)), (1, (1.5, 0.25, 0.125))]), "near": ("suit", [(0, (5, 0, 0)), (1, (2, 0, 0))])}
APART = {"body": (0, 0, 0), "suit": (5, 0, 0), EVIL: (0, 9, 0)}


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)
        (self.at / "model.gltf").write_text(gltf(APART, SLIDE))
        (self.at / "still.gltf").write_text(gltf(APART, {}))
        (self.at / "worn.gltf").write_text(gltf({"body": (0, 0, 0), "suit": (1.5, 0.25, 0.125)}, {
            "press": ("suit", [(0, (1.5, 0.25, 0.125)), (1, (1.2, 0.25, 0.125))]),
            "stay": ("suit", [(0, (1.5, 0.25, 0.125)), (1, (1.5, 0.25, 0.125))])}))

    def has_page(self):
        return "no page in it" not in self.run_it("check", "model.gltf", "--html", "page.html").stderr

    def run_it(self, *words, **more):
        environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
        environment.update(more.pop("env", {}))
        return subprocess.run([PLIANT, *map(str, words)], cwd=self.at, env=environment, timeout=60 * SLOWNESS,
                              capture_output=more.pop("capture_output", True), text=True, **more)

    def expect(self, code, *words, out="", err="", **more):
        """Runs, and expects an exit code and texts; stderr is empty, or one line."""
        ran = self.run_it(*words, **more)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        self.assertIn(out, ran.stdout)
        self.assertIn(err, ran.stderr)
        if err:
            self.assertRegex(ran.stderr, r"\Apliant: [^\n]*\n\Z")
        else:
            self.assertEqual(ran.stderr, "")
        return ran

    def report(self, *words, code=None):
        ran = self.run_it("check", "model.gltf", *words, "--json", "-")
        if code is not None:
            self.assertEqual(ran.returncode, code, ran.stderr)
        return json.loads(ran.stdout)


ASSETS = os.environ.get("PLIANT_ASSETS")


@unittest.skipUnless(ASSETS, "PLIANT_ASSETS is not set")
class Toys(Case):
    """Small models whose true answers are known: verdict, depth, volume, clearance of their two parts."""
    TRUE = {"over_n1.obj": ("penetrating", 0.3, 0.3 * 0.87 * 0.83), "over_n4.obj": ("penetrating", 0.3, 0.3 * 0.87 * 0.83),
            "over_n16.obj": ("penetrating", 0.3, 0.3 * 0.87 * 0.83), "same.obj": ("coincident", 0, 1),
            "stack.obj": ("touching", 0, 0), "floor.obj": ("touching", 0, None), "inside.obj": ("contained", None, None),
            "nearmiss.obj": ("clean", None, None), "mirror.gltf": ("penetrating", 0.3, 0.3 * 0.87 * 0.83),
            "noscene.gltf": ("penetrating", 0.3, 0.3 * 0.87 * 0.83), "scale100.gltf": ("penetrating", 30, 0.3e6 * 0.87 * 0.83)}

    def toy(self, name, *words):
        ran = self.run_it("check", pathlib.Path(ASSETS, "toys", name), *words, "--json", "-")
        return ran.returncode, json.loads(ran.stdout)

    def test_answers(self):
        for name, (verdict, depth, volume) in self.TRUE.items():
            code, report = self.toy(name)
            pair = next(pair for pair in report["pairs"] if pair["a"] != pair["b"])
            self.assertEqual(pair["verdict"], verdict, name)
            self.assertEqual(code, verdict not in ("clean", "touching"), name)
            if depth is not None:
                self.assertAlmostEqual(pair["depth"], depth, delta=0.01 * depth, msg=name)
                self.assertLessEqual(pair["depth"], depth * 1.000001, name)
                self.assertLessEqual(depth * 0.999999, pair["rows"][0]["max_depth"], name)
            if volume is not None:
                found = pair["worst"]
                self.assertAlmostEqual(found["volume"], volume, delta=found["volume_error"] + 1e-6 * volume, msg=name)

    def test_gate(self):
        """What is deep does not pass, however it is divided; nor does what has no depth but is wrong."""
        for name in ("over_n1.obj", "over_n4.obj", "over_n16.obj"):
            self.assertEqual([self.toy(name, "--max-depth", depth)[0] for depth in ("0", "0.29", "0.31")], [1, 1, 0], name)
        for name in ("same.obj", "inside.obj"):
            self.assertEqual(self.toy(name, "--max-depth", "0")[0], 1, name)

    def test_clearance(self):
        pair = self.toy("nearmiss.obj", "--clearance", "0.001")[1]["pairs"][1]
        self.assertAlmostEqual(pair["clearance"], 0.0001, delta=1e-6)

    def test_two_sided(self):
        for name in ("twosided.obj", "twosided_dup.obj"):
            ran = self.expect(0, "check", pathlib.Path(ASSETS, "toys", name), out="clean: nothing intersects")
            self.assertIn("two-sided, every triangle back to back with another: cloth", ran.stdout)

    def test_hidden(self):
        self.expect(0, "check", pathlib.Path(ASSETS, "toys", "hidden.gltf"), out="1 part", err="1 node is hidden by KHR_node_visibility")
        self.expect(1, "check", pathlib.Path(ASSETS, "toys", "hidden.gltf"), "--hidden", out="300 mm")

    def test_scenes(self):
        for name, parts in (("dupnames.gltf", ["a", "a#2", "node 2"]), ("orphan.gltf", ["a"]), ("twoscenes.gltf", ["a"])):
            self.assertEqual([part["name"] for part in self.toy(name)[1]["parts"]], parts, name)


@unittest.skipUnless(ASSETS, "PLIANT_ASSETS is not set")
class Characters(Case):
    """What is known of real models."""

    def at_frame(self, animation, frame, names):
        ran = self.run_it("check", pathlib.Path(ASSETS, "makehuman", "mh_female_sport.glb"), "--animation", animation,
                          "--frames", str(frame), "--json", "-")
        row = next(pair for pair in json.loads(ran.stdout)["pairs"] if pair["names"] == names)["rows"]
        return row[0]

    def test_hands_in_the_torso(self):
        """86.8 mm by brute force over vertices: more over all points."""
        row = self.at_frame("arms_cross", 30, ["body", "body"])
        self.assertTrue(0.080 <= row["depth"] <= row["max_depth"] <= 0.095, row["depth"])
        joints = [name for name, _ in row["regions"][0]["joints"]]
        self.assertTrue(any(name.startswith(("hand", "lowerarm", "thumb", "index", "middle", "ring", "pinky")) for name in joints), joints)

    def test_thighs_through_the_suit(self):
        row = self.at_frame("squat_heavy", 30, ["body", "female_sportsuit01"])
        self.assertTrue(8 <= len(row["regions"]) <= 12, len(row["regions"]))
        self.assertIn("thigh", row["regions"][0]["joints"][0][0])

    def test_knight(self):
        """One option takes the swords and shields of both hands for one; the sword in the helmet is above the legs."""
        words = ("check", pathlib.Path(ASSETS, "kaykit", "Knight.glb"), "--alternatives", "*Sword*,*Shield", "--no-volume")
        ran = self.run_it(*words, "--csv", "knight.csv", "--frames", "::2")
        self.assertLessEqual(int(re.search(r"^(\d+) findings", ran.stdout, re.M).group(1)), 26)
        lines = [line.split()[1:3] for line in ran.stdout.splitlines() if line.startswith(("penetrating", "intersecting"))]
        helmet = next(i for i, (a, b) in enumerate(lines) if "Sword" in a and b == "Knight_Helmet")
        self.assertLess(helmet, lines.index(["Knight_LegLeft", "Knight_LegRight"]))
        self.assertLess((self.at / "knight.csv").stat().st_size, 5e6)

    def test_knight_as_suggested(self):
        """What suggest writes is used as it is. The swords and shields of a hand are alternatives, a helmet on a head is none."""
        knight = pathlib.Path(ASSETS, "kaykit", "Knight.glb")
        self.expect(0, "suggest", knight, "-o", "knight.conf")
        lists = [line.split()[1].split(",") for line in (self.at / "knight.conf").read_text().splitlines() if line.startswith("alternatives")]
        self.assertEqual(lists, [["1H_Sword_Offhand", "Badge_Shield", "Rectangle_Shield", "Round_Shield", "Spike_Shield"],
                                 ["1H_Sword", "2H_Sword"]])
        ran = self.run_it("check", knight, "--config", "knight.conf", "--baseline", "rest", "--no-volume", "--json", "knight.json")
        report = json.loads((self.at / "knight.json").read_text())
        self.assertLessEqual(report["findings"], 26)
        self.assertIn(f"\n{report['findings']} findings among ", ran.stdout)
        # Deep without a baseline, and no deeper than at rest: what is told is less.
        leg = next(pair for pair in report["pairs"] if pair["names"] == ["Knight_Body", "Knight_LegRight"])
        self.assertLess(leg["depth"], 0.12)
        # The first five were looked at, and are so: each is new, deep, and seen.
        lines = [line.split()[1:3] for line in ran.stdout.splitlines() if line.startswith(("penetrating", "intersecting"))]
        self.assertEqual(lines[:5], [["Spike_Shield", "Knight_Body"], ["Knight_Helmet", "Knight_Cape"], ["2H_Sword", "Knight_Helmet"],
                                     ["Knight_ArmLeft", "Knight_Body"], ["1H_Sword_Offhand", "Knight_Helmet"]])
        for pair in report["pairs"]:
            if pair["names"] in lines[:5]:
                self.assertTrue(pair["shown"] > 0.3 and pair["depth"] > 0.17, pair["names"])


class Checks(Case):
    def test_first_use(self):
        ran = self.expect(1, "check", "model.gltf", out="penetrating")
        self.assertIn("3 parts, rest pose and 2 animations, ", ran.stdout)
        if self.has_page():
            self.assertIn("next: pliant check model.gltf --html report.html", ran.stdout)
        self.assertRegex(ran.stdout, r"1 finding among 3 pairs of parts\.\nworst: body is 500 mm inside suit, in slide \d+ \(1\.00 s\)\.")
        self.assertIn("not checked: 3 self-collisions of parts that nothing deforms (--self checks them).", ran.stdout)

    def test_clean(self):
        ran = self.expect(0, "check", "still.gltf", out="clean: nothing intersects in 1 frame.")
        self.assertNotIn("next:", ran.stdout)

    def test_controls_do_not_reach_the_terminal(self):
        for words in (("check", "model.gltf", "--all"), ("inspect", "model.gltf"), ("check", "model.gltf", "--parts", "no")):
            ran = self.run_it(*words)
            self.assertNotRegex(ran.stdout + ran.stderr, "[\x00-\x09\x0b-\x1f\x7f\u202e]")
            self.assertIn("h\ufffd[31mat\ufffd<&", ran.stdout + ran.stderr)

    def test_thresholds_and_allows(self):
        self.expect(1, "check", "model.gltf", "--max-depth", "0.1")
        self.expect(0, "check", "model.gltf", "--max-depth", "2", out="clean: nothing intersects deeper than 2 m")
        self.expect(0, "check", "model.gltf", "--max-pairs", "10000")
        self.expect(0, "check", "model.gltf", "--allow", "su*:bo?y", out="but for what is allowed")
        self.expect(1, "check", "model.gltf", "--allow", "suit:hat")

    def test_cuts_without_depth(self):
        """A sheet stands in another one: its cut has a length and no depth."""
        (self.at / "sheets.obj").write_text("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 2 -1\nv 3 2 -1\nv 3 2 1\nv 1 2 1\n"
                                            "o floor\nf 1 2 3\nf 1 3 4\no wall\nf 5 6 7\nf 5 7 8\n")
        self.expect(1, "check", "sheets.obj", "--unit", "m", out="2 m cut")
        self.expect(1, "check", "sheets.obj", "--unit", "m", "--max-depth", "100")
        self.expect(1, "check", "sheets.obj", "--unit", "m", "--max-cut", "1.9")
        self.expect(0, "check", "sheets.obj", "--unit", "m", "--max-cut", "2.1", out="clean: nothing intersects with cuts longer than 2.1 m")
        self.expect(1, "check", "model.gltf", "--max-cut", "100")

    def test_touching(self):
        self.expect(0, "check", "model.gltf", "--animation", "near", out="touching")

    def test_units(self):
        self.expect(1, "check", "model.gltf", "--max-depth", "499mm", out="500 mm")
        self.expect(0, "check", "model.gltf", "--max-depth", "50.1 cm", out="deeper than 501 mm")
        self.expect(1, "check", "model.gltf", "--max-depth", "499mm", "--unit", "mm", "--max-depth", "0.4", out="0.5 mm", err="is the unit cm?")
        self.expect(2, "check", "model.gltf", "--max-depth", "5 parsecs", err="is not a length")
        self.expect(2, "check", "model.gltf", "--unit", "ell", err="is not a unit: m, cm, mm")
        (self.at / "box.obj").write_text(BOX)
        self.expect(2, "check", "box.obj", "--max-depth", "5mm", err="the unit of the file is not known: say --unit m")
        self.expect(0, "check", "box.obj", "--max-depth", "5mm", "--unit", "cm", err="is the unit m?")

    def test_sizes_that_nothing_has(self):
        """Of a size that is no model's in its unit: a question, in check and inspect, and no finding."""
        boxes = lambda x: gltf({"body": (0, 0, 0), "suit": (x, 0, 0)}, {})
        for x, unit, question in ((170, "m", "the model is 172 m long: is the unit cm?"), (17000, "m", "17002 m long: is the unit mm?"),
                                  (90, "m", None), (17, "m", None), (17, "mm", "19.2 mm long: is the unit cm?"), (30, "mm", None),
                                  (1e9, "m", "is the unit right?")):
            (self.at / "far.gltf").write_text(boxes(x))
            ran = self.run_it("check", "far.gltf", "--unit", unit)
            self.assertEqual(ran.returncode, 0)
            inspected = self.run_it("inspect", "far.gltf", "--unit", unit).stdout
            self.assertEqual("note: " in ran.stderr, question is not None, ran.stderr)
            self.assertEqual("note: " in inspected, question is not None, inspected)
            if question:
                self.assertRegex(ran.stderr, r"\Apliant: far\.gltf: note: the model is [^\n]*\n\Z")
                self.assertIn(question, ran.stderr)
                self.assertIn(f"\nnote: {ran.stderr.partition('note: ')[2]}", inspected)
                self.assertEqual(self.run_it("check", "far.gltf", "--unit", unit, "-q").stderr, "")

    def test_depth_of_every_frame(self):
        worst, whole, none, few = (self.body_and_suit(*words) for words in ((), ("--depth", "all"), ("--depth", "none"), ("--max-depth", "1")))
        counts = [sum(len(at["pairs"]) for at in pair["stretches"]) for pair in (worst, whole, none, few)]
        measured = [sum(1 + len(row.get("also", [])) for row in pair["rows"]) for pair in (worst, whole, none, few)]
        self.assertTrue(counts[0] > 2 and counts == counts[:1] * 4, counts)
        self.assertEqual(measured, [counts[0], counts[0], 0, counts[0]])  # the first takes little
        self.assertEqual(max(row["depth"] for row in worst["rows"]), max(row["depth"] for row in whole["rows"]))
        self.assertTrue(all(len(repr(row["depth"])) <= 8 for row in whole["rows"]))  # digits that say nothing are not there

    def body_and_suit(self, *words):
        return next(pair for pair in self.report(*words)["pairs"] if pair["names"] == ["body", "suit"])

    def test_json_is_short(self):
        """A number for each sample, and the same measures once: of 5000 frames in which the suit stands in the body."""
        (self.at / "long.gltf").write_text(gltf(APART, {"stay": ("suit", [(0, (1.5, 0.25, 0.125)), (1, (1.5, 0.25, 0.125)), (1.001, (5, 0, 0))])}))
        self.expect(1, "check", "long.gltf", "-q", "--depth", "all", "--no-volume", "--rate", "5000", "--frames", "0:5000", "--animation", "stay", "--json", "long.json")
        text = (self.at / "long.json").read_text()
        pair = next(pair for pair in json.loads(text)["pairs"] if pair["stretches"])
        # The worst row has also how much of it is shown.
        self.assertEqual((len(pair["stretches"][0]["pairs"]), len(pair["rows"]), len(pair["rows"][1]["also"])), (5001, 2, 4999))
        self.assertLess(len(text), 10 * 5001)

    def test_aligned_boxes_overlap_without_depth(self):
        """No edge goes through a face where boxes are aligned: whether they touch or overlap is a matter of depth."""
        for shift, code, verdict in ((0.5, 1, "penetrating"), (1, 0, "touching")):
            other = re.sub(r"v (\S+)", lambda at: f"v {float(at[1]) + shift}", BOX)
            other = re.sub(r"^f .*", lambda at: re.sub(r"\d+", lambda n: str(int(n[0]) + 8), at[0]), other, flags=re.M)
            (self.at / "two.obj").write_text("o a\n" + BOX + "o b\n" + other)
            ran = self.expect(code, "check", "two.obj", "--depth", "none", "--json", "r.json", "--csv", "r.csv")
            self.assertIn(verdict, ran.stdout)
            row = next(csv.DictReader((self.at / "r.csv").read_text().splitlines()))
            self.assertEqual((row["verdict"], float(row["cut"])), (verdict, 0))

    def test_nodes(self):
        """What a node hides is not checked; what it mirrors is as deep as what it does not."""
        model = json.loads(gltf({"body": (0, 0, 0), "suit": (1.5, 0.25, 0.125)}, {}))
        model["nodes"][1]["scale"] = [-1, 1, 1]
        (self.at / "mirror.gltf").write_text(json.dumps(model))
        self.expect(1, "check", "mirror.gltf", out="body is ")
        model["nodes"].append({"children": [1], "extensions": {"KHR_node_visibility": {"visible": False}}})
        model["scenes"][0]["nodes"] = [0, 2]
        (self.at / "hidden.gltf").write_text(json.dumps(model))
        self.expect(0, "check", "hidden.gltf", out="1 part,", err="1 node is hidden by KHR_node_visibility")
        self.expect(1, "check", "hidden.gltf", "--hidden", out="2 parts,")

    def test_lazy_and_eager_agree(self):
        self.assertEqual(self.report("--depth", "all"), self.report("--depth", "all", "--eager"))

    def test_clearance(self):
        ran = self.expect(0, "check", "model.gltf", "--parts", "body", "--parts", "h*", "--clearance", "10", out="clearance")
        self.assertRegex(ran.stdout, r"clean .* 7 m\n")
        self.assertNotIn("7 m", self.run_it("check", "still.gltf", "--clearance", "1").stdout)

    def test_what_is_not_checked(self):
        self.expect(0, "check", "model.gltf", "--exclude", "su?t", out="2 parts")
        ran = self.expect(0, "check", "model.gltf", "--exclude", "suit:body", out="not checked: 1 excluded")
        self.assertIn("configuration: exclude suit:body\n", ran.stdout)
        self.expect(0, "check", "model.gltf", "--alternatives", "body,su*", out="1 alternatives that are never there together")
        self.expect(2, "check", "model.gltf", "--exclude", "a:b:c", err="is not a part, or two as A:B")
        self.expect(3, "check", "model.gltf", "--exclude", "*", err="all parts are excluded")
        (self.at / "pliant.conf").write_text("# what is worn\nexclude suit\n")
        self.expect(0, "check", "model.gltf", out="configuration: exclude suit (pliant.conf:2)")
        self.assertEqual(self.report()["settings"], "exclude suit (pliant.conf:2)")

    def test_suggest(self):
        text = self.expect(0, "suggest", "worn.gltf", out="# allow body:suit  # up to").stdout
        self.expect(0, "suggest", "worn.gltf", "-o", "made.conf")
        self.assertEqual((self.at / "made.conf").read_text(), text)
        self.expect(1, "check", "worn.gltf", "--config", "made.conf")
        (self.at / "made.conf").write_text(text.replace("# allow", "allow").replace("# max-depth", "max-depth"))
        self.expect(0, "check", "worn.gltf", "--config", "made.conf", out="but for what is allowed")
        model = json.loads(gltf({"axe": (0, 0, 0), "sw,o#rd": (0.5, 0, 0)}, {}))
        model["nodes"].append({"name": "hand", "children": [0, 1]})
        model["scenes"][0]["nodes"] = [2]
        (self.at / "armed.gltf").write_text(json.dumps(model))
        self.expect(0, "suggest", "armed.gltf", "-o", "made.conf")
        made = (self.at / "made.conf").read_text()
        self.assertIn("\n# alternatives axe,sw?o?rd\n", made)
        self.expect(1, "check", "armed.gltf", "--config", "made.conf")  # a guess hides nothing
        (self.at / "made.conf").write_text(made.replace("# alternatives", "alternatives"))
        self.expect(0, "check", "armed.gltf", "--config", "made.conf", out="never there together")

    def box(self, low, high, first):
        """A box as lines of OBJ whose vertices are numbered from `first`, and the next number."""
        corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        faces = ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4))
        lines = [f"v {x} {y} {z}\n" for x, y, z in corners]
        lines += ["f " + " ".join(str(first + c - 1) for c in face) + "\n" for face in faces]
        return "".join(lines), first + 8

    def write_boxes(self, name, parts):
        """Parts {name: boxes (low, high)} as an OBJ."""
        text, first = "", 1
        for part, boxes in parts.items():
            text += f"o {part}\n"
            for low, high in boxes:
                lines, first = self.box(low, high, first)
                text += lines
        (self.at / name).write_text(text)

    def test_what_is_inside_is_found(self):
        room = [((0, 0, 0), (4, 4, 4))]
        self.write_boxes("touch.obj", {"room": room, "it": [((0, 1, 1), (1, 2, 2))]})  # touches from inside
        self.expect(1, "check", "touch.obj", out="penetrating")
        self.write_boxes("pieces.obj", {"room": room, "it": [((1, 1, 1), (2, 2, 2)), ((9, 1, 1), (10, 2, 2))]})
        self.expect(1, "check", "pieces.obj", out="contained")
        self.write_boxes("both.obj", {"room": room, "it": [((1, 1, 1), (2, 2, 2)), ((4, 1, 1), (5, 2, 2))]})
        self.expect(1, "check", "both.obj", out="penetrating")
        self.write_boxes("outside.obj", {"room": room, "it": [((4, 1, 1), (5, 2, 2)), ((9, 1, 1), (10, 2, 2))]})
        self.expect(0, "check", "outside.obj", "--all", out="touching")

    def test_what_shows_comes_first(self):
        """Two boxes are deep in each other inside a shell, and two that anyone sees by a tenth of that."""
        self.write_boxes("seen.obj", {"shell": [((0, 0, 0), (9, 9, 9))], "a": [((1, 1, 1), (4, 4, 4))], "b": [((3, 2, 2), (6, 5, 5))],
                                      "c": [((20, 0, 0), (22, 2, 2))], "d": [((21.9, 0.5, 0.5), (23, 1.5, 1.5))]})
        words = ("check", "seen.obj", "--exclude", "shell:?", "--json", "r.json", "--csv", "r.csv")
        for options, order, shown in (([], [["c", "d"], ["a", "b"]], {"c": 1, "a": 0}),
                                      (["--alternatives", "shell"], [["a", "b"], ["c", "d"]], {"c": 1, "a": 1})):
            ran = self.expect(1, *words, *options, out=" shown ")
            lines = [line.split() for line in ran.stdout.splitlines() if line.startswith("penetrating")]
            self.assertEqual([line[1:3] for line in lines], order)
            for row in csv.DictReader((self.at / "r.csv").read_text().splitlines()):
                self.assertEqual(float(row["shown"]), shown[row["a"]], row["a"])
            for pair in json.loads((self.at / "r.json").read_text())["pairs"]:
                if pair.get("is_finding"):
                    self.assertEqual(pair["shown"], shown[pair["names"][0]])
                    self.assertEqual(pair["rows"][0]["regions"][0]["shown"], pair["shown"])

    def test_what_is_scaled_is_not_rigid(self):
        """Two boxes that are points at rest, and overlap by a half at the end."""
        model = json.loads(gltf({"a": (0, 0, 0), "b": (1, 0, 0)}, {"grow": ("a", [(0, (0, 0, 0)), (1, (1, 1, 1))])}))
        model["nodes"].append({"name": "both", "children": [0, 1], "scale": [0, 0, 0]})
        model["scenes"][0]["nodes"] = [2]
        model["animations"][0]["channels"][0]["target"] = {"node": 2, "path": "scale"}
        (self.at / "grow.gltf").write_text(json.dumps(model))
        self.expect(1, "check", "grow.gltf", out="penetrating")

    def test_a_baseline_hides_no_new_penetration(self):
        """Another box goes into the same large triangles of the floor that one has touched before."""
        floor = [((-9, -1, -9), (9, 0, 9))]
        for frame, y in ((1, (-0.125, 3)), (2, (3, -0.5))):
            self.write_boxes(f"roll{frame}.obj", {"floor": floor, "ball": [
                ((x, y[x], 0), (x + 0.5, y[x] + 1, 0.5)) for x in (0, 1)]})
        words = ("check", "roll#.obj", "--baseline", "rest")
        self.expect(1, *words, out="penetrating")

    def test_frames(self):
        runs = {run["name"]: run for run in self.report("--rate", "10", "--frames", "2:8:3")["runs"]}
        self.assertEqual((runs["slide"]["first_frame"], runs["slide"]["frame_step"], runs["slide"]["frame_count"]), (2, 3, 3))
        self.assertEqual(runs["rest"]["frame_count"], 1)
        self.assertEqual(len(self.report("--animation", "slide")["runs"]), 1)
        self.assertEqual([part["name"] for part in self.report("--parts", "[bs]*")["parts"]], ["body", "suit"])
        self.assertEqual(len(self.report("--no-self")["pairs"]), 3)

    def test_baseline(self):
        self.expect(1, "check", "worn.gltf", out="next: pliant check worn.gltf --baseline rest")
        self.expect(1, "check", "worn.gltf", "--allow", "no one:*", out="next: pliant check worn.gltf --allow 'no one:*' --baseline rest")
        self.expect(0, "check", "worn.gltf", "--baseline", "rest", "--animation", "stay",
                    out="counted is what is new since the rest pose")
        self.run_it("check", "worn.gltf", "--json", "old.json")
        self.expect(0, "check", "worn.gltf", "--baseline", "old.json", out="new since old.json")

    def test_morphs(self):
        (self.at / "belly.gltf").write_text(gltf({"body": (0, 0, 0), "suit": (5, 0, 0)}, {}, {"left": (-2, 0, 0)}))
        ran = self.run_it("check", "belly.gltf", "--morph", "left=0..1/3", "--json", "-")
        self.assertEqual([run["name"] for run in json.loads(ran.stdout)["runs"]], ["rest left=0", "rest left=0.5", "rest left=1"])
        self.expect(2, "check", "belly.gltf", "--morph", "rigth=1", err='no morph target is named "rigth"; there are: left')

    def test_findings_of_json_and_exit_agree(self):
        self.assertEqual(self.report(code=1)["findings"], 1)
        self.assertEqual(self.report("--allow", "*:*", code=0)["findings"], 0)


class Files(Case):
    ALL = ("json", "csv", "csv-frames", "junit", "sarif", "faces")

    def files(self, stem):
        return [word for kind in self.ALL for word in (f"--{kind}", f"{stem}.{kind}")]

    def test_formats(self):
        self.run_it("check", "model.gltf", *self.files("r"))
        rows = list(csv.DictReader((self.at / "r.csv").read_text().splitlines()))
        self.assertTrue(rows and all(row["a"] == "body" and row["b"] == "suit" for row in rows))
        suite = xml.etree.ElementTree.parse(self.at / "r.junit").getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("3", "1"))
        self.assertEqual(len(suite.findall("testcase/failure")), 1)
        self.assertTrue(any("h\ufffd[31mat" in case.get("name") for case in suite))
        faces = json.loads((self.at / "r.faces").read_text())
        self.assertEqual(faces["parts"][0]["touched"][0]["with"], "suit")
        self.assertEqual(json.loads((self.at / "r.json").read_text())["parts"][2]["name"], EVIL)
        self.assertEqual(sorted(path.name for path in self.at.iterdir() if path.name.startswith("r")),
                         sorted(f"r.{kind}" for kind in self.ALL))

    def test_shards_are_the_whole(self):
        for count in (1, 3, 7):
            whole = self.run_it("check", "model.gltf", *self.files("whole"))
            for i in range(1, count + 1):
                self.run_it("check", "model.gltf", "--shard", f"{i}/{count}", "--json", f"shard{i}.json")
            shards = [f"shard{i}.json" for i in range(count, 0, -1)]
            merged = self.run_it("merge", *shards, *self.files("merged"))
            table = [ran.stdout.partition("\nnext: ")[0] for ran in (merged, whole)]  # what to try next repeats options
            self.assertEqual((merged.returncode, table[0]), (whole.returncode, table[1]))
            for kind in self.ALL:
                self.assertEqual((self.at / f"merged.{kind}").read_bytes(), (self.at / f"whole.{kind}").read_bytes(), kind)
            if count > 1:
                self.expect(3, "merge", *shards[1:], err="shards are there")
                self.expect(3, "merge", *shards, shards[0], err="twice")

    def test_stdout_is_data_alone(self):
        ran = self.run_it("check", "model.gltf", "--csv", "-")
        self.assertTrue(ran.stdout.startswith("file,a,b,"))
        self.assertNotIn("worst: ", ran.stdout)
        self.expect(2, "check", "model.gltf", "--csv", "-", "--json", "-", err="only one file can be -")
        self.assertEqual(self.run_it("check", "model.gltf", "--quiet").stdout, "")

    @unittest.skipIf(IS_WINDOWS, "there is no /dev/full")
    def test_disk_full(self):
        self.expect(4, "check", "model.gltf", "--json", "/dev/full", err="/dev/full: cannot be written: No space left")
        with open("/dev/full", "w") as full:
            ran = self.run_it("check", "model.gltf", stdout=full, stderr=subprocess.PIPE, capture_output=False)
        self.assertEqual((ran.returncode, ran.stderr), (4, "pliant: stdout: cannot be written: No space left on device\n"))

    def test_csv_of_frames(self):
        """A line for each frame of the stretches, with the same columns but for the frames."""
        self.expect(1, "check", "model.gltf", "-q", "--depth", "all", "--csv", "r.csv", "--csv-frames", "f.csv")
        read = lambda name: list(csv.DictReader((self.at / name).read_text().splitlines()))
        stretches, frames = read("r.csv"), read("f.csv")
        self.assertEqual([name for name in stretches[0] if name not in ("first_frame", "last_frame", "worst_frame")],
                         [name for name in frames[0] if name != "frame"])
        self.assertEqual([(at["run"], frame) for at in stretches for frame in range(int(at["first_frame"]), int(at["last_frame"]) + 1)],
                         [(at["run"], int(at["frame"])) for at in frames])
        self.assertTrue(all(at["verdict"] and float(at["time"]) == int(at["frame"]) / 30 for at in frames))
        self.expect(2, "check", "model.gltf", "--csv-frames", err="--csv-frames")
        self.expect(2, "check", "model.gltf", "--csv-frames", "-", "--csv", "-", err="only one file can be -")
        self.expect(2, "diff", "a.json", "b.json", "--csv-frames", "x.csv", err="--csv-frames")
        if not IS_WINDOWS:
            self.expect(4, "check", "model.gltf", "--csv-frames", "/dev/full", err="/dev/full: cannot be written: No space left")

    def test_failed_file_is_not_there(self):
        self.expect(4, "check", "model.gltf", "--json", "no/such/r.json", err="no/such/r.json: cannot be written: No such file")
        (self.at / "old.json").write_text("old")
        self.expect(3, "check", "nothing.gltf", "--json", "old.json", err="nothing.gltf: ")
        self.assertEqual((self.at / "old.json").read_text(), "old")

    def test_what_cannot_be_written_is_said_first(self):
        """Before the model is read, which is not there; and what was tried leaves nothing behind."""
        (self.at / "folder.png").mkdir()
        outputs = [("check", option) for option in ("--html", "--json", "--csv", "--csv-frames", "--junit", "--sarif", "--faces")]
        outputs += [("merge", option) for option in ("--json", "--csv", "--csv-frames", "--sarif")] + [("render", "-o"), ("suggest", "-o")]
        before = sorted(self.at.iterdir())
        below_a_file = "No such file" if IS_WINDOWS else "Not a directory"
        for command, option in outputs:
            for path, why in (("folder.png", "Is a directory"), ("no/such.png", "No such file"), ("model.gltf/x.png", below_a_file)):
                ran = self.expect(4, command, "nothing.gltf", option, path, err=f"{path}: cannot be written: {why}")
                self.assertNotIn("nothing.gltf", ran.stderr)
            if "this build has no" not in self.run_it(command, "nothing.gltf", option, "new.png").stderr:  # page, or PNG
                self.expect(3, command, "nothing.gltf", option, "new.png", err="nothing.gltf: ")
        self.assertEqual(sorted(self.at.iterdir()), before)

    def test_reader_that_goes_away(self):
        for words in (["check", "model.gltf"], ["check", "model.gltf", "--json", "-"]):
            read, write = os.pipe()
            os.close(read)
            ran = subprocess.run([PLIANT, *words], cwd=self.at, stdout=write, stderr=subprocess.PIPE, text=True)
            os.close(write)
            self.assertEqual((ran.returncode, ran.stderr), (1, ""))

    def test_diff(self):
        self.run_it("check", "model.gltf", "--json", "bad.json")
        self.run_it("check", "still.gltf", "--json", "good.json")
        self.expect(1, "diff", "good.json", "bad.json", out="appeared")
        self.expect(0, "diff", "bad.json", "good.json", out="vanished")
        self.expect(0, "diff", "bad.json", "bad.json", out="0 appeared, 0 worse")
        self.assertEqual(self.expect(1, "diff", "-q", "good.json", "bad.json").stdout, "")
        (self.at / "broken.json").write_text((self.at / "bad.json").read_text().replace('"rate": ', '"rate": -'))
        self.expect(3, "diff", "broken.json", "bad.json", err="broken.json: runs[0].rate is -")
        self.expect(3, "diff", "missing.json", "bad.json", err="missing.json: No such file")


class Jobs(Case):
    """However many jobs there are, all that is written is the same, to the byte, and so is what is said."""
    COUNTS = (1, 2, 3, 7, 0)

    def outcomes(self, *words, outputs=()):
        """What a check gives for each number of jobs, and without one: code, stdout, stderr, files."""
        found = []
        for jobs in (*([f"--jobs={count}"] for count in self.COUNTS), []):
            ran = self.run_it("check", *words, *jobs, *(word for kind in outputs for word in (f"--{kind}", f"x.{kind}")))
            files = [(self.at / f"x.{kind}").read_bytes() for kind in outputs if (self.at / f"x.{kind}").exists()]
            for kind in outputs:
                (self.at / f"x.{kind}").unlink(missing_ok=True)
            found.append((ran.returncode, ran.stdout, ran.stderr, files))
        return found

    def same(self, code, *words, outputs=()):
        found = self.outcomes(*words, outputs=outputs)
        self.assertEqual(found[0][0], code, found[0][1] + found[0][2])
        for other in found[1:]:
            self.assertEqual(other, found[0])
        return found[0]

    def outputs(self):
        has_page = "no page" not in self.run_it("check", "still.gltf", "--html", "x.html").stderr
        return ["json", "csv", "csv-frames", "junit", "sarif", "faces"] + ["html"] * has_page

    def test_all_outputs(self):
        outputs = self.outputs()
        for words in (["model.gltf"], ["model.gltf", "--baseline", "rest"], ["worn.gltf", "--no-self"],
                      ["model.gltf", "--shard", "1/2"], ["model.gltf", "--eager"]):
            code, _, _, files = self.same(1, *words, outputs=outputs)
            self.assertEqual(len(files), len(outputs))
        self.same(0, "still.gltf", outputs=outputs)
        self.same(0, "worn.gltf", "--all", "--baseline", "rest", outputs=outputs)

    def test_advice_does_not_repeat_jobs(self):
        for words in (["--jobs", "2"], ["--jobs=2"]):
            ran = self.run_it("check", *words, "model.gltf", "--rate", "20")
            if self.has_page():
                self.assertIn("next: pliant check model.gltf --rate 20 --html report.html", ran.stdout)

    def test_shards_of_any_jobs(self):
        whole = self.run_it("check", "model.gltf", "--jobs", "1", "--json", "-").stdout
        for i in range(1, 4):
            self.run_it("check", "model.gltf", "--jobs", 8 - 2 * i, "--shard", f"{i}/3", "--json", f"shard{i}.json")
        self.assertEqual(self.run_it("merge", "shard2.json", "shard1.json", "shard3.json", "--json", "-").stdout, whole)

    def test_errors(self):
        """The first moment that fails is told; behind it another part fails, which comes first in the file."""
        far = (3e38, 0, 0)  # and twice as far is no number
        model = json.loads(gltf(APART, {name: (part, [(0, (0, 0, 0)), (1, far)])
                                        for name, part in (("first", "suit"), ("second", "body"))}))
        model["nodes"] += [{"children": [node], "translation": far} for node in (0, 1)]
        model["scenes"][0]["nodes"] = [2, 3, 4]
        (self.at / "wrong.gltf").write_text(json.dumps(model))
        found = self.outcomes("wrong.gltf", "--json", "r.json")
        self.assertEqual(found[0][0], 3, found[0])
        self.assertEqual(found[0][2], 'pliant: wrong.gltf: the part "suit" is not at a finite place\n')
        self.assertEqual(len(set(map(repr, found))), 1)
        self.assertFalse((self.at / "r.json").exists())
        self.same(2, "model.gltf", "--parts", "no")
        self.same(4, "model.gltf", "--json", "/dev/full")

    def test_progress(self):
        found = self.outcomes("model.gltf", "--progress", "plain")
        lines = [re.sub(r"\d+ s left", "", text).splitlines() for _, _, text, _ in found]
        self.assertEqual(len(lines[0]), 10)
        for other in lines[1:]:
            self.assertEqual(other, lines[0])

    def test_config_and_inspect(self):
        (self.at / "pliant.conf").write_text("jobs 2\n")
        self.assertEqual(self.report(), self.report("--no-config"))
        self.assertRegex(self.expect(0, "inspect", "model.gltf").stdout, r"takes about .* s( with 2 jobs)? \(by")
        self.assertRegex(self.expect(0, "inspect", "model.gltf", "--jobs", "1").stdout, r"takes about \S+ s \(by")


class Options(Case):
    def test_errors_and_hints(self):
        for words, text in [
            (["check", "model.gltf", "--basline", "rest"], "unknown option --basline; did you mean --baseline?"),
            (["check", "model.gltf", "--zoom", "2"], "unknown option --zoom"),
            (["chekc", "model.gltf"], 'unknown command "chekc"; did you mean "check"?'),
            (["check"], "check needs FILE"),
            (["inspect", "a.glb", "b.glb"], '"b.glb" is one too many'),
            (["check", "model.gltf", "--rate"], "--rate needs a value: HZ"),
            (["check", "model.gltf", "--rate", "fast"], '--rate: "fast" is not a number'),
            (["check", "model.gltf", "--rate=-1"], '"-1" is not a number that is not negative'),
            (["check", "model.gltf", "--quiet=1"], "--quiet takes no value"),
            (["check", "model.gltf", "--by", "color"], '"color" is none of node|material'),
            (["check", "model.gltf", "--frames", "8:2"], "--frames"),
            (["check", "model.gltf", "--frames", "1:2:0"], "--frames"),
            (["check", "model.gltf", "--frames", "999:"], "no animation has frame 999"),
            (["check", "model.gltf", "--shard", "4/3"], "a shard as I/N"),
            (["check", "model.gltf", "--jobs", "two"], '--jobs: "two" is not a whole number'),
            (["check", "model.gltf", "--jobs=-1"], "a whole number that is not negative"),
            (["render", "model.gltf", "-o", "x.png", "--jobs", "2"], "unknown option --jobs"),
            (["check", "model.gltf", "--allow", "body"], "two parts as A:B"),
            (["check", "model.gltf", "--morph", "a=0..1"], "NAME=A..B/N"),
            (["check", "model.gltf", "--max-pairs", "1.5"], "a whole number"),
            (["check", "model.gltf", "--parts", "bdy"], 'no part is named "bdy"; there are: body, suit'),
            (["check", "model.gltf", "--animation", "run"], 'no animation is named "run"; there are: rest, slide, near'),
            (["render", "model.gltf"], "-o picture.png"),
            (["render", "model.gltf", "-o", "x.png", "--size", "0x9"], "a size as WxH"),
            (["completion", "fish"], "none for \"fish\""),
        ]:
            self.expect(2, *words, err=text)

    def test_unreadable(self):
        (self.at / "text.gltf").write_text("hello")
        (self.at / "model.xyz").write_text("")
        for name in ("text.gltf", "model.xyz", "missing.glb"):
            self.expect(3, "check", name, err=f"pliant: {name}: ")
        self.expect(3, "check", "model.gltf", "--baseline", "text.gltf", err="text.gltf: ")

    def test_config(self):
        config = self.at / "pliant.conf"
        config.write_text("# what is meant to be so\nallow  suit:body   # both ways\n\nmax-pairs=0\nzoom 2\nrate 5\n")
        self.expect(0, "check", "model.gltf", out="but for what is allowed")
        self.expect(1, "check", "model.gltf", "--no-config")
        self.assertEqual(self.report()["runs"][1]["rate"], 5)
        self.assertEqual(self.report("--rate", "20")["runs"][1]["rate"], 20)
        config.rename(self.at / "other.conf")
        self.expect(1, "check", "model.gltf")
        self.expect(0, "check", "model.gltf", "--config", "other.conf")
        self.expect(2, "check", "model.gltf", "--config", "no.conf", err="no.conf: No such file")
        for text, error in (("alow a:b", '1: unknown option "alow"; did you mean "allow"?'), ("\nrate", "2: rate needs a value"),
                            ("quiet yes", "1: quiet takes no value"), ("config x", "1: config is for the command line alone")):
            config.write_text(text + "\n")
            self.expect(2, "check", "model.gltf", err=f"pliant.conf:{error}")

    def test_help_version_completion_man(self):
        self.assertRegex(self.expect(0, "--version").stdout, r"\Apliant \d+\.\d+\.\d+\n\Z")
        self.assertEqual(self.run_it().returncode, 2)
        commands = re.findall(r"^  ([a-z]+) ", self.expect(0, "help").stdout, re.M)
        self.assertEqual(len(commands), 8)
        man = MAN.read_text().replace("\\-", "-")
        bash = self.expect(0, "completion", "bash").stdout
        zsh = self.expect(0, "completion", "zsh").stdout
        for command in commands:
            text = self.expect(0, "help", command).stdout
            self.assertEqual(text, self.expect(0, command, "--help").stdout)
            self.assertLessEqual(max(map(len, text.splitlines())), 80)
            names = re.findall(r"^  (?:-\w, |    )--([a-z-]+)", text, re.M)
            self.assertIn("help", names)
            for name in names:
                self.assertRegex(man, rf"--{name}\b(?!-)", f"{name} is not in the man page")
                self.assertIn(f"--{name}", bash)
                self.assertIn(f"--{name}[", zsh)
            self.assertIn(command, man)
        subprocess.run(["bash", "-n"], input=bash, text=True, check=True)

    def test_bash_completion(self):
        bash = self.run_it("completion", "bash").stdout

        def complete(*words):
            array = " ".join(f"'{word}'" for word in words)
            script = f"{bash}\nCOMP_WORDS=({array}); COMP_CWORD={len(words) - 1}; _pliant; echo \"${{COMPREPLY[*]}}\""
            return subprocess.run(["bash", "-c", script], cwd=self.at, capture_output=True, text=True).stdout.split()
        self.assertEqual(complete("pliant", "ins"), ["inspect"])
        self.assertEqual(complete("pliant", "check", "--max"), ["--max-pairs", "--max-depth", "--max-cut"])
        self.assertEqual(complete("pliant", "check", "--by", "m"), ["material"])
        self.assertEqual(complete("pliant", "check", "mod"), ["model.gltf"])
        self.assertEqual(complete("pliant", "completion", "z"), ["zsh"])


class Terminals(Case):
    ON_WINE = "Wine has a terminal of its own within this one, and draws it by itself"

    def on_terminal(self, *words, env=(), columns=None):
        """What a terminal would have been sent, stdout and stderr together."""
        main, side = pty.openpty()
        environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
        environment.update({"TERM": "xterm", **dict(env)})
        if columns:
            import fcntl
            import termios
            fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([PLIANT, *words], cwd=self.at, stdout=side, stderr=side, env=environment)
        os.close(side)
        text = b""
        try:
            while chunk := os.read(main, 65536):
                text += chunk
        except OSError:  # the other end was closed
            pass
        os.close(main)
        process.wait(60 * SLOWNESS)
        return text.decode()

    @unittest.skipIf(IS_WINDOWS, ON_WINE)
    def test_color(self):
        self.assertIn("\x1b[1;31mpenetrating\x1b[0m", self.on_terminal("check", "model.gltf"))
        self.assertNotIn("\x1b", self.on_terminal("check", "model.gltf", env={"NO_COLOR": "1"}))
        self.assertNotIn("\x1b", self.on_terminal("check", "model.gltf", env={"TERM": "dumb"}))
        self.assertNotIn("\x1b", self.on_terminal("check", "model.gltf", "--color", "never"))
        self.assertIn("\x1b[1;31m", self.on_terminal("check", "model.gltf", "--color", "always", env={"NO_COLOR": "1"}))
        self.assertNotIn("\x1b", self.run_it("check", "model.gltf").stdout)

    @unittest.skipIf(IS_WINDOWS, ON_WINE)
    def test_width(self):
        for columns in (60, 80, 120):
            text = self.on_terminal("check", "model.gltf", "--color", "never", "--all", columns=columns)
            table = text.split("\r\n\r\n")[1]
            self.assertIn("verdict", table)
            self.assertLessEqual(max(map(len, table.split("\r\n"))), columns)

    def test_plain_progress(self):
        ran = self.run_it("check", "model.gltf", "--progress", "plain")
        self.assertRegex(ran.stderr, r"pliant: 100 %, (\d+) of \1 frames, 0 s left\n\Z")
        self.assertEqual(self.run_it("check", "model.gltf").stderr, "")

    def test_interrupt_tells_what_was_found(self):
        words = [PLIANT, "check", "model.gltf", "--rate", "1000000", "--progress", "bar", "--json", "r.json"]
        process = subprocess.Popen(words, cwd=self.at, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        select.select([process.stderr], [], [], 20 * SLOWNESS)  # the bar is there
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20 * SLOWNESS)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertIn(b"frames were tested (interrupted).", out)
        self.assertTrue(err.endswith(b"\r\x1b[K"), err[-40:])
        self.assertEqual([path.name for path in self.at.iterdir() if path.name.startswith("r")], ["r.json"])


class Others(Case):
    def test_inspect(self):
        text = self.expect(0, "inspect", "model.gltf").stdout
        self.assertIn("3 parts, 2 animations", text)
        self.assertRegex(text, r"body +8 +8 +12 +0 +0 +closed")
        self.assertRegex(text, r"slide +1\.00")
        self.assertRegex(text, r"A check covers \d+ moments, holds .* of shapes, and takes about .* s")

    def test_page(self):
        ran = self.run_it("check", "model.gltf", "--html", "x.html")
        if "no page in it" in ran.stderr:
            self.assertEqual(ran.returncode, 2)
            self.skipTest("this build has no page")
        self.assertEqual(ran.returncode, 1)
        self.assertNotIn("--html", ran.stdout)
        self.assertIn("</html>", (self.at / "x.html").read_text()[-200:])

    def test_render(self):
        if "libpng" in self.run_it("render", "model.gltf", "-o", "x.png").stderr:
            self.skipTest("this build saves no pictures")
        for words in ([], ["--animation", "slide", "--frame", "20"], ["--animation", "slide", "--time", "0.51"]):
            self.expect(0, "render", "model.gltf", *words, "--size", "64x48", "-o", "x.png")
            self.assertTrue((self.at / "x.png").read_bytes())
            (self.at / "x.png").unlink()
        self.expect(2, "render", "model.gltf", "--frame", "3", "-o", "x.png", err="--animation does not say which")
        self.expect(2, "render", "model.gltf", "--animation", "*", "-o", "x.png", err="more than one is meant")
        self.expect(2, "render", "model.gltf", "--animation", "slide", "--frame", "999", "-o", "x.png", err="has frames 0 to")
        self.expect(4, "render", "model.gltf", "-o", "no/x.png", err="no/x.png: ")

    def test_render_worst(self):
        if "libpng" in self.run_it("render", "model.gltf", "-o", "x.png").stderr:
            self.skipTest("this build saves no pictures")
        worst = self.run_it("render", "model.gltf", "--worst", "--size", "64x48", "-o", "x.png").stderr
        self.assertRegex(worst, r"pliant: model.gltf: (body|suit) is .* mm inside (body|suit), in slide \d+ \(")
        table = self.run_it("check", "model.gltf").stdout
        self.assertIn(worst.strip().removeprefix("pliant: model.gltf: "), table)
        frame = re.search(r"slide (\d+)", worst)[1]
        for words in (["--worst", "body:suit"], ["--worst=s*:body"], ["--worst", "--animation", "slide", "--frame", frame]):
            (self.at / "x.png").unlink()
            self.expect(0, "render", "model.gltf", *words, "--size", "64x48", "-o", "x.png", err=worst)
            self.assertTrue((self.at / "x.png").read_bytes())
        self.expect(0, "render", "--worst", "model.gltf", "-q", "--size", "64x48", "-o", "x.png")
        self.expect(0, "render", "model.gltf", "--worst", "--animation", "rest", "--size", "64x48", "-o", "x.png",
                    err="nothing intersects: this is all of the model")
        self.expect(2, "render", "model.gltf", "--worst", "body:hat", "-o", "x.png", err='named "body:hat"')
        self.expect(2, "render", "model.gltf", "--worst=body", "-o", "x.png", err="two parts as A:B")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
