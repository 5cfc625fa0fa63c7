import type { BufferGeometry, Intersection, LineSegments, Material, Mesh, Object3D, Raycaster } from "three";
import type { Body, Contacts, Module, Shape, ShapeDef, World } from "../src/index.js";

/** A shape of a mesh's geometry, with its morph targets and skin. Vertices that are split at seams are welded. */
export function createShape(mesh: Mesh, options?: { module?: Module } & Partial<ShapeDef>): Shape;
/** The shape of a mesh: the same for all meshes of one geometry, as long as that lives. */
export function shapeOf(mesh: Mesh, module: Module): Shape;
/** Forgets the shapes of a geometry. Bodies keep the old one. */
export function disposeShapes(geometry: BufferGeometry): void;

/** A Mesh, SkinnedMesh or InstancedMesh in a world. */
export class MeshBody {
  constructor(world: World, mesh: Mesh, options?: { shape?: Shape });
  readonly world: World;
  readonly mesh: Mesh;
  /** Of all bodies. Another one when the geometry has changed. */
  readonly shape: Shape;
  /** One, or one for each instance. Their userData is this. */
  readonly bodies: Body[];
  readonly body: Body;
  /** Reads matrixWorld, bones, morphTargetInfluences, instances and changed attributes as they are: update the scene's matrices
   * before. A pose that has not changed is not set: contacts stay valid. */
  update(): void;
  /** What update() has set, a copy for each body: for a world elsewhere, such as in a worker. */
  poses(): { weights?: Float32Array; joints?: Float32Array; transform: Float32Array }[];
  /** `mesh.raycast = meshBody.raycast` makes THREE.Raycaster use it. It calls update(). */
  raycast: (raycaster: Raycaster, intersects: Intersection[]) => void;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Makes THREE.Raycaster exact and fast, for all meshes of three (`installRaycast(THREE, pliant)`) or those that a scene has now
 * (`installRaycast(scene, pliant)`). A mesh becomes a body when a ray first comes, until its geometry is disposed. */
export function installRaycast(
  where: Object3D | typeof import("three"),
  pliant: { World: typeof World },
  options?: { world?: World },
): InstalledRaycast;

export interface InstalledRaycast {
  /** Where bodies are, other than those of instances. */
  readonly world: World;
  bodyOf(mesh: Mesh): MeshBody;
  /** Casts rays as before, and disposes the bodies. */
  dispose(): void;
}

/** The bounding boxes of bodies, in world coordinates. */
export class BoundsLines extends LineSegments {
  constructor(material?: Material);
  update(bodies: Iterable<Body>): void;
}

/** Lines where the triangles of contacts intersect, in world coordinates. */
export class ContactLines extends LineSegments {
  constructor(material?: Material);
  update(world: World, contacts: Contacts): void;
}
