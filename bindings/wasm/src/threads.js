// Threads: workers that take tasks of queries (threads.c), in memory that they share with the thread that calls. work.js is what
// they do: apart, since bundlers refuse a worker that imports what starts it.

import { importsOf } from "./imports.js";

const PAGES = 64; // as in bindings/wasm/build
const MAX_PAGES = 65536;
const STACK_SIZE = 1 << 20; // as large as that of the calling thread; tasks of the tests use 15 kB

function startWebWorker(given) {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  return new Promise((done, fail) => {
    worker.onmessage = ({ data }) => done([worker, data]);
    worker.onerror = ({ message }) => fail(new Error(`a worker of pliant did not start: ${message ?? "its script was not loaded"}`));
    worker.postMessage(given);
  });
}

let platform = { hasThreads: () => globalThis.crossOriginIsolated === true, startWorker: startWebWorker };

/** How workers are started, where there are no Web Workers. Returns how they were. */
export function setPlatform(own) {
  const before = platform;
  platform = own;
  return before;
}

/** Whether workers can share memory: in a page, if it is isolated. */
export function hasThreads() { return platform.hasThreads(); }

/** Engines reserve the maximum at once. A phone may have less than 4 GiB of addresses. */
export function sharedMemory(maximum = MAX_PAGES) {
  try {
    return new WebAssembly.Memory({ initial: PAGES, maximum, shared: true });
  } catch (error) {
    if (maximum <= MAX_PAGES / 16) throw error;
    return sharedMemory(maximum / 2);
  }
}

/** Whether this thread may sleep: the main thread of a page may not. */
function canWait() {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1);
    return true;
  } catch {
    return false;
  }
}

/** Starts all threads but the one that calls, and returns their workers once these are up. */
export async function startThreads(module, compiled, count) {
  module.exports.web_threads_start(count, canWait());
  const started = await Promise.allSettled(Array.from({ length: count - 1 }, (_, i) => platform.startWorker({
    compiled, memory: module.memory, number: i + 1, stackTop: module.allocate(STACK_SIZE) + STACK_SIZE,
  })));
  const workers = started.filter(({ value }) => value).map(({ value }) => value[0]);
  const failure = started.map(({ reason, value }) => reason ?? value[1]).find((one) => one);
  if (!failure) return workers;
  endThreads(module.exports, workers);
  throw failure;
}

/** Ends them, between queries. Their stacks are not released: a worker may still be at its last steps. */
export function endThreads(exports, workers) {
  exports.web_threads_end();
  for (const worker of workers) worker.terminate();
}

/**
 * A function that ends the query that runs in a world now: World.cancelToken() tells which. For other threads than that of the world.
 * pliant_world_cancel() uses no stack. An instance that did would trap at address 0, and not write into that of another thread.
 */
export async function cancellerOf({ compiled, memory, pointer }) {
  const { exports } = await WebAssembly.instantiate(compiled, importsOf(memory));
  exports.__stack_pointer.value = 0;
  return () => exports.pliant_world_cancel(pointer);
}
