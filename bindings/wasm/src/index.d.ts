/** Pliant: exact collision detection between deforming meshes. The nouns are those of the C headers in include/pliant/. */

/** Numbers for the library: copied where they are given, and not kept. */
export type Numbers = ArrayLike<number> & Iterable<number>;

export interface LoadOptions {
  /** Which build; default: with SIMD where the engine has it. */
  simd?: boolean;
  /**
   * How many threads queries and shapes use: the calling one, and workers that load() starts. At most 1024; default: 1.
   * A page that is not isolated (`crossOriginIsolated`), and the build without SIMD, have one. Answers are the same.
   */
  threads?: number;
  /** The .wasm: where it is, or what it is. Default: the file of this package. Threads need pliant-threads.wasm. */
  wasm?: string | URL | BufferSource | Response | Promise<Response> | WebAssembly.Module;
}

/** The library in its memory. Shapes and worlds of different modules do not mix. */
export interface Module {
  readonly isSimd: boolean;
  /** How many threads there are, the calling one among them. */
  readonly threads: number;
  readonly version: string;
  /** Bytes of WebAssembly memory, which never shrinks. */
  readonly byteSize: number;
  /** Ends the workers, between queries. Shapes and worlds go on in the calling thread. */
  endThreads(): void;
}

/** Loads the library, and starts its threads. The first module is the default of shapes and worlds. */
export function load(options?: LoadOptions): Promise<Module>;
/** The module that was loaded first. Throws if there is none. */
export function loaded(): Module;

// ---- Shapes ----

export interface Target {
  /** Displacements, or positions: three numbers each. */
  vertices: Numbers;
  /** The vertices that displacements belong to, ascending; all others stay. Default: one for every vertex. */
  indices?: Numbers;
}

export interface Skin {
  jointCount: number;
  /** Of every vertex: 1 to 8. */
  influenceCount: number;
  joints: Numbers;
  weights: Numbers;
}

export interface ShapeDef {
  /** Three numbers for each vertex. */
  vertices: Numbers;
  /** Three vertices for each triangle. May be missing if there are segments. */
  triangles?: Numbers;
  /** Rods: two vertices for each segment. Answers number them behind the triangles. */
  segments?: Numbers;
  targets?: Target[];
  morphKind?: "displacements" | "references";
  skin?: Skin;
  /** Finds vertices that are one, split at a seam of shading or texture. */
  weld?: boolean;
  /** Or: for each vertex the lowest one of its group. */
  groups?: Numbers;
  treeWeights?: Numbers;
  divideKind?: "auto" | "none" | "quarters" | "corners";
  /** The rest are experiments: they affect speed, never answers, and are not frozen at 1.0. */
  treeKind?: "full" | "middle" | "mean" | "connected";
  treeChildCount?: 2 | 4 | 8;
  treeLeafSize?: number;
  boundKind?: "dop18" | "dop14" | "box" | "sphere";
}

export interface ShapeInfo {
  readonly byteSize: number;
  readonly vertexCount: number;
  /** Segments included: they come behind the triangles. */
  readonly triangleCount: number;
  readonly segmentCount: number;
  readonly nonfiniteCount: number;
  readonly targetCount: number;
  readonly jointCount: number;
  readonly leafCount: number;
  readonly nodeCount: number;
  readonly isClosed: boolean;
}

/** An immutable mesh with its tree, which bodies share. Everything is copied. Bodies keep what they need of a disposed shape. */
export class Shape {
  constructor(def: ShapeDef, module?: Module);
  /** A shape from what data() returned, which is copied and checked: from a file, or from another thread. */
  static map(data: ArrayBuffer | ArrayBufferView, module?: Module): Shape;
  readonly module: Module;
  readonly info: ShapeInfo;
  /** All of the shape. A copy: save it, or transfer it to a worker. */
  data(): ArrayBuffer;
  /** Of the rest pose. A copy. */
  vertices(): Float32Array;
  /** A copy. */
  triangles(): Uint32Array;
  /** Two vertices for each edge; queries name an edge by its index here. A copy. */
  edges(): Uint32Array;
  dispose(): void;
  [Symbol.dispose](): void;
}

// ---- Bodies ----

export interface Box {
  low: number[];
  high: number[];
}

/** A shape in motion, or a soup. Its world owns it. */
export class Body {
  private constructor();
  readonly world: World;
  /** null of a soup */
  readonly shape: Shape | null;
  readonly vertexCount: number;
  readonly triangleCount: number;
  readonly isAlive: boolean;
  /** Bodies are ordered by index. */
  readonly index: number;
  /** Grows whenever the pose is set. */
  readonly poseCount: number;
  /** Anything of yours. */
  userData: unknown;

  /** Twelve numbers, three rows of four; applied after weights, joints or vertices. Default: the identity. Copied. */
  setTransform(rows?: Numbers): void;
  /** One number for each morph target. Copied. */
  setWeights(weights: Numbers): void;
  /** Twelve numbers for each joint, three rows of four: in glTF the joint's matrix times its inverse bind matrix. Copied. */
  setJoints(joints: Numbers): void;
  /** Where all vertices are. Copied once, into memory that the body keeps and queries read. */
  setVertices(vertices: Numbers): void;
  /** Calls write(array) with that memory, which is shared if there are threads: nothing is copied. The array must not be used after the call. */
  writeVertices(write: (array: Float32Array) => void): void;
  /** Of a soup: three vertices a triangle, or one a point; by corners, or in turn. Copied once. */
  setPrimitives(vertices: Numbers, corners?: Numbers | null): void;
  resetPose(): void;
  /** Two bodies are tested if each one's `collidesWith` has a bit of the other's `categories`. */
  setFilter(categories: number, collidesWith?: number): void;
  /** Whether queries with `includesSelf` consider the pairs of this body with itself. Default: true. */
  setSelf(isIncluded: boolean): void;
  /** A number for each vertex: near() and sweep() leave out pairs within this body whose vertices all have one number.
   * 0xffffffff: in no patch; null removes them. */
  setPatches(patches: Uint32Array | number[] | null): void;
  /**
   * Where all vertices are, in double, in world coordinates: the body has no transform. World.setOrigin() is subtracted first. `near`
   * then returns all pairs whose doubles are within the distance, and the times of `sweep` are never late for them. Copied.
   */
  setVertices64(vertices: ArrayLike<number>): void;
  /** How far a vertex may be from its double, less the origin of the world; 0 if none was rounded. */
  readonly roundingError: number;
  /** How thick the surface is on each side: `near` and `sweep` add the radii of two features to their distance. Default: 0. */
  setRadius(radius: number): void;
  /** The radius of each vertex, in place of that of the body; null removes them. Copied. */
  setVertexRadii(radii: Numbers | null): void;
  /** The radius of each vertex. A copy. */
  vertexRadii(): Float32Array;
  /** An experiment: affects speed, never answers, and is not frozen at 1.0. */
  setUpdateKind(kind: "hybrid" | "bottom-up" | "top-down"): void;
  /** Six numbers, low and high, that the body promises to stay in; null withdraws that. */
  setLooseBox(box: Numbers | null): void;

  box(): Box;
  /** All vertices as contacts refer to them. A copy; evaluates every vertex. */
  vertices(): Float32Array;
  /** Nine numbers for each of some triangles. A copy; evaluates only what these need. */
  corners(triangles: Numbers): Float32Array;

  collide(def?: QueryDef): Contacts;
  selfCollide(def?: QueryDef): Contacts;
  castRays(rays: Numbers, def?: RayDef): RayHits;
  closestPoints(points: Numbers, def?: ClosestDef): ClosestPoints;
  windingNumbers(points: Numbers): WindingNumbers;
  volume(def?: VolumeDef): Volume;
  /** Where the body is at time 1 of a sweep: a body of its own, which no other query sees. At first it is where its body is now. */
  createEnd(): Body;
  dispose(): void;
  [Symbol.dispose](): void;
}

// ---- Results: copies, which live as long as you want ----

/** What every answer has. */
export interface Answer {
  /** Names the state of the bodies. World.intersections() and World.regions() throw StaleError if a body has changed since. */
  readonly stamp: bigint;
  /** There are more items than the limit. */
  readonly isLimitReached: boolean;
}

/** Items as 32-bit words, and as objects. */
export interface Items<Item> extends Iterable<Item> {
  readonly count: number;
  readonly words: Int32Array;
  readonly floats: Float32Array;
  readonly wordCount: number;
  get(i: number): Item;
}

export interface BodyPair {
  bodyA: Body | undefined;
  bodyB: Body | undefined;
}

export class BodyPairs implements Items<BodyPair>, Answer {
  private constructor();
  readonly stamp: bigint;
  readonly isLimitReached: boolean;
  readonly count: number;
  readonly words: Int32Array;
  readonly floats: Float32Array;
  readonly wordCount: number;
  get(i: number): BodyPair;
  [Symbol.iterator](): Iterator<BodyPair>;
}

/** A body is undefined if it was disposed since. */
export interface Contact extends BodyPair {
  triangleA: number;
  triangleB: number;
}

export class Contacts implements Items<Contact>, Answer {
  private constructor();
  readonly stamp: bigint;
  readonly isLimitReached: boolean;
  readonly count: number;
  readonly words: Int32Array;
  readonly floats: Float32Array;
  readonly wordCount: number;
  bodyA(i: number): Body | undefined;
  bodyB(i: number): Body | undefined;
  triangleA(i: number): number;
  triangleB(i: number): number;
  get(i: number): Contact;
  [Symbol.iterator](): Iterator<Contact>;
}

/** Contacts for World.intersections(): of a query, or a list of your own, without a stamp. */
export interface GivenContacts extends Partial<Answer> {
  /** Six words for each, as Contacts has them. */
  readonly words: Int32Array;
  readonly count: number;
}

export type Features = "vertex-triangle" | "triangle-vertex" | "edge-edge" | "triangle-triangle" |
  "vertex-vertex" | "vertex-edge" | "edge-vertex";

/** The threshold of IPC's mollifier for two edges at rest, from a0 to a1 and from b0 to b1: 0.001 times the squares of both lengths. */
export function edgeEdgeMollifierThreshold(a0: ArrayLike<number>, a1: ArrayLike<number>, b0: ArrayLike<number>, b1: ArrayLike<number>): number;

export interface NearPair extends BodyPair {
  kind: Features;
  featureA: number;
  featureB: number;
  distance: number;
  normal: number[];
  weights: number[];
  /** The four vertices: those of body a, then those of body b. */
  /** Fewer with NearDef.unique: the others are 4294967295. */
  vertices: number[];
  /** Pairs that this one stands for: more than 1 with NearDef.unique only. */
  pairCount: number;
  region: number;
  /** With vertices in double: they may be farther from each other than was asked. */
  isUncertain: boolean;
}

export class NearPairs implements Items<NearPair>, Answer {
  private constructor();
  readonly stamp: bigint;
  readonly isLimitReached: boolean;
  readonly count: number;
  readonly words: Int32Array;
  readonly floats: Float32Array;
  readonly wordCount: number;
  /** Four of each pair. */
  readonly vertices: Uint32Array;
  get(i: number): NearPair;
  [Symbol.iterator](): Iterator<NearPair>;
}

export interface Impact extends BodyPair {
  kind: Features;
  featureA: number;
  featureB: number;
  time: number;
  weights: number[];
  normal: number[];
  /** The four vertices: those of body a, then those of body b. */
  vertices: number[];
  pairCount: number;
}

export class Impacts implements Items<Impact>, Answer {
  private constructor();
  readonly stamp: bigint;
  readonly isLimitReached: boolean;
  readonly count: number;
  readonly words: Int32Array;
  readonly floats: Float32Array;
  readonly wordCount: number;
  readonly isConservative: boolean;
  /** Four of each impact. */
  readonly vertices: Uint32Array;
  time(i: number): number;
  get(i: number): Impact;
  [Symbol.iterator](): Iterator<Impact>;
}

export interface RayHit {
  ray: number;
  body: Body | undefined;
  triangle: number;
  t: number;
  weights: number[];
  /** 1: the front; -1: the back; 0: within the plane of the triangle. */
  side: number;
}

export class RayHits implements Items<RayHit>, Answer {
  private constructor();
  readonly stamp: bigint;
  readonly isLimitReached: boolean;
  readonly count: number;
  readonly words: Int32Array;
  readonly floats: Float32Array;
  readonly wordCount: number;
  ray(i: number): number;
  body(i: number): Body | undefined;
  triangle(i: number): number;
  t(i: number): number;
  side(i: number): number;
  /** Some of the hits, for World.hitPoints() and hitJoints() later: their points follow the bodies, as decals do. */
  kept(indices: number[]): GivenHits;
  get(i: number): RayHit;
  [Symbol.iterator](): Iterator<RayHit>;
}

/** Hits for World.hitPoints() and hitJoints(): of a query, or RayHits.kept(), without a stamp. Ten words each, as in RayHits. */
export interface GivenHits {
  readonly words: Int32Array;
  readonly count: number;
  readonly stamp?: bigint;
  readonly isLimitReached?: boolean;
}

export interface HitPoint {
  position: number[];
  /** Smooth, of length 1, on the front of the surface. */
  normal: number[];
}

/** One for each hit, in their order: floats has six numbers each. */
export class HitPoints implements Items<HitPoint>, Answer {
  private constructor();
  readonly stamp: bigint;
  readonly isLimitReached: boolean;
  readonly count: number;
  readonly words: Int32Array;
  readonly floats: Float32Array;
  readonly wordCount: number;
  get(i: number): HitPoint;
  [Symbol.iterator](): Iterator<HitPoint>;
}

/** Nothing within the distance: body undefined, triangle -1, distance infinity. */
export interface ClosestPoint {
  body: Body | undefined;
  triangle: number;
  distance: number;
  weights: number[];
  position: number[];
  /** The sign is not certain. */
  isUndecided: boolean;
}

export class ClosestPoints implements Items<ClosestPoint>, Answer {
  private constructor();
  readonly stamp: bigint;
  readonly isLimitReached: boolean;
  readonly count: number;
  readonly words: Int32Array;
  readonly floats: Float32Array;
  readonly wordCount: number;
  get(i: number): ClosestPoint;
  /** No point has isUndecided. */
  readonly isCertain: boolean;
  [Symbol.iterator](): Iterator<ClosestPoint>;
}

export interface WindingNumber {
  /** How often the surface winds around the point: an integer if the surface is closed. */
  number: number;
  /** The number is off by at most this. */
  error: number;
  /** The number is at least 1/2 or at most -1/2. */
  isInside: boolean;
  isUndecided: boolean;
}

export class WindingNumbers implements Items<WindingNumber>, Answer {
  private constructor();
  readonly stamp: bigint;
  readonly isLimitReached: boolean;
  readonly count: number;
  readonly words: Int32Array;
  readonly floats: Float32Array;
  readonly wordCount: number;
  get(i: number): WindingNumber;
  /** No number has isUndecided. */
  readonly isCertain: boolean;
  [Symbol.iterator](): Iterator<WindingNumber>;
}

export interface IntersectionPoint {
  cornersA: number;
  cornersB: number;
  position: number[];
  weightsA: number[];
  weightsB: number[];
}

/** One for each contact, in their order: a point, a segment or a convex polygon. */
export class Intersections implements Iterable<IntersectionPoint[]>, Answer {
  private constructor();
  readonly stamp: bigint;
  readonly isLimitReached: boolean;
  readonly count: number;
  positions(i: number): Float32Array;
  /** The segments of all, and the sides of polygons. */
  readonly segmentCount: number;
  /** Writes both ends of all segments, six numbers each: a copy, without garbage. */
  writeSegments(array: Float32Array): void;
  get(i: number): IntersectionPoint[];
  [Symbol.iterator](): Iterator<IntersectionPoint[]>;
}

export interface Curve {
  positions: Float32Array;
  isClosed: boolean;
}

/** What is on the wrong side, of one of the two bodies. */
export interface RegionPart {
  triangles: Int32Array;
  vertices: Int32Array;
  /** How deep each of them is; negative: it does not count. undefined unless RegionsDef.vertexDepths. */
  vertexDepths?: Float32Array;
  /** Small triangles with the depth of each corner: 9 coordinates and 3 depths for each. */
  pieces: { triangles: Int32Array; corners: Float32Array; depths: Float32Array };
  area: number;
  areaNormal: number[];
  centroid: number[];
  depth: number;
  maxDepth: number;
  deepest: number[];
  closest: number[];
  deepestTriangle: number;
  closestTriangle: number;
}

export interface Region extends BodyPair {
  curves: Curve[];
  parts: [RegionPart, RegionPart];
  /** The direction that leads a out of b. */
  normal: number[];
  /** Of each part: whether it is inside the other body. Always so if that is closed. */
  isInside: [boolean, boolean];
}

export interface Volume {
  volume: number;
  error: number;
  centroid: number[];
  box: Box;
  isReached: boolean;
  badPixelCount: number;
  /** No line has shown that a surface is open; if false, the volume is what all other lines say. */
  isClosed: boolean;
}

export interface Containment {
  contains: boolean;
  /** No line has shown that the outer body is open; if false, it contains nothing. */
  isClosed: boolean;
}

export interface Stats {
  verticesRead: number;
  primitivesPlaced: number;
  nodesUpdated: number;
  leavesEvaluated: number;
  verticesEvaluated: number;
  bodyPairs: number;
  nodePairs: number;
  boundTests: number;
  leafPairs: number;
  triangleTests: number;
  undecided: number;
  exactFallbacks: number;
  contacts: number;
  byteSize: number;
}

export interface WorldMemory {
  bodies: number;
  broadPhase: number;
  workers: number;
  answers: number;
  candidates: number;
  total: number;
}

// ---- Worlds ----

export interface WorldDef {
  module?: Module;
  /** An experiment: affects speed, never answers, and is not frozen at 1.0. */
  broadKind?: "auto" | "brute" | "sweep";
  cpuMask?: number;
  /**
   * Asked about each two bodies, the one with the lower index first: without true, collide(), near(), sweep(), bodyPairs() and
   * bodiesWithin() leave out all pairs of these two. Queries of two given bodies do not ask. It must not use the world, and must return
   * the same throughout a query. What it throws, the query throws.
   */
  mayPair?: ((a: Body, b: Body) => boolean) | null;
}

/** Each max...Count limits the items of an answer; 0, the default: no limit. */
export interface QueryDef {
  kind?: "all" | "first" | "any";
  /** Contacts within each body too, but for those of Body.setSelf(false). */
  includesSelf?: boolean;
  maxContactCount?: number;
}

export interface BodyPairsDef {
  /** How far apart they may be; default 0. */
  distance?: number;
  maxPairCount?: number;
}

export interface IntersectionsDef {
  maxIntersectionCount?: number;
}

export interface RegionsDef {
  /** Relative, at least 0.0001; default 0.01. Infinity: depth is not searched for. */
  depthTolerance?: number;
  maxRegionCount?: number;
  /** How deep each vertex of a part is: RegionPart.vertexDepths. Default false. */
  vertexDepths?: boolean;
  /** No edge of a piece is longer. Default 0: there are no pieces. */
  pieceSize?: number;
}

export interface NearDef {
  distance?: number;
  includesSelf?: boolean;
  /** Pairs within a body that are no farther apart at rest are left out. Default 0: as far as its radii and the distance, if it has radii. Below 0: none. */
  restDistance?: number;
  margin?: number;
  /** The most pairs to return; 0: all of them. With a limit, margin has no effect. */
  maxPairCount?: number;
  /** Closest features, each pair once, as potentials need them. Default false. */
  unique?: boolean;
}

export interface SweepDef {
  kind?: "earliest" | "first" | "all";
  maxTime?: number;
  includesSelf?: boolean;
  distance?: number;
  slack?: number;
  margin?: number;
  /** As in NearDef. */
  restDistance?: number;
  /** The most impacts to return; 0: all of them. With a limit, margin has no effect. */
  maxImpactCount?: number;
}

export interface RayDef {
  kind?: "first" | "any" | "all";
  categories?: number;
  collidesWith?: number;
  maxHitCount?: number;
  /** From which sides hits count; default "both". */
  sides?: "both" | "front" | "back";
  /** For each ray a body that it does not hit, or null. */
  ignored?: (Body | null)[] | null;
  /** For each ray, in place of categories and collidesWith. */
  rayCategories?: Uint32Array | number[] | null;
  rayCollidesWith?: Uint32Array | number[] | null;
}

export interface HitPointsDef {
  maxPointCount?: number;
}

export interface ClosestDef {
  maxDistance?: number;
  isSigned?: boolean;
  /** The filter of the points: for all bodies of a world. */
  categories?: number;
  collidesWith?: number;
}

export interface VolumeDef {
  resolution?: number;
  maxResolution?: number;
  axes?: "shortest" | "x" | "y" | "z" | "all";
  error?: number;
  relativeError?: number;
}

/** Bodies, and what is asked of them. A query updates what was set since the last one. */
export class World {
  constructor(def?: WorldDef);
  readonly module: Module;
  readonly isAlive: boolean;
  readonly bodies: Body[];
  createBody(shape: Shape): Body;
  /** A body without a shape: see Body.setPrimitives(). */
  createSoup(def?: { primitiveKind?: "triangles" | "points" | "segments" }): Body;

  collide(def?: QueryDef): Contacts;
  /** Within one body, if both are the same. */
  collideBodies(a: Body, b: Body, def?: QueryDef): Contacts;
  /** Whose boxes overlap, or are about within the distance. */
  bodyPairs(def?: BodyPairsDef): BodyPairs;
  /** Throws StaleError if a body has changed since the query. A list of your own is decided again: throws BadArgumentError if two do not touch. */
  intersections(contacts: GivenContacts, def?: IntersectionsDef): Intersections;
  /** Of all contacts of a query. Throws StaleError if a body has changed since, and BadArgumentError if some contacts were left out. */
  regions(contacts: Contacts, def?: RegionsDef): Region[] & Answer;
  /** Sets what is subtracted from vertices in double before they are rounded: three numbers, at first zeros. */
  setOrigin(origin: ArrayLike<number>): void;
  /** Pairs of vertices that never count, a vertex of a and one of b each: near() and sweep() leave out pairs of features
   * that have one, a vertex on each side. null removes them. */
  excludeVertices(a: Body, b: Body, pairs: Uint32Array | number[] | null): void;
  near(def?: NearDef): NearPairs;
  nearBodies(a: Body, b: Body, def?: NearDef): NearPairs;
  /** Within one body, if both are the same. null: they are farther. */
  distance(a: Body, b: Body, def?: { maxDistance?: number }): NearPair | null;
  /** Whose surfaces are no farther from each other than the distance: exact. */
  bodiesWithin(def?: BodyPairsDef): BodyPairs;
  /** Three numbers for each point. */
  closestPoints(points: Numbers, def?: ClosestDef): ClosestPoints;
  /** How often the surface of a body winds around each point. */
  windingNumbers(body: Body, points: Numbers): WindingNumbers;
  sweep(def?: SweepDef): Impacts;
  sweepBodies(a: Body, b: Body, def?: SweepDef): Impacts;
  /** Seven numbers for each ray: origin, direction, greatest t. */
  castRays(rays: Numbers, def?: RayDef): RayHits;
  /** Where hits are now, and the smooth normals there. Throws StaleError if a body was set since the cast; kept hits follow their bodies. */
  hitPoints(hits: GivenHits, def?: HitPointsDef): HitPoints;
  /** The joint that the skin follows most at each hit; -1 if there is none. */
  hitJoints(hits: GivenHits): Int32Array;
  /** Of one body, or of what two have in common. */
  volume(a: Body, b?: Body | null, def?: VolumeDef): Volume;
  /** Whether all of `inner` is inside `outer` without touching it. */
  containment(outer: Body, inner: Body): Containment;
  /** Calls ask() in a hold, and returns what it returns: nothing may be set in it. Queries in it read borrowed vertices once. */
  hold<T>(ask: () => T): T;
  /** For another thread, by postMessage(): what cancellerOf() takes there. Throws UnsupportedError if the module has one thread. */
  cancelToken(): CancelToken;
  /** The work of the last query. */
  stats(): Stats;
  /** Bytes that the world holds now, by parts. */
  memory(): WorldMemory;
  /** Releases all memory but that of bodies. Later queries allocate again, and return the same answers. */
  trim(): void;
  /** Destroys the world and its bodies. */
  dispose(): void;
  [Symbol.dispose](): void;
}

// ---- Pairs of the caller ----

/** Pairs of features that the caller has found: four vertices each, a vertex and the corners of a triangle, or the ends of two edges. */
export interface GivenPairs {
  kind: "vertex-triangle" | "edge-edge";
  pairs: Uint32Array | ArrayLike<number>;
  /** For all pairs, or one for each; default 0. */
  distance?: number | Numbers;
  module?: Module;
}

export interface GivenNearPairs extends GivenPairs {
  /** Three numbers for each vertex. */
  vertices: Numbers;
  /** Returns NearPairs, without bodies and with features of -1. Default false. */
  details?: boolean;
}

/** How far pairs are from each other; infinity if they are farther than the distance, or not finite. Which are within it is exact. */
export function nearPairs(def: GivenNearPairs & { details: true }): NearPairs;
export function nearPairs(def: GivenNearPairs & { details?: false }): Float32Array;

export interface GivenSweepPairs extends GivenPairs {
  /** Where vertices are at time 0 and 1. */
  start: Numbers;
  end: Numbers;
  /** From 0 to 1, the default. Later impacts are infinity. */
  maxTime?: number;
}

/**
 * When pairs touch first on their way, exactly; infinity if they do not. With a distance: a time before which they are certainly farther,
 * never late, but maybe early.
 */
export function sweepPairs(def: GivenSweepPairs): Float32Array;

// ---- Cancelling ----

/** Names a world in memory that threads share. */
export interface CancelToken {
  readonly compiled: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly pointer: number;
}

/**
 * In another thread than that of the world: a function that ends the query that runs in it now, which throws CancelledError.
 * It has no effect on later queries. It must not be called once the world is disposed.
 */
export function cancellerOf(token: CancelToken): Promise<() => void>;

// ---- Errors ----

/** A call that failed. `message` is the library's: it names the function, the field and the index. */
export class PliantError extends Error {
  /** The name of the result, such as "PLIANT_BAD_INDEX". */
  readonly result: string;
}
export class OutOfMemoryError extends PliantError {}
export class TooLargeError extends PliantError {}
export class BadArgumentError extends PliantError {}
export class BadIndexError extends PliantError {}
export class BadDefError extends PliantError {}
export class BadDataError extends PliantError {}
export class BadVersionError extends PliantError {}
export class BadIdError extends PliantError {}
export class UnsupportedError extends PliantError {}
export class CancelledError extends PliantError {}
/** Contacts were handed back whose bodies have changed since. */
export class StaleError extends PliantError {}
export class BusyError extends PliantError {}
