// Shapes from geometries of three.js.

import { Shape } from "../src/index.js";

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
  if (geometry.index) return Uint32Array.from(geometry.index.array);
  return Uint32Array.from({ length: geometry.attributes.position.count }, (_, i) => i);
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

/** A shape of a mesh's geometry, with its morph targets and skin. Vertices that are split at seams are welded. */
export function createShape(mesh, { module, ...options } = {}) {
  const { geometry } = mesh;
  const vertices = floatsOf(geometry.attributes.position, 3);
  const def = {
    vertices, triangles: trianglesOf(geometry), targets: targetsOf(geometry, vertices), skin: skinOf(mesh), weld: true, ...options,
  };
  return module ? new Shape(def, module) : new Shape(def);
}

/** geometry -> module and number of joints -> shape */
const shapes = new WeakMap();

/** The shape of a mesh: the same for all meshes of one geometry. It lives as long as the geometry. */
export function shapeOf(mesh, module) {
  const { geometry } = mesh;
  if (!shapes.has(geometry)) shapes.set(geometry, []);
  const jointCount = mesh.isSkinnedMesh ? mesh.skeleton.bones.length : 0;
  const known = shapes.get(geometry);
  let found = known.find((one) => one.module === module && one.jointCount === jointCount);
  if (!found) known.push(found = { module, jointCount, shape: createShape(mesh, { module }) });
  return found.shape;
}

/** Forgets the shapes of a geometry whose attributes have changed. Bodies keep the old one. */
export function disposeShapes(geometry) {
  for (const { shape } of shapes.get(geometry) ?? []) shape.dispose();
  shapes.delete(geometry);
}
