import type { Matrix } from "@babylonjs/core/Maths/math.vector.js";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh.js";
import type { Scene } from "@babylonjs/core/scene.js";
import type { Body, Module, Shape, ShapeDef, World } from "../src/index.js";

/** A shape of a mesh, with its morph targets and skin. Vertices that are split at seams are welded. */
export function createShape(mesh: AbstractMesh, options?: { module?: Module } & Partial<ShapeDef>): Shape;
/** The shape of a mesh: the same for all meshes of one geometry, as long as that lives and does not change. */
export function shapeOf(mesh: AbstractMesh, module: Module): Shape;
/** Forgets the shapes of a mesh's geometry. Bodies keep the old one. */
export function disposeShapes(mesh: AbstractMesh): void;

/** A Mesh or InstancedMesh in a world; with thin instances, one body for each. */
export class MeshBody {
  constructor(world: World, mesh: AbstractMesh, options?: { shape?: Shape; thinInstances?: boolean });
  readonly world: World;
  readonly mesh: AbstractMesh;
  /** Of all bodies. Another one when the geometry has changed. */
  readonly shape: Shape;
  /** One, or one for each thin instance. Their userData is this. */
  readonly bodies: Body[];
  readonly body: Body;
  /** Reads the skeleton, influences and matrices as they are. A pose that has not changed is not set: contacts stay valid.
   * `matrix` is the world matrix of the mesh, computed if it is not given. */
  update(matrix?: Matrix): void;
  /** What update() has set, a copy for each body: for a world elsewhere, such as in a worker. */
  poses(): { weights?: Float32Array; joints?: Float32Array; transform: Float32Array }[];
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Makes picking of Babylon exact and fast, for all meshes or those of one scene. A mesh becomes a body when it is picked first,
 * until it is disposed. */
export function installPicking(pliant: { World: typeof World }, options?: { scene?: Scene; world?: World }): InstalledPicking;

export interface InstalledPicking {
  readonly world: World;
  bodyOf(mesh: AbstractMesh): MeshBody;
  /** Picks as before, and disposes the bodies. */
  dispose(): void;
}
