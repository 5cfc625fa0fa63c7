// Bodies: shapes in motion, and soups (include/pliant/world.h, soup.h). A world owns its bodies.

import { BadArgumentError, BadIdError, choice, itemsOf } from "./errors.js";

const UPDATE_KINDS = ["hybrid", "bottom-up", "top-down"];
const IDENTITY = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);

function floats(array, count, field) {
  if (array.length !== count) {
    throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `${field} has ${array.length} numbers, and must have ${count}`);
  }
  return array instanceof Float32Array ? array : Float32Array.from(array);
}

export class Body {
  #record;
  #end;

  /** Made by World.createBody() and World.createSoup(). */
  constructor(world, record, shape) {
    this.world = world;
    this.shape = shape;
    this.#record = record;
    this.vertexCount = shape?.info.vertexCount ?? 0;
    this.triangleCount = shape?.info.triangleCount ?? 0;
    this.userData = undefined;
    this.poseCount = 0; // grows whenever the pose is set
  }

  get isAlive() { return this.#record !== null && this.world.isAlive; }

  /** Two words: index and serial. */
  get handle() {
    if (!this.isAlive) throw new BadIdError("PLIANT_BAD_ID", "this body was disposed");
    return this.#record.handle;
  }

  /** Bodies are ordered by index. */
  get index() { return this.handle[0]; }

  #set(name, ...given) {
    const { module } = this.world;
    module.check(module.exports[name](this.world.pointer, module.handle(this), ...given));
  }

  #setPose(name, ...given) {
    this.poseCount++;
    this.#set(name, ...given);
  }

  // ---- How it moves ----

  /** Twelve numbers, three rows of four: applied after weights, joints or vertices. */
  setTransform(rows = IDENTITY) {
    this.#setPose("pliant_body_set_transform", ...this.world.module.input(floats(rows, 12, "transform")));
  }

  /** One number for each morph target. Copied. */
  setWeights(weights) {
    const [given, count] = itemsOf(weights, 1, "weights");
    this.#setPose("pliant_body_set_weights", ...this.world.module.input(given), count);
    this.#record.isRead = false;
  }

  /** Twelve numbers for each joint, as in setTransform. Copied. */
  setJoints(joints) {
    const [given, count] = itemsOf(joints, 12, "joints");
    this.#setPose("pliant_body_set_joints", ...this.world.module.input(given), count);
    this.#record.isRead = false;
  }

  /** Where all vertices are, three numbers each. Copied once, into memory that the body keeps. */
  setVertices(vertices) {
    const given = floats(vertices, 3 * this.vertexCount, "vertices");
    this.writeVertices((array) => array.set(given));
  }

  /** The same in double, less the world's origin: near() and sweep() then cover what is lost by rounding. */
  setVertices64(vertices) {
    const { module } = this.world;
    if (vertices.length !== 3 * this.vertexCount) {
      throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `vertices has ${vertices.length} numbers, and needs ${3 * this.vertexCount}`);
    }
    const [at] = module.input(vertices instanceof Float64Array ? vertices : Float64Array.from(vertices));
    this.poseCount++;
    module.setArguments([...this.handle, 0, 0, at, this.vertexCount, 0]);
    module.check(module.exports.pliant_body_set_vertices64(this.world.pointer, module.argumentsAt, module.argumentsAt + 16));
    this.#record.isRead = false;
  }

  /** How far a vertex may be from its double, less the world's origin; 0 if none was rounded. */
  get roundingError() {
    const { module } = this.world;
    const at = module.room(4);
    this.#set("pliant_body_rounding_error", at);
    return module.floats(at, 1)[0];
  }

  /** Calls write(array) with the body's own vertices: what it writes there is not copied. The array ends with the call. */
  writeVertices(write) {
    const { module } = this.world;
    const count = this.vertexCount;
    const at = this.#block(12 * count);
    this.poseCount++;
    write(module.floats(at, 3 * count));
    module.setArguments([...this.handle, 0, 0, at, count, 0]);
    module.check(module.exports.pliant_body_borrow_vertices(this.world.pointer, module.argumentsAt, module.argumentsAt + 16));
    this.#record.isRead = true;
  }

  /** The triangles, segments or points of a soup, instead of all that it had: any number, in every frame. Copied once. */
  setPrimitives(vertices, corners = null) {
    const { module } = this.world;
    const [given, vertexCount] = itemsOf(vertices, 3, "vertices");
    const named = corners === null || corners instanceof Uint32Array ? corners : Uint32Array.from(corners);
    const count = (named?.length ?? vertexCount) / this.#record.cornerCount;
    // The library reads the old block until it has the new one, and keeps that if the new one is refused.
    const old = this.#record.block;
    const block = module.allocate(given.byteLength + (named?.byteLength ?? 0));
    module.write(block, given);
    if (named) module.write(block + given.byteLength, named);
    try {
      this.#setPose("web_borrow_primitives", block, vertexCount, named ? block + given.byteLength : 0, count);
    } catch (error) {
      module.free(block);
      throw error;
    }
    module.free(old);
    Object.assign(this.#record, { block, isRead: true, cornerWords: named?.length ?? null });
    this.vertexCount = vertexCount;
    this.triangleCount = count;
  }

  /** The body's own memory, of a size that does not change. */
  #block(byteSize) {
    void this.handle;
    this.#record.block ||= this.world.module.allocate(byteSize);
    return this.#record.block;
  }

  /** An end begins where its body is, in memory of its own: the body's will be written again, or released. */
  #copyBlock(body) {
    const { module } = this.world;
    const { block, isRead, cornerWords } = body.#record;
    if (!isRead) return;
    const vertices = module.floats(block, 3 * body.vertexCount).slice();
    if (this.shape) this.setVertices(vertices);
    else this.setPrimitives(vertices, cornerWords === null ? null : module.words(block + vertices.byteLength, cornerWords).slice());
  }

  resetPose() {
    this.#setPose("pliant_body_reset_pose");
    this.#record.isRead = false;
  }

  setFilter(categories, collidesWith = 0xffffffff) { this.#set("pliant_body_set_filter", categories, collidesWith); }

  /** Whether queries with includesSelf consider the pairs of this body with itself. */
  setSelf(isIncluded) { this.#set("pliant_body_set_self", isIncluded); }

  /** A number for each vertex: near() and sweep() leave out pairs within the body of one patch; null removes them. */
  setPatches(patches) {
    const numbers = patches === null ? new Uint32Array() : Uint32Array.from(patches);
    this.#set("pliant_body_set_patches", this.world.module.input(numbers)[0], BigInt(numbers.length));
  }

  /** How thick the surface is on each side: near and sweep add it to the distance. */
  setRadius(radius) { this.#set("pliant_body_set_radius", radius); }

  /** The radius of each vertex, in place of that of the body; null removes them. Copied. */
  setVertexRadii(radii) {
    const [given, count] = radii === null ? [null, 0] : itemsOf(radii, 1, "radii");
    this.#set("pliant_body_set_vertex_radii", given ? this.world.module.input(given)[0] : 0, count);
  }

  /** The radius of each vertex. A copy. */
  vertexRadii() {
    const { module } = this.world;
    const at = module.room(4 * this.vertexCount);
    this.#set("pliant_body_vertex_radii", at, BigInt(this.vertexCount));
    return module.floats(at, this.vertexCount).slice();
  }

  setUpdateKind(kind) { this.#set("pliant_body_set_update_kind", choice(UPDATE_KINDS, kind, "kind")); }

  /** Promises that the body stays in a box: six numbers, low and high; null withdraws that. */
  setLooseBox(box) {
    this.#set("pliant_body_set_loose_box", box ? this.world.module.input(floats(box, 6, "box"))[0] : 0);
  }

  // ---- What it is ----

  /** Low and high of a box around it, in world coordinates. */
  box() {
    const { module } = this.world;
    const at = module.room(24);
    this.#set("pliant_body_box", at);
    const all = Array.from(module.floats(at, 6));
    return { low: all.slice(0, 3), high: all.slice(3) };
  }

  /** All vertices as contacts refer to them, three numbers each. A copy; evaluates every vertex. */
  vertices() {
    const { module } = this.world;
    const at = module.room(12 * this.vertexCount);
    this.#set("pliant_body_vertices", at, BigInt(this.vertexCount));
    return module.floats(at, 3 * this.vertexCount).slice();
  }

  /** The corners of some triangles, nine numbers each. A copy; evaluates only what these need. */
  corners(triangles) {
    const { module } = this.world;
    const given = triangles instanceof Int32Array ? triangles : Int32Array.from(triangles);
    const count = BigInt(given.length);
    const size = Math.ceil(given.byteLength / 16) * 16;
    const at = module.room(size + 36 * given.length);
    const out = at + size;
    module.write(at, given);
    this.#set("pliant_body_corners", at, count, out, count);
    return module.floats(out, 9 * given.length).slice();
  }

  // ---- Queries ----

  collide(def) { return this.world.collideBodies(this, null, def); }
  selfCollide(def) { return this.world.collideBodies(this, this, def); }
  castRays(rays, def) { return this.world.castRaysAt(this, rays, def); }
  closestPoints(points, def) { return this.world.closestPointsOf(this, points, def); }
  windingNumbers(points) { return this.world.windingNumbers(this, points); }
  volume(def) { return this.world.volume(this, null, def); }

  /** Where the body is at time 1 of a sweep: where it is now, until it is set. A body of its own, which no other query sees. */
  createEnd() {
    const end = this.world.createEnd(this);
    try {
      end.#copyBlock(this);
    } catch (error) {
      end.dispose();
      throw error;
    }
    this.#end = end;
    return end;
  }

  dispose() {
    if (!this.isAlive) return;
    this.#set("pliant_body_destroy");
    this.released();
  }

  /** For the world: the library has destroyed it. */
  released() {
    if (this.#record === null) return;
    this.#end?.released();
    this.world.forget(this.#record);
    this.#record = null;
  }
}

if (Symbol.dispose) Body.prototype[Symbol.dispose] = Body.prototype.dispose;
