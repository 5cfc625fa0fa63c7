// Models that are compressed by meshoptimizer or Draco: two balls in each other, whole and damaged.

import draco3d from "draco3d";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import { ball, random } from "./scenes.js";

const { vertices, triangles } = ball(12);
const COUNT = vertices.length / 3;
const FLOAT = 5126, SHORT = 5122, UNSIGNED_INT = 5125;

/** A .glb: the ball of accessors 0 (positions) and 1 (indices), twice. */
function glb(json, binary) {
  const whole = {
    asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0, 1] }],
    nodes: [{ name: "a", mesh: 0 }, { name: "b", mesh: 0, translation: [0.7, 0.1, 0.2] }],
    buffers: [{ byteLength: binary.length }, { byteLength: 2 ** 16, extensions: { EXT_meshopt_compression: { fallback: true } } }],
    ...json,
  };
  const padded = (bytes, filler) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filler)]);
  const chunk = (type, bytes) => Buffer.concat([Buffer.from(Uint32Array.of(bytes.length, type).buffer), bytes]);
  const body = Buffer.concat([chunk(0x4e4f534a, padded(Buffer.from(JSON.stringify(whole)), " ")), chunk(0x004e4942, padded(Buffer.from(binary), 0))]);
  return Buffer.concat([Buffer.from(Uint32Array.of(0x46546c67, 2, 12 + body.length).buffer), body]);
}

const accessors = (type, normalized = false) => [
  { bufferView: 0, componentType: type, normalized, count: COUNT, type: "VEC3", min: [-1, -1, -1], max: [1, 1, 1] },
  { bufferView: 1, componentType: UNSIGNED_INT, count: triangles.length, type: "SCALAR" },
];

/** By meshoptimizer: items with a filter, and indices in a mode. */
function meshoptModel(items, { stride, filter, type, normalized }, mode) {
  const version = mode === "ATTRIBUTES" ? 0 : 1;
  const bytes = new Uint8Array(items.buffer, items.byteOffset, items.byteLength);
  const packed = [MeshoptEncoder.encodeGltfBuffer(bytes, COUNT, stride, "ATTRIBUTES", 0),
    MeshoptEncoder.encodeGltfBuffer(new Uint8Array(triangles.buffer), triangles.length, 4, mode, version)];
  const view = (i, count, byteStride, rest) => ({
    buffer: 1, byteOffset: 0, byteLength: count * byteStride, ...(i === 0 ? { byteStride } : {}),
    extensions: { EXT_meshopt_compression: { buffer: 0, byteOffset: i * packed[0].length, byteLength: packed[i].length, byteStride, count, ...rest } },
  });
  return glb({
    extensionsUsed: ["EXT_meshopt_compression", "KHR_mesh_quantization"], extensionsRequired: ["EXT_meshopt_compression", "KHR_mesh_quantization"],
    bufferViews: [view(0, COUNT, stride, { mode: "ATTRIBUTES", filter }), view(1, triangles.length, 4, { mode })],
    accessors: accessors(type, normalized),
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
  }, Buffer.concat(packed));
}

/** By Draco: `add` is the encoder's function for such numbers. */
async function dracoModel(numbers, add, type, normalized) {
  const module = await draco3d.createEncoderModule({});
  const [builder, mesh, encoder, out] = [new module.MeshBuilder(), new module.Mesh(), new module.Encoder(), new module.DracoInt8Array()];
  builder.AddFacesToMesh(mesh, triangles.length / 3, triangles);
  builder[add](mesh, module.POSITION, COUNT, 3, numbers);
  const size = encoder.EncodeMeshToDracoBuffer(mesh, out);
  const packed = Uint8Array.from({ length: size }, (_, i) => out.GetValue(i));
  const [positions, indices] = accessors(type, normalized).map(({ bufferView, ...rest }) => rest);
  return glb({
    extensionsUsed: ["KHR_draco_mesh_compression", "KHR_mesh_quantization"], extensionsRequired: ["KHR_draco_mesh_compression", "KHR_mesh_quantization"],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: size }],
    accessors: [positions, indices],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } } }] }],
  }, packed);
}

/** Models by name. */
export async function compressedModels() {
  await MeshoptEncoder.ready;
  const directions = Float32Array.from({ length: 4 * COUNT }, (_, i) => (i % 4 === 3 ? 0 : vertices[3 * (i >> 2) + (i % 4)]));
  const shorts = Int16Array.from(vertices, (x) => Math.round(32767 * x));
  return {
    "meshopt.glb": meshoptModel(vertices, { stride: 12, filter: "NONE", type: FLOAT }, "TRIANGLES"),
    "exponential.glb": meshoptModel(MeshoptEncoder.encodeFilterExp(vertices, COUNT, 12, 15), { stride: 12, filter: "EXPONENTIAL", type: FLOAT }, "INDICES"),
    "octahedral.glb": meshoptModel(MeshoptEncoder.encodeFilterOct(directions, COUNT, 8, 12), { stride: 8, filter: "OCTAHEDRAL", type: SHORT, normalized: true }, "TRIANGLES"),
    "draco.glb": await dracoModel(vertices, "AddFloatAttribute", FLOAT),
    "draco-integers.glb": await dracoModel(shorts, "AddInt16Attribute", SHORT, true),
  };
}

/** The same model with bytes behind its JSON changed, or zeros from somewhere on. */
export function damaged(model, seed) {
  const next = random(seed), bytes = Buffer.from(model), start = 28 + model.readUInt32LE(12);
  const somewhere = () => start + Math.floor(next() ** 3 * (model.length - start)); // mostly where headers are
  if (seed % 4 === 0) return bytes.fill(0, somewhere());
  for (let i = 0; i < 1 + (seed % 3); i++) bytes[somewhere()] ^= 1 << Math.floor(8 * next());
  return bytes;
}
