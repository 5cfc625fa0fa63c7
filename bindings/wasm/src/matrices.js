// Matrices of 16 numbers in columns, as three.js and Babylon.js have them, and as three rows of four numbers.

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

export function writeRows(elements, rows, at = 0, from = 0) {
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) rows[at + 4 * row + column] = elements[from + 4 * column + row];
  }
}
