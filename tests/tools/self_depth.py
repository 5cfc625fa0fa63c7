"""Depths of parts that intersect themselves, against points of their surfaces: an oracle that shares no code with the library.

`pliant check` of all glTF models below PLIANT_ASSETS names the self-collisions, and the deepest are checked, each in its worst
frame. The package poses the model, and lists the triangles of regions; all else is here, in float64. Points are spread over the surface. Beside each, the
winding number is the sum of the solid angles of all triangles; behind its own triangle it is one
more. Where one is outside on some side, the point is seen; else it is within the body, and its depth
is the distance to the closest point that is seen. Only points on triangles of regions count: which
triangles these are, oracle.regions tests.

  true      the greatest depth is within 15 % of the one that is told
  shallow   it is greater
  deep      it is less

usage: self_depth.py PLIANT [--top N] [--verbose]
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

SKIPPED, LEAST_TRUE, POINTS = 77, 0.9, 12000


def findings(command):
    paths = sorted(str(path.relative_to(os.environ["PLIANT_ASSETS"])) for end in ("glb", "gltf")
                   for path in pathlib.Path(os.environ["PLIANT_ASSETS"]).rglob("*." + end))
    done = subprocess.run([os.path.abspath(command), "check", *paths, "--no-volume", "--json", "-"],
                          cwd=os.environ["PLIANT_ASSETS"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    for report in json.loads(done.stdout)["files"]:
        for pair in report.get("pairs", []):
            if pair.get("is_finding") and pair.get("depth") and pair["names"][0] == pair["names"][1]:
                yield pair["depth"], report["file"], pair["names"][0], pair["worst"]


def winding_numbers(points, corners):
    """By the formula of Van Oosterom and Strackee, 1983. They are near integers: once differences are made, float32 will do."""
    numbers = numpy.empty(len(points))
    for i, point in enumerate(points):
        a, b, c = (corners[:, k] - point for k in range(3))
        a, b, c = (v.T.astype(numpy.float32) for v in (a, b, c))
        x, y, z = (numpy.sqrt((v * v).sum(0)) for v in (a, b, c))
        top = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]))
        below = x * y * z + (a * b).sum(0) * z + (b * c).sum(0) * x + (c * a).sum(0) * y
        numbers[i] = numpy.arctan2(top, below).sum(dtype=float) / (2 * numpy.pi)
    return numbers


def spread(corners, random):
    """Points of triangles: one in each, and more in large ones."""
    normals = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = numpy.linalg.norm(normals, axis=1) / 2
    counts = numpy.maximum(1, numpy.round(areas / areas.sum() * POINTS)).astype(int) * (areas > 0)
    of = numpy.repeat(numpy.arange(len(corners)), counts)
    u, v = random.random((2, len(of), 1))
    is_far = u + v > 1
    u, v = numpy.where(is_far, 1 - u, u), numpy.where(is_far, 1 - v, v)
    points = (1 - u - v) * corners[of, 0] + u * corners[of, 1] + v * corners[of, 2]
    return points, of, normals[of] / (2 * areas[of, None])


def greatest_depth(vertices, triangles, of_regions):
    """Of all points within the body: how far the closest point is that one sees."""
    corners, random = vertices[triangles], numpy.random.default_rng(1)
    size = numpy.ptp(vertices, axis=0).max()
    points, of, normals = spread(corners, random)
    front = winding_numbers(points + 1e-5 * size * normals, corners)  # and behind the triangle one more
    is_within = (numpy.abs(front) >= 0.5) & (numpy.abs(front + 1) >= 0.5)
    is_seen = ~is_within
    is_within &= numpy.isin(of, of_regions)
    if not is_within.any():
        return 0
    return spatial.cKDTree(points[is_seen]).query(points[is_within])[0].max()


def posed(model, name, run, time):
    """The vertices and the triangles of a part, and the numbers of the triangles in its regions."""
    world = pliant.World()
    bodies = model.add_to(world)
    model.pose(bodies, {clip.name: clip for clip in model.clips}.get(run), time)
    part, body = next(item for item in zip(model.parts, bodies) if item[0].name == name)
    regions = world.regions(body.self_collide())
    return numpy.asarray(body.vertices, float), numpy.asarray(part.shape.triangles, int), regions.triangles


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("--top", type=int, default=50)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    counts, is_fox_there = collections.Counter(), False
    for said, path, name, worst in sorted(findings(options.command), reverse=True, key=lambda item: item[:3])[:options.top]:
        model = pliant.read(os.path.join(os.environ["PLIANT_ASSETS"], path))
        found = greatest_depth(*posed(model, name, worst["run"], worst["time"]))
        verdict = "true" if abs(found - said) <= 0.15 * said else "shallow" if found > said else "deep"
        counts[verdict] += 1
        is_fox_there |= "Fox" in path and verdict == "true"
        if options.verbose or verdict != "true":
            print(f"{verdict:8} {path} {name} {worst['run']} {worst['time']:.3f}: {said:.4g}, found {found:.4g}", flush=True)
    print(f"{sum(counts.values())} self-collisions: {dict(counts)}, Fox is {'' if is_fox_there else 'not '}true")
    return counts["true"] < LEAST_TRUE * sum(counts.values()) or not is_fox_there


if __name__ == "__main__":
    if "PLIANT_ASSETS" not in os.environ:
        print("skipped: PLIANT_ASSETS is not set")
        sys.exit(SKIPPED)
    try:
        import numpy
        import pliant
        from scipy import sparse, spatial
        from scipy.sparse import csgraph
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(SKIPPED)
    sys.exit(main())
