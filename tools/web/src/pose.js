// Where the vertices of a part are at a sample: morph, then skin, then place, as the library does.
// Displacements and weights were stored in 16 bits, so this is good for pictures, not for answers.

import { Reader } from "./data.js";

/** A coordinate that is not finite; others are steps across the box of the part. */
const NOWHERE = 65535;

/** A thing's values at every sample; equal ones are stored once. */
class Track {
  constructor(bytes, facts, width, sampleCount, Kind) {
    this.width = width;
    this.table = facts.table === null ? null : new Reader(bytes, facts.table).columns(Uint32Array, sampleCount, 1);
    this.values = new Reader(bytes, facts.blocks).columns(Kind, facts.count, width, 2);
  }

  blockAt(sample) {
    return this.table === null ? 0 : this.table[sample];
  }

  at(sample) {
    const block = this.blockAt(sample);
    return this.values.subarray(block * this.width, (block + 1) * this.width);
  }
}

/** Numbers that were stored as multiples of steps[kind(column)]. */
function trackOf(bytes, facts, width, sampleCount, kind) {
  if (!facts) return null;
  const track = new Track(bytes, facts, width, sampleCount, Float64Array);
  for (let i = 0; i < track.values.length; i++) track.values[i] *= facts.steps[kind(i % width)];
  return track;
}

/** Three rows of four: what turns and stretches, and in the last column what moves. */
const kindInMatrix = (column) => (column % 4 === 3 ? 1 : 0);
const kindOfWeight = () => 0;

function normalized(weights, influences) {
  const result = new Float32Array(weights.length);
  for (let i = 0; i < weights.length; i += influences) {
    let sum = 0;
    for (let k = 0; k < influences; k++) sum += weights[i + k];
    for (let k = 0; k < influences; k++) result[i + k] = sum > 0 ? weights[i + k] / sum : 0;
  }
  return result;
}

export class PartModel {
  constructor(facts, bytes, skins, sampleCount) {
    const table = (Kind, at, rows, columns) => new Reader(bytes, at).columns(Kind, rows, columns);
    const count = facts.vertices;
    this.vertexCount = count;
    this.box = facts.box;
    this.rest = new Float64Array(count * 3);
    this.#place(table(Uint16Array, facts.positions, count, 3), this.rest);
    this.indices = table(count > 65536 ? Uint32Array : Uint16Array, facts.indices, facts.triangles, 3);
    this.targets = facts.targets.map((target) => ({
      scale: target.scale,
      indices: table(Uint32Array, target.indices, target.count, 1),
      deltas: table(Int16Array, target.deltas, target.count, 3),
    }));
    this.transform = trackOf(bytes, facts.transform, 12, sampleCount, kindInMatrix);
    this.weights = trackOf(bytes, facts.weights, facts.targets.length, sampleCount, kindOfWeight);
    this.cached = facts.cached && new Track(bytes, facts.cached, count * 3, sampleCount, Uint16Array);
    this.skin = facts.skin < 0 ? null : skins[facts.skin];
    this.influences = facts.influences;
    if (this.skin) {
      this.joints = table(Uint16Array, facts.joints, count, this.influences);
      this.jointWeights = normalized(
        table(Uint16Array, facts.jointWeights, count, this.influences),
        this.influences,
      );
    }
    // Doubles, since sums of large floats may be beyond floats.
    this.work = new Float64Array(count * 3);
  }

  #place(steps, to) {
    const size = [0, 1, 2].map((axis) => (this.box[axis + 3] - this.box[axis]) / (NOWHERE - 1));
    for (let i = 0; i < steps.length; i++)
      to[i] = steps[i] === NOWHERE ? NaN : this.box[i % 3] + steps[i] * size[i % 3];
  }

  /** Are the vertices of two samples the same? */
  isStill(before, after) {
    return [this.transform, this.weights, this.cached, this.skin].every(
      (track) => !track || track.blockAt(before) === track.blockAt(after),
    );
  }

  /** Vertices at a sample, three numbers each, as doubles. Valid until the next call. */
  verticesAt(sample) {
    if (this.workSample === sample) return this.work;
    this.workSample = sample;
    this.#shape(sample);
    if (this.skin && !this.cached) this.#skinned(this.skin.at(sample));
    if (this.transform) this.#placed(this.transform.at(sample));
    return this.work;
  }

  #shape(sample) {
    if (this.cached) {
      this.#place(this.cached.at(sample), this.work);
      return;
    }
    this.work.set(this.rest);
    const weights = this.weights ? this.weights.at(sample) : [];
    this.targets.forEach((target, i) => {
      if (weights[i]) this.#morphed(target, weights[i] * target.scale);
    });
  }

  #morphed({ indices, deltas }, factor) {
    const { work } = this;
    for (let i = 0; i < indices.length; i++) {
      const at = indices[i] * 3;
      work[at] += deltas[i * 3] * factor;
      work[at + 1] += deltas[i * 3 + 1] * factor;
      work[at + 2] += deltas[i * 3 + 2] * factor;
    }
  }

  #skinned(matrices) {
    const { work, joints, jointWeights, influences } = this;
    for (let v = 0, i = 0; v < work.length; v += 3) {
      const x = work[v];
      const y = work[v + 1];
      const z = work[v + 2];
      let sx = 0;
      let sy = 0;
      let sz = 0;
      for (const end = i + influences; i < end; i++) {
        const w = jointWeights[i];
        if (w === 0) continue;
        const m = joints[i] * 12;
        sx += w * (matrices[m] * x + matrices[m + 1] * y + matrices[m + 2] * z + matrices[m + 3]);
        sy += w * (matrices[m + 4] * x + matrices[m + 5] * y + matrices[m + 6] * z + matrices[m + 7]);
        sz += w * (matrices[m + 8] * x + matrices[m + 9] * y + matrices[m + 10] * z + matrices[m + 11]);
      }
      work[v] = sx;
      work[v + 1] = sy;
      work[v + 2] = sz;
    }
  }

  #placed(m) {
    const { work } = this;
    for (let v = 0; v < work.length; v += 3) {
      const x = work[v];
      const y = work[v + 1];
      const z = work[v + 2];
      work[v] = m[0] * x + m[1] * y + m[2] * z + m[3];
      work[v + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
      work[v + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
    }
  }
}

/** All parts of the facts. */
export function modelsOf(facts, bytes) {
  const count = Math.max(1, facts.sampleCount);
  const skins = facts.skins.map((skin) => trackOf(bytes, skin.motion, skin.joints * 12, count, kindInMatrix));
  return facts.parts.map((part) => new PartModel(part, bytes, skins, count));
}

/** The box of parts at a sample: [least x, y, z, greatest x, y, z]; null of nothing finite. */
export function boxOf(models, sample) {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const model of models) {
    const vertices = model.verticesAt(sample);
    for (let i = 0; i < vertices.length; i++) {
      const at = vertices[i];
      if (at < box[i % 3]) box[i % 3] = at;
      if (at > box[(i % 3) + 3]) box[(i % 3) + 3] = at;
    }
  }
  return box.every(Number.isFinite) ? box : null;
}
