// What queries return: copies, which live as long as the caller wants. Items are read from words, at the places that glue.c asserts.

const FEATURES = ["vertex-triangle", "triangle-vertex", "edge-edge", "triangle-triangle", "vertex-vertex", "vertex-edge", "edge-vertex"];

/** Items of so many 32-bit words each, which begin with the handles of two bodies. `state`: see Module.answerState(). */
class Items {
  constructor(world, buffer, wordCount, state) {
    this.world = world;
    Object.assign(this, state);
    this.words = new Int32Array(buffer);
    this.floats = new Float32Array(buffer);
    this.wordCount = wordCount;
    this.count = this.words.length / wordCount;
  }

  bodyA(i) { return this.bodyAt(i, 0); }
  bodyB(i) { return this.bodyAt(i, 2); }

  /** The body that a handle names; undefined if it was destroyed since. */
  bodyAt(i, word) {
    const at = i * this.wordCount + word;
    return this.world.bodyOf(this.words[at] >>> 0, this.words[at + 1] >>> 0);
  }

  numbers(i, word, count) {
    const at = i * this.wordCount + word;
    return Array.from(this.floats.subarray(at, at + count));
  }

  word(i, word) { return this.words[i * this.wordCount + word]; }
  float(i, word) { return this.floats[i * this.wordCount + word]; }

  * [Symbol.iterator]() {
    for (let i = 0; i < this.count; i++) yield this.get(i);
  }
}

export class BodyPairs extends Items {
  constructor(world, buffer, state) { super(world, buffer, 4, state); }
  get(i) { return { bodyA: this.bodyA(i), bodyB: this.bodyB(i) }; }
}

export class Contacts extends Items {
  constructor(world, buffer, state) { super(world, buffer, 6, state); }

  triangleA(i) { return this.words[6 * i + 4]; }
  triangleB(i) { return this.words[6 * i + 5]; }

  get(i) {
    return { bodyA: this.bodyA(i), bodyB: this.bodyB(i), triangleA: this.triangleA(i), triangleB: this.triangleB(i) };
  }
}

/** Items with four vertices each, from word 15 on. */
class FeaturePairs extends Items {
  constructor(world, buffer, state) { super(world, buffer, 22, state); }

  /** The four vertices of each item: those of body a, then those of body b. */
  get vertices() {
    const all = new Uint32Array(4 * this.count);
    for (let i = 0; i < this.count; i++) all.set(this.verticesOf(i), 4 * i);
    return all;
  }

  verticesOf(i) { return new Uint32Array(this.words.buffer, 4 * (i * this.wordCount + 15), 4); }
}

export class NearPairs extends FeaturePairs {

  get(i) {
    return {
      bodyA: this.bodyA(i), bodyB: this.bodyB(i), kind: FEATURES[this.word(i, 4)],
      featureA: this.word(i, 5), featureB: this.word(i, 6), distance: this.float(i, 7),
      normal: this.numbers(i, 8, 3), weights: this.numbers(i, 11, 4),
      vertices: Array.from(this.verticesOf(i)), pairCount: this.word(i, 19), region: this.word(i, 20) & 15,
      isUncertain: (this.word(i, 20) >> 8 & 1) === 1,
    };
  }
}

export class Impacts extends FeaturePairs {
  constructor(world, buffer, state, isConservative) {
    super(world, buffer, state);
    this.isConservative = isConservative;
  }

  time(i) { return this.float(i, 7); }

  get(i) {
    return {
      bodyA: this.bodyA(i), bodyB: this.bodyB(i), kind: FEATURES[this.word(i, 4)],
      featureA: this.word(i, 5), featureB: this.word(i, 6), time: this.time(i),
      weights: this.numbers(i, 8, 4), normal: this.numbers(i, 12, 3),
      vertices: Array.from(this.verticesOf(i)), pairCount: this.word(i, 19),
    };
  }
}

export class RayHits extends Items {
  constructor(world, buffer, state) { super(world, buffer, 10, state); }

  ray(i) { return this.word(i, 0); }
  body(i) { return this.bodyAt(i, 2); }
  triangle(i) { return this.word(i, 4); }
  t(i) { return this.float(i, 5); }
  side(i) { return this.word(i, 9); }

  /** Some of the hits, for World.hitPoints() and hitJoints() later: their points follow the bodies, as decals do. */
  kept(indices) {
    const words = new Int32Array(10 * indices.length);
    indices.forEach((i, k) => words.set(this.words.subarray(10 * i, 10 * i + 10), 10 * k));
    return { words, count: indices.length };
  }

  get(i) {
    return {
      ray: this.ray(i), body: this.body(i), triangle: this.triangle(i), t: this.t(i), weights: this.numbers(i, 6, 3), side: this.side(i),
    };
  }
}

/** One for each hit, in their order. */
export class HitPoints extends Items {
  constructor(world, buffer, state) { super(world, buffer, 6, state); }
  get(i) { return { position: this.numbers(i, 0, 3), normal: this.numbers(i, 3, 3) }; }
}

export class ClosestPoints extends Items {
  constructor(world, buffer, state, isCertain) {
    super(world, buffer, 11, state);
    this.isCertain = isCertain;
  }

  get(i) {
    return {
      body: this.bodyAt(i, 0), triangle: this.word(i, 2), distance: this.float(i, 3),
      weights: this.numbers(i, 4, 3), position: this.numbers(i, 7, 3), isUndecided: (this.word(i, 10) & 1) !== 0,
    };
  }
}

export class WindingNumbers extends Items {
  constructor(world, buffer, state, isCertain) {
    super(world, buffer, 6, state);
    this.isCertain = isCertain;
    this.doubles = new Float64Array(buffer);
  }

  get(i) {
    const bits = this.word(i, 4);
    return {
      number: this.doubles[3 * i], error: this.doubles[3 * i + 1], isInside: (bits & 0xff) !== 0, isUndecided: (bits >> 8 & 1) !== 0,
    };
  }
}

/** The sides of an intersection; a touch has one, of no length. */
const sides = (pointCount) => (pointCount === 2 ? 1 : pointCount);

/** One for each contact, in their order. */
export class Intersections {
  constructor(items, points, state) {
    Object.assign(this, state);
    this.words = new Int32Array(items);
    this.points = new Float32Array(points); // ten words each: see glue.c
    this.names = new Uint8Array(points);
    this.count = this.words.length / 4;
  }

  /** Three numbers for each point: one is a touch, two are a segment, more a convex polygon. */
  positions(i) {
    const [first, , count] = this.words.subarray(4 * i, 4 * i + 3);
    const found = new Float32Array(3 * count);
    for (let k = 0; k < count; k++) found.set(this.points.subarray(10 * (first + k) + 1, 10 * (first + k) + 4), 3 * k);
    return found;
  }

  /** The segments of all, and the sides of polygons. */
  get segmentCount() {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += sides(this.words[4 * i + 2]);
    return sum;
  }

  /** Writes both ends of all segments, six numbers each: a copy, without garbage. */
  writeSegments(array) {
    const { words, points } = this;
    let at = 0;
    for (let i = 0; i < this.count; i++) {
      const first = words[4 * i], count = words[4 * i + 2];
      for (let k = 0; k < sides(count); k++) {
        for (let end = k; end <= k + 1; end++) {
          const from = 10 * (first + (end % count)) + 1;
          array[at++] = points[from];
          array[at++] = points[from + 1];
          array[at++] = points[from + 2];
        }
      }
    }
  }

  get(i) {
    const [first, , count] = this.words.subarray(4 * i, 4 * i + 3);
    return Array.from({ length: count }, (_, k) => {
      const at = 10 * (first + k);
      const floats = (word) => Array.from(this.points.subarray(at + word, at + word + 3));
      return {
        cornersA: this.names[4 * at], cornersB: this.names[4 * at + 1], position: floats(1), weightsA: floats(4), weightsB: floats(7),
      };
    });
  }

  * [Symbol.iterator]() {
    for (let i = 0; i < this.count; i++) yield this.get(i);
  }
}

/** The pieces of each part, in the order of regions and parts. */
function* piecesByPart(pieces) {
  const numbers = new Int32Array(pieces), floats = new Float32Array(pieces);
  for (let region = 0, at = 0; ; region++)
    for (const number of [0, 1]) {
      const triangles = [], corners = [], depths = [];
      for (; at < numbers.length && numbers[at] === region && numbers[at + 1] === number; at += 15) {
        triangles.push(numbers[at + 2]);
        corners.push(...floats.subarray(at + 3, at + 12));
        depths.push(...floats.subarray(at + 12, at + 15));
      }
      yield { triangles: Int32Array.from(triangles), corners: Float32Array.from(corners), depths: Float32Array.from(depths) };
    }
}

function part(view, at, { triangles, vertices, depths }, pieces) {
  const whole = (offset) => Number(view.getBigInt64(at + offset, true));
  const doubles = (offset, count) => Array.from({ length: count }, (_, i) => view.getFloat64(at + offset + 8 * i, true));
  const floats = (offset, count) => Array.from({ length: count }, (_, i) => view.getFloat32(at + offset + 4 * i, true));
  return {
    triangles: triangles.slice(whole(0), whole(0) + whole(8)),
    vertices: vertices.slice(whole(16), whole(16) + whole(24)),
    vertexDepths: depths?.slice(whole(16), whole(16) + whole(24)), pieces,
    area: view.getFloat64(at + 32, true), areaNormal: doubles(40, 3), centroid: doubles(64, 3),
    depth: view.getFloat32(at + 88, true), maxDepth: view.getFloat32(at + 92, true),
    deepest: floats(96, 3), closest: floats(108, 3),
    deepestTriangle: view.getInt32(at + 120, true), closestTriangle: view.getInt32(at + 124, true),
  };
}

function curve(view, at, points) {
  const first = Number(view.getBigInt64(at, true));
  const count = Number(view.getBigInt64(at + 8, true));
  const floats = new Float32Array(points);
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) positions.set(floats.subarray(6 * (first + i), 6 * (first + i) + 3), 3 * i);
  return { positions, isClosed: view.getUint8(at + 16) !== 0 };
}

/** The regions of PliantRegions: an array of plain objects, which has the stamp too. */
export function regionsOf(world, { items, curves, points, pieces, ...lists }, state) {
  const view = new DataView(items);
  const parts = piecesByPart(pieces);
  const curveView = new DataView(curves);
  const regions = Array.from({ length: items.byteLength / 304 }, (_, i) => {
    const at = 304 * i;
    const handle = (offset) => world.bodyOf(view.getUint32(at + offset, true), view.getUint32(at + offset + 4, true));
    const first = Number(view.getBigInt64(at + 16, true));
    const count = Number(view.getBigInt64(at + 24, true));
    return {
      bodyA: handle(0), bodyB: handle(8),
      curves: Array.from({ length: count }, (_, k) => curve(curveView, 24 * (first + k), points)),
      parts: [32, 160].map((offset) => part(view, at + offset, lists, parts.next().value)),
      normal: [0, 4, 8].map((offset) => view.getFloat32(at + 288 + offset, true)),
      isInside: [300, 301].map((offset) => view.getUint8(at + offset) !== 0),
    };
  });
  return Object.assign(regions, state);
}
