"""Many models: lists, shards of a list, lines that a killed run goes on from, their merge, and the cache.

usage: test_fleet.py PLIANT MAN-PAGE
"""
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

from test_command import APART, BOX, PLIANT, SLIDE, Case, gltf
from test_limits import endless

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "fleet"))
import make_fleet  # noqa: E402

make_fleet.RINGS, make_fleet.SIDES, make_fleet.FRAMES = 5, 8, 7

KINDS = ("json", "csv", "csv-frames", "junit", "sarif", "faces")
COUNT = 24


class Fleet(Case):
    def setUp(self):
        super().setUp()
        names = [make_fleet.write_model(self.at, number) for number in range(41, 41 + COUNT)]  # number 50 cannot be read
        self.files = names[:5] + ["nothing.glb", names[2]] + names[5:]  # nor this one; and one is there twice
        self.write_list(self.files)
        self.whole = self.run_it("check", "--list", "files.txt", *(word for kind in KINDS for word in (f"--{kind}", f"one.{kind}")))

    def write_list(self, files, end="\n"):
        (self.at / "files.txt").write_bytes(end.join(files).encode())

    def lines(self, *words, name="a.jsonl", code=3, **more):
        return self.expect(code, "check", "--list", "files.txt", "--lines", name, *words, **more)

    def same_as_one_run(self, *files):
        merged = self.run_it("merge", *files, *(word for kind in KINDS for word in (f"--{kind}", f"all.{kind}")))
        self.assertEqual((merged.returncode, merged.stdout, merged.stderr), (3, self.whole.stdout, ""))
        for kind in KINDS:
            self.assertEqual((self.at / f"all.{kind}").read_bytes(), (self.at / f"one.{kind}").read_bytes(), kind)


class Lists(Fleet):
    def test_list(self):
        self.assertEqual(self.whole.returncode, 3)
        self.assertEqual([file["file"] for file in json.loads((self.at / "one.json").read_text())["files"]], self.files)
        self.write_list(["", *self.files, ""], end="\r\n")
        self.assertEqual(self.run_it("check", "--list", "files.txt", "--json", "-").stdout, (self.at / "one.json").read_text())

    def test_refused(self):
        self.expect(3, "check", "--list", "no.txt", err="no.txt: No such file")
        self.expect(2, "check", err="check needs FILE")
        self.expect(2, "check", "--list", "files.txt", "--shard", "1/2", err="--shard of several models needs --lines")
        self.write_list([])
        self.expect(3, "check", "--list", "files.txt", err="files.txt: it names no models")

    def test_names_are_not_expanded(self):
        (self.at / "folder").mkdir()
        self.write_list(["folder", "*.gltf"])
        files = json.loads(self.run_it("check", "--list", "files.txt", "--json", "-").stdout)["files"]
        self.assertEqual([file["file"] for file in files], ["folder", "*.gltf"])
        self.assertTrue(all("error" in file for file in files))


class Lines(Fleet):
    def test_shards_are_one_run(self):
        for count in (1, 3, 40):  # the last: more shards than models
            names = [f"{count}-{i}.jsonl" for i in range(1, count + 1)]
            for i, name in enumerate(names):
                self.run_it("check", "--list", "files.txt", "--lines", name, "--shard", f"{i + 1}/{count}", "--jobs", i % 3)
                numbers = [json.loads(line)["number"] for line in (self.at / name).read_text().splitlines()]
                self.assertEqual(numbers, list(range(i + 1, len(self.files) + 1, count)))
            self.same_as_one_run(*reversed(names))

    def test_exit_is_the_worst(self):
        codes = [self.run_it("check", "--list", "files.txt", "--lines", f"{i}.jsonl", "--shard", f"{i}/26").returncode for i in range(1, 27)]
        self.assertEqual(set(codes), {0, 1, 3})
        lines = [json.loads((self.at / f"{i}.jsonl").read_text()) for i in range(1, 27)]
        self.assertEqual([line["exit"] for line in lines], codes)
        self.assertIn("No such file", lines[5]["report"]["error"])

    def test_other_files_of_one_run(self):
        ran = self.lines(*(word for kind in KINDS for word in (f"--{kind}", f"all.{kind}")), out="26 models: ")
        self.assertNotIn("verdict", ran.stdout)
        for kind in KINDS:
            self.assertEqual((self.at / f"all.{kind}").read_bytes(), (self.at / f"one.{kind}").read_bytes(), kind)
        self.lines("--json", "x", "--shard", "1/2", name="b.jsonl", code=2, err="pliant merge makes other files")
        self.lines("--html", "x", name="b.jsonl", code=2, err="--html")

    def test_stdout(self):
        self.lines()
        ran = self.run_it("check", "--list", "files.txt", "--lines", "-")
        self.assertEqual(ran.stdout, (self.at / "a.jsonl").read_text())

    def test_operands(self):
        self.expect(1, "check", "model.gltf", "still.gltf", "--lines", "a.jsonl", out="2 models: 1 with findings, 1 clean.")
        self.run_it("check", "model.gltf", "still.gltf", "--json", "one.json")
        self.assertEqual(self.run_it("merge", "a.jsonl", "--json", "-").stdout, (self.at / "one.json").read_text())

    def test_nothing_of_the_machine(self):
        self.lines("--jobs", "1", "--time-limit", "500", "--quiet")
        self.lines("--jobs", "3", "--memory-limit", "4G", name="b.jsonl")
        self.assertEqual((self.at / "a.jsonl").read_bytes(), (self.at / "b.jsonl").read_bytes())

    def test_unwritable(self):
        self.lines(name="no/a.jsonl", code=4, err="cannot be written")
        if os.path.exists("/dev/full"):
            self.lines(name="/dev/full", code=4, err="/dev/full: cannot be written: No space left")


class Killed(Fleet):
    def setUp(self):
        super().setUp()
        self.lines(name="whole.jsonl")
        self.bytes = (self.at / "whole.jsonl").read_bytes()

    def goes_on(self):
        lines = (self.at / "a.jsonl").read_bytes().split(b"\n")[:-1]
        before = sum(json.loads(line)["exit"] < 2 for line in lines)
        self.lines(out=f"26 models, {before} of them done before: " if before else "26 models: ")
        self.assertEqual((self.at / "a.jsonl").read_bytes(), self.bytes)

    def kill(self, least):
        """By SIGKILL, once there are so many lines. Was it still running?"""
        process = subprocess.Popen([PLIANT, "check", "--list", "files.txt", "--lines", "a.jsonl", "--quiet", "--jobs", "1"], cwd=self.at)
        path = self.at / "a.jsonl"
        while process.poll() is None and (not path.exists() or path.read_bytes().count(b"\n") < least):
            time.sleep(0.001)
        process.kill()
        self.assertTrue(self.bytes.startswith(path.read_bytes()))
        return process.wait() == -signal.SIGKILL

    def test_kill_anywhere(self):
        for least in range(3, 27, 6):
            self.kill(least)
        self.goes_on()
        self.same_as_one_run("a.jsonl")

    def test_kill_in_the_middle(self):
        """Within a model: one that is a pipe which nobody writes to."""
        path = self.at / self.files[9]
        model = path.read_bytes()
        path.unlink()
        os.mkfifo(path)
        self.assertTrue(self.kill(9))
        self.assertEqual((self.at / "a.jsonl").read_bytes().count(b"\n"), 9)
        path.unlink()
        path.write_bytes(model)
        self.goes_on()
        self.same_as_one_run("a.jsonl")

    def test_torn(self):
        ends = [i + 1 for i, byte in enumerate(self.bytes) if byte == 10]
        for size in (0, 1, 25, ends[0] - 1, ends[0], ends[0] + 1, ends[4] - 7, ends[24] + 300, ends[25] - 1):
            (self.at / "a.jsonl").write_bytes(self.bytes[:size])
            self.goes_on()

    def test_what_is_there_is_not_done_again(self):
        (self.at / "a.jsonl").write_bytes(self.bytes)
        broken = {line["report"]["file"] for line in map(json.loads, self.bytes.splitlines()) if line["exit"] == 3}
        for name in set(self.files) - broken:
            (self.at / name).unlink()
        self.goes_on()

    def test_what_could_not_be_read_is_tried_again(self):
        (self.at / "a.jsonl").write_bytes(self.bytes)
        shutil.copy(self.at / self.files[0], self.at / "nothing.glb")
        self.lines(out="26 models, 24 of them done before: ")
        text = (self.at / "a.jsonl").read_bytes()
        self.assertTrue(text.startswith(self.bytes))
        line = json.loads(text[len(self.bytes):])
        self.assertEqual((line["number"], line["exit"], line["report"]["file"]), (6, 1, "nothing.glb"))

    def test_limits_are_tried_again(self):
        lines = self.bytes.replace(b'"exit": 1', b'"exit": 4', 1)
        (self.at / "a.jsonl").write_bytes(lines)
        self.lines(out="23 of them done before")
        self.assertEqual((self.at / "a.jsonl").read_bytes(), lines + next(line for line in self.bytes.splitlines(True) if b'"exit": 1' in line))
        self.same_as_one_run("a.jsonl")  # the later line counts

    def test_interrupt(self):
        (self.at / "endless.gltf").write_text(endless())
        self.write_list(["still.gltf", "endless.gltf", "model.gltf"])
        for number in (signal.SIGTERM, signal.SIGINT):
            process = subprocess.Popen([PLIANT, "check", "--list", "files.txt", "--lines", "a.jsonl"], cwd=self.at, stderr=subprocess.PIPE, text=True)
            time.sleep(1)
            process.send_signal(number)
            self.assertIn("interrupted with 1 models done: the same call goes on", process.communicate(timeout=20)[1])
            self.assertEqual(process.returncode, -number)
            self.assertEqual((self.at / "a.jsonl").read_text().count("\n"), 1)

    def test_refused(self):
        for was, now, what in ((rb'"version": "', rb'"version": "9', "line 1 is of another version"),
                               (rb'"number": 1,', rb'"number": 27,', "line 1: number"),
                               (rb'"report": {', rb'"report": 3, "x": {', "line 1: report"), (rb'{"line"', rb'{{"line"', "line 1: ")):
            (self.at / "a.jsonl").write_bytes(self.bytes.replace(was, now, 1))
            self.lines(code=2, err=what)
        (self.at / "a.jsonl").write_bytes(self.bytes)
        self.lines("--no-self", code=2, err="a.jsonl: line 1 is of other options")
        (self.at / "pliant.conf").write_text("max-pairs 3\n")
        self.lines(code=2, err="of other options")
        (self.at / "pliant.conf").unlink()
        self.write_list(self.files[::-1])
        self.lines(code=2, err="of another list of files")
        self.assertEqual((self.at / "a.jsonl").read_bytes(), self.bytes)
        for text in (b"mine", b"mine\n", b"{}\n", b"\n"):
            (self.at / "a.jsonl").write_bytes(text)
            self.lines(code=2, err="a.jsonl: ")
            self.assertEqual((self.at / "a.jsonl").read_bytes(), text)


class Merge(Fleet):
    def setUp(self):
        super().setUp()
        for i in (1, 2, 3):
            self.run_it("check", "--list", "files.txt", "--lines", f"{i}.jsonl", "--shard", f"{i}/3")

    def test_refused(self):
        self.expect(3, "merge", "1.jsonl", "3.jsonl", err="9 of 26 models have no line, the first is number 2")
        self.run_it("check", "--list", "files.txt", "--lines", "2.jsonl", "--shard", "2/3", "--no-self")
        self.run_it("check", "--list", "files.txt", "--lines", "other.jsonl", "--shard", "2/3", "--no-self")
        self.expect(3, "merge", "1.jsonl", "other.jsonl", "3.jsonl", err="other.jsonl: line 1 is of other options")
        self.expect(3, "merge", "1.jsonl", "one.json", err="one.json: ")
        self.expect(3, "merge", "1.jsonl", "no.jsonl", err="no.jsonl: No such file")

    def test_cut_short(self):
        text = (self.at / "2.jsonl").read_bytes()
        (self.at / "2.jsonl").write_bytes(text[:-9])
        self.expect(3, "merge", "1.jsonl", "2.jsonl", "3.jsonl", err="1 of 26 models have no line")

    def test_twice_is_once(self):
        self.same_as_one_run("1.jsonl", "2.jsonl", "3.jsonl", "2.jsonl")


class Cache(Case):
    def entries(self):
        return sorted(path for path in (self.at / "kept").rglob("*") if path.is_file()) if (self.at / "kept").exists() else []

    def check(self, *words):
        return json.loads(self.run_it("check", *words, "--cache", "kept", "--json", "-").stdout)

    def mark(self, path, was=b'"name": "suit"', now=b'"name": "mark"'):
        """Changes an entry so that it is seen where it is used; its hash is made anew."""
        body = path.read_bytes().split(b"\n", 1)[1].replace(was, now)
        path.write_bytes(b"pliant-cache/1 " + hashlib.blake2b(body, digest_size=32).hexdigest().encode() + b"\n" + body)

    def is_hit(self, *words):
        """Does it come out of the cache, where all entries are marked?"""
        return any(part["name"] == "mark" for part in self.check(*words)["parts"])

    def test_hit(self):
        whole = self.report()
        self.assertEqual([self.check("model.gltf"), self.check("model.gltf")], [whole, whole])
        self.assertEqual(len(self.entries()), 1)
        self.assertEqual(self.expect(1, "check", "model.gltf").stdout, self.expect(1, "check", "model.gltf", "--cache", "kept").stdout)
        self.mark(self.entries()[0])
        self.assertTrue(self.is_hit("model.gltf", "--jobs", "1", "--time-limit", "9", "--no-config"))
        self.assertTrue(self.is_hit("--no-config", "model.gltf"))

    def test_names(self):
        self.check("model.gltf")
        self.mark(self.entries()[0])
        (self.at / "deep").mkdir()
        shutil.copy(self.at / "model.gltf", self.at / "deep" / "other.gltf")
        report = self.check("deep/other.gltf")
        self.assertEqual((report["file"], report["parts"][1]["name"]), ("deep/other.gltf", "mark"))
        shutil.copy(self.at / "model.gltf", self.at / "model.vrm")
        self.assertFalse(self.is_hit("model.vrm"))

    def test_other_question(self):
        self.check("model.gltf")
        self.mark(self.entries()[0])
        (self.at / "before.json").write_text(json.dumps(self.report()))
        for words in (["--no-self"], ["--frames", "0:3"], ["--max-depth", "5mm"], ["--unit", "cm"], ["--shard", "1/2"],
                      ["--baseline", "rest"], ["--baseline", "before.json"], ["--allow", "body:suit"], ["--parts", "body", "--parts", "suit"]):
            self.assertFalse(self.is_hit("model.gltf", *words), words)
        (self.at / "pliant.conf").write_text("\nmax-pairs 3\n")
        self.assertFalse(self.is_hit("model.gltf"))
        for path in self.entries():
            self.mark(path)
        self.assertTrue(self.is_hit("model.gltf"))
        (self.at / "pliant.conf").write_text("max-pairs 3\n")  # reports name the line
        self.assertFalse(self.is_hit("model.gltf", "--allow", "body:body"))
        (self.at / "pliant.conf").unlink()
        self.assertTrue(self.is_hit("model.gltf", "--baseline", "before.json"))
        (self.at / "before.json").write_text(json.dumps(self.report("--no-self")))
        self.assertFalse(self.is_hit("model.gltf", "--baseline", "before.json"))

    def test_damaged(self):
        whole = self.check("model.gltf")
        path, = self.entries()
        good = path.read_bytes()
        for bad in (b"", b"x", good[:40], good[:-1], good.replace(b"suit", b"mark"), good.replace(b"cache/1", b"cache/2"), good + b"x"):
            path.write_bytes(bad)
            self.assertEqual(self.check("model.gltf"), whole)
            self.assertEqual(path.read_bytes(), good)
        key = good.split(b"\n")[1]
        self.mark(path, key, key[::-1])  # of another model, under this name
        self.assertEqual(self.check("model.gltf"), whole)
        self.mark(path, b'"parts"', b'"farts"')  # whole, but no report
        self.assertEqual(self.check("model.gltf"), whole)
        self.assertEqual(path.read_bytes(), good)

    def test_files_that_are_referred_to(self):
        make_fleet.write_model(self.at, 53)
        model, buffer = self.at / "05" / "model-00053.gltf", self.at / "05" / "model-00053.bin"
        whole = self.check("05/model-00053.gltf")
        self.mark(self.entries()[0], b'"name": "hand"', b'"name": "mark"')
        self.assertTrue(self.is_hit("05/model-00053.gltf"))
        shutil.copytree(self.at / "05", self.at / "moved")
        self.assertTrue(self.is_hit("moved/model-00053.gltf"))
        good = buffer.read_bytes()
        buffer.write_bytes(good[:-1] + b"\1")
        self.assertFalse(self.is_hit("05/model-00053.gltf"))
        buffer.unlink()
        self.assertIn("error", self.check("05/model-00053.gltf", "no.glb")["files"][0])
        buffer.write_bytes(good)
        self.assertEqual(self.check("05/model-00053.gltf"), whole)
        here = subprocess.run([PLIANT, "check", model.name, "--cache", "../kept", "-q"], cwd=self.at / "05")
        self.assertEqual((here.returncode, len(self.entries())), (1, 1))

    def test_caches_of_vertices(self):
        header = b"POINTCACHE2\0" + (1).to_bytes(4, "little") + (8).to_bytes(4, "little") + b"\0\0\0\0\0\0\x80?" + (1).to_bytes(4, "little")
        for name in ("box", "other"):
            (self.at / f"{name}.obj").write_text(BOX)
            (self.at / f"{name}.pc2").write_bytes(header + b"\0" * 96)
        first = self.check("box.pc2")
        self.assertEqual(len(self.entries()), 1)
        self.check("other.pc2")  # goes with another mesh
        self.assertEqual(len(self.entries()), 2)
        (self.at / "box.obj").write_text(BOX.replace("f 1 2 4 3", "f 1 2 4"))
        self.assertNotEqual(self.check("box.pc2")["parts"], first["parts"])

    def test_not_kept(self):
        (self.at / "broken.glb").write_text("glTF?")
        (self.at / "endless.gltf").write_text(endless())
        for i in (1, 2):
            (self.at / f"seq{i}.obj").write_text(BOX)
        for words in (["broken.glb"], ["endless.gltf", "--time-limit", "0.3"], ["seq#.obj"], ["no.glb"]):
            self.run_it("check", *words, "--cache", "kept")
            self.assertEqual(self.entries(), [], words)

    def test_folder(self):
        self.expect(2, "check", "model.gltf", "--cache", "model.gltf", err="model.gltf: cannot be written")
        self.expect(2, "check", "model.gltf", "--cache", "no/kept", err="no/kept: cannot be written")
        self.check("model.gltf")
        path, = self.entries()
        self.mark(path)
        ran = self.run_it("check", "model.gltf", "--cache", "kept", "--html", "x.html")  # which needs the model
        self.assertNotIn("mark", ran.stdout)
        shutil.rmtree(path.parent)
        path.parent.write_text("in the way")
        self.expect(1, "check", "model.gltf", "--cache", "kept", out="penetrating", err="cannot be written")
        self.expect(1, "check", "model.gltf", "--lines", "a.jsonl", "--cache", "kept", out="1 models: 1 with", err="cannot be written")

    def test_two_at_once(self):
        names = [make_fleet.write_model(self.at, number) for number in range(1, 13)]
        words = [PLIANT, "check", *names, "--jobs", "1", "--cache", "kept", "--json"]
        processes = [subprocess.Popen([*words, f"{i}.json", "-q"], cwd=self.at) for i in range(3)]
        self.assertEqual([process.wait() for process in processes], [1] * 3)
        self.assertEqual(len({(self.at / f"{i}.json").read_bytes() for i in range(3)}), 1)
        self.assertEqual(len(self.entries()), 12)

    def test_lines(self):
        (self.at / "files.txt").write_text("model.gltf\nstill.gltf\nworn.gltf\nno.glb\n")
        for name in ("a", "b"):
            self.expect(3, "check", "--list", "files.txt", "--lines", f"{name}.jsonl", "--cache", "kept", out="4 models: 2 with")
        self.assertEqual((self.at / "a.jsonl").read_bytes(), (self.at / "b.jsonl").read_bytes())
        self.assertEqual(len(self.entries()), 3)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
