// Shapes from geometries of three.js.

import { BadArgumentError } from "../src/errors.js";
import { Shape } from "../src/shape.js";

const GETTERS = ["getX", "getY", "getZ", "getW"];

/** All of an attribute as floats: plain, interleaved or quantized. */
function floatsOf(attribute, size) {
  if (attribute.array instanceof Float32Array && !attribute.isInterleavedBufferAttribute && attribute.itemSize === size) {
    return attribute.array;
  }
  const all = new Float32Array(size * attribute.count);
  for (let i = 0; i < attribute.count; i++) {
    for (let k = 0; k < size; k++) all[size * i + k] = attribute[GETTERS[k]](i);
  }
  return all;
}

function trianglesOf(geometry) {
  const { index, attributes: { position } } = geometry;
  const length = 3 * Math.floor((index ?? position).count / 3); // three draws no part of a triangle
  return index ? Uint32Array.from(index.array.subarray(0, length)) : Uint32Array.from({ length }, (_, i) => i);
}

/** Targets as displacements: three moves vertices by weight * (target - base) where targets are positions. */
function targetsOf(geometry, base) {
  return (geometry.morphAttributes.position ?? []).map((attribute) => {
    const vertices = floatsOf(attribute, 3);
    return { vertices: geometry.morphTargetsRelative ? vertices : vertices.map((x, i) => x - base[i]) };
  });
}

function skinOf(mesh) {
  if (!mesh.isSkinnedMesh) return undefined;
  const { skinIndex, skinWeight } = mesh.geometry.attributes;
  return {
    jointCount: mesh.skeleton.bones.length,
    influenceCount: 4,
    joints: Uint16Array.from(floatsOf(skinIndex, 4)),
    weights: floatsOf(skinWeight, 4),
  };
}

/** Throws what a body cannot be made of. */
export function refuse(mesh) {
  if (mesh?.isMesh && !mesh.isBatchedMesh) return;
  const name = mesh?.isBatchedMesh ? "BatchedMesh" : mesh?.type ?? String(mesh);
  throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `mesh is a ${name}, and must be a Mesh, a SkinnedMesh or an InstancedMesh`);
}

export const verticesOf = (geometry) => floatsOf(geometry.attributes.position, 3);

/** What tells that a geometry changed: its attributes, and how often each was marked as changed. Position is first. */
export function versionsOf(geometry) {
  const { index, attributes: { position, skinIndex, skinWeight }, morphAttributes } = geometry;
  const found = [geometry];
  const add = (one) => found.push(one, one ? one.version ?? one.data.version : 0);
  add(position);
  add(index);
  add(skinIndex);
  add(skinWeight);
  morphAttributes.position?.forEach(add);
  return found;
}

/** A shape of a mesh's geometry, with its morph targets and skin. Vertices that are split at seams are welded. */
export function createShape(mesh, { module, ...options } = {}) {
  refuse(mesh);
  const { geometry } = mesh;
  const vertices = verticesOf(geometry);
  const def = {
    vertices, triangles: trianglesOf(geometry), targets: targetsOf(geometry, vertices), skin: skinOf(mesh), weld: true, ...options,
  };
  return module ? new Shape(def, module) : new Shape(def);
}

/** geometry -> module, number of joints and versions -> shape */
const shapes = new WeakMap();

/** The shape of a mesh: the same for all meshes of one geometry. It lives as long as the geometry, or until that changes. */
export function shapeOf(mesh, module) {
  refuse(mesh);
  const { geometry } = mesh;
  if (!shapes.has(geometry)) shapes.set(geometry, []);
  const jointCount = mesh.isSkinnedMesh ? mesh.skeleton.bones.length : 0;
  const versions = versionsOf(geometry);
  const known = shapes.get(geometry);
  let found = known.find((one) => one.module === module && one.jointCount === jointCount);
  if (!found) known.push(found = { module, jointCount });
  if (!found.shape || found.versions.length !== versions.length || found.versions.some((x, i) => x !== versions[i])) {
    const shape = createShape(mesh, { module });
    found.shape?.dispose(); // bodies keep it
    Object.assign(found, { shape, versions });
  }
  return found.shape;
}

/** Forgets the shapes of a geometry. Bodies keep the old one. */
export function disposeShapes(geometry) {
  for (const { shape } of shapes.get(geometry) ?? []) shape.dispose();
  shapes.delete(geometry);
}
