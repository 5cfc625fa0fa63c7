// Files: .glb, and .gltf that holds all of its data.

import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";

/** What to do about a file that cannot be read, where three's own message does not say so. */
const ADVICE = [
  [/draco/i, "It is compressed by Draco, which this page does not read. Save it without Draco compression."],
  [/KTX2|basisu/i, "Its textures are KTX2, which this page does not read. Save it with PNG, JPEG or WebP textures."],
  [/fetch|load buffer|Failed to load/i, "Its data is in other files. Save it as one .glb file."],
];

export async function readModel(bytes, name) {
  try {
    const { scene, animations } = await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).parseAsync(bytes, "");
    return { scene, animations, name };
  } catch (error) {
    const [, advice] = ADVICE.find(([pattern]) => pattern.test(error.message)) ?? [null, error.message];
    throw new Error(`${name} cannot be read. ${advice}`);
  }
}

/** Meshes that have triangles, with the names that the file has for them. */
export function meshesOf(scene) {
  const meshes = [];
  scene.traverse((node) => {
    if (!node.isMesh || !node.geometry.attributes.position) return;
    meshes.push({ mesh: node, name: node.userData.name || node.name || `mesh ${meshes.length + 1}` });
  });
  return meshes;
}

/** Gives back what the graphics card holds of a model. */
export function disposeModel(scene) {
  scene.traverse((node) => {
    node.geometry?.dispose();
    node.skeleton?.dispose();
    for (const material of [node.material ?? []].flat()) {
      for (const value of Object.values(material)) if (value?.isTexture) value.dispose();
      material.dispose();
    }
  });
}
