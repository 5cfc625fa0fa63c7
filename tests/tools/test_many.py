"""Several models in one call: one table, one file of each kind, an index page; and names that mean harm.

usage: test_many.py PLIANT MAN-PAGE
"""
import base64
import csv
import html.parser
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import xml.etree.ElementTree

from test_command import APART, INTERRUPTED, IS_WINDOWS, PLIANT, SLIDE, SLOWNESS, Case, gltf
from test_limits import endless

CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "f 1 2 4 3\nf 5 7 8 6\n"


class Page(html.parser.HTMLParser):
    """The tags of a page, the addresses in it, and its text."""
    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.images, self.classes, self.text = set(), [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.links += [value for name, value in attributes if name == "href"]
        self.classes += [value for name, value in attributes if tag == "li" and name == "class"]
        self.images += [value for name, value in attributes if name == "src"]
        assert not [name for name, _ in attributes if name.startswith("on")]

    def handle_data(self, data):
        self.text += data


class Many(Case):
    def setUp(self):
        super().setUp()
        folder = self.at / "models" / "deep"
        folder.mkdir(parents=True)
        (self.at / "models" / "b.obj").write_text(CUBE)
        (self.at / "models" / "a.gltf").write_text(gltf(APART, SLIDE))
        (folder / "broken.glb").write_text("glTF?")
        (folder / "cloth.abc").write_text("")
        (folder / "notes.txt").write_text("no model")
        (folder / "again").symlink_to("..")
        os.symlink("../b.obj", folder / "link.obj")

    FILES = ["models/a.gltf", "models/b.obj", "models/deep/broken.glb", "models/deep/cloth.abc", "models/deep/link.obj"]

    def test_folder(self):
        ran = self.expect(3, "check", "models", "--json", "r.json")
        rows = re.findall(r"^(\w+) +(models/\S+)", ran.stdout, re.M)
        self.assertEqual([row[1] for row in rows], self.FILES)
        self.assertEqual([row[0] for row in rows], ["penetrating", "clean", "unreadable", "unreadable", "clean"])
        self.assertIn("Alembic is not read: export it as glTF", ran.stdout)
        self.assertRegex(ran.stdout, r"verdict +file +findings +depth +worst part")
        self.assertRegex(ran.stdout, r"penetrating +models/a.gltf +1 +500 mm +body +suit")
        self.assertIn("5 files: 1 with findings, 2 clean, 2 could not be read.", ran.stdout)
        whole = json.loads((self.at / "r.json").read_text())
        self.assertEqual((whole["schema"], whole["findings"], whole["errors"]), ("pliant-reports/1", 1, 2))
        self.assertEqual([file["file"] for file in whole["files"]], self.FILES)
        self.assertEqual(whole["files"][0], json.loads(self.run_it("check", "models/a.gltf", "--json", "-").stdout))
        self.assertIn("error", whole["files"][2])

    def test_operands(self):
        for words, code, count in ((["still.gltf", "model.gltf"], 1, 2), (["*.gltf"], 1, 3), (["models/?.obj"], 0, 1),
                                   (["model*", "nothing.glb"], 3, 7), (["no*.glb"], 3, 1), (["still.gltf"] * 2, 0, 2)):
            ran = self.run_it("check", *words, "--json", "-")
            self.assertEqual((ran.returncode, len(json.loads(ran.stdout)["files"])), (code, count), words)
        (self.at / "models" / ".hidden.obj").write_text(CUBE)
        for glob, files in (("mod*/d*/l*.obj", self.FILES[4:]), ("models/[ab].*", self.FILES[:2]), ("models/*", self.FILES),
                            ("./m*s/.*.obj", ["./models/.hidden.obj"]), ("*/nothing*", ["*/nothing*"])):
            report = json.loads(self.run_it("check", glob, "--json", "-").stdout)
            self.assertEqual([file["file"] for file in report["files"]], files, glob)
        if IS_WINDOWS:
            report = json.loads(self.run_it("check", "models\\deep\\link.obj", "--json", "-").stdout)
            self.assertEqual(report["file"], self.FILES[4])
        else:  # a name that is a glob matches itself, once
            (self.at / "m*").mkdir()
            (self.at / "m*" / "x.obj").write_text(CUBE)
            report = json.loads(self.run_it("check", "m[*]/?.obj", "--json", "-").stdout)
            self.assertEqual([file["file"] for file in report["files"]], ["m*/x.obj"])
        (self.at / "empty").mkdir()
        self.expect(3, "check", "empty", out="unreadable")
        ran = self.expect(2, "check", "models", "--html", "-", err="--html")
        self.assertTrue("no page in it" in ran.stderr or "pages of several models need a folder" in ran.stderr)
        self.expect(2, "check", "models", "--shard", "1/2", err="--shard of several models needs --lines")

    def test_same_for_all_jobs(self):
        texts = {self.run_it("check", "models", "--jobs", jobs, "--json", "-").stdout for jobs in (1, 2, 5)}
        self.assertEqual(len(texts), 1)

    def test_other_files(self):
        self.run_it("check", "models", "--csv", "r.csv", "--junit", "r.xml", "--faces", "r.faces", "--sarif", "r.sarif")
        rows = list(csv.DictReader((self.at / "r.csv").read_text().splitlines()))
        self.assertEqual({row["file"] for row in rows}, {"models/a.gltf"})
        suites = xml.etree.ElementTree.parse(self.at / "r.xml").getroot()
        self.assertEqual([suite.get("name") for suite in suites], self.FILES)
        self.assertEqual([suite.get("errors") for suite in suites], ["0", "0", "1", "1", "0"])
        self.assertEqual(len(json.loads((self.at / "r.faces").read_text())["files"]), 5)
        run = json.loads((self.at / "r.sarif").read_text())["runs"][0]
        self.assertEqual(len(run["results"]), 1)
        self.assertEqual(run["results"][0]["ruleId"], "penetrating")
        self.assertIn("penetrating", [rule["id"] for rule in run["tool"]["driver"]["rules"]])
        self.assertFalse(run["invocations"][0]["executionSuccessful"])
        self.assertEqual(len(run["invocations"][0]["toolExecutionNotifications"]), 2)

    def test_sarif_of_one(self):
        run = json.loads(self.run_it("check", "model.gltf", "--allow", "body:suit", "--sarif", "-").stdout)["runs"][0]
        self.assertTrue(run["invocations"][0]["executionSuccessful"])
        self.assertEqual(run["results"][0]["suppressions"][0]["kind"], "external")
        parts = run["results"][0]["locations"][0]["logicalLocations"]
        self.assertEqual([part["name"] for part in parts], ["body", "suit"])

    def sarif(self, *words):
        return json.loads(self.run_it("check", *words, "--sarif", "-").stdout)["runs"][0]["results"]

    def test_sarif_says_how_deep(self):
        text = self.sarif("model.gltf")[0]["message"]["text"]
        self.assertRegex(text, r"^body is 500 mm inside suit; worst at slide \d+ \(1\.00 s\) with 12 pairs of triangles; in \d+ frames$")

    def test_sarif_of_paths(self):
        """From the current folder, however the model is named; elsewhere, an address."""
        place = lambda path: self.sarif(path)[0]["locations"][0]["physicalLocation"]["artifactLocation"]
        (self.at / "a b").mkdir()
        (self.at / "a b" / "m.gltf").write_text((self.at / "model.gltf").read_text())
        for path in ("a b/m.gltf", "./a b/m.gltf", self.at.resolve() / "a b" / "m.gltf"):
            self.assertEqual(place(path), {"uri": "a%20b/m.gltf", "uriBaseId": "%SRCROOT%"})
        with tempfile.TemporaryDirectory() as other:
            path = pathlib.Path(other, "m.gltf")
            path.write_text((self.at / "model.gltf").read_text())
            if not IS_WINDOWS:
                self.assertEqual(place(path), {"uri": f"file://{path}"})

    def test_sarif_fingerprints(self):
        """The same whatever else is found and however deep it is; another one for other parts or files."""
        prints = lambda *words: {json.dumps(result["partialFingerprints"]) for result in self.sarif(*words)}
        (self.at / "three.gltf").write_text(gltf({"body": (0, 0, 0), "suit": (1.5, 0.25, 0.125), "hat": (-1.5, 0.5, 0.25)}, {}))
        alone, all_of_them = prints("three.gltf", "--exclude", "hat"), prints("three.gltf")
        self.assertEqual((len(alone), len(all_of_them)), (1, 2))
        self.assertLess(alone, all_of_them)
        (self.at / "three.gltf").write_text(gltf({"body": (0, 0, 0), "suit": (1.6, 0.25, 0.125), "hat": (0, 9, 0)}, {}))
        self.assertEqual(prints("three.gltf"), alone)
        self.assertEqual(prints(self.at.resolve() / "three.gltf"), alone)
        self.assertFalse(prints("model.gltf") & alone)
        self.assertTrue(all(set(json.loads(text)) == {"partsOfFile/v1", "primaryLocationLineHash"} for text in all_of_them))

    def test_index(self):
        ran = self.run_it("check", "models", "--html", "out.html")
        if "no page in it" in ran.stderr:
            self.skipTest("this build has no page")
        page = Page((self.at / "out.html").read_text())
        self.assertEqual(page.links, ["out_files/1-a.html", "out_files/2-b.html", "out_files/5-link.html"])
        self.assertEqual(page.classes, ["found", "unread", "unread", "clean", "clean"], "worst first")
        self.assertRegex(page.text, r"in models/\s+Show\s+All 5\s+With findings 1\s+Could not be read 2\s+Clean 2\s")
        self.assertRegex(page.text, r"a.gltf\s+[\d.]+ m?m deep, penetrating, 1 finding\s+body with suit at slide \d+ ")
        self.assertRegex(page.text, r"broken.glb\s+deep/\s+could not be read\s")
        name, link = ("js a b#50%.html", "js%20a%20b%2350%25") if IS_WINDOWS else ("js:a b#50%?.html", "js%3Aa%20b%2350%25%3F")
        self.run_it("check", "models", "--html", name)
        links = Page((self.at / name).read_text()).links
        self.assertEqual(links[0], f"{link}_files/1-a.html")
        self.assertTrue((self.at / urllib.parse.unquote(links[0])).exists())
        for link in page.links:
            self.assertIn("</html>", (self.at / link).read_text()[-200:])
        self.assertNotIn("script", page.tags)
        for image in page.images:
            picture = base64.b64decode(image.removeprefix("data:image/png;base64,"), validate=True)
            self.assertTrue(picture.startswith(b"\x89PNG"))
            self.assertEqual(picture[25], 6, "colors and what covers the page, so that it fits a dark one")
        self.assertIn("5 files: 1 with findings, 2 could not be read", page.text)

    def test_index_order(self):
        """Worst first: the deepest, in whatever order files are given."""
        depths = {"a": 0.25, "b": 0.75, "c": 0.5, "d": 0}
        for name, depth in depths.items():
            (self.at / f"{name}.gltf").write_text(gltf({"body": (0, 0, 0), "suit": (2 - depth if depth else 5, 0.125, 0.25)}, {}))
        ran = self.run_it("check", *(f"{name}.gltf" for name in depths), "--no-self", "--html", "order.html")
        if "no page in it" in ran.stderr:
            self.skipTest("this build has no page")
        page = Page((self.at / "order.html").read_text())
        self.assertEqual([link[-6] for link in page.links], ["b", "c", "a", "d"])
        self.assertEqual(re.findall(r"(\d+) mm deep", page.text), ["750", "500", "250"])
        self.assertNotIn("could not be read", page.text)

    def test_interrupt(self):
        (self.at / "models" / "b2.gltf").write_text(endless())
        process = subprocess.Popen([PLIANT, "check", "models", "--json", "r.json"], cwd=self.at, stdout=subprocess.PIPE)
        time.sleep(1.5 * SLOWNESS)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20 * SLOWNESS)
        self.assertEqual(process.returncode, INTERRUPTED)
        files = json.loads((self.at / "r.json").read_text())["files"]
        self.assertEqual([file.get("error") or file.get("incomplete") for file in files],
                         [None, None, "interrupted"] + ["not checked: interrupted"] * 3)


class Names(Case):
    """Names out of files are text, wherever they are written."""
    EVIL = ["<img src=x onerror=alert(1)>", "\x1b]0;owned\x07\x1b[2J", "=HYPERLINK(\"http://x\")", "../../etc/passwd",
            "]]><x/>&lt;", "[click](http://x)", "+1", "@SUM(A1)", "a\u202eb", "{0}", "\x9b2J", "-2+3"]

    def setUp(self):
        super().setUp()
        nodes = {name: (0.1 * i, 0.2 * i, 0.05 * i) for i, name in enumerate(self.EVIL)}
        folder = self.at / ("'& #1" if IS_WINDOWS else "<b>'&\" #1")
        folder.mkdir()
        self.file = folder / "=x ..%2e.gltf"
        self.file.write_text(gltf(nodes, {"<script>": (self.EVIL[0], [(0, (0, 0, 0)), (0.1, (0.1, 0, 0))])}))
        (self.at / "other.obj").write_text(CUBE)
        kinds = ("json", "csv", "junit", "sarif", "faces")
        self.ran = self.run_it("check", f"{folder.name}/{self.file.name}", "other.obj", "--no-self",
                               *(word for kind in kinds for word in (f"--{kind}", f"r.{kind}")))
        self.assertEqual(self.ran.returncode, 1, self.ran.stderr)

    def test_table(self):
        one = self.run_it("check", self.file, "--no-self").stdout
        self.assertNotRegex(self.ran.stdout + one + self.ran.stderr, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")

    def test_csv(self):
        text = (self.at / "r.csv").read_text()
        cells = {cell for row in csv.reader(text.splitlines()[1:]) for cell in row[:3]}
        self.assertTrue(any(cell.startswith("'=HYPERLINK") for cell in cells))
        for cell in cells:
            self.assertNotRegex(cell, r"\A[=+\-@\t\r]")

    def test_junit(self):
        root = xml.etree.ElementTree.parse(self.at / "r.junit").getroot()
        self.assertEqual({element.tag for element in root.iter()}, {"testsuites", "testsuite", "testcase", "failure"})
        self.assertNotRegex((self.at / "r.junit").read_text(), "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        self.assertTrue(any("<img src=x" in case.get("name") for case in root.iter("testcase")))

    def test_sarif(self):
        text = (self.at / "r.sarif").read_text()
        self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        run = json.loads(text)["runs"][0]
        for result in run["results"]:
            self.assertNotRegex(result["message"]["text"], r"(?<!\\)[\[\]]|(?<!\{)\{[0-9]")
            uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            self.assertNotRegex(uri, "[<>\"'& #]")
            self.assertEqual(urllib.parse.unquote(uri), f"{self.file.parent.name}/{self.file.name}")

    def test_json(self):
        names = [part["name"] for part in json.loads((self.at / "r.json").read_text())["files"][0]["parts"]]
        self.assertEqual(names, self.EVIL)

    def test_index(self):
        ran = self.run_it("check", self.file, "other.obj", "--no-self", "--html", "i.html")
        if "no page in it" in ran.stderr:
            self.skipTest("this build has no page")
        page = Page((self.at / "i.html").read_text())
        self.assertEqual(page.tags - {"a", "bdi", "img"}, {"html", "head", "meta", "title", "style", "body", "main", "h1", "ul", "li",
                                                           "div", "h2", "p", "strong", "fieldset", "legend", "label", "input"})
        self.assertTrue(all(image.startswith("data:image/png;base64,") for image in page.images))
        self.assertEqual(page.links, ["i_files/1-_x_.html", "i_files/2-other.html"])
        self.assertEqual(sorted(path.name for path in self.at.iterdir() if path.name.startswith("i")), ["i.html", "i_files"])
        self.assertEqual(len(list((self.at / "i_files").iterdir())), 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
