// Worlds: bodies, and what is asked of them (include/pliant/world.h, near.h, distance.h, sweep.h, rays.h, regions.h, volume.h).

import { Body } from "./body.js";
import { BadArgumentError, UnsupportedError, alive, choice, itemsOf, limit } from "./errors.js";
import { loaded } from "./module.js";
import { BodyPairs, ClosestPoints, Contacts, HitPoints, Impacts, Intersections, NearPairs, RayHits, WindingNumbers, regionsOf } from "./results.js";

const BROAD_KINDS = ["auto", "brute", "sweep"];
const QUERY_KINDS = ["all", "first", "any"];
const RAY_KINDS = ["first", "any", "all"];
const RAY_SIDES = ["both", "front", "back"];
const SWEEP_KINDS = ["earliest", "first", "all"];
const PRIMITIVE_KINDS = ["triangles", "points", "segments"];
const PRIMITIVE_CORNERS = [3, 1, 2];
const AXES = ["shortest", "x", "y", "z", "all"];
const OTHERS = 5; // as in glue.c: the first word of an answer that only some queries have
const STATS = [
  "verticesRead", "primitivesPlaced", "nodesUpdated", "leavesEvaluated", "verticesEvaluated", "bodyPairs", "nodePairs",
  "boundTests", "leafPairs", "triangleTests", "undecided", "exactFallbacks", "contacts", "byteSize",
];
const MEMORY = ["bodies", "broadPhase", "workers", "answers", "candidates", "total"];

/** An array with an entry for each ray. */
function perRay(array, count, field) {
  if (array.length === count) return array;
  throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `${field} has ${array.length} entries, and needs one for each of ${count} rays`);
}

/** Bits for each ray; null if there are none. */
const bitsOf = (bits, count, field) => bits && Uint32Array.from(perRay(bits, count, field));

/** The handles of bodies, two words each; zeros of null. */
const handlesOf = (bodies) => Uint32Array.from(bodies.flatMap((body) => (body ? [...body.handle] : [0, 0])));

/** All that a world holds, apart from the world: what is left to release if the world is forgotten. */
function release({ module, pointer, records }) {
  module.exports.pliant_world_destroy(pointer);
  for (const record of records.values()) releaseRecord(module, record);
}

function releaseRecord(module, record) {
  record.shape?.release();
  module.free(record.block);
  record.block = 0;
}

const forgotten = new FinalizationRegistry(release);

export class World {
  #held;
  #bodies = new Map();
  #mayPair;

  constructor({ module = loaded(), broadKind = "auto", cpuMask = 0xffffffff, mayPair = null } = {}) {
    if (mayPair !== null && typeof mayPair !== "function") {
      throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `mayPair is ${mayPair}, and must be a function`);
    }
    const pointer = module.created("web_world_create", cpuMask, choice(BROAD_KINDS, broadKind, "broadKind"), mayPair !== null);
    this.#mayPair = mayPair;
    this.module = module;
    this.#held = { module, pointer, records: new Map() };
    forgotten.register(this, this.#held, this);
  }

  get isAlive() { return this.#held !== null; }
  get pointer() { return alive(this.#held?.pointer ?? 0, "world"); }
  get bodies() { return [...this.#bodies.values()]; }

  // ---- Bodies ----

  createBody(shape) {
    if (shape.module !== this.module) throw new BadArgumentError("PLIANT_BAD_ARGUMENT", "the shape is of another module");
    return this.#add(shape, 0, (out) => this.module.exports.pliant_body_create(this.pointer, shape.pointer, out));
  }

  /** A body without a shape: Body.setPrimitives() gives it triangles, segments or points. */
  createSoup({ primitiveKind = "triangles" } = {}) {
    const kind = choice(PRIMITIVE_KINDS, primitiveKind, "primitiveKind");
    return this.#add(null, PRIMITIVE_CORNERS[kind], (out) => this.module.exports.web_soup_create(this.pointer, kind, out));
  }

  /** See Body.createEnd(). */
  createEnd(body) {
    const { exports } = this.module;
    const cornerCount = this.#held.records.get(body.index).cornerCount;
    return this.#add(body.shape, cornerCount, (out) => exports.pliant_body_create_end(this.pointer, this.module.handle(body), out));
  }

  #add(shape, cornerCount, create) {
    this.module.check(create(this.module.answerAt));
    const handle = [this.module.answer(0), this.module.answer(1)];
    const record = { handle, cornerCount, shape: shape?.retain() ?? null, block: 0, isRead: false, cornerWords: null }; // isRead: queries read the block
    const body = new Body(this, record, shape);
    this.#held.records.set(handle[0], record);
    this.#bodies.set(handle[0], body);
    return body;
  }

  /** For bodies: it was destroyed. */
  forget(record) {
    if (!this.#held) return;
    this.#held.records.delete(record.handle[0]);
    this.#bodies.delete(record.handle[0]);
    releaseRecord(this.module, record);
  }

  /** The body of a handle, as it is in results; undefined if there is none. */
  bodyOf(index, rest) {
    const body = this.#bodies.get(index);
    return body && body.handle[1] === rest ? body : undefined;
  }

  /** A query that finds pairs of bodies: it asks mayPair() about them. */
  #ask(name, ...given) {
    const { module, pointer } = this;
    const call = () => module.exports[name](pointer, ...given);
    if (this.#mayPair) module.ask(this.#mayPair, (index, rest) => this.bodyOf(index, rest), pointer, call);
    else module.check(call());
  }

  // ---- Contacts ----

  /** The contacts between all bodies; within each too, with includesSelf. */
  collide(def) { return this.collideBodies(null, null, def); }

  /** The contacts between two bodies; within one, if both are the same; of one with all others, if b is null. */
  collideBodies(a, b, { kind = "all", includesSelf = false, maxContactCount = 0 } = {}) {
    const { module } = this;
    this.#ask("web_collide", module.handle(a), module.handle(b, 1),
      choice(QUERY_KINDS, kind, "kind"), includesSelf, limit(maxContactCount, "maxContactCount"));
    return new Contacts(this, this.#items(24), module.answerState());
  }

  /** Pairs of bodies whose boxes overlap, or are within a distance. */
  bodyPairs(def) { return this.#pairs("web_body_pairs", def); }

  #pairs(name, { distance = 0, maxPairCount = 0 } = {}) {
    this.#ask(name, distance, limit(maxPairCount, "maxPairCount"));
    return new BodyPairs(this, this.#items(16), this.module.answerState());
  }

  /** Where the triangles of contacts intersect. */
  intersections(contacts, { maxIntersectionCount = 0 } = {}) {
    const { module } = this;
    module.check(module.exports.web_intersections(this.pointer, ...this.#given(contacts),
      limit(maxIntersectionCount, "maxIntersectionCount")));
    return new Intersections(this.#items(16), this.#items(40, OTHERS), module.answerState());
  }

  /** Where bodies are inside each other, and how deep: of all contacts of a query. */
  regions(contacts, { depthTolerance = 0.01, maxRegionCount = 0, vertexDepths = false, pieceSize = 0 } = {}) {
    const { module } = this;
    module.check(module.exports.web_regions(this.pointer, ...this.#given(contacts), depthTolerance,
      limit(maxRegionCount, "maxRegionCount"), vertexDepths ? 1 : 0, pieceSize));
    return regionsOf(this, {
      items: this.#items(304), curves: this.#items(24, OTHERS), points: this.#items(24, OTHERS + 2),
      triangles: new Int32Array(this.#items(4, OTHERS + 4)), vertices: new Int32Array(this.#items(4, OTHERS + 6)),
      pieces: this.#items(60, OTHERS + 8),
      depths: vertexDepths ? new Float32Array(this.#items(4, OTHERS + 10)) : undefined,
    }, module.answerState());
  }

  /** Contacts that are handed back: of a query, or made by the caller, who leaves out the stamp. */
  #given({ words, count, stamp = 0n, isLimitReached = false }) {
    return [...this.module.input(words), count, stamp, isLimitReached];
  }

  // ---- How far, and when ----

  /** What is subtracted from vertices in double before they are rounded: three numbers, at first zeros. */
  setOrigin(origin) {
    const { module } = this;
    if (origin.length !== 3) throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `origin has ${origin.length} numbers, and needs 3`);
    module.check(module.exports.pliant_world_set_origin(this.pointer, module.input(Float64Array.from(origin))[0]));
  }

  /** Pairs of vertices that never count, a vertex of a and one of b each; null removes them. */
  excludeVertices(a, b, pairs) {
    const { module } = this;
    const numbers = pairs === null ? new Uint32Array() : Uint32Array.from(pairs);
    if (numbers.length % 2 !== 0) {
      throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `pairs has ${numbers.length} numbers, and needs 2 for each`);
    }
    const [given] = module.input(numbers);
    module.check(module.exports.web_exclude_vertices(this.pointer, module.handle(a), module.handle(b, 1), given,
      BigInt(numbers.length / 2)));
  }

  near(def) { return this.nearBodies(null, null, def); }

  nearBodies(a, b, { distance = 0, includesSelf = false, restDistance = 0, margin = 0, maxPairCount = 0, unique = false } = {}) {
    const { module } = this;
    this.#ask("web_near", module.handle(a), module.handle(b, 1),
      distance, includesSelf, restDistance, margin, limit(maxPairCount, "maxPairCount"), unique);
    return new NearPairs(this, this.#items(88), module.answerState());
  }

  /** The closest features of two bodies, or of one, if both are the same; null if they are farther than maxDistance. */
  distance(a, b, { maxDistance = Infinity } = {}) {
    const { module } = this;
    module.check(module.exports.web_distance(this.pointer, module.handle(a), module.handle(b, 1), maxDistance));
    const pairs = new NearPairs(this, this.#items(88), module.answerState());
    return pairs.count > 0 ? pairs.get(0) : null;
  }

  /** Pairs of bodies that are no farther from each other than a distance. */
  bodiesWithin(def) { return this.#pairs("web_bodies_within", def); }

  closestPoints(points, def) { return this.closestPointsOf(null, points, def); }

  closestPointsOf(body, points, {
    maxDistance = Infinity, isSigned = false, categories = 0xffffffff, collidesWith = 0xffffffff,
  } = {}) {
    const { module } = this;
    const [given, count] = itemsOf(points, 3, "points");
    module.check(module.exports.web_closest_points(this.pointer, module.handle(body), ...module.input(given), count,
      maxDistance, isSigned, categories, collidesWith));
    return new ClosestPoints(this, this.#items(44), module.answerState(), module.answer(OTHERS) !== 0);
  }

  /** How often the surface of a body winds around each point. */
  windingNumbers(body, points) {
    const { module } = this;
    const [given, count] = itemsOf(points, 3, "points");
    module.check(module.exports.web_winding_numbers(this.pointer, module.handle(body), ...module.input(given), count));
    return new WindingNumbers(this, this.#items(24), module.answerState(), module.answer(OTHERS) !== 0);
  }

  sweep(def) { return this.sweepBodies(null, null, def); }

  sweepBodies(a, b, { kind = "earliest", maxTime = 1, includesSelf = false, distance = 0, slack = 0, margin = 0,
    restDistance = 0, maxImpactCount = 0 } = {}) {
    const { module } = this;
    this.#ask("web_sweep", module.handle(a), module.handle(b, 1),
      choice(SWEEP_KINDS, kind, "kind"), maxTime, includesSelf, distance, slack, margin, restDistance,
      limit(maxImpactCount, "maxImpactCount"));
    return new Impacts(this, this.#items(88), module.answerState(), module.answer(OTHERS) !== 0);
  }

  // ---- Rays ----

  castRays(rays, def) { return this.castRaysAt(null, rays, def); }

  /** Seven numbers for each ray: origin, direction, greatest t. Further arrays have an entry for each ray. */
  castRaysAt(body, rays, { kind = "first", categories = 0xffffffff, collidesWith = 0xffffffff, maxHitCount = 0, sides = "both",
    ignored = null, rayCategories = null, rayCollidesWith = null } = {}) {
    const { module } = this;
    const [given, count] = itemsOf(rays, 7, "rays");
    module.check(module.exports.web_cast_rays(this.pointer, module.handle(body),
      ...module.input(given, ignored && handlesOf(perRay(ignored, count, "ignored")), bitsOf(rayCategories, count, "rayCategories"),
        bitsOf(rayCollidesWith, count, "rayCollidesWith")), count,
      choice(RAY_KINDS, kind, "kind"), choice(RAY_SIDES, sides, "sides"), categories, collidesWith, limit(maxHitCount, "maxHitCount")));
    return new RayHits(this, this.#items(40), module.answerState());
  }

  /** Where hits are now, and the smooth normals there: of castRays(), or RayHits.kept(), which follow their bodies. */
  hitPoints(hits, { maxPointCount = 0 } = {}) {
    const { module } = this;
    module.check(module.exports.web_hit_points(this.pointer, ...this.#given(hits), limit(maxPointCount, "maxPointCount")));
    return new HitPoints(this, this.#items(24), module.answerState());
  }

  /** The joint that the skin follows most at each hit; -1 if there is none. */
  hitJoints({ words, count }) {
    const { module } = this;
    const [pointer] = module.input(words);
    module.check(module.exports.web_hit_joints(this.pointer, pointer, count));
    return module.view(Int32Array, pointer, count).slice();
  }

  // ---- Volumes ----

  /** The volume of a body, or of what two bodies have in common. */
  volume(a, b, { resolution = 128, maxResolution = 4096, axes = "shortest", error = 0, relativeError = 0 } = {}) {
    const { module } = this;
    module.check(module.exports.web_volume(this.pointer, module.handle(a), module.handle(b, 1), resolution, maxResolution,
      choice(AXES, axes, "axes"), error, relativeError));
    const n = module.numbers(14);
    return {
      volume: n[0], error: n[1], centroid: n.slice(2, 5), box: { low: n.slice(5, 8), high: n.slice(8, 11) },
      isReached: n[11] !== 0, badPixelCount: n[12], isClosed: n[13] !== 0,
    };
  }

  /** Whether the whole surface of `inner` is inside `outer`, and whether `outer` is closed. */
  containment(outer, inner) {
    const { module } = this;
    module.check(module.exports.web_containment(this.pointer, module.handle(outer), module.handle(inner, 1)));
    return { contains: module.answer(0) !== 0, isClosed: module.answer(1) !== 0 };
  }

  // ---- Holding ----

  /** Calls ask() in a hold: nothing may be set in it, and borrowed vertices are read once. Returns what ask() returns. */
  hold(ask) {
    const { module } = this;
    module.check(module.exports.pliant_world_hold(this.pointer));
    try {
      return ask();
    } finally {
      module.check(module.exports.pliant_world_release(this.pointer));
    }
  }

  // ---- Cancelling ----

  /** For another thread, by postMessage(): what cancellerOf() takes there. */
  cancelToken() {
    const { compiled, memory } = this.module;
    if (memory.buffer instanceof ArrayBuffer) {
      throw new UnsupportedError("PLIANT_UNSUPPORTED", "no other thread can end a query: the module has one thread");
    }
    return { compiled, memory, pointer: this.pointer };
  }

  // ---- Statistics ----

  stats() {
    this.module.check(this.module.exports.web_world_stats(this.pointer));
    const numbers = this.module.numbers(STATS.length);
    return Object.fromEntries(STATS.map((name, i) => [name, numbers[i]]));
  }

  /** Bytes by parts; `total` is stats().byteSize. */
  memory() {
    this.module.check(this.module.exports.web_world_memory(this.pointer));
    const numbers = this.module.numbers(MEMORY.length);
    return Object.fromEntries(MEMORY.map((name, i) => [name, numbers[i]]));
  }

  /** Releases all memory but that of bodies. Later queries allocate again, and return the same answers. */
  trim() { this.module.check(this.module.exports.pliant_world_trim(this.pointer)); }

  /** A copy of the items that words of the answer name. */
  #items(byteSize, word = 0) {
    return this.module.copied(this.module.answer(word), byteSize * this.module.answer(word + 1));
  }

  /** Destroys the world and its bodies. */
  dispose() {
    if (!this.#held) return;
    forgotten.unregister(this);
    const held = this.#held;
    this.#held = null;
    this.#bodies.clear();
    release(held);
  }
}

/** The threshold of IPC's mollifier for two edges at rest. */
export function edgeEdgeMollifierThreshold(a0, a1, b0, b1) {
  const module = loaded();
  const [points] = module.input(Float32Array.of(...a0, ...a1, ...b0, ...b1));
  return module.exports.web_mollifier_threshold(points);
}

if (Symbol.dispose) World.prototype[Symbol.dispose] = World.prototype.dispose;
