"""Files that are small and ask for much: what is degenerate is named, and time and memory are limited.

usage: test_limits.py PLIANT MAN-PAGE
"""
import base64
import json
import random
import resource
import signal
import struct
import subprocess
import sys
import time
import unittest

from test_command import INTERRUPTED, IS_WINDOWS, PLIANT, SLOWNESS, Case


def file_of(primitives=1, nodes=1, accessor=None, blob=b"", **more):
    """Nodes 'suit' of a mesh of primitives that all have one accessor."""
    root = {"asset": {"version": "2.0"}, "nodes": [{"mesh": 0, "name": "suit"}] * nodes,
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}] * primitives}],
            "accessors": [{"componentType": 5126, "type": "VEC3", **accessor}], **more}
    if blob:
        root["buffers"] = [{"byteLength": len(blob),
                            "uri": "data:application/octet-stream;base64," + base64.b64encode(blob).decode()}]
    return json.dumps(root)


def soup(triangles, **more):
    """Triangles anywhere in a box."""
    numbers = random.Random(1)
    blob = struct.pack(f"<{9 * triangles}f", *(numbers.random() for _ in range(9 * triangles)))
    return file_of(accessor={"bufferView": 0, "count": 3 * triangles}, blob=blob,
                   bufferViews=[{"buffer": 0, "byteLength": len(blob)}], **more)


def sparse(count):
    """All vertices at the origin but one."""
    blob = struct.pack("<I3f", 5, 1, 2, 3)
    values = {"count": 1, "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 1}}
    return file_of(accessor={"count": count, "sparse": values}, blob=blob,
                   bufferViews=[{"buffer": 0, "byteLength": 4}, {"buffer": 0, "byteOffset": 4, "byteLength": 12}])


def endless():
    """Three triangles that move for months."""
    model = json.loads(soup(3))
    model["accessors"] += [{"componentType": 5126, "type": "SCALAR", "count": 2, "sparse": {
        "count": 1, "indices": {"bufferView": 1, "componentType": 5125}, "values": {"bufferView": 2}}},
        {"componentType": 5126, "type": "VEC3", "count": 2}]
    model["buffers"].append({"byteLength": 8, "uri": "data:application/octet-stream;base64," +
                             base64.b64encode(struct.pack("<If", 1, 1e7)).decode()})
    model["bufferViews"] += [{"buffer": 1, "byteLength": 4}, {"buffer": 1, "byteOffset": 4, "byteLength": 4}]
    model["animations"] = [{"name": "drift", "samplers": [{"input": 1, "output": 2}],
                            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}]
    return json.dumps(model)


class Limits(Case):
    @staticmethod
    def processor_seconds():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def quick(self, code, *words, seconds=5, **more):
        """By the processor; by the clock at most four times as long, as other programs may run. Not where programs are emulated."""
        before, began = self.processor_seconds(), time.monotonic()
        ran = self.expect(code, *words, **more)
        self.assertLess(self.processor_seconds() - before, seconds * SLOWNESS)
        if SLOWNESS == 1:
            self.assertLess(time.monotonic() - began, 4 * seconds)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 2 << 20)  # kB
        return ran

    def test_all_vertices_in_one_place(self):
        for name, text in (("many", file_of(accessor={"count": 90000})), ("more", file_of(accessor={"count": 3000000})),
                           ("primitives", file_of(3000, accessor={"count": 90000})),
                           ("nodes", file_of(1, 300, accessor={"count": 90000}))):
            (self.at / "x.gltf").write_text(text)
            for words in (["check"], ["check", "--no-weld"], ["check", "--by", "material"], ["inspect"]):
                with self.subTest(name=name, words=words):
                    self.quick(3, *words, "x.gltf", err="no triangles to check: all vertices of 'suit' are in one place")

    def test_points_are_dropped(self):
        (self.at / "x.gltf").write_text(sparse(300000))
        for words in ([], ["--no-weld"]):
            self.quick(0, "check", "x.gltf", *words, err="note: 99999 of 100000 triangles of 'suit' are single points")
        (self.at / "x.obj").write_text("v 0 0 0\nv 0 0 0\nv 0 0 0\nv 1 0 0\nv 0 1 0\no one\nf 1 2 3\no two\nf 3 4 5\n")
        for words in ([], ["--no-weld"]):
            ran = self.run_it("check", "x.obj", *words, "--json", "-")
            self.assertIn("note: all vertices of 'one' are in one place: it is left out", ran.stderr)
            self.assertEqual([part["name"] for part in json.loads(ran.stdout)["parts"]], ["two"])

    def test_what_a_byte_becomes(self):
        (self.at / "x.gltf").write_text(sparse(3000000))
        self.quick(3, "inspect", "x.gltf", err="asks for more memory than it may have: --memory-limit")
        self.quick(0, "check", "x.gltf", "--memory-limit", "1G", err="note: 999999 of 1000000 triangles")

    @unittest.skipIf(IS_WINDOWS, "memory has no limit there")
    def test_memory(self):
        (self.at / "parts.gltf").write_text(soup(1, nodes=30000))
        self.quick(4, "check", "parts.gltf", err="memory left of ")
        (self.at / "copies.gltf").write_text(soup(20, nodes=1000))
        self.quick(4, "check", "copies.gltf", "--memory-limit", "300M", err="memory left of 300 MB: --memory-limit")

    def test_time(self):
        (self.at / "copies.gltf").write_text(soup(20, nodes=1000))
        ran = self.run_it("check", "copies.gltf", "--time-limit", "0.5", "--json", "x.json")
        self.assertIn(ran.returncode, (1, 4))  # what was found so far counts, if there is any
        self.assertIn("incomplete: 0 of 1 frames were tested (the time limit of 0.5 s was reached).", ran.stdout)
        self.assertEqual(json.loads((self.at / "x.json").read_text())["incomplete"], "the time limit of 0.5 s was reached")
        for value in ("0", "8T", "1.5G", "-1", "M"):
            self.expect(2, "check", "copies.gltf", f"--memory-limit={value}", err="is not a size as 500M or 8G")

    def test_interrupt(self):
        (self.at / "x.gltf").write_text(endless())
        for number in (signal.SIGINT,) if IS_WINDOWS else (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # 128 and these in a shell
            process = subprocess.Popen([PLIANT, "check", "x.gltf", "--json", "r.json", "--junit", "r.xml", "--shard", "1/2"],
                                       cwd=self.at, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(0.7 * SLOWNESS)
            process.send_signal(number)
            out, err = process.communicate(timeout=20 * SLOWNESS)
            self.assertEqual((process.returncode, err), (INTERRUPTED if number == signal.SIGINT else -number, ""))
            self.assertRegex(out, r"incomplete: \d+ of 300000002 frames were tested \(interrupted\)\.")
            self.assertIn('errors="1"', (self.at / "r.xml").read_text())
            report = json.loads((self.at / "r.json").read_text())
            self.assertEqual(report["incomplete"], "interrupted")
            self.assertTrue(0 < report["tested_count"] < report["sample_count"] // 2)
            self.expect(0, "diff", "r.json", "r.json")
            self.expect(3, "merge", "r.json", err="shard 1 is incomplete: interrupted")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
