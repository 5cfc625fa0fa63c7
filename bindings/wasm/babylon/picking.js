// Picking of Babylon.js by the library: scene.pick(), pickWithRay(), multiPick() and the like.

import { PickingInfo } from "@babylonjs/core/Collisions/pickingInfo.js";
import { PickingCustomization } from "@babylonjs/core/Culling/ray.core.js";
import { Ray } from "@babylonjs/core/Culling/ray.js";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { MeshBody } from "./body.js";
import { isBody } from "./geometry.js";

const TRIANGLES = [0, 1, 2]; // fill modes of materials: filled, and as lines or points of them
const FIRST = { kind: "first" }, ALL = { kind: "all" };
const given = new Float32Array(7);
const identity = Matrix.Identity(), inverse = new Matrix(), local = Ray.Zero();

/** Whether Babylon picks all triangles of a mesh itself: only such are left to the library. */
const isWhole = (mesh) => mesh.subMeshes?.length === 1 && mesh.subMeshes[0].indexStart === 0
  && mesh.subMeshes[0].indexCount >= 3 * Math.floor((mesh.getTotalIndices() || mesh.getTotalVertices()) / 3);

const isPickable = (mesh) => isBody(mesh) && mesh.subMeshes?.length > 0 && mesh.subMeshes.every((one) => TRIANGLES.includes(one.getMaterial()?.fillMode));

function subMeshOf(mesh, triangle) {
  return mesh.subMeshes.find(({ indexStart, indexCount }) => 3 * triangle >= indexStart && 3 * triangle < indexStart + indexCount);
}

/** Whether a predicate takes a triangle: it is asked as Babylon asks, in coordinates of the mesh, with corners of the pose. */
function isTaken(predicate, mesh, world, body, triangle, ray) {
  if (!predicate) return true;
  const corners = body.corners([triangle]);
  world.invertToRef(inverse);
  const points = [0, 3, 6].map((at) => Vector3.TransformCoordinates(Vector3.FromArray(corners, at), inverse));
  Ray.TransformToRef(ray, inverse, local);
  const indices = mesh.getIndices();
  const names = [0, 1, 2].map((k) => (indices?.length ? indices[3 * triangle + k] : 3 * triangle + k));
  return predicate(...points, local, ...names);
}

function infoOf(mesh, hits, i, ray) {
  const subMesh = subMeshOf(mesh, hits.triangle(i));
  const info = new PickingInfo();
  info.hit = true;
  info.pickedMesh = mesh;
  info.pickedPoint = ray.direction.scale(hits.t(i)).addInPlace(ray.origin);
  info.distance = hits.t(i) * ray.direction.length();
  info.bu = hits.float(i, 6);
  info.bv = hits.float(i, 7);
  info.faceId = hits.triangle(i);
  info.subMeshFaceId = hits.triangle(i) - subMesh.indexStart / 3;
  info.subMeshId = subMesh._id;
  return info;
}

/** The first hit of a ray with a body as Babylon wants it; null if there is none. */
function castAt(mesh, world, body, ray, predicate) {
  const { origin: o, direction: d } = ray;
  given.set([o.x, o.y, o.z, d.x, d.y, d.z, ray.length]);
  const isFirst = !predicate && isWhole(mesh);
  const hits = body.castRays(given, isFirst ? FIRST : ALL);
  for (let i = 0; i < hits.count; i++) {
    if (!subMeshOf(mesh, hits.triangle(i)) || !isTaken(predicate, mesh, world, body, hits.triangle(i), ray)) continue;
    return infoOf(mesh, hits, i, ray);
  }
  return null;
}

/** Babylon tests the bounds of all thin instances first, which may be those of another pose: the library has no need of them. */
function boundsInfo(mesh) {
  const info = new PickingInfo();
  info.hit = true;
  info.pickedMesh = mesh;
  return info;
}

/** Makes picking of Babylon exact and fast: hits are those of the pose that is drawn. `installPicking(pliant)` for all meshes,
 * with `{ scene }` for those of one scene. Lines, points and the like are picked as before. A mesh becomes a body when it is picked
 * first, until it is disposed. */
export function installPicking({ World }, { scene, world = new World() } = {}) {
  const known = new Map(); // mesh -> body
  const before = PickingCustomization.internalPickerForMesh;

  function bodyOf(mesh) {
    if (!known.has(mesh)) {
      known.set(mesh, new MeshBody(world, mesh, { thinInstances: false }));
      mesh.onDisposeObservable.addOnce(() => forget(mesh));
    }
    return known.get(mesh);
  }

  function forget(mesh) {
    known.get(mesh)?.dispose();
    known.delete(mesh);
  }

  function other(best, rayFunction, mesh, matrix, fastCheck, onlyBounds, predicate, skipBounds) {
    if (before) return before(best, rayFunction, mesh, matrix, fastCheck, onlyBounds, predicate, skipBounds);
    const ray = rayFunction(matrix, mesh.enableDistantPicking);
    const info = mesh.intersects(ray, fastCheck, predicate, onlyBounds, matrix, skipBounds);
    return info?.hit && (fastCheck || !best || info.distance < best.distance) ? info : null;
  }

  function picker(best, rayFunction, mesh, matrix, fastCheck, onlyBounds, predicate, skipBounds) {
    if ((scene && mesh.getScene() !== scene) || !isPickable(mesh)) {
      return other(best, rayFunction, mesh, matrix, fastCheck, onlyBounds, predicate, skipBounds);
    }
    if (onlyBounds) {
      const isThin = mesh.hasThinInstances && mesh.thinInstanceEnablePicking && fastCheck;
      return isThin ? boundsInfo(mesh) : other(best, rayFunction, mesh, matrix, fastCheck, onlyBounds, predicate, skipBounds);
    }
    const body = bodyOf(mesh);
    body.update(matrix);
    const info = castAt(mesh, matrix, body.body, rayFunction(identity, mesh.enableDistantPicking), predicate);
    return info && (fastCheck || !best || info.distance < best.distance) ? info : null;
  }

  PickingCustomization.internalPickerForMesh = picker;
  return {
    world,
    bodyOf,
    dispose() {
      if (PickingCustomization.internalPickerForMesh === picker) PickingCustomization.internalPickerForMesh = before;
      for (const mesh of [...known.keys()]) forget(mesh);
    },
  };
}
