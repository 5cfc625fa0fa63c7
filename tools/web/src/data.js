// What the command wrote into the page: the facts (JSON) and the blob (bytes they point into).
// Knows nothing of the screen, so that tests can read a page without a browser.

/** Bytes of a base64 text. */
export function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** The bytes of a text of the page, which may be compressed. */
export async function unpacked(text, packing) {
  const bytes = bytesOfBase64(text);
  if (packing === "none") return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(packing));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads numbers one after the other: seven bits a byte, low first; floats little-endian. */
export class Reader {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  varint() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  float() {
    this.at += 4;
    return this.view.getFloat32(this.at - 4, true);
  }

  /** A table of whole numbers, row by row, into an array: see page_bytes_columns(). */
  columns(Kind, rows, columns, order = 1) {
    const table = new Kind(rows * columns);
    for (let column = 0; column < columns; column++) {
      let last = 0;
      let before = 0;
      for (let i = column; i < table.length; i += columns) {
        const code = this.varint();
        const step = code % 2 ? -(code + 1) / 2 : code / 2;
        const now = step + (order === 1 ? last : 2 * last - before);
        table[i] = now;
        before = last;
        last = now;
      }
    }
    return table;
  }

  /** Vertices with a depth, in 255ths of the deepest. */
  depths(most) {
    let vertex = 0;
    return Array.from({ length: this.varint() }, () => [
      (vertex += this.varint()), (this.bytes[this.at++] / 255) * most,
    ]);
  }

  set() {
    const items = new Uint32Array(this.varint());
    for (let i = 0, last = 0; i < items.length; i++) items[i] = last += this.varint();
    return items;
  }
}

function readRows(bytes, pair) {
  const reader = new Reader(bytes, pair.rows);
  const count = pair.rowCount;
  const rows = {
    samples: new Uint32Array(count),
    fresh: new Float64Array(count),
    others: new Float64Array(count),
    depth: new Float32Array(count),
  };
  for (let i = 0, sample = 0; i < count; i++) {
    rows.samples[i] = sample += reader.varint();
    rows.fresh[i] = reader.varint();
    rows.others[i] = reader.varint();
    rows.depth[i] = reader.float();
  }
  return rows;
}

/** Where what belongs to a pair and a sample is: for each pair, by its number in the report, by sample. */
function skim(bytes, at, count) {
  const reader = new Reader(bytes, at);
  const places = new Map();
  for (let i = 0; i < count; i++) {
    const pair = reader.varint();
    const sample = reader.varint();
    const size = reader.varint();
    if (!places.has(pair)) places.set(pair, new Map());
    places.get(pair).set(sample, reader.at);
    reader.at += size;
  }
  return places;
}

const floats = (reader, count) => Array.from({ length: count }, () => reader.float());

function readRegion(reader, joints) {
  const depth = reader.float();
  const areas = floats(reader, 2);
  const flags = reader.varint();
  const deepest = floats(reader, 3);
  const closest = floats(reader, 3);
  const shares = Array.from({ length: reader.varint() }, () => ({ joint: joints[reader.varint()], percent: reader.varint() }));
  return { depth, areas, inner: flags & 1, isSolid: (flags & 2) !== 0, isPoking: (flags & 4) !== 0, deepest, closest, shares };
}

/** Regions of every pose that was measured: for each pair, by its number, a list by sample. */
function readMeasures(bytes, facts) {
  const reader = new Reader(bytes, facts.measures);
  const measures = new Map();
  for (let i = 0; i < facts.measureCount; i++) {
    const pair = reader.varint();
    const sample = reader.varint();
    const smallCount = reader.varint();
    const regions = Array.from({ length: reader.varint() }, () => readRegion(reader, facts.joints));
    if (!measures.has(pair)) measures.set(pair, []);
    measures.get(pair).push({ sample, smallCount, regions });
  }
  return measures;
}

/** The place of `wanted` in a rising array, or where it would go. */
function lowerBound(array, wanted) {
  let low = 0;
  let high = array.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (array[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A signed distance of its code, as a part of the reach: see page_fit.c. NaN: it is farther. */
function distanceOf(code) {
  const steps = (code - 128) / 127;
  return code === 0 ? NaN : Math.sign(steps) * steps * steps;
}

const NO_TRIANGLES = new Uint32Array(0);

export class Findings {
  constructor(facts, bytes) {
    this.bytes = bytes;
    this.runs = facts.runs;
    this.parts = facts.parts;
    this.sampleCount = Math.max(1, facts.sampleCount);
    this.contacts = skim(bytes, facts.contacts, facts.contactCount);
    this.depths = skim(bytes, facts.depths, facts.depthCount);
    this.fits = skim(bytes, facts.fits, facts.fitCount);
    const measures = readMeasures(bytes, facts);
    this.pairs = facts.pairs.map((pair) => ({
      ...pair, rows: readRows(bytes, pair), measures: measures.get(pair.index) ?? [],
    }));
  }

  /** New pairs of triangles at each sample, in all of these pairs of parts. */
  totalsOf(pairs) {
    const totals = new Float64Array(this.sampleCount);
    for (const { rows, rigid } of pairs) {
      if (rigid && rows.fresh.length) totals.forEach((_, sample) => (totals[sample] += rows.fresh[0]));
      else rows.samples.forEach((sample, i) => (totals[sample] += rows.fresh[i]));
    }
    return totals;
  }

  /** The deepest at each sample, in all of these pairs of parts. -1: they intersect, and no depth is
   * known; 0: they do not. */
  depthsOf(pairs) {
    const depths = new Float32Array(this.sampleCount);
    for (const { rows, rigid } of pairs) {
      rows.samples.forEach((sample, i) => {
        const depth = rows.depth[i] > 0 ? rows.depth[i] : rows.fresh[i] > 0 ? -1 : 0;
        const [from, to] = rigid ? [0, this.sampleCount] : [sample, sample + 1];
        for (let at = from; at < to; at++) depths[at] = Math.max(depths[at] || depth, depth || depths[at]);
      });
    }
    return depths;
  }

  /** Runs, worst first for these pairs of parts: { run, depth, pairs, sample }. The greatest depth that
   * is known, or 0, the most new pairs of triangles, and the sample of the one or else of the other. */
  runsFrom(pairs) {
    const [depths, totals] = [this.depthsOf(pairs), this.totalsOf(pairs)];
    const most = (values, { sample, count }) => {
      let best = sample;
      for (let at = sample; at < sample + count; at++) if (values[at] > values[best]) best = at;
      return best;
    };
    const worst = this.runs.map((run) => {
      const [deepest, fullest] = [most(depths, run), most(totals, run)];
      const depth = Math.max(0, depths[deepest]);
      return { run, depth, pairs: totals[fullest], sample: depth > 0 ? deepest : fullest };
    });
    return worst.sort((x, y) => y.depth - x.depth || y.pairs - x.pairs || x.run.sample - y.run.sample);
  }

  /** The sample that was checked for a sample: of parts that do not move against each other, one. */
  checkedAt(pair, sample) {
    return pair.rigid && pair.rows.samples.length ? pair.rows.samples[0] : sample;
  }

  /** What a pair of parts has at a sample. */
  rowAt(pair, sample) {
    const { samples, fresh, others, depth } = pair.rows;
    const wanted = this.checkedAt(pair, sample);
    const i = lowerBound(samples, wanted);
    if (i === samples.length || samples[i] !== wanted) return { fresh: 0, others: 0, depth: 0 };
    return { fresh: fresh[i], others: others[i], depth: depth[i] < 0 ? null : depth[i] };
  }

  /** The triangles of the two parts of a pair that touch the other part, at a sample. */
  trianglesAt(pair, sample) {
    const at = this.contacts.get(pair.index)?.get(this.checkedAt(pair, sample));
    if (at === undefined) return { a: NO_TRIANGLES, b: NO_TRIANGLES };
    const reader = new Reader(this.bytes, at);
    return { a: reader.set(), b: reader.set() };
  }

  /** Vertices that are inside, of both parts, [vertex, depth] each; null where it was not measured. */
  depthsAt(pair, sample) {
    const at = this.depths.get(pair.index)?.get(this.checkedAt(pair, sample));
    if (at === undefined) return null;
    const reader = new Reader(this.bytes, at);
    const most = reader.float();
    const a = reader.depths(most);
    return { a, b: pair.a === pair.b ? [] : reader.depths(most) };
  }

  /** Signed distances of the vertices of each part of a pair from the other one, negative inside:
   * { sample, reach, sides: [of a, of b] }. A side may be null, and a distance NaN: it is beyond the reach. */
  fitOf(pair) {
    for (const [sample, at] of this.fits.get(pair.index) ?? []) {
      const reader = new Reader(this.bytes, at);
      const reach = reader.float();
      const flags = reader.varint();
      const side = (part) => Float32Array.from(reader.columns(Uint8Array, this.parts[part].vertices, 1), (code) => reach * distanceOf(code));
      return { sample, reach, sides: [flags & 1 ? side(pair.a) : null, flags & 2 ? side(pair.b) : null] };
    }
    return null;
  }

  runOf(sample) {
    const after = this.runs.findIndex((run) => run.sample > sample);
    return this.runs[after < 0 ? this.runs.length - 1 : Math.max(0, after - 1)];
  }

  /** Frame and seconds of a sample, as its run counts. */
  momentOf(sample) {
    const run = this.runOf(sample);
    if (!run) return { run: { name: "rest", sample: 0, count: 1, step: 1 }, frame: 0, time: 0 };
    const frame = run.firstFrame + (sample - run.sample) * run.step;
    return { run, frame, time: run.rate > 0 ? run.start + frame / run.rate : run.start };
  }
}
