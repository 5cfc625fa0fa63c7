// The decoders that command.wasm imports, for models that are compressed by meshoptimizer or Draco. They are packages of npm, which
// get ready asynchronously, and the command cannot wait for that: a thread has them, which starts when a model first needs one.

import { MessageChannel, Worker, receiveMessageOnPort } from "node:worker_threads";

/** A function that asks the thread, and waits for its answer. */
function startThread() {
  const { port1: port, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL("./decode.js", import.meta.url), { workerData: { port: port2, signal }, transferList: [port2] });
  thread.unref();
  thread.on("error", () => {}); // there is no answer then
  return (name, ...given) => {
    Atomics.store(signal, 0, 0);
    port.postMessage([name, ...given]);
    Atomics.wait(signal, 0, 0);
    const { value, error } = receiveMessageOnPort(port)?.message ?? { error: "the thread that decodes has ended" };
    if (error) throw new Error(error);
    return value;
  };
}

/** The imports of the module. `memory()` is what it has, once it runs. */
export function decoders(memory) {
  let thread;
  const ask = (...given) => (thread ??= startThread())(...given);
  const bytesAt = (at, size) => new Uint8Array(memory().buffer, at >>> 0, size >>> 0);
  const write = (at, array) => bytesAt(at, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));

  // The package applies a filter only while it decodes: what has one is decoded again.
  let packed;
  const decode = (name, out, count, stride, filter) => {
    const decoded = ask("meshopt", name, packed, count, stride, filter);
    if (decoded) write(out, decoded);
    return decoded ? 0 : -1;
  };
  const meshopt = (name) => (out, count, stride, bytes, size) => {
    packed = bytesAt(bytes, size).slice();
    return decode(name, out, count, stride);
  };
  const filter = (name) => (out, count, stride) => void decode("decodeVertexBuffer", out, count, stride, name);

  const meshes = new Map();
  let lastMesh = 0;
  const numbers = (kind) => (mesh, id, width, out) => {
    const attribute = meshes.get(mesh).attributes.get(id >>> 0);
    if (attribute?.width !== width || !attribute[kind]) return 0;
    write(out, attribute[kind]);
    return 1;
  };

  return {
    meshopt_decodeVertexBuffer: meshopt("decodeVertexBuffer"),
    meshopt_decodeIndexBuffer: meshopt("decodeIndexBuffer"),
    meshopt_decodeIndexSequence: meshopt("decodeIndexSequence"),
    meshopt_decodeFilterOct: filter("OCTAHEDRAL"),
    meshopt_decodeFilterExp: filter("EXPONENTIAL"),
    draco_mesh_decode(bytes, size, error, room) {
      const mesh = ask("draco", bytesAt(bytes, size).slice());
      if (mesh.problem !== undefined) {
        write(error, new TextEncoder().encode(`${mesh.problem.slice(0, room - 1)}\0`));
        return 0;
      }
      meshes.set(++lastMesh, mesh);
      return lastMesh;
    },
    draco_mesh_free: (mesh) => void meshes.delete(mesh),
    draco_mesh_vertex_count: (mesh) => meshes.get(mesh).vertexCount,
    draco_mesh_triangle_count: (mesh) => meshes.get(mesh).indices.length / 3,
    draco_mesh_indices: (mesh, out) => write(out, meshes.get(mesh).indices),
    draco_mesh_floats: numbers("floats"),
    draco_mesh_integers: numbers("integers"),
  };
}
