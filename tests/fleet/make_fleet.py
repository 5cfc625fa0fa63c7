"""A fleet of small models: two balls of 960 triangles each, which breathe, and one of them moves; no two are the same.

usage: make_fleet.py FOLDER COUNT

Writes the models, and FOLDER/files.txt, which names them: .glb, .gltf with a .bin beside it, and .obj. In most of them the
balls are apart, in one of four they intersect. One of a hundred is cut short, and cannot be read.
"""
import json
import math
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from gltf_data import GltfData  # noqa: E402

RINGS, SIDES, FRAMES = 16, 32, 49


def ball(radius):
    """Vertices and triangles of a closed ball, to the same floats each time."""
    points = [(0, 0, radius)]
    for ring in range(1, RINGS):
        angle = math.pi * ring / RINGS
        points += [(radius * math.sin(angle) * math.cos(2 * math.pi * side / SIDES),
                    radius * math.sin(angle) * math.sin(2 * math.pi * side / SIDES), radius * math.cos(angle)) for side in range(SIDES)]
    points.append((0, 0, -radius))

    def at(ring, side):
        return 0 if ring == 0 else len(points) - 1 if ring == RINGS else 1 + (ring - 1) * SIDES + side % SIDES
    faces = []
    for ring in range(RINGS):
        for side in range(SIDES):
            a, b, c, d = at(ring, side), at(ring + 1, side), at(ring + 1, side + 1), at(ring, side + 1)
            faces += [face for face in ((a, b, c), (a, c, d)) if len(set(face)) == 3]
    return points, faces


def gltf(number, points, faces, gap):
    """The JSON and the bytes of a model: the second ball comes near, up to `gap` between the centers, and goes again."""
    data = GltfData()
    add = data.add
    least, most = ([function(point[k] for point in points) for k in range(3)] for function in (min, max))
    positions = add([c for point in points for c in point], "f", "VEC3", 5126, min=least, max=most)
    waves = [(0.04 * p[0] * math.cos(3 * p[2]), 0.04 * p[1] * math.cos(3 * p[2]), 0) for p in points]
    target = add([c for wave in waves for c in wave], "f", "VEC3", 5126, min=[min(wave[k] for wave in waves) for k in range(3)],
                 max=[max(wave[k] for wave in waves) for k in range(3)])
    indices = add([i for face in faces for i in face], "H", "SCALAR", 5123)
    times = [frame / 24 for frame in range(FRAMES)]
    far = [gap + abs(frame - FRAMES // 2) * 0.015 for frame in range(FRAMES)]
    clip = {"input": add(times, "f", "SCALAR", 5126, min=[0], max=[times[-1]]),
            "output": add([c for x in far for c in (x, 0.1, 0.01 * number % 0.3)], "f", "VEC3", 5126)}
    breath = {"input": clip["input"], "output": add([abs(math.sin(frame / 7)) for frame in range(FRAMES)], "f", "SCALAR", 5126)}
    return {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
            "nodes": [{"name": f"body {number}", "mesh": 0}, {"name": "hand", "mesh": 0, "translation": [9, 0, 0]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": positions}, "indices": indices, "targets": [{"POSITION": target}]}]}],
            "animations": [{"name": "reach", "samplers": [clip, breath],
                            "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}] +
                            [{"sampler": 1, "target": {"node": node, "path": "weights"}} for node in (0, 1)]}],
            **data.members()}, data.blob


def glb(root, blob):
    text = json.dumps(root).encode()
    text += b" " * (-len(text) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(blob)) + struct.pack("<I4s", len(text), b"JSON") + text +
            struct.pack("<I4s", len(blob), b"BIN\0") + blob)


def obj(points, faces, gap):
    text = ""
    for name, x, first in (("body", 0, 1), ("hand", gap, 1 + len(points))):
        text += f"o {name}\n" + "".join(f"v {p[0] + x:.6f} {p[1]:.6f} {p[2]:.6f}\n" for p in points)
        text += "".join(f"f {a + first} {b + first} {c + first}\n" for a, b, c in faces)
    return text.encode()


def write_model(folder, number):
    """Its name from the folder."""
    points, faces = ball(1 + number / 1e5)
    gap = 1.7 if number % 4 == 1 else 2.2
    name = f"{number % 16:02}/model-{number:05}"
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if number % 10 == 3:
        root, blob = gltf(number, points, faces, gap)
        root["buffers"][0]["uri"] = path.name + ".bin"
        path.with_suffix(".bin").write_bytes(blob)
        path.with_suffix(".gltf").write_text(json.dumps(root))
        return name + ".gltf"
    data, ending = (obj(points, faces, gap), ".obj") if number % 10 == 7 else (glb(*gltf(number, points, faces, gap)), ".glb")
    path.with_suffix(ending).write_bytes(data[:len(data) // 2] if number % 100 == 50 else data)
    return name + ending


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "files.txt").write_text("".join(write_model(folder, number) + "\n" for number in range(1, count + 1)))


if __name__ == "__main__":
    main()
