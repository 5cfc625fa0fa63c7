// A model in Babylon.js, in some poses: vertices against its own, and what is picked against brute force. For node and pages.

import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { Logger } from "@babylonjs/core/Misc/logger.js";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Ray } from "@babylonjs/core/Culling/ray.js";
import { Scene } from "@babylonjs/core/scene.js";
import "@babylonjs/loaders/glTF/2.0/index.js";
import { MeshBody, installPicking } from "pliant/babylon";
import { firstHits } from "./brute.js";
import { random } from "./scenes.js";

const MAX_RAYS = 40, TESTS = 3e5; // in each pose

/** The vertices of a mesh in the world, by Babylon. */
function ownVertices(mesh) {
  const matrix = mesh.computeWorldMatrix(true);
  mesh.skeleton?.prepare(true);
  const local = mesh.getPositionData(true, true);
  const found = new Float64Array(local.length);
  const point = new Vector3();
  for (let i = 0; i < local.length; i += 3) {
    Vector3.TransformCoordinatesFromFloatsToRef(local[i], local[i + 1], local[i + 2], matrix, point);
    found.set([point.x, point.y, point.z], i);
  }
  return found;
}

const trianglesOf = (mesh) => {
  const indices = mesh.getIndices();
  return indices?.length ? indices : Uint32Array.from({ length: mesh.getTotalVertices() }, (_, i) => i);
};

function boxOf(all) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const vertices of all) {
    for (let i = 0; i < vertices.length; i++) {
      low[i % 3] = Math.min(low[i % 3], vertices[i]);
      high[i % 3] = Math.max(high[i % 3], vertices[i]);
    }
  }
  return { low, high };
}

/** Rays from around a box at what is in it, as picking sees them: of numbers that are floats. */
function raysAt({ low, high }, count, next) {
  const size = Math.max(...high.map((x, i) => x - low[i]));
  return Array.from({ length: count }, () => {
    const inside = low.map((x, i) => x + (0.2 + 0.6 * next()) * (high[i] - x));
    const from = inside.map((x) => Math.fround(x + 3 * size * (next() - 0.5)));
    const ray = Ray.Transform(new Ray(Vector3.FromArray(from), Vector3.FromArray(inside.map((x, i) => x - from[i]))), Matrix.Identity());
    const { direction: d } = ray;
    return { ray: new Ray(Vector3.FromArray(from), d), origin: from, direction: [d.x, d.y, d.z].map(Math.fround) };
  });
}

/** What one pose has: by how much vertices differ, and rays whose triangles do. */
function comparePose(pliant, scene, meshes, next) {
  const world = new pliant.World();
  const own = meshes.map(ownVertices);
  const bodies = meshes.map((mesh) => new MeshBody(world, mesh));
  const evaluated = bodies.map(({ body }) => body.vertices());
  const size = Math.max(1, ...own.map((vertices) => vertices.reduce((most, x) => Math.max(most, Math.abs(x)), 0)));
  const difference = Math.max(...own.map((vertices, m) => vertices.reduce((most, x, i) => Math.max(most, Math.abs(x - evaluated[m][i])), 0)));
  const found = { difference: difference / size, rays: 0, hits: 0, differences: [], evaluated };
  const count = Math.ceil(Math.min(MAX_RAYS, TESTS / meshes.reduce((sum, mesh) => sum + trianglesOf(mesh).length / 3, 0)));
  for (const { ray, origin, direction } of raysAt(boxOf(evaluated), count, next)) {
    const picked = new Map((scene.multiPickWithRay(ray) ?? []).map((info) => [info.pickedMesh, info.faceId]));
    const nearest = scene.pickWithRay(ray);
    meshes.forEach((mesh, m) => {
      const expected = firstHits(evaluated[m], trianglesOf(mesh), origin, direction);
      found.hits += expected.length > 0;
      const isSame = expected.length > 0 ? expected.includes(picked.get(mesh)) : !picked.has(mesh);
      const isNearest = nearest?.pickedMesh !== mesh || nearest.faceId === picked.get(mesh);
      if (!isSame || !isNearest) found.differences.push(`${mesh.name}: ${expected.join()} is not ${picked.get(mesh)}`);
    });
    found.rays++;
    if (picked.size > 0 !== (nearest?.hit ?? false)) found.differences.push("pickWithRay and multiPickWithRay differ");
  }
  world.dispose();
  return found;
}

/** All poses of a model, a .glb: at rest, and in the first clips. */
export async function compareModel(pliant, bytes) {
  Logger.LogLevels = Logger.ErrorLogLevel;
  const engine = new NullEngine();
  const scene = new Scene(engine);
  scene.useRightHandedSystem = true;
  await ImportMeshAsync(bytes, scene, { pluginExtension: ".glb" });
  const meshes = scene.meshes.filter((mesh) => mesh.getTotalVertices() > 0 && mesh.isEnabled());
  const installed = installPicking(pliant);
  const next = random(17);
  const poses = [() => {}];
  for (const clip of scene.animationGroups.slice(0, 3)) {
    poses.push(() => {
      clip.start(false);
      clip.goToFrame(clip.from + (clip.to - clip.from) / 3);
    });
  }
  const all = poses.map((pose) => {
    for (const clip of scene.animationGroups) clip.stop();
    pose();
    return comparePose(pliant, scene, meshes, next);
  });
  installed.dispose();
  scene.dispose();
  engine.dispose();
  const sum = (name) => all.reduce((total, one) => total + one[name], 0);
  const isMoved = ({ evaluated }) => evaluated.some((vertices, m) => vertices.some((x, i) => x !== all[0].evaluated[m][i]));
  return {
    poses: all.length, moved: all.filter(isMoved).length,
    difference: Math.max(...all.map((one) => one.difference)), rays: sum("rays"), hits: sum("hits"),
    differences: all.flatMap((one) => one.differences).slice(0, 5),
  };
}
