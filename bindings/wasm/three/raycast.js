// What THREE.Raycaster wants to know of a hit.

import { Matrix4, Vector2, Vector3 } from "three";

const BACK_SIDE = 1, DOUBLE_SIDE = 2; // as three numbers them
const FIRST = { kind: "first" }, ALL = { kind: "all" };
const MAPS = ["uv", "uv1"];

const given = new Float32Array(7);
const inverse = new Matrix4();
const direction = new Vector3();

/** The ray of a raycaster, as World.castRays() takes it. */
function writeRay({ ray: { origin, direction: d }, far }, length) {
  given[0] = origin.x;
  given[1] = origin.y;
  given[2] = origin.z;
  given[3] = d.x;
  given[4] = d.y;
  given[5] = d.z;
  given[6] = far / length;
  return given;
}

/** The number of the material that a triangle has; -1: three does not draw the triangle. */
function materialOf(mesh, triangle) {
  const { drawRange, groups } = mesh.geometry;
  const at = 3 * triangle;
  if (at < drawRange.start || at >= drawRange.start + drawRange.count) return -1;
  if (!Array.isArray(mesh.material)) return 0;
  return groups.find(({ start, count }) => at >= start && at < start + count)?.materialIndex ?? -1;
}

function isSeen(side, material) {
  return material !== undefined && (material.side === DOUBLE_SIDE || side === (material.side === BACK_SIDE ? -1 : 1));
}

/** The sum of an attribute's vectors at three vertices, by weights. */
function blend(attribute, { a, b, c }, { x, y, z }, out) {
  out.x = x * attribute.getX(a) + y * attribute.getX(b) + z * attribute.getX(c);
  out.y = x * attribute.getY(a) + y * attribute.getY(b) + z * attribute.getY(c);
  if (out.isVector3) out.z = x * attribute.getZ(a) + y * attribute.getZ(b) + z * attribute.getZ(c);
  return out;
}

/** The normal of a triangle in the mesh's own coordinates, of its corners in the world. */
function faceNormal(matrix, c, at, orientation) {
  const ax = c[at] - c[at + 3], ay = c[at + 1] - c[at + 4], az = c[at + 2] - c[at + 5];
  const bx = c[at + 6] - c[at + 3], by = c[at + 7] - c[at + 4], bz = c[at + 8] - c[at + 5];
  const x = by * az - bz * ay, y = bz * ax - bx * az, z = bx * ay - by * ax;
  const e = matrix.elements;
  return new Vector3(e[0] * x + e[1] * y + e[2] * z, e[4] * x + e[5] * y + e[6] * z, e[8] * x + e[9] * y + e[10] * z)
    .multiplyScalar(orientation).normalize();
}

function describe(mesh, triangle, ray, t, distance, normal, weights, materialIndex) {
  const { index, attributes } = mesh.geometry;
  const at = 3 * triangle;
  const face = {
    a: index ? index.getX(at) : at, b: index ? index.getX(at + 1) : at + 1, c: index ? index.getX(at + 2) : at + 2,
    normal, materialIndex,
  };
  const point = new Vector3().copy(ray.direction).multiplyScalar(t).add(ray.origin);
  const found = { distance, object: mesh, faceIndex: triangle, point, face, barycoord: weights };
  for (const name of MAPS) {
    if (attributes[name]) found[name] = blend(attributes[name], face, weights, new Vector2());
  }
  if (attributes.normal) {
    found.normal = blend(attributes.normal, face, weights, new Vector3());
    if (found.normal.dot(direction) > 0) found.normal.negate();
  }
  return found;
}

/** Adds the hits with one body, from `begin` up to `end`, that three shows. Returns how many. */
function addHits(target, hits, begin, end, raycaster, length, intersects) {
  const { mesh, matrix, body, instanceId } = target;
  const { ray, near, firstHitOnly } = raycaster;
  // A mirrored mesh shows its front where its triangles wind the other way.
  const orientation = Math.sign(matrix.determinant());
  const shown = [], materials = [];
  for (let i = begin; i < end; i++) {
    if (hits.t(i) * length < near) continue;
    const material = materialOf(mesh, hits.triangle(i));
    if (material < 0 || !isSeen(hits.side(i) * orientation, Array.isArray(mesh.material) ? mesh.material[material] : mesh.material)) continue;
    shown.push(i);
    materials.push(material);
    if (firstHitOnly) break;
  }
  if (shown.length === 0) return 0;
  const corners = body.corners(shown.map((i) => hits.triangle(i)));
  direction.copy(ray.direction).transformDirection(inverse.copy(matrix).invert());
  shown.forEach((i, k) => {
    const normal = faceNormal(matrix, corners, 9 * k, orientation);
    const weights = new Vector3(hits.float(i, 6), hits.float(i, 7), hits.float(i, 8));
    const found = describe(mesh, hits.triangle(i), ray, hits.t(i), hits.t(i) * length, normal, weights, materials[k]);
    if (instanceId !== undefined) found.instanceId = instanceId;
    intersects.push(found);
  });
  return shown.length;
}

const isWhole = ({ geometry: { drawRange } }) => drawRange.start === 0 && drawRange.count === Infinity;

/** Adds the hits of a raycaster's ray to `intersects`: all, or with raycaster.firstHitOnly the first that is seen. A target
 * has a mesh, a body, and the matrix that takes the coordinates of the mesh, or of its instance, to those of the world. */
export function castAt(target, raycaster, intersects) {
  const { mesh, body } = target;
  const length = raycaster.ray.direction.length();
  const isFirst = raycaster.firstHitOnly && raycaster.near <= 0 && mesh.material.side === DOUBLE_SIDE && isWhole(mesh);
  const hits = body.castRays(writeRay(raycaster, length), isFirst ? FIRST : ALL);
  addHits(target, hits, 0, hits.count, raycaster, length, intersects);
}

/** As castAt(), at all bodies of a world at once. targetOf(body) is the target of one, or undefined. */
export function castAtAll(world, targetOf, raycaster, intersects) {
  const length = raycaster.ray.direction.length();
  const hits = world.castRays(writeRay(raycaster, length), ALL);
  const byBody = new Map();
  for (let i = 0; i < hits.count; i++) {
    const body = hits.body(i);
    if (!byBody.has(body)) byBody.set(body, []);
    byBody.get(body).push(i);
  }
  for (const [body, own] of byBody) {
    const target = targetOf(body);
    for (let k = 0; target && k < own.length; k++) {
      if (addHits(target, hits, own[k], own[k] + 1, raycaster, length, intersects) > 0 && raycaster.firstHitOnly) break;
    }
  }
}
