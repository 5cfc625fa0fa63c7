// Where the vertices of a part are at a sample: morph, then skin, then place, as the library does.
// Displacements and weights were stored in 16 bits, so this is good for pictures, not for answers.

/** A thing's values at every sample; equal ones are stored once. */
class Track {
  constructor(bytes, facts, Kind, width) {
    this.width = width;
    this.table = facts.table;
    this.values = new Kind(bytes.buffer, bytes.byteOffset + facts.blocks, facts.count * width);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  blockAt(sample) {
    return this.table === null ? 0 : this.view.getUint32(this.table + sample * 4, true);
  }

  at(sample) {
    const block = this.blockAt(sample);
    return this.values.subarray(block * this.width, (block + 1) * this.width);
  }
}

function trackOf(bytes, facts, Kind, width) {
  return facts ? new Track(bytes, facts, Kind, width) : null;
}

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
  constructor(facts, bytes, skins) {
    const array = (Kind, at, count) => new Kind(bytes.buffer, bytes.byteOffset + at, count);
    const count = facts.vertices;
    this.vertexCount = count;
    this.rest = array(Float32Array, facts.positions, count * 3);
    this.indices = array(facts.wide ? Uint32Array : Uint16Array, facts.indices, facts.triangles * 3);
    this.targets = facts.targets.map((target) => ({
      scale: target.scale,
      count: target.count,
      indices: target.indices === null ? null : array(Uint32Array, target.indices, target.count),
      deltas: array(Int16Array, target.deltas, target.count * 3),
    }));
    this.transform = trackOf(bytes, facts.transform, Float32Array, 12);
    this.weights = trackOf(bytes, facts.weights, Float32Array, facts.targets.length);
    this.cached = trackOf(bytes, facts.cached, Uint16Array, count * 3);
    this.box = facts.box;
    this.skin = facts.skin < 0 ? null : skins[facts.skin];
    this.influences = facts.influences;
    if (this.skin) {
      this.joints = array(Uint16Array, facts.joints, count * this.influences);
      this.jointWeights = normalized(
        array(Uint16Array, facts.jointWeights, count * this.influences),
        this.influences,
      );
    }
    // Doubles, since sums of large floats may be beyond floats.
    this.work = new Float64Array(count * 3);
  }

  /** Are the vertices of two samples the same? */
  isStill(before, after) {
    return [this.transform, this.weights, this.cached, this.skin].every(
      (track) => !track || track.blockAt(before) === track.blockAt(after),
    );
  }

  /** Vertices at a sample, three numbers each, as doubles. Valid until the next call. */
  verticesAt(sample) {
    this.#shape(sample);
    if (this.skin && !this.cached) this.#skinned(this.skin.at(sample));
    if (this.transform) this.#placed(this.transform.at(sample));
    return this.work;
  }

  #shape(sample) {
    if (this.cached) {
      const values = this.cached.at(sample);
      const step = [0, 1, 2].map((axis) => (this.box[axis + 3] - this.box[axis]) / 65535);
      for (let i = 0; i < values.length; i++)
        this.work[i] = this.box[i % 3] + values[i] * step[i % 3];
      return;
    }
    this.work.set(this.rest);
    const weights = this.weights ? this.weights.at(sample) : [];
    this.targets.forEach((target, i) => {
      if (weights[i]) this.#morphed(target, weights[i] * target.scale);
    });
  }

  #morphed({ count, indices, deltas }, factor) {
    const { work } = this;
    for (let i = 0; i < count; i++) {
      const at = (indices ? indices[i] : i) * 3;
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
  const skins = facts.skins.map((skin) => trackOf(bytes, skin.motion, Float32Array, skin.joints * 12));
  return facts.parts.map((part) => new PartModel(part, bytes, skins));
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
