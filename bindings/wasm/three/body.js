// A mesh of three.js as a body. Bones, weights and matrices are read where they are; no vertex is evaluated here.

import { Matrix4 } from "three";
import { BadArgumentError } from "../src/errors.js";
import { multiply, writeRows } from "../src/matrices.js";
import { Seen, poseCountOf } from "../src/seen.js";
import { refuse, shapeOf, verticesOf, versionsOf } from "./geometry.js";
import { writeJoints } from "./matrices.js";
import { castAt, castAtAll } from "./raycast.js";

const product = new Float64Array(16);
const one = [0];

/** Places in Seen. Joints or instances come after the weights. */
const MATRIX = 0, BIND = 12, BIND_INVERSE = 24, BIND_MODE = 36, WEIGHTS = 37;

/** A Mesh, SkinnedMesh or InstancedMesh in a world. */
export class MeshBody {
  #own; // the shape was given, and the geometry is not followed
  #rows = [];
  #joints;
  #weights;
  #seen = new Seen();
  #poseCount = 0;
  #versions;
  #target;
  #matrices = [];

  constructor(world, mesh, { shape } = {}) {
    refuse(mesh);
    this.world = world;
    this.mesh = mesh;
    this.bodies = [];
    this.#own = shape;
    this.#target = { mesh, matrix: mesh.matrixWorld, body: undefined, instanceId: undefined };
    this.raycast = (raycaster, intersects) => this.#raycast(raycaster, intersects);
    this.#use(shape ?? shapeOf(mesh, world.module));
    this.update();
  }

  /** The body; of an InstancedMesh the first one. */
  get body() { return this.bodies[0]; }

  /** Bodies of a shape in place of those that there are. */
  #use(shape) {
    const { mesh } = this;
    for (const body of this.bodies.splice(0)) body.dispose();
    this.#rows.length = this.#matrices.length = 0;
    this.shape = shape;
    this.#versions = versionsOf(mesh.geometry);
    this.#joints = mesh.isSkinnedMesh ? new Float32Array(12 * mesh.skeleton.bones.length) : undefined;
    this.#weights = shape.info.targetCount > 0 ? new Float32Array(shape.info.targetCount) : undefined;
    this.#seen.forget();
  }

  /** As many bodies as there are instances. */
  #count(count) {
    const { bodies } = this;
    if (bodies.length === count) return;
    for (const body of bodies.splice(count)) body.dispose();
    this.#rows.length = this.#matrices.length = bodies.length;
    while (bodies.length < count) {
      const body = this.world.createBody(this.shape);
      body.userData = this;
      bodies.push(body);
      this.#rows.push(new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]));
      this.#matrices.push(new Matrix4());
    }
    this.#seen.forget();
  }

  /** Attributes that three was told of: other positions of a plain mesh move its vertices, all else makes another shape. */
  #followGeometry() {
    const { geometry } = this.mesh;
    const versions = versionsOf(geometry);
    if (versions.every((x, i) => x === this.#versions[i]) && versions.length === this.#versions.length) return;
    const isMoved = !this.#joints && !this.#weights && versions.length === this.#versions.length
      && versions.every((x, i) => i === 1 || i === 2 || x === this.#versions[i])
      && 3 * geometry.attributes.position.count === 3 * this.shape.info.vertexCount;
    if (!isMoved) return this.#use(shapeOf(this.mesh, this.world.module));
    const vertices = verticesOf(geometry);
    for (const body of this.bodies) body.setVertices(vertices);
    this.#versions = versions;
  }

  /** Reads matrixWorld, bones, morphTargetInfluences and instances as they are: update the scene's matrices before. A pose that
   * has not changed is not set: contacts stay valid. */
  update() {
    const { mesh } = this;
    if (!this.#own) this.#followGeometry();
    this.#count(mesh.isInstancedMesh ? mesh.count : 1);
    if (poseCountOf(this.bodies) !== this.#poseCount) this.#seen.forget(); // somebody else has set them
    if (this.#weights) this.#followWeights();
    if (mesh.isInstancedMesh) this.#followInstances();
    else if (mesh.isSkinnedMesh) this.#followBones();
    else if (this.#seen.matrixDiffers(MATRIX, mesh.matrixWorld.elements)) this.#setTransform(mesh.matrixWorld.elements);
    this.#poseCount = poseCountOf(this.bodies);
  }

  #followWeights() {
    const { morphTargetInfluences: influences } = this.mesh;
    for (let i = 0; i < this.#weights.length; i++) this.#weights[i] = influences?.[i] ?? 0;
    if (!this.#seen.differs(WEIGHTS, this.#weights)) return;
    for (const body of this.bodies) body.setWeights(this.#weights);
  }

  #followBones() {
    const { mesh } = this;
    const { bones, boneInverses } = mesh.skeleton;
    if (12 * bones.length !== this.#joints.length) {
      throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `the skeleton has ${bones.length} bones, and had ${this.#joints.length / 12}`);
    }
    let at = WEIGHTS + (this.#weights?.length ?? 0);
    let isMoved = this.#seen.matrixDiffers(BIND, mesh.bindMatrix.elements);
    for (let i = 0; i < bones.length; i++, at += 24) {
      // Both are read, whatever the first says: Seen remembers what it reads.
      if (this.#seen.matrixDiffers(at, bones[i].matrixWorld.elements)) isMoved = true;
      if (this.#seen.matrixDiffers(at + 12, boneInverses[i].elements)) isMoved = true;
    }
    if (isMoved) {
      writeJoints(mesh, this.#joints);
      this.body.setJoints(this.#joints);
    }
    this.#followBinding();
  }

  /** An attached mesh follows its bones alone: its own matrix and bindMatrixInverse cancel out. */
  #followBinding() {
    const { mesh } = this;
    one[0] = mesh.bindMode === "detached" ? 1 : 0;
    let isMoved = this.#seen.differs(BIND_MODE, one);
    if (one[0] === 1) {
      if (this.#seen.matrixDiffers(MATRIX, mesh.matrixWorld.elements)) isMoved = true;
      if (this.#seen.matrixDiffers(BIND_INVERSE, mesh.bindMatrixInverse.elements)) isMoved = true;
    }
    if (!isMoved) return;
    if (one[0] === 1) multiply(mesh.matrixWorld.elements, mesh.bindMatrixInverse.elements, product);
    else product.set(IDENTITY);
    this.#setTransform(product);
  }

  #followInstances() {
    const { matrixWorld: { elements }, instanceMatrix: { array } } = this.mesh;
    const isMoved = this.#seen.matrixDiffers(MATRIX, elements);
    let at = WEIGHTS + (this.#weights?.length ?? 0);
    for (let i = 0; i < this.bodies.length; i++, at += 16) {
      if (!this.#seen.differs(at, array, 16 * i, 16) && !isMoved) continue;
      this.#matrices[i].fromArray(multiply(elements, array, product, 16 * i));
      this.#setTransform(product, i);
    }
  }

  #setTransform(elements, i = 0) {
    writeRows(elements, this.#rows[i]);
    this.bodies[i].setTransform(this.#rows[i]);
  }

  /** What update() has set, a copy for each body: for a world elsewhere, such as in a worker. */
  poses() {
    const weights = this.#weights?.slice(), joints = this.#joints?.slice();
    return this.#rows.map((rows) => ({ weights, joints, transform: rows.slice() }));
  }

  #targetOf(i) {
    if (!this.mesh.isInstancedMesh) return Object.assign(this.#target, { body: this.body, matrix: this.mesh.matrixWorld });
    return Object.assign(this.#target, { body: this.bodies[i], matrix: this.#matrices[i], instanceId: i });
  }

  /** As Mesh.raycast: `mesh.raycast = meshBody.raycast` makes THREE.Raycaster use it. */
  #raycast(raycaster, intersects) {
    if (this.mesh.material === undefined) return;
    this.update();
    for (let i = 0; i < this.bodies.length; i++) castAt(this.#targetOf(i), raycaster, intersects);
  }

  /** The same, where the world has no other bodies: one query for all instances. */
  raycastAlone(raycaster, intersects) {
    if (this.mesh.material === undefined) return;
    this.update();
    castAtAll(this.world, (body) => this.#targetOf(this.bodies.indexOf(body)), raycaster, intersects);
  }

  dispose() {
    for (const body of this.bodies.splice(0)) body.dispose();
    if (this.mesh.raycast === this.raycast) delete this.mesh.raycast;
  }
}

const IDENTITY = new Matrix4().elements;

if (Symbol.dispose) MeshBody.prototype[Symbol.dispose] = MeshBody.prototype.dispose;
