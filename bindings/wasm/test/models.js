// Models of PLIANT_ASSETS, read by three.js: two copies of each in each other's way, in some frames of each clip.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { AnimationMixer, Box3, Matrix4, Vector3 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { createShape } from "pliant/three";
import { writeRows } from "../src/matrices.js";
import { writeJoints } from "../three/matrices.js";
import { someRays } from "./scenes.js";

const MAX_BODIES = 64; // of replay.c

globalThis.ProgressEvent ??= class extends Event {}; // which three makes where it reads data: URLs

export function assetFiles() {
  const folder = process.env.PLIANT_ASSETS;
  if (!folder) return [];
  return ["khronos", "kaykit", "loader-variants", "makehuman", "threejs"].flatMap((name) =>
    readdirSync(join(folder, name)).filter((file) => /\.gl(b|tf)$/.test(file)).map((file) => join(folder, name, file)));
}

/** glTF without its pictures, which node cannot decode. */
function withoutPictures(json) {
  for (const name of ["images", "textures", "samplers", "materials"]) delete json[name];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  return json;
}

function pack(json, binary) {
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, " ")]);
  const chunk = (type, bytes) => Buffer.concat([Buffer.from(Uint32Array.of(bytes.length, type).buffer), bytes]);
  const body = Buffer.concat([chunk(0x4e4f534a, padded), ...(binary ? [chunk(0x004e4942, binary)] : [])]);
  return Buffer.concat([Buffer.from(Uint32Array.of(0x46546c67, 2, 12 + body.length).buffer), body]);
}

/** A model as one buffer, a .glb without pictures. */
export function stripped(file) {
  const bytes = readFileSync(file);
  if (file.endsWith(".gltf")) return pack(withoutPictures(JSON.parse(bytes)), null);
  const size = bytes.readUInt32LE(12);
  const json = withoutPictures(JSON.parse(bytes.subarray(20, 20 + size)));
  return pack(json, bytes.length > 28 + size ? bytes.subarray(28 + size) : null);
}

export async function parse(buffer) {
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  const exact = buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
  return loader.parseAsync(exact, "");
}

export function meshesOf(scene) {
  const meshes = [];
  scene.traverse((node) => { if (node.isMesh) meshes.push(node); });
  return meshes;
}

/** The pose of a mesh, moved by an offset in the world. */
export function poseOf(mesh, offset) {
  const transform = new Float32Array(12);
  const weights = Float32Array.from(mesh.morphTargetInfluences ?? []);
  const moved = new Matrix4().makeTranslation(...offset);
  if (!mesh.isSkinnedMesh) moved.multiply(mesh.matrixWorld);
  writeRows(moved.elements, transform);
  if (!mesh.isSkinnedMesh) return { weights, transform };
  const joints = new Float32Array(12 * mesh.skeleton.bones.length);
  writeJoints(mesh, joints);
  return { weights, joints, transform };
}

function times(clips, count) {
  if (clips.length === 0) return [{ clip: null, time: 0 }];
  return clips.slice(0, 2).flatMap((clip) => Array.from({ length: count }, (_, i) => ({ clip, time: (clip.duration * (i + 0.5)) / count })));
}

/** Poses the scene as a clip has it at a time. */
export function pose(scene, { clip, time }) {
  if (clip) {
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(clip).play();
    mixer.setTime(time);
  }
  scene.updateMatrixWorld(true);
}

/** The shape of a mesh, as it is saved. */
export function shapeData(mesh, module) {
  const shape = createShape(mesh, { module });
  const data = shape.data();
  shape.dispose();
  return data;
}

/** A recording of a model; or why there is none. */
export async function recordingOf(file, module, { frameCount = 2 } = {}) {
  const buffer = stripped(file);
  if (buffer.includes("KHR_draco_mesh_compression")) return "compressed by Draco, whose decoder needs a browser";
  const { scene, animations } = await parse(buffer);
  const meshes = meshesOf(scene).slice(0, MAX_BODIES / 2);
  scene.updateMatrixWorld(true);
  const size = new Box3().setFromObject(scene).getSize(new Vector3());
  const step = [0.2 * size.x, 0.02 * size.y, 0.1 * size.z];
  const shapes = meshes.map((mesh) => shapeData(mesh, module));
  const frames = times(animations, frameCount).map((at) => {
    pose(scene, at);
    return [...meshes.map((mesh) => poseOf(mesh, [0, 0, 0])), ...meshes.map((mesh) => poseOf(mesh, step))];
  });
  const bodies = [...meshes.keys(), ...meshes.keys()];
  return { shapes, bodies, rays: someRays(32, 5, Math.max(...size)), nearDistance: 0.001 * Math.max(...size), frames };
}
