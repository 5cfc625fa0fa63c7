// What THREE.Raycaster wants to know of a hit.

import { Vector2, Vector3 } from "three";

const BACK_SIDE = 1, DOUBLE_SIDE = 2; // as three numbers them

function materialOf(mesh, triangle) {
  if (!Array.isArray(mesh.material)) return [mesh.material, 0];
  const group = mesh.geometry.groups.find(({ start, count }) => 3 * triangle >= start && 3 * triangle < start + count);
  return group ? [mesh.material[group.materialIndex], group.materialIndex] : [undefined, 0];
}

function isSeen(side, material) {
  return material !== undefined && (material.side === DOUBLE_SIDE || side === (material.side === BACK_SIDE ? -1 : 1));
}

/** The sum of an attribute's vectors at three vertices, by weights. */
function blend(attribute, vertices, weights, out) {
  out.set(0, 0, 0);
  vertices.forEach((vertex, i) => {
    out.x += weights[i] * attribute.getX(vertex);
    out.y += weights[i] * attribute.getY(vertex);
    if (out.isVector3) out.z += weights[i] * attribute.getZ(vertex);
  });
  return out;
}

/** The normal of a triangle, in the mesh's own coordinates. */
function faceNormal(matrix, body, triangle, orientation) {
  const c = body.corners([triangle]);
  const corner = (i) => new Vector3(c[3 * i], c[3 * i + 1], c[3 * i + 2]);
  const a = corner(0);
  const world = corner(2).sub(corner(1)).cross(a.sub(corner(1)));
  const e = matrix.elements;
  const along = (i) => e[i] * world.x + e[i + 1] * world.y + e[i + 2] * world.z;
  return new Vector3(along(0), along(4), along(8)).multiplyScalar(orientation).normalize();
}

function describe(mesh, matrix, body, hit, ray, distance, orientation, materialIndex) {
  const { index, attributes } = mesh.geometry;
  const vertices = [0, 1, 2].map((i) => (index ? index.getX(3 * hit.triangle + i) : 3 * hit.triangle + i));
  const [a, b, c] = vertices;
  const found = {
    distance, object: mesh, faceIndex: hit.triangle,
    point: ray.direction.clone().multiplyScalar(hit.t).add(ray.origin),
    face: { a, b, c, normal: faceNormal(matrix, body, hit.triangle, orientation), materialIndex },
    barycoord: new Vector3(...hit.weights),
  };
  for (const name of ["uv", "uv1"]) {
    if (attributes[name]) found[name] = blend(attributes[name], vertices, hit.weights, new Vector2());
  }
  if (attributes.normal) {
    found.normal = blend(attributes.normal, vertices, hit.weights, new Vector3());
    if (found.normal.dot(ray.direction.clone().transformDirection(matrix.clone().invert())) > 0) found.normal.negate();
  }
  return found;
}

/** Adds the hits of a raycaster's ray with a body to `intersects`: all, or with raycaster.firstHitOnly the first that is seen.
 * `matrix` takes the coordinates of the mesh, or of its instance, to those of the world. */
export function castAt(mesh, matrix, body, instanceId, raycaster, intersects) {
  const { ray, near, far, firstHitOnly } = raycaster;
  const { origin: o, direction: d } = ray;
  const length = d.length();
  const isFirst = firstHitOnly && near <= 0 && mesh.material.side === DOUBLE_SIDE;
  const hits = body.castRays([o.x, o.y, o.z, d.x, d.y, d.z, far / length], { kind: isFirst ? "first" : "all" });
  // A mirrored mesh shows its front where its triangles wind the other way.
  const orientation = Math.sign(matrix.determinant());
  for (const hit of hits) {
    const [material, materialIndex] = materialOf(mesh, hit.triangle);
    const distance = hit.t * length;
    if (distance < near || !isSeen(hit.side * orientation, material)) continue;
    const found = describe(mesh, matrix, body, hit, ray, distance, orientation, materialIndex);
    if (instanceId !== undefined) found.instanceId = instanceId;
    intersects.push(found);
    if (firstHitOnly) return;
  }
}
