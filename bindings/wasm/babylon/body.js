// A mesh of Babylon.js as a body. Its skeleton's matrices, influences and world matrix are read where they are.

import { multiply, writeRows } from "../src/matrices.js";
import { Seen, poseCountOf } from "../src/seen.js";
import { isSame, refuse, shapeOf, sourceOf, targetsOf, versionsOf } from "./geometry.js";

const product = new Float64Array(16);

/** Places in Seen. Influences come next, then matrices of joints or of thin instances. */
const MATRIX = 0, INFLUENCES = 12;

/** A Mesh or InstancedMesh in a world; with thin instances, one body for each. */
export class MeshBody {
  #own; // the shape was given, and the geometry is not followed
  #isOne;
  #rows = [];
  #joints;
  #weights;
  #targets;
  #seen = new Seen();
  #poseCount = 0;
  #versions;

  constructor(world, mesh, { shape, thinInstances = true } = {}) {
    refuse(mesh);
    this.world = world;
    this.mesh = mesh;
    this.bodies = [];
    this.#own = shape;
    this.#isOne = !thinInstances;
    this.#use(shape ?? shapeOf(mesh, world.module));
    this.update();
  }

  /** The body; of thin instances the first one. */
  get body() { return this.bodies[0]; }

  /** Bodies of a shape in place of those that there are. */
  #use(shape) {
    for (const body of this.bodies.splice(0)) body.dispose();
    this.#rows.length = 0;
    this.shape = shape;
    this.#versions = versionsOf(this.mesh);
    this.#targets = targetsOf(this.mesh);
    const { jointCount, targetCount } = shape.info;
    this.#joints = jointCount > 0 ? new Float32Array(12 * jointCount) : undefined;
    this.#weights = targetCount > 0 ? new Float32Array(targetCount) : undefined;
    this.#seen.forget();
  }

  /** As many bodies as there are instances. */
  #count(count) {
    const { bodies } = this;
    if (bodies.length === count) return;
    for (const body of bodies.splice(count)) body.dispose();
    this.#rows.length = bodies.length;
    while (bodies.length < count) {
      const body = this.world.createBody(this.shape);
      body.userData = this;
      bodies.push(body);
      this.#rows.push(new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]));
    }
    this.#seen.forget();
  }

  /** Reads the skeleton, influences and matrices as they are. `matrix` is the mesh's world matrix. A pose that has not changed is
   * not set: contacts stay valid. */
  update(matrix = this.mesh.computeWorldMatrix(true)) {
    const { mesh } = this;
    if (!this.#own && !isSame(versionsOf(mesh), this.#versions)) this.#use(shapeOf(mesh, this.world.module));
    const isThin = !this.#isOne && mesh.hasThinInstances;
    this.#count(isThin ? mesh.thinInstanceCount : 1);
    if (poseCountOf(this.bodies) !== this.#poseCount) this.#seen.forget(); // somebody else has set them
    if (this.#weights) this.#followInfluences();
    if (this.#joints) this.#followSkeleton();
    if (isThin) this.#followInstances(matrix.m);
    else if (this.#seen.matrixDiffers(MATRIX, matrix.m)) this.#setTransform(matrix.m);
    this.#poseCount = poseCountOf(this.bodies);
  }

  #followInfluences() {
    for (let i = 0; i < this.#weights.length; i++) this.#weights[i] = this.#targets[i].influence;
    if (!this.#seen.differs(INFLUENCES, this.#weights)) return;
    for (const body of this.bodies) body.setWeights(this.#weights);
  }

  #followSkeleton() {
    const { skeleton } = this.mesh;
    skeleton.prepare(true); // whatever it has computed for this frame: nodes may have moved since
    const matrices = skeleton.getTransformMatrices(sourceOf(this.mesh));
    const count = this.#joints.length / 12;
    if (!this.#seen.differs(this.#next, matrices, 0, 16 * count)) return;
    for (let i = 0; i < count; i++) writeRows(matrices, this.#joints, 12 * i, 16 * i);
    for (const body of this.bodies) body.setJoints(this.#joints);
  }

  /** The place after the influences. */
  get #next() { return INFLUENCES + (this.#weights?.length ?? 0); }

  #followInstances(m) {
    const { matrixData } = this.mesh._thinInstanceDataStorage; // the function that returns matrices makes one for each
    const isMoved = this.#seen.matrixDiffers(MATRIX, m);
    let at = this.#next + 16 * (this.#joints ? this.#joints.length / 12 : 0);
    for (let i = 0; i < this.bodies.length; i++, at += 16) {
      if (!this.#seen.differs(at, matrixData, 16 * i, 16) && !isMoved) continue;
      this.#setTransform(multiply(m, matrixData, product, 16 * i), i);
    }
  }

  #setTransform(m, i = 0) {
    writeRows(m, this.#rows[i]);
    this.bodies[i].setTransform(this.#rows[i]);
  }

  /** What update() has set, a copy for each body: for a world elsewhere, such as in a worker. */
  poses() {
    const weights = this.#weights?.slice(), joints = this.#joints?.slice();
    return this.#rows.map((rows) => ({ weights, joints, transform: rows.slice() }));
  }

  dispose() {
    for (const body of this.bodies.splice(0)) body.dispose();
  }
}

if (Symbol.dispose) MeshBody.prototype[Symbol.dispose] = MeshBody.prototype.dispose;
