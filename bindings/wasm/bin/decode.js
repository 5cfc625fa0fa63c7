// The thread that decodes: see decoders.js. It loads a package when it is first asked for it.

import { workerData } from "node:worker_threads";

const { port, signal } = workerData;

async function loadMeshopt() {
  const { MeshoptDecoder } = await import("meshoptimizer/decoder");
  await MeshoptDecoder.ready;
  return MeshoptDecoder;
}

async function loadDraco() {
  const { default: draco } = await import("draco3d");
  return draco.createDecoderModule({ print() {}, printErr() {} });
}

let meshopt, draco; // promises

/** The decoded bytes; null: they are damaged. */
async function decodeMeshopt(name, bytes, count, stride, filter) {
  const decoder = await (meshopt ??= loadMeshopt());
  try {
    const decoded = new Uint8Array(count * stride);
    decoder[name](decoded, count, stride, bytes, filter);
    return decoded;
  } catch {
    return null;
  }
}

/** What Draco writes into memory of its own, as an array of a type; null if it refuses. */
function written(module, Type, length, write) {
  const size = length * Type.BYTES_PER_ELEMENT;
  const at = module._malloc(size);
  if (at === 0) throw new RangeError("no memory");
  const array = write(size, at) ? new Type(module.HEAPU8.slice(at, at + size).buffer) : null;
  module._free(at);
  return array;
}

function readAttribute(module, decoder, mesh, attribute) {
  const width = attribute.num_components();
  const read = (Type, kind) => written(module, Type, mesh.num_points() * width, (size, at) =>
    decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, kind, size, at));
  return { width, floats: read(Float32Array, module.DT_FLOAT32), integers: read(Int32Array, module.DT_INT32) };
}

function readMesh(module, decoder, mesh, bytes) {
  const status = decoder.DecodeArrayToMesh(bytes, bytes.length, mesh);
  if (!status.ok()) return { problem: status.error_msg() };
  const attributes = new Map();
  for (let i = mesh.num_attributes() - 1; i >= 0; i--) { // of two with one id the first counts
    const attribute = decoder.GetAttribute(mesh, i);
    attributes.set(attribute.unique_id(), readAttribute(module, decoder, mesh, attribute));
  }
  const indices = written(module, Uint32Array, 3 * mesh.num_faces(), (size, at) => decoder.GetTrianglesUInt32Array(mesh, size, at));
  return { vertexCount: mesh.num_points(), indices, attributes };
}

/** All that a mesh has, or { problem }. */
async function decodeDraco(bytes) {
  const module = await (draco ??= loadDraco());
  try {
    const decoder = new module.Decoder(), mesh = new module.Mesh();
    const read = readMesh(module, decoder, mesh, bytes);
    module.destroy(mesh);
    module.destroy(decoder);
    return read;
  } catch { // it has aborted, and is of no more use
    draco = undefined;
    return { problem: "there is no memory left" };
  }
}

const decoders = { meshopt: decodeMeshopt, draco: decodeDraco };

function wake() {
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}

process.on("exit", wake); // without an answer, if something is wrong here
port.on("message", async ([name, ...given]) => {
  let answer;
  try {
    answer = { value: await decoders[name](...given) };
  } catch (error) {
    answer = { error: error.message };
  }
  port.postMessage(answer);
  wake();
});
