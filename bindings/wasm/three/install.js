// Rays of THREE.Raycaster at all meshes by the library, with one line.

import { MeshBody } from "./body.js";
import { disposeShapes } from "./geometry.js";

const NAMES = ["Mesh", "SkinnedMesh", "InstancedMesh", "BatchedMesh"];

/** What three casts rays at itself, such as a mesh without vertices. */
const isBody = (mesh) => mesh.isMesh && !mesh.isBatchedMesh && mesh.geometry?.attributes?.position?.count > 0;

/** Where raycast() is put: prototypes of three, or the meshes of a scene that have none of their own. */
function placesOf(where) {
  if (!where.isObject3D) return NAMES.flatMap((name) => where[name]?.prototype ?? []);
  const found = [];
  where.traverse((one) => { if (isBody(one) && !Object.hasOwn(one, "raycast")) found.push(one); });
  return found;
}

/** Makes THREE.Raycaster exact and fast: `installRaycast(THREE, pliant)` for all meshes, `installRaycast(scene, pliant)` for those
 * that a scene has now. Other objects, and BatchedMesh, are cast at as before. A mesh becomes a body when a ray first comes, until
 * its geometry is disposed. */
export function installRaycast(where, { World }, { world = new World() } = {}) {
  const known = new Map(); // mesh -> what there is of it
  let isOther = false; // an object casts rays at meshes of its own, as BatchedMesh does

  function forget(mesh) {
    const { body, alone } = known.get(mesh) ?? {};
    if (!known.delete(mesh)) return;
    body.dispose();
    alone?.dispose();
  }

  function make(mesh) {
    const alone = mesh.isInstancedMesh ? new World({ module: world.module }) : undefined;
    const body = new MeshBody(alone ?? world, mesh);
    const { geometry } = mesh;
    const found = { body, alone, geometry };
    known.set(mesh, found);
    geometry.addEventListener("dispose", function ended() {
      geometry.removeEventListener("dispose", ended);
      if (known.get(mesh) === found) forget(mesh);
      disposeShapes(geometry);
    });
    return found;
  }

  /** The body of a mesh, made if there is none. */
  function of(mesh) {
    const found = known.get(mesh);
    if (found && found.geometry === mesh.geometry) return found;
    forget(mesh);
    return make(mesh);
  }

  const places = placesOf(where).map((place) => ({ place, had: Object.hasOwn(place, "raycast"), old: place.raycast }));
  function castOther(old, mesh, raycaster, intersects) {
    const before = isOther;
    isOther = true;
    try {
      old.call(mesh, raycaster, intersects);
    } finally {
      isOther = before;
    }
  }

  for (const { place, old } of places) {
    place.raycast = function raycast(raycaster, intersects) {
      if (isOther || !isBody(this)) return castOther(old, this, raycaster, intersects);
      const { body, alone } = of(this);
      if (alone) body.raycastAlone(raycaster, intersects);
      else body.raycast(raycaster, intersects);
    };
  }
  return {
    world,
    bodyOf: (mesh) => of(mesh).body,
    dispose() {
      for (const { place, had, old } of places) {
        if (had) place.raycast = old;
        else delete place.raycast;
      }
      for (const mesh of [...known.keys()]) forget(mesh);
    },
  };
}
