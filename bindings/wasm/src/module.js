// The WebAssembly module: loading, its memory, and calls with errors.
//
// Memory may grow in every call that allocates, and views of the old buffer are empty then. So views are made when they are
// needed, from `memory.buffer` as it is, and none outlives a call. With threads the buffer is shared, which many functions of the
// platform refuse: what callers get is copied into ordinary buffers.

import { BadArgumentError, errorOf } from "./errors.js";
import { importsOf } from "./imports.js";
import { endThreads, hasThreads, sharedMemory, startThreads } from "./threads.js";

/** A module with one function of one vector instruction: engines without SIMD refuse it. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

const text = new TextDecoder();
const EMPTY = new ArrayBuffer(0);
const MAX_THREADS = 1024; // PLIANT_MAX_WORKERS

const forgotten = new FinalizationRegistry(({ exports, workers }) => endThreads(exports, workers));

export class Module {
  #input = { pointer: 0, size: 0 };
  #workers = [];
  #asked = null; // the query of a world with mayPair() that is under way; see ask()
  #words = new Uint32Array(); // see #fixed()

  constructor(instance, compiled, isSimd, memory = instance.exports.memory) {
    this.exports = instance.exports;
    this.compiled = compiled;
    this.memory = memory;
    this.isSimd = isSimd;
    this.exports._initialize?.();
    this.argumentsAt = this.exports.web_arguments();
    this.answerAt = this.exports.web_answer();
    this.numbersAt = this.exports.web_numbers();
  }

  get version() { return this.string(this.exports.pliant_version()); }

  /** Bytes of WebAssembly memory, which never shrinks. */
  get byteSize() { return this.memory.buffer.byteLength; }

  // ---- Threads ----

  /** How many threads queries use, the calling one among them. */
  get threads() { return 1 + this.#workers.length; }

  async startThreads(compiled, count) {
    this.#workers = await startThreads(this, compiled, count);
    forgotten.register(this, { exports: this.exports, workers: this.#workers }, this);
  }

  /** Ends the workers. Worlds go on in the calling thread. */
  endThreads() {
    if (this.#workers.length === 0) return;
    forgotten.unregister(this);
    endThreads(this.exports, this.#workers);
    this.#workers = [];
  }

  // ---- Errors ----

  string(pointer) {
    const bytes = new Uint8Array(this.memory.buffer, pointer);
    return text.decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /** Throws what a result other than PLIANT_OK means. */
  check(result) {
    if (result !== 0) throw this.error(result);
  }

  /**
   * Calls a query. mayPair() is asked about each two bodies; `bodyOf` makes them of handles. What it throws ends the query, and is
   * thrown here, and not through the frames of the library. mayPair() may ask another world.
   */
  ask(mayPair, bodyOf, world, call) {
    const outer = this.#asked;
    const asked = { mayPair, bodyOf, world, hasFailed: false, error: undefined };
    this.#asked = asked;
    let result;
    try {
      result = call();
    } finally {
      this.#asked = outer;
    }
    const failure = result === 0 ? null : this.error(result);
    if (asked.hasFailed) throw asked.error;
    if (failure) throw failure;
  }

  /** For the library: may two bodies make pairs? */
  mayPair(...handles) {
    const asked = this.#asked;
    if (asked.hasFailed) return 0;
    const [a, aSerial, b, bSerial] = handles.map((word) => word >>> 0);
    try {
      return asked.mayPair(asked.bodyOf(a, aSerial), asked.bodyOf(b, bSerial)) ? 1 : 0;
    } catch (error) {
      asked.hasFailed = true;
      asked.error = error;
      this.exports.pliant_world_cancel(asked.world);
      return 0;
    }
  }

  error(result) {
    const at = this.exports.web_message();
    const message = this.string(at) || this.string(this.exports.pliant_result_text(result));
    new Uint8Array(this.memory.buffer)[at] = 0;
    return errorOf(result, this.string(this.exports.pliant_result_name(result)), message);
  }

  // ---- Memory ----

  allocate(byteSize, alignment = 16) {
    const rounded = Math.ceil(Math.max(byteSize, 1) / alignment) * alignment;
    const pointer = this.exports.aligned_alloc(alignment, rounded);
    if (pointer === 0) throw this.error(1);
    return pointer;
  }

  free(pointer) { this.exports.free(pointer); }

  /** Room for what a call is given: the same block for every call, which only grows. */
  room(byteSize) {
    if (this.#input.size < byteSize) {
      this.free(this.#input.pointer);
      this.#input = { pointer: 0, size: 0 };
      this.#input = { pointer: this.allocate(2 * byteSize), size: 2 * byteSize };
    }
    return this.#input.pointer;
  }

  /** Copies arrays into that room, one after the other, and returns their addresses; of null, 0. */
  input(...arrays) {
    const sizes = arrays.map((array) => Math.ceil((array?.byteLength ?? 0) / 16) * 16);
    let at = this.room(sizes.reduce((sum, size) => sum + size, 0));
    return arrays.map((array, i) => {
      if (array === null || array === undefined) return 0;
      const pointer = at;
      this.write(pointer, array);
      at += sizes[i];
      return pointer;
    });
  }

  write(pointer, array) { this.view(array.constructor, pointer, array.length).set(array); }

  view(Type, pointer, count) {
    // A worker has let memory grow, and this thread has not heard of it: growing by nothing makes it look.
    if (pointer + count * Type.BYTES_PER_ELEMENT > this.memory.buffer.byteLength) this.memory.grow(0);
    return new Type(this.memory.buffer, pointer, count);
  }

  words(pointer, count) { return this.view(Uint32Array, pointer, count); }
  floats(pointer, count) { return this.view(Float32Array, pointer, count); }
  answer(index) { return this.#fixed()[(this.answerAt >> 2) + index]; }

  /** All words of a memory, for what was there when it was loaded. A new view for each such word would take most of a short call. */
  #fixed() {
    const { buffer } = this.memory;
    if (this.#words.buffer !== buffer) this.#words = new Uint32Array(buffer);
    return this.#words;
  }

  /** What every answer of a query has besides its items. */
  answerState() {
    return { stamp: BigInt(this.answer(4)) << 32n | BigInt(this.answer(3)), isLimitReached: this.answer(2) !== 0 };
  }

  numbers(count) { return Array.from(this.view(Float64Array, this.numbersAt, count)); }

  setArguments(words) {
    this.#fixed().set(words, this.argumentsAt >> 2);
    return this.argumentsAt;
  }

  /** The address of a handle, of which a call may have two. */
  handle(body, place = 0) {
    if (!body) return 0;
    const at = this.argumentsAt + 8 * place;
    const [index, serial] = body.handle;
    const words = this.#fixed();
    words[at >> 2] = index;
    words[(at >> 2) + 1] = serial;
    return at;
  }

  /** A call whose last argument is where it writes a pointer. */
  created(name, ...given) {
    this.check(this.exports[name](...given, this.answerAt));
    return this.answer(0);
  }

  /** A copy of bytes that the library lends: it lives as long as the caller wants. */
  copied(pointer, byteSize) {
    return byteSize === 0 ? EMPTY : this.view(Uint8Array, pointer, byteSize).slice().buffer;
  }
}

// ---- Loading ----

let read = async (url) => fetch(url);
let current;

/** How files of the package are read: node has no fetch of files. */
export function setReader(reader) { read = reader; }

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  const given = typeof source === "string" || source instanceof URL ? await read(source) : await source;
  if (typeof Response === "undefined" || !(given instanceof Response)) return WebAssembly.compile(given);
  if (!given.ok) throw new Error(`${given.url}: ${given.status}`);
  return WebAssembly.compile(await given.arrayBuffer());
}

/** Written out for bundlers, which look for them. */
const FILES = {
  scalar: () => new URL("../dist/pliant-scalar.wasm", import.meta.url),
  simd: () => new URL("../dist/pliant-simd.wasm", import.meta.url),
  threads: () => new URL("../dist/pliant-threads.wasm", import.meta.url),
};

const importsMemory = (compiled) => WebAssembly.Module.imports(compiled).some(({ kind }) => kind === "memory");

/** Loads the library. Call once, before all else. */
export async function load({ simd = WebAssembly.validate(SIMD_PROBE), threads = 1, wasm } = {}) {
  if (!Number.isInteger(threads) || threads < 1 || threads > MAX_THREADS) {
    throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `threads is ${threads}, and must be from 1 to ${MAX_THREADS}`);
  }
  const isThreaded = threads > 1 && simd && hasThreads();
  const compiled = await compile(wasm ?? FILES[isThreaded ? "threads" : simd ? "simd" : "scalar"]());
  const memory = importsMemory(compiled) ? sharedMemory() : undefined;
  const maker = {}; // weak: the registry above holds what the instance imports
  const imports = importsOf(memory, (...handles) => maker.module.deref().mayPair(...handles));
  const module = new Module(await WebAssembly.instantiate(compiled, imports), compiled, simd, memory);
  maker.module = new WeakRef(module);
  if (isThreaded && memory) await module.startThreads(compiled, threads);
  current ??= module;
  return module;
}

/** The module that was loaded first. */
export function loaded() {
  if (!current) throw new Error("pliant is not loaded: await load() first");
  return current;
}
