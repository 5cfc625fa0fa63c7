// Matrices of skeletons of three.js.

import { multiply, writeRows } from "../src/matrices.js";

const product = new Float64Array(16), bound = new Float64Array(16);

function isIdentity(e) {
  return e.every((x, i) => x === (i % 5 === 0 ? 1 : 0));
}

/** Writes where each joint moves a vertex, to world coordinates: bone.matrixWorld * boneInverse * bindMatrix. */
export function writeJoints(mesh, rows) {
  const { bones, boneInverses } = mesh.skeleton;
  const bind = mesh.bindMatrix.elements;
  const isPlain = isIdentity(bind);
  for (let i = 0; i < bones.length; i++) {
    multiply(bones[i].matrixWorld.elements, boneInverses[i].elements, product);
    writeRows(isPlain ? product : multiply(product, bind, bound), rows, 12 * i);
  }
}
