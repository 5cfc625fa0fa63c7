// Shapes: the immutable meshes that bodies share (include/pliant/shape.h).

import { BadArgumentError, alive, choice } from "./errors.js";
import { loaded } from "./module.js";

const TREE_KINDS = ["full", "middle", "mean", "connected"];
const BOUND_KINDS = ["dop18", "dop14", "box", "sphere"];
const DIVIDE_KINDS = ["auto", "none", "quarters", "corners"];
const MORPH_KINDS = ["displacements", "references"];

/** A block that is released when its last user is: a shape, and every body of it. */
class SharedShape {
  constructor(module, pointer, data) {
    this.module = module;
    this.pointer = pointer;
    this.data = data; // of a mapped shape: must outlive it
    this.users = 1;
  }

  retain() {
    this.users++;
    return this;
  }

  release() {
    if (--this.users > 0) return;
    this.module.exports.pliant_shape_release(this.pointer);
    this.module.free(this.data);
    this.pointer = 0;
  }
}

const forgotten = new FinalizationRegistry((shared) => shared.release());

function as(Type, array, field) {
  if (array === undefined || array === null) return null;
  if (array instanceof Type) return array;
  if (ArrayBuffer.isView(array) || Array.isArray(array)) return Type.from(array);
  throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `${field} is not a ${Type.name}, nor an array of numbers`);
}

function multiple(array, count, field) {
  if (array && array.length % count === 0) return array;
  throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `${field} needs a multiple of ${count} numbers`);
}

function sized(array, count, field) {
  if (!array || array.length === count) return array;
  throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `${field} has ${array.length} numbers, and must have ${count}`);
}

/** The arrays of a def, as the library reads them. */
function arraysOf(def) {
  const vertices = multiple(as(Float32Array, def.vertices, "vertices"), 3, "vertices");
  const vertexCount = vertices.length / 3;
  const given = def.targets ?? [];
  const targets = given.map((target, i) => ({
    vertices: multiple(as(Float32Array, target.vertices, `targets[${i}].vertices`), 3, `targets[${i}].vertices`),
    indices: as(Uint32Array, target.indices, `targets[${i}].indices`),
  }));
  for (const [i, target] of targets.entries()) sized(target.indices, target.vertices.length / 3, `targets[${i}].indices`);
  const skin = def.skin;
  const influences = skin ? vertexCount * skin.influenceCount : 0;
  return {
    vertices, vertexCount, targets,
    triangles: multiple(as(Uint32Array, def.triangles ?? (def.segments && []), "triangles"), 3, "triangles"),
    segments: multiple(as(Uint32Array, def.segments ?? [], "segments"), 2, "segments"),
    joints: sized(as(Uint16Array, skin?.joints, "skin.joints"), influences, "skin.joints"),
    weights: sized(as(Float32Array, skin?.weights, "skin.weights"), influences, "skin.weights"),
    groups: def.weld ? new Uint32Array(vertexCount) : sized(as(Uint32Array, def.groups, "groups"), vertexCount, "groups"),
    treeWeights: sized(as(Float32Array, def.treeWeights, "treeWeights"), targets.length, "treeWeights"),
  };
}

/** The words of WebShapeDef in glue.c. */
function wordsOf(module, def) {
  const all = arraysOf(def);
  const flat = [all.vertices, all.triangles, all.joints, all.weights, all.groups, all.treeWeights, all.segments];
  const table = new Uint32Array(4 * all.targets.length);
  const [vertices, triangles, joints, weights, groups, treeWeights, segments, targets, ...rest] =
    module.input(...flat, table, ...all.targets.flatMap((target) => [target.vertices, target.indices]));
  all.targets.forEach((target, i) => {
    table.set([rest[2 * i], target.vertices.length / 3, 0, rest[2 * i + 1]], 4 * i);
  });
  module.write(targets, table);
  return [
    vertices, all.vertexCount, 0, triangles, all.triangles.length / 3, targets, all.targets.length,
    choice(MORPH_KINDS, def.morphKind ?? "displacements", "morphKind"),
    def.skin?.jointCount ?? 0, def.skin?.influenceCount ?? 0, joints, weights, groups, def.weld ? 1 : 0,
    choice(TREE_KINDS, def.treeKind ?? "full", "treeKind"), def.treeChildCount ?? 8, def.treeLeafSize ?? 16,
    choice(BOUND_KINDS, def.boundKind ?? "dop18", "boundKind"),
    choice(DIVIDE_KINDS, def.divideKind ?? "auto", "divideKind"), treeWeights, segments, all.segments.length / 2,
  ];
}

function infoOf(module, pointer) {
  module.check(module.exports.web_shape_info(pointer));
  const [byteSize, vertexCount, triangleCount, nonfiniteCount, targetCount, jointCount, leafCount, nodeCount, isClosed, segmentCount] =
    module.words(module.answerAt, 10);
  return Object.freeze({
    byteSize, vertexCount, triangleCount, nonfiniteCount, targetCount, jointCount, leafCount, nodeCount,
    isClosed: isClosed !== 0, segmentCount,
  });
}

export class Shape {
  #shared;

  constructor(def, module = loaded()) {
    if (!(def instanceof SharedShape)) {
      const words = wordsOf(module, def);
      def = new SharedShape(module, module.created("web_shape_create", module.setArguments(words)), 0);
    }
    this.module = module;
    this.#shared = def;
    this.info = infoOf(module, def.pointer);
    forgotten.register(this, def, this);
  }

  /** A shape from what data() returned. The bytes are copied, and checked. */
  static map(data, module = loaded()) {
    const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
    const block = module.allocate(bytes.length, 64);
    try {
      module.write(block, bytes);
      return new Shape(new SharedShape(module, module.created("web_shape_map", block, bytes.length), block), module);
    } catch (error) {
      module.free(block);
      throw error;
    }
  }

  get pointer() { return alive(this.#shared?.pointer ?? 0, "shape"); }

  /** For bodies: another user of what the shape holds. */
  retain() {
    alive(this.pointer, "shape");
    return this.#shared.retain();
  }

  /** All of the shape as bytes, copied: to be saved, or transferred to another thread. */
  data() {
    const { exports, answerAt } = this.module;
    const at = exports.pliant_shape_data(this.pointer, answerAt);
    return this.module.copied(at, this.module.answer(0));
  }

  vertices() { return this.#array(Float32Array, this.module.exports.pliant_shape_vertices(this.pointer), 3 * this.info.vertexCount); }
  triangles() { return this.#array(Uint32Array, this.module.exports.pliant_shape_triangles(this.pointer), 3 * this.info.triangleCount); }

  /** Two vertices for each edge. Queries name an edge by its index here. */
  edges() {
    const { exports, answerAt } = this.module;
    this.module.check(exports.pliant_shape_edges(this.pointer, answerAt, answerAt + 4));
    return this.#array(Uint32Array, this.module.answer(0), 2 * this.module.answer(1));
  }

  #array(Type, at, count) { return new Type(this.module.copied(at, 4 * count)); }

  dispose() {
    if (!this.#shared) return;
    forgotten.unregister(this);
    this.#shared.release();
    this.#shared = null;
  }
}

// `using` calls it, where the engine has that.
if (Symbol.dispose) Shape.prototype[Symbol.dispose] = Shape.prototype.dispose;
