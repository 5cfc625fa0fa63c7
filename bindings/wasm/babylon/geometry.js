// Shapes from meshes of Babylon.js.

import { BadArgumentError } from "../src/errors.js";
import { Shape } from "../src/shape.js";

const POSITION = "position";
const JOINTS = ["matricesIndices", "matricesIndicesExtra"], WEIGHTS = ["matricesWeights", "matricesWeightsExtra"];

/** Throws what a body cannot be made of. */
export function refuse(mesh) {
  const name = mesh?.getClassName?.() ?? String(mesh);
  const fail = (text) => { throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `mesh ${mesh?.name ? `"${mesh.name}" ` : ""}${text}`); };
  if (!mesh?.getVerticesData || /Line|Points|Trail/.test(name)) fail(`is a ${name}, and must be a Mesh or an InstancedMesh`);
  if (!mesh.isVerticesDataPresent(POSITION)) fail("has no vertices");
  if (mesh.skeleton && !mesh.computeBonesUsingShaders) fail("writes skinned vertices itself: set computeBonesUsingShaders");
  if (mesh.bakedVertexAnimationManager?.isEnabled) fail("has a baked vertex animation");
}

/** Whether a body can be made of a mesh. */
export function isBody(mesh) {
  try {
    refuse(mesh);
    return true;
  } catch {
    return false;
  }
}

/** A mesh without vertices of its own takes all but its place from another. */
export const sourceOf = (mesh) => mesh.sourceMesh ?? mesh;

const floats = (data) => (data instanceof Float32Array ? data : Float32Array.from(data));

/** Targets of a morph target manager that have positions. */
export function targetsOf(mesh) {
  const manager = sourceOf(mesh).morphTargetManager;
  if (!manager) return [];
  return Array.from({ length: manager.numTargets }, (_, i) => manager.getTarget(i)).filter((target) => target.getPositions());
}

/** Babylon divides by the sum of the weights. Four influences of a vertex, or eight. */
function skinOf(mesh, vertexCount) {
  const { skeleton } = mesh;
  if (!skeleton || !mesh.isVerticesDataPresent(JOINTS[0])) return undefined;
  const sets = mesh.numBoneInfluencers > 4 && mesh.isVerticesDataPresent(JOINTS[1]) ? [0, 1] : [0];
  const influenceCount = 4 * sets.length;
  const joints = new Uint16Array(influenceCount * vertexCount), weights = new Float32Array(influenceCount * vertexCount);
  sets.forEach((set) => {
    const [from, by] = [JOINTS, WEIGHTS].map((kinds) => mesh.getVerticesData(kinds[set]));
    for (let i = 0; i < vertexCount; i++) {
      for (let k = 0; k < 4; k++) {
        joints[influenceCount * i + 4 * set + k] = from[4 * i + k];
        weights[influenceCount * i + 4 * set + k] = by[4 * i + k];
      }
    }
  });
  for (let i = 0; i < weights.length; i += influenceCount) {
    const own = weights.subarray(i, i + influenceCount);
    const sum = own.reduce((all, one) => all + one, 0);
    if (sum > 0 && sum !== 1) own.forEach((one, k) => { own[k] = one / sum; });
  }
  return { jointCount: skeleton.bones.length + 1, influenceCount, joints, weights }; // Babylon adds one that moves nothing
}

/** A shape of a mesh, with its morph targets and skin. Vertices that are split at seams are welded. */
export function createShape(mesh, { module, ...options } = {}) {
  refuse(mesh);
  const vertices = floats(mesh.getVerticesData(POSITION)).slice();
  const indices = mesh.getIndices();
  const length = 3 * Math.floor((indices?.length || vertices.length / 3) / 3);
  const triangles = indices?.length ? Uint32Array.from(indices.slice(0, length)) : Uint32Array.from({ length }, (_, i) => i);
  const targets = targetsOf(mesh).map((target) => ({ vertices: floats(target.getPositions()).map((x, i) => x - vertices[i]) }));
  const def = { vertices, triangles, targets, skin: skinOf(mesh, vertices.length / 3), weld: true, ...options };
  return module ? new Shape(def, module) : new Shape(def);
}

/** geometry -> how often its vertices or triangles were changed, and shapes */
const known = new WeakMap();

function recordOf(geometry) {
  if (known.has(geometry)) return known.get(geometry);
  const record = { changes: 0, shapes: [] };
  const { onGeometryUpdated } = geometry;
  geometry.onGeometryUpdated = (one, kind) => {
    onGeometryUpdated?.(one, kind);
    if (kind === undefined || kind === POSITION || JOINTS.includes(kind) || WEIGHTS.includes(kind)) record.changes++;
  };
  known.set(geometry, record);
  return record;
}

/** What tells that a mesh has other vertices, triangles, targets or joints. */
export function versionsOf(mesh) {
  const { geometry } = sourceOf(mesh);
  const found = [geometry, recordOf(geometry).changes, mesh.skeleton?.bones.length ?? -1];
  for (const target of targetsOf(mesh)) found.push(target.getPositions());
  return found;
}

export const isSame = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

/** The shape of a mesh: the same for all meshes of one geometry. It lives as long as the geometry, or until that changes. */
export function shapeOf(mesh, module) {
  refuse(mesh);
  const record = recordOf(sourceOf(mesh).geometry);
  const versions = versionsOf(mesh);
  let found = record.shapes.find((one) => one.module === module && isSame(one.versions, versions));
  if (found) return found.shape;
  for (const old of record.shapes.filter((one) => one.versions[1] !== versions[1])) old.shape.dispose(); // bodies keep it
  record.shapes = record.shapes.filter((one) => one.versions[1] === versions[1]);
  record.shapes.push(found = { module, versions, shape: createShape(mesh, { module }) });
  return found.shape;
}

/** Forgets the shapes of a mesh's geometry. Bodies keep the old one. */
export function disposeShapes(mesh) {
  const record = known.get(sourceOf(mesh).geometry);
  for (const { shape } of record?.shapes.splice(0) ?? []) shape.dispose();
}
