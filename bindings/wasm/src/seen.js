// Poses as they were last read, for adapters of engines: a pose that has not changed is not set again.

export class Seen {
  #numbers = new Float64Array(64).fill(NaN);

  /** Whether `count` numbers differ from those that were here last; they are here now. NaN always differs. */
  differs(at, numbers, from = 0, count = numbers.length) {
    const seen = this.#room(at + count);
    for (let i = 0; i < count; i++) {
      if (seen[at + i] === numbers[from + i]) continue;
      for (; i < count; i++) seen[at + i] = numbers[from + i];
      return true;
    }
    return false;
  }

  /** The same for an affine matrix of 16 numbers in columns, without its last row, which is the same of all. Written out: a loop
   * takes five times as long, and a character has a hundred matrices. */
  matrixDiffers(at, m) {
    const s = this.#room(at + 12);
    if (s[at] === m[0] && s[at + 1] === m[1] && s[at + 2] === m[2] && s[at + 3] === m[4]
      && s[at + 4] === m[5] && s[at + 5] === m[6] && s[at + 6] === m[8] && s[at + 7] === m[9]
      && s[at + 8] === m[10] && s[at + 9] === m[12] && s[at + 10] === m[13] && s[at + 11] === m[14]) return false;
    for (let k = 0; k < 12; k++) s[at + k] = m[k + Math.floor(k / 3)];
    return true;
  }

  /** All numbers differ next time. */
  forget() { this.#numbers.fill(NaN); }

  #room(length) {
    if (this.#numbers.length >= length) return this.#numbers;
    const numbers = new Float64Array(2 * length).fill(NaN);
    numbers.set(this.#numbers);
    return this.#numbers = numbers;
  }
}

/** How often the poses of bodies were set, by whomever. */
export function poseCountOf(bodies) {
  let sum = 0;
  for (const body of bodies) sum += body.poseCount;
  return sum;
}
