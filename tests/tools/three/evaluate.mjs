// The oracle of the glTF reader: where three.js has every vertex of a file, at times of every clip.
//
//     node evaluate.mjs FILE SAMPLES >OUT
//
// Reads the file with GLTFLoader, plays each clip with AnimationMixer, and asks each mesh where its
// vertices are. three.js computes in double here, and rounds to float32 what it interpolates. Little-endian:
//
//     "good", or "fail", the length of a text (u32) and the text
//     number of meshes (u32), and for each: its node (i32), primitive (i32), number of vertices (u32), number of
//         corners of triangles (u32), their vertices (u32 each)
//     number of moments (u32), and for each: the clip (i32, -1: at rest), the time (f64), and for each mesh its
//         vertices in the world (3 f64 each)
import fs from 'node:fs';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';

// What browsers have and node has not, as far as the loader looks for it.
globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};

const STRIP = 5, FAN = 6;

function put(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let at = 0; at < bytes.length;) at += fs.writeSync(1, bytes, at);
}

const putText = text => put(new TextEncoder().encode(text));

function load(path) {
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  // Pictures are of no interest, and node cannot decode them.
  loader.register(() => ({ name: 'no pictures', loadTexture: async () => new THREE.Texture() }));
  const bytes = fs.readFileSync(path);
  const own = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return new Promise((done, failed) => loader.parse(own, '', done, failed));
}

// The file's number of the node that an object is, or belongs to.
function nodeOf(parser, object) {
  for (; object; object = object.parent) {
    const node = parser.associations.get(object)?.nodes;
    if (node !== undefined) return node;
  }
  return -1;
}

// The corners of a mesh's triangles. Triangles of strips and fans that name a vertex twice only sew strips together, and
// are not drawn.
function cornersOf(mesh, mode) {
  const { index, attributes } = mesh.geometry;
  const count = index ? index.count : attributes.position.count;
  const corners = [];
  for (let i = 0; i + 3 <= count; i += 3) {
    const [a, b, c] = [i, i + 1, i + 2].map(k => (index ? index.getX(k) : k));
    const isSeam = (mode === STRIP || mode === FAN) && (a === b || b === c || c === a);
    if (!isSeam) corners.push(a, b, c);
  }
  return Uint32Array.from(corners);
}

// Is an object hidden, or below one that is? The loader does not know the extension.
function isHidden(parser, object) {
  for (; object; object = object.parent) {
    const node = parser.json.nodes[parser.associations.get(object)?.nodes ?? -1];
    if (node?.extensions?.KHR_node_visibility?.visible === false) return true;
  }
  return false;
}

function meshesOf(gltf) {
  const meshes = [];
  gltf.scene.traverse(object => {
    if (!object.isMesh || isHidden(gltf.parser, object)) return;
    const { meshes: mesh, primitives: primitive } = gltf.parser.associations.get(object);
    const { mode } = gltf.parser.json.meshes[mesh].primitives[primitive];
    const vertexCount = object.geometry.attributes.position.count;
    const node = nodeOf(gltf.parser, object);
    meshes.push({ object, node, primitive, vertexCount, corners: cornersOf(object, mode) });
  });
  return meshes;
}

function putMoment(gltf, meshes, clip, time) {
  const vertex = new THREE.Vector3();
  gltf.scene.updateMatrixWorld(true);
  put(Int32Array.of(clip));
  put(Float64Array.of(time));
  for (const { object, vertexCount } of meshes) {
    const places = new Float64Array(3 * vertexCount);
    for (let v = 0; v < vertexCount; v++)
      object.getVertexPosition(v, vertex).applyMatrix4(object.matrixWorld).toArray(places, 3 * v);
    put(places);
  }
}

function putClips(gltf, meshes, samples) {
  const mixer = new THREE.AnimationMixer(gltf.scene);
  gltf.animations.forEach((clip, number) => {
    const action = mixer.clipAction(clip).play();
    for (let i = 0; i < samples; i++) {
      // An update by no time at all leaves the time where it is, at the end too.
      action.time = samples > 1 ? clip.duration * i / (samples - 1) : 0;
      mixer.update(0);
      putMoment(gltf, meshes, number, action.time);
    }
    mixer.stopAllAction();
  });
}

const [path, samples] = [process.argv[2], Number(process.argv[3])];
try {
  const gltf = await load(path);
  const meshes = meshesOf(gltf);
  putText('good');
  put(Uint32Array.of(meshes.length));
  for (const { node, primitive, vertexCount, corners } of meshes) {
    put(Int32Array.of(node, primitive, vertexCount, corners.length));
    put(corners);
  }
  put(Uint32Array.of(1 + samples * gltf.animations.length));
  putMoment(gltf, meshes, -1, 0);
  putClips(gltf, meshes, samples);
} catch (error) {
  const text = new TextEncoder().encode(error.message);
  putText('fail');
  put(Uint32Array.of(text.length));
  put(text);
}
