// Matrices of three.js, which are in columns, as three rows of four numbers.

const product = new Float64Array(16), bound = new Float64Array(16);

/** out = a * b, all of 16 numbers in columns; a and b are affine. */
export function multiply(a, b, out, from = 0) {
  for (let column = 0; column < 4; column++) {
    const at = from + 4 * column;
    const x = b[at], y = b[at + 1], z = b[at + 2], w = b[at + 3];
    for (let row = 0; row < 4; row++) {
      out[4 * column + row] = a[row] * x + a[4 + row] * y + a[8 + row] * z + a[12 + row] * w;
    }
  }
  return out;
}

export function writeRows(elements, rows, at = 0) {
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) rows[at + 4 * row + column] = elements[4 * column + row];
  }
}

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
