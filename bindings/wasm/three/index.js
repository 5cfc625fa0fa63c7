// Meshes of three.js as bodies. Bones, weights and matrices are read where they are; no vertex is evaluated here.

import { BufferAttribute, BufferGeometry, LineSegments, Matrix4 } from "three";
import { createShape, disposeShapes, shapeOf } from "./geometry.js";
import { multiply, writeJoints, writeRows } from "./matrices.js";
import { castAt } from "./raycast.js";

export { createShape, disposeShapes, shapeOf };

const product = new Float64Array(16);

/** A Mesh, SkinnedMesh or InstancedMesh in a world. */
export class MeshBody {
  #rows;
  #joints;
  #weights;

  constructor(world, mesh, { shape = shapeOf(mesh, world.module) } = {}) {
    this.world = world;
    this.mesh = mesh;
    this.bodies = Array.from({ length: mesh.isInstancedMesh ? mesh.count : 1 }, () => world.createBody(shape));
    this.#rows = this.bodies.map(() => new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]));
    for (const body of this.bodies) body.userData = this;
    if (mesh.isSkinnedMesh) this.#joints = new Float32Array(12 * mesh.skeleton.bones.length);
    if (shape.info.targetCount > 0) this.#weights = new Float32Array(shape.info.targetCount);
    this.raycast = (raycaster, intersects) => this.#raycast(raycaster, intersects);
    this.update();
  }

  /** The body; of an InstancedMesh the first one. */
  get body() { return this.bodies[0]; }

  /** Reads matrixWorld, bones and morphTargetInfluences as they are: update the scene's matrices before. */
  update() {
    const { mesh } = this;
    if (this.#weights) this.#setWeights();
    if (mesh.isInstancedMesh) return this.#setInstances();
    if (!mesh.isSkinnedMesh) return this.#setTransform(mesh.matrixWorld.elements);
    writeJoints(mesh, this.#joints);
    this.body.setJoints(this.#joints);
    // An attached mesh follows its bones alone: its own matrix and bindMatrixInverse cancel out.
    if (mesh.bindMode === "detached") {
      this.#setTransform(multiply(mesh.matrixWorld.elements, mesh.bindMatrixInverse.elements, product));
    }
  }

  #setWeights() {
    const { morphTargetInfluences: influences } = this.mesh;
    for (let i = 0; i < this.#weights.length; i++) this.#weights[i] = influences?.[i] ?? 0;
    for (const body of this.bodies) body.setWeights(this.#weights);
  }

  /** What update() has set, a copy for each body: for a world elsewhere, such as in a worker. */
  poses() {
    const weights = this.#weights?.slice(), joints = this.#joints?.slice();
    return this.#rows.map((rows) => ({ weights, joints, transform: rows.slice() }));
  }

  #setTransform(elements, i = 0) {
    writeRows(elements, this.#rows[i]);
    this.bodies[i].setTransform(this.#rows[i]);
  }

  #setInstances() {
    const { matrixWorld, instanceMatrix } = this.mesh;
    for (let i = 0; i < this.bodies.length; i++) {
      const own = instanceMatrix.array.subarray(16 * i, 16 * i + 16);
      this.#setTransform(multiply(matrixWorld.elements, own, product), i);
    }
  }

  /** As Mesh.raycast: `mesh.raycast = meshBody.raycast` makes THREE.Raycaster use it. */
  #raycast(raycaster, intersects) {
    this.update();
    const { mesh } = this;
    if (!mesh.isInstancedMesh) return castAt(mesh, mesh.matrixWorld, this.body, undefined, raycaster, intersects);
    this.bodies.forEach((body, i) => {
      const matrix = new Matrix4().fromArray(mesh.instanceMatrix.array, 16 * i).premultiply(mesh.matrixWorld);
      castAt(mesh, matrix, body, i, raycaster, intersects);
    });
  }

  dispose() {
    for (const body of this.bodies) body.dispose();
    if (this.mesh.raycast === this.raycast) delete this.mesh.raycast;
  }
}

if (Symbol.dispose) MeshBody.prototype[Symbol.dispose] = MeshBody.prototype.dispose;

/** Lines where the triangles of contacts intersect, in world coordinates: add it to the scene. */
export class ContactLines extends LineSegments {
  constructor(material) {
    super(new BufferGeometry(), material);
    this.frustumCulled = false;
    this.matrixAutoUpdate = false;
  }

  update(world, contacts) {
    const cuts = world.intersections(contacts);
    const count = cuts.segmentCount;
    const attribute = this.#room(6 * count);
    cuts.writeSegments(attribute.array);
    attribute.needsUpdate = true;
    this.geometry.setDrawRange(0, 2 * count);
  }

  #room(length) {
    const known = this.geometry.getAttribute("position");
    if (known && known.array.length >= length) return known;
    this.geometry.dispose();
    this.geometry.setAttribute("position", new BufferAttribute(new Float32Array(2 * length + 6), 3));
    return this.geometry.attributes.position;
  }
}
