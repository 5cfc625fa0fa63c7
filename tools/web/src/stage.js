// The 3-D view: parts in muted colors, what intersects in red, and the camera.
//
// Everything is moved to the origin and scaled to size one before it becomes floats, so that a model
// far away, or as large as floats go, looks like any other.

import {
  AmbientLight, Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide,
  DynamicDrawUsage, GreaterDepth, GridHelper, Group, HemisphereLight, Mesh, MeshBasicMaterial,
  MeshLambertMaterial, PerspectiveCamera, Scene, Vector3, WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { boxOf } from "./pose.js";
import { colorOf } from "./words.js";

// Hues apart from one another and from red.
const PALETTE = ["#8fa8c4", "#c9b48a", "#8fb8a0", "#b09cc4", "#a8b07c", "#7fb3b8", "#b8a49c", "#9aa6ad"];

export function partColor(i) {
  return PALETTE[i % PALETTE.length];
}

const OPACITY = { solid: 1, seeThrough: 0.28, aside: 0.1 };

/** One part: its mesh, and its red triangles as a second mesh over the same vertices. */
class StagePart {
  constructor(model, i, redMaterials) {
    this.model = model;
    this.sample = -1;
    this.position = new BufferAttribute(new Float32Array(model.vertexCount * 3), 3);
    this.position.setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.position);
    geometry.setIndex(new BufferAttribute(model.indices, 1));
    this.material = new MeshLambertMaterial({ color: partColor(i), flatShading: true, side: DoubleSide });
    this.mesh = new Mesh(geometry, this.material);

    this.red = new BufferGeometry();
    this.red.setAttribute("position", this.position);
    this.redIndex = new BufferAttribute(new Uint32Array(model.indices.length), 1);
    this.redIndex.setUsage(DynamicDrawUsage);
    this.red.setIndex(this.redIndex);
    this.redMeshes = redMaterials.map((material, k) => {
      const mesh = new Mesh(this.red, material);
      mesh.renderOrder = 2 + k;
      return mesh;
    });
    this.meshes = [this.mesh, ...this.redMeshes];
    for (const mesh of this.meshes) mesh.frustumCulled = false;
  }

  poseAt(sample, center, scale) {
    if (this.sample >= 0 && this.model.isStill(this.sample, sample)) return;
    this.sample = sample;
    const from = this.model.verticesAt(sample);
    const to = this.position.array;
    for (let i = 0; i < to.length; i++) to[i] = (from[i] - center[i % 3]) * scale;
    this.position.needsUpdate = true;
  }

  /** Which triangles are red; several sets, which may overlap. */
  mark(sets) {
    const { indices } = this.model;
    const to = this.redIndex.array;
    const seen = sets.length > 1 ? new Set() : null;
    let count = 0;
    for (const set of sets) {
      for (const triangle of set) {
        if (seen?.has(triangle)) continue;
        seen?.add(triangle);
        for (let k = 0; k < 3; k++) to[count++] = indices[triangle * 3 + k];
      }
    }
    this.red.setDrawRange(0, count);
    this.redCount = count / 3;
    this.redIndex.needsUpdate = true;
  }

  /** Adds the middle of each red triangle to a list. */
  gather(list) {
    const corner = new Vector3();
    for (let i = 0; i < this.redCount * 3; i += 3) {
      const middle = new Vector3();
      for (let k = 0; k < 3; k++) middle.add(corner.fromBufferAttribute(this.position, this.redIndex.array[i + k]));
      list.push(middle.divideScalar(3));
    }
  }
}

function middleOf(points) {
  return points.reduce((sum, point) => sum.add(point), new Vector3()).divideScalar(points.length);
}

/** The points of the densest place: a pair of shoes is shown one by one. */
function densest(points, reach) {
  const cells = new Map();
  for (const point of points) {
    const cell = point.toArray().map((at) => Math.floor(at / reach)).join();
    if (!cells.has(cell)) cells.set(cell, []);
    cells.get(cell).push(point);
  }
  const crowd = [...cells.values()].reduce((best, cell) => (cell.length > best.length ? cell : best));
  const middle = middleOf(crowd);
  return points.filter((point) => point.distanceTo(middle) < reach);
}

/** Directions to look from: around, level, from above, and a little from below. */
function directions() {
  const made = [];
  for (const [height, count] of [[0.15, 8], [0.8, 6], [-0.35, 4]])
    for (let i = 0; i < count; i++) {
      const angle = 0.4 + (i * 2 * Math.PI) / count;
      made.push(new Vector3(Math.sin(angle), height, Math.cos(angle)).normalize());
    }
  return made;
}

export class Stage {
  constructor(host, models, startSample, sampleCount) {
    this.host = host;
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    host.prepend(this.renderer.domElement);
    this.renderer.domElement.setAttribute("aria-hidden", "true");
    this.camera = new PerspectiveCamera(35, 1, 0.01, 100);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("start", () => (this.flight = null));
    this.scene = new Scene();
    this.root = new Group();
    this.scene.add(this.root, this.camera);
    this.#light();
    this.#normalise(models, startSample, sampleCount);
    this.#addParts(models);
    this.poseAt(startSample);
    new ResizeObserver(() => this.#resize()).observe(host);
    this.#resize();
  }

  #light() {
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8f9c, 1.6), new AmbientLight(0xffffff, 0.5));
    const lamp = new DirectionalLight(0xffffff, 1.9);
    lamp.position.set(-0.6, 0.9, 1);
    this.camera.add(lamp, lamp.target);
    lamp.target.position.set(0, 0, -1);
  }

  #normalise(models, sample, sampleCount) {
    this.box = boxOf(models, sample) ?? [-1, -1, -1, 1, 1, 1];
    this.center = [0, 1, 2].map((axis) => this.box[axis] / 2 + this.box[axis + 3] / 2);
    const half = [0, 1, 2].map((axis) => this.box[axis + 3] / 2 - this.box[axis] / 2);
    this.scale = 1 / (Math.hypot(...half) || 1);
    // The ground is under the lowest of a few poses; axis 1, or 2 where z is up.
    const few = [0, 1, 2, 3, 4, 5].map((k) => Math.round((k * (sampleCount - 1)) / 5));
    const boxes = [this.box, ...[...new Set(few)].map((each) => boxOf(models, each) ?? this.box)];
    const across = (choose, corner) => [0, 1, 2].map(
      (axis) => (choose(...boxes.map((box) => box[axis + corner])) - this.center[axis]) * this.scale,
    );
    this.ground = across(Math.min, 0);
    this.reach = new Box3(new Vector3(...this.ground), new Vector3(...across(Math.max, 3)));
  }

  #addParts(models) {
    this.redMaterial = new MeshLambertMaterial({
      color: 0xe5202b, emissive: 0xb00d18, emissiveIntensity: 0.4, flatShading: true, side: DoubleSide,
      polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -4,
    });
    // What is behind something else shows through it, faintly.
    this.hiddenMaterial = new MeshBasicMaterial({
      color: 0xff3b3b, transparent: true, opacity: 0.3, depthFunc: GreaterDepth, depthWrite: false,
      side: DoubleSide,
    });
    this.parts = models.map((model, i) => new StagePart(model, i, [this.redMaterial, this.hiddenMaterial]));
    for (const part of this.parts) this.root.add(...part.meshes);
    this.paint();
  }

  /** Colors that follow the page's. */
  paint() {
    if (this.grid) {
      this.root.remove(this.grid);
      this.grid.dispose();
    }
    const line = new Color(colorOf("--grid"));
    this.grid = new GridHelper(4, 16, line, line);
    this.grid.material.transparent = true;
    this.grid.material.opacity = 0.55;
    this.root.add(this.grid);
    this.isZUp = this.isZUp;
  }

  poseAt(sample) {
    for (const part of this.parts) part.poseAt(sample, this.center, this.scale);
    this.isStale = true;
  }

  /** sets: for each part, the sets of its red triangles. */
  mark(sets) {
    this.parts.forEach((part, i) => part.mark(sets[i]));
    this.isStale = true;
  }

  /** aside: parts that are faint, since they are not what is shown. */
  show({ isWanted, isAside, isSeeThrough }) {
    this.parts.forEach((part, i) => {
      const opacity = isAside(i) ? OPACITY.aside : isSeeThrough ? OPACITY.seeThrough : OPACITY.solid;
      part.material.opacity = opacity;
      part.material.transparent = opacity < 1;
      part.material.depthWrite = opacity === 1;
      part.material.needsUpdate = true;
      for (const mesh of part.meshes) mesh.visible = isWanted(i);
    });
    this.isStale = true;
  }

  get isZUp() {
    return this.root.rotation.x !== 0;
  }

  set isZUp(value) {
    this.root.rotation.x = value ? -Math.PI / 2 : 0;
    this.grid.rotation.x = value ? Math.PI / 2 : 0;
    this.grid.position.set(0, value ? 0 : this.ground[1], value ? this.ground[2] : 0);
    this.root.updateMatrixWorld();
    this.isStale = true;
  }

  /** The whole model, from the front and a little from above and the side: as it is now, with room
   * for other poses unless they are far away. */
  fit(isAtOnce) {
    const box = new Box3();
    for (const part of this.parts)
      if (part.mesh.visible) box.union(new Box3().setFromBufferAttribute(part.position));
    if (box.isEmpty()) return;
    const size = box.getSize(new Vector3()).length();
    const all = box.clone().union(this.reach);
    const isWhole = this.parts.every((part) => part.mesh.visible);
    if (isWhole && all.getSize(new Vector3()).length() < 1.6 * size) box.copy(all);
    box.applyMatrix4(this.root.matrixWorld);
    const middle = box.getCenter(new Vector3());
    const eye = new Vector3(0.45, 0.22, 1).normalize();
    this.#fly(middle, this.#distanceOf(box, middle, eye), eye, isAtOnce);
  }

  /** How far an eye in a direction has to be to see all corners of a box. */
  #distanceOf(box, middle, eye) {
    const right = new Vector3(0, 1, 0).cross(eye).normalize();
    const up = eye.clone().cross(right);
    const high = Math.tan((this.camera.fov * Math.PI) / 360) * 0.93; // some air around it
    const wide = high * this.camera.aspect;
    let distance = 1e-3;
    for (let i = 0; i < 8; i++) {
      const [x, y, z] = [i & 1, i & 2, i & 4].map((isFar) => (isFar ? box.max : box.min));
      const corner = new Vector3(x.x, y.y, z.z).sub(middle);
      const needed = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / high);
      distance = Math.max(distance, needed + corner.dot(eye));
    }
    return distance;
  }

  /** The red triangles, from where most of them is seen. */
  focus(isAtOnce) {
    const all = [];
    for (const part of this.parts) if (part.mesh.visible) part.gather(all);
    if (!all.length || !this.isSized) return;
    const points = densest(all, 0.3);
    const middle = middleOf(points);
    const radius = points.reduce((most, point) => Math.max(most, point.distanceTo(middle)), 0);
    middle.applyEuler(this.root.rotation);
    const half = Math.atan(Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(1, this.camera.aspect));
    const distance = Math.max(0.16, radius * 1.5) / Math.sin(half);
    this.#fly(middle, distance, this.#clearest(middle, distance), isAtOnce);
  }

  /** The direction from which most red is seen, found by drawing it small from each. */
  #clearest(middle, distance) {
    const now = this.camera.position.clone().sub(this.controls.target).normalize();
    const eye = new PerspectiveCamera(this.camera.fov, 1, distance / 100, distance + 100);
    const plain = new MeshBasicMaterial({
      color: 0xff0000, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -4,
    });
    const target = new WebGLRenderTarget(64, 64);
    this.hiddenMaterial.visible = false;
    for (const part of this.parts) part.redMeshes[0].material = plain;
    const count = (direction) => {
      eye.position.copy(middle).addScaledVector(direction, distance);
      eye.lookAt(middle);
      return this.#redPixels(eye, target);
    };
    // Staying where one is counts for something.
    let best = { direction: now, count: count(now) * 1.3 };
    for (const direction of directions()) {
      const found = count(direction);
      if (found > best.count) best = { direction, count: found };
    }
    for (const part of this.parts) part.redMeshes[0].material = this.redMaterial;
    this.hiddenMaterial.visible = true;
    target.dispose();
    plain.dispose();
    return best.direction;
  }

  #redPixels(eye, target) {
    this.renderer.setRenderTarget(target);
    this.renderer.render(this.scene, eye);
    const pixels = new Uint8Array(target.width * target.height * 4);
    this.renderer.readRenderTargetPixels(target, 0, 0, target.width, target.height, pixels);
    this.renderer.setRenderTarget(null);
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4)
      if (pixels[i] > 200 && pixels[i + 1] < 40 && pixels[i + 2] < 40) count++;
    return count;
  }

  #fly(target, distance, direction, isAtOnce) {
    const position = direction.clone().normalize().multiplyScalar(distance).add(target);
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.flight = {
      start: performance.now(), time: isAtOnce || isCalm ? 0 : 450,
      fromTarget: this.controls.target.clone(), fromPosition: this.camera.position.clone(), target, position,
    };
    if (this.flight.time === 0) this.#step(Infinity);
  }

  /** One step of the camera's way; the offset from the target turns rather than cutting across. */
  #step(now) {
    const { start, time, fromTarget, fromPosition, target, position } = this.flight;
    const share = time > 0 ? Math.min(1, (now - start) / time) : 1;
    const eased = share * share * (3 - 2 * share);
    const before = fromPosition.clone().sub(fromTarget);
    const after = position.clone().sub(target);
    const size = before.length() ** (1 - eased) * after.length() ** eased;
    const offset = before.normalize().lerp(after.clone().normalize(), eased);
    if (share === 1 || offset.length() < 1e-3) offset.copy(after);
    this.controls.target.lerpVectors(fromTarget, target, eased);
    this.camera.position.copy(offset.setLength(share === 1 ? after.length() : size)).add(this.controls.target);
    if (share === 1) this.flight = null;
    this.isStale = true;
  }

  #resize() {
    const { clientWidth, clientHeight } = this.host;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(clientWidth, clientHeight);
    const isFirst = !this.isSized;
    this.isSized = true;
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    if (isFirst) this.fit(true);
    this.isStale = true;
  }

  /** Draws, if there is anything new. */
  draw(now) {
    if (this.flight) this.#step(now);
    if (this.controls.update()) this.isStale = true;
    if (!this.isStale || !this.isSized) return;
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = distance / 100;
    this.camera.far = distance + 100;
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
    this.isStale = false;
  }
}
