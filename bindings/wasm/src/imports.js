// What an instance of the library imports, in the thread that calls and in workers.

/** The library calls none of these: messages are written into memory. */
const ENOSYS = 52;
const wasi_snapshot_preview1 = new Proxy({}, {
  get: (_, name) => (name === "proc_exit"
    ? (code) => { throw new WebAssembly.RuntimeError(`proc_exit ${code}`); }
    : () => ENOSYS),
});

/**
 * `memory`: what threads share; undefined in modules that have their own. `mayPair`: a function of four words, the handles of two bodies.
 * Only the thread that calls needs one: workers never ask.
 */
export function importsOf(memory, mayPair = () => 1) {
  return { wasi_snapshot_preview1, env: { memory, web_may_pair: mayPair } };
}
