// The 3-D view: parts in muted colors, marks of what was found, and the camera.
//
// Everything is moved to the origin and scaled to size one before it becomes floats, so that a model
// far away, or as large as floats go, looks like any other.

import {
  AmbientLight, Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide,
  DynamicDrawUsage, GridHelper, Group, HemisphereLight, Mesh, MeshLambertMaterial,
  PerspectiveCamera, Raycaster, Scene, Sphere, Vector2, Vector3, WebGLRenderer, WebGLRenderTarget,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { DrawnMarks } from "./drawn.js";
import { directions, distanceOf, distanceOfBall, Flight } from "./flight.js";
import { boxOf } from "./pose.js";
import { colorOf } from "./words.js";

// Hues apart from one another, and paler than those of depth.
const PALETTE = ["#8fa8c4", "#c9b48a", "#8fb8a0", "#b09cc4", "#a8b07c", "#7fb3b8", "#b8a49c", "#9aa6ad"];

export function partColor(i) {
  return PALETTE[i % PALETTE.length];
}

const OPACITY = { solid: 1, seeThrough: 0.28, aside: 0.1 };

class StagePart {
  /** look: how it is in its file, or null. */
  constructor(model, i, look) {
    this.model = model;
    this.look = look;
    this.sample = -1;
    this.position = new BufferAttribute(new Float32Array(model.vertexCount * 3), 3);
    this.position.setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.position);
    geometry.setIndex(new BufferAttribute(model.indices, 1));
    // For rays: vertices move, and no sphere is around them for long.
    geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    // Behind marks that lie on it.
    this.material = new MeshLambertMaterial({
      color: partColor(i), flatShading: true, side: DoubleSide,
      polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 4,
    });
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
  }

  poseAt(sample, toStage) {
    if (this.sample >= 0 && this.model.isStill(this.sample, sample)) return;
    this.sample = sample;
    toStage(this.model.verticesAt(sample), this.position.array);
    this.position.needsUpdate = true;
    this.look?.pose(this.position.array);
  }

  show(isShown, hasLook, opacity) {
    const isLook = hasLook && this.look !== null;
    this.mesh.visible = isShown && !isLook;
    if (this.look) this.look.mesh.visible = isShown && isLook;
    for (const material of [this.material, ...(this.look?.materials ?? [])]) {
      material.opacity = opacity;
      material.transparent = opacity < 1;
      material.depthWrite = opacity === 1;
      material.needsUpdate = true;
    }
  }

  /** What is seen of it; null: nothing. */
  get shown() {
    return this.mesh.visible ? this.mesh : this.look?.mesh.visible ? this.look.mesh : null;
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

export class Stage {
  /** looks: of each part, or null. */
  constructor(host, models, looks, startSample, sampleCount) {
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
    this.#addParts(models, looks);
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

  #addParts(models, looks) {
    this.parts = models.map((model, i) => new StagePart(model, i, looks[i]));
    this.marks = new DrawnMarks();
    const painted = looks.filter(Boolean).map((look) => look.mesh);
    this.root.add(...this.parts.map((part) => part.mesh), ...painted, ...this.marks.objects);
    this.paint();
  }

  /** Numbers of the model, x, y, z and so on, as floats of the stage. */
  toStage = (from, to = new Float32Array(from.length)) => {
    for (let i = 0; i < to.length; i++) to[i] = (from[i] - this.center[i % 3]) * this.scale;
    return to;
  };

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
    for (const part of this.parts) part.poseAt(sample, this.toStage);
    this.isStale = true;
  }

  /** marks: see marksOf(); most: the depth at the end of the colors; pin: two points, or null; how: see
   * DrawnMarks.set(). */
  mark(marks, most, pin, how = {}) {
    const segments = marks.cuts.flatMap((cut) => cut.segments);
    this.marks.set({
      segments: this.toStage(segments), positions: this.toStage(marks.heat.positions),
      depths: marks.heat.depths, most, ...how,
    });
    this.marks.setPin(pin ? this.toStage(pin.flat()) : null);
    this.isStale = true;
  }

  /** Of parts by their number. isAside: faint, since they are not what is shown; isThrough: translucent. */
  show({ isWanted, isAside, isThrough, hasLooks }) {
    this.parts.forEach((part, i) => {
      const opacity = isAside(i) ? OPACITY.aside : isThrough(i) ? OPACITY.seeThrough : OPACITY.solid;
      part.look?.refresh();
      part.show(isWanted(i), hasLooks, opacity);
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
  fit(isAtOnce, parts = this.parts) {
    const box = new Box3();
    for (const part of parts)
      if (part.shown) box.union(new Box3().setFromBufferAttribute(part.position));
    if (box.isEmpty()) return;
    const size = box.getSize(new Vector3()).length();
    const all = box.clone().union(this.reach);
    const isWhole = parts === this.parts && parts.every((part) => part.shown);
    if (isWhole && all.getSize(new Vector3()).length() < 1.6 * size) box.copy(all);
    box.applyMatrix4(this.root.matrixWorld);
    const middle = box.getCenter(new Vector3());
    const eye = new Vector3(0.45, 0.22, 1).normalize();
    this.#fly(middle, distanceOf(this.camera, box, middle, eye), eye, isAtOnce);
  }

  /** The marks, or those around a place of the model, from where most of them is seen. */
  focus(isAtOnce, place = null, from = directions()) {
    if (!this.isSized) return;
    const ball = place ? this.#ballOf(place) : this.#ballOfMarks();
    if (!ball) return;
    const distance = distanceOfBall(this.camera, ball.radius);
    this.#fly(ball.middle, distance, this.#clearest(ball.middle, distance, from), isAtOnce);
  }

  /** Around a point, as far as marks go that are near it. */
  #ballOf({ point, radius }) {
    const middle = new Vector3(...this.toStage(point));
    const reach = 1.5 * Math.max(0.01, radius * this.scale);
    const near = this.#points().map((each) => each.distanceTo(middle)).filter((distance) => distance < reach);
    const size = near.reduce((most, distance) => Math.max(most, distance), reach / 1.5);
    return { middle: middle.applyEuler(this.root.rotation), radius: Math.min(0.6, Math.max(0.03, 1.2 * size)) };
  }

  #points() {
    const all = [];
    const { points } = this.marks;
    for (let i = 0; i < points.length; i += 3) all.push(new Vector3(points[i], points[i + 1], points[i + 2]));
    return all;
  }

  #ballOfMarks() {
    const all = this.#points();
    if (!all.length) return null;
    const near = densest(all, 0.3);
    const middle = middleOf(near);
    const radius = near.reduce((most, point) => Math.max(most, point.distanceTo(middle)), 0);
    return { middle: middle.applyEuler(this.root.rotation), radius: Math.max(0.1, radius * 1.3) };
  }

  /** The direction from which most of the marks is seen, found by drawing them small from each. */
  #clearest(middle, distance, from) {
    const now = this.camera.position.clone().sub(this.controls.target).normalize();
    const eye = new PerspectiveCamera(this.camera.fov, 1, distance / 100, distance + 100);
    const target = new WebGLRenderTarget(64, 64);
    const count = (direction) => {
      eye.position.copy(middle).addScaledVector(direction, distance);
      eye.lookAt(middle);
      return this.#redPixels(eye, target);
    };
    // Staying where one is counts for something.
    const best = { direction: now };
    this.marks.asRed(() => {
      best.count = count(now) * 1.3;
      for (const direction of from) {
        const found = count(direction);
        if (found > best.count) Object.assign(best, { direction, count: found });
      }
    });
    target.dispose();
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
    this.flight = new Flight(this.camera, this.controls, target, distance, direction, isAtOnce);
    if (this.flight.time === 0) this.#step(Infinity);
  }

  #step(now) {
    if (this.flight.step(now)) this.flight = null;
    this.isStale = true;
  }

  /** What is under a place of the screen: a part, and a point of the model; null: nothing. */
  pick(x, y) {
    const box = this.renderer.domElement.getBoundingClientRect();
    const place = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(place, this.camera);
    const meshes = this.parts.filter((part) => part.material.depthWrite).map((part) => part.shown).filter(Boolean);
    const hit = ray.intersectObjects(meshes, false)[0];
    if (!hit) return null;
    const point = this.root.worldToLocal(hit.point.clone()).toArray();
    return {
      part: this.parts.findIndex((part) => part.shown === hit.object),
      point: point.map((at, axis) => at / this.scale + this.center[axis]),
    };
  }

  /** Where a point of the model is on the view, in pixels. */
  onScreen(point) {
    const at = new Vector3(...this.toStage(point)).applyEuler(this.root.rotation).project(this.camera);
    return { x: ((at.x + 1) / 2) * this.host.clientWidth, y: ((1 - at.y) / 2) * this.host.clientHeight };
  }

  /** Draws what is marked now, from close by, into a small canvas; the view stays as it is. */
  snapshot(canvas, place) {
    if (!this.isSized) return;
    const kept = [this.camera.position.clone(), this.controls.target.clone(), this.camera.aspect, this.flight];
    const [width, height] = [Math.min(canvas.width, this.host.clientWidth), Math.min(canvas.height, this.host.clientHeight)];
    this.camera.aspect = width / height;
    this.focus(true, place, directions().filter((_, i) => i % 3 === 0)); // small, and there are many
    this.camera.lookAt(this.controls.target);
    this.#project();
    this.renderer.setViewport(0, 0, width, height);
    this.renderer.render(this.scene, this.camera);
    const ratio = this.renderer.getPixelRatio();
    const { domElement: from } = this.renderer;
    canvas.getContext("2d").drawImage(
      from, 0, from.height - height * ratio, width * ratio, height * ratio, 0, 0, canvas.width, canvas.height,
    );
    [this.camera.aspect, this.flight] = [kept[2], kept[3]];
    this.camera.position.copy(kept[0]);
    this.controls.target.copy(kept[1]);
    this.camera.lookAt(this.controls.target);
    this.#project();
    this.renderer.setViewport(0, 0, this.host.clientWidth, this.host.clientHeight);
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

  #project() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = distance / 100;
    this.camera.far = distance + 100;
    this.camera.updateProjectionMatrix();
  }

  /** Draws, if there is anything new; returns whether it did. */
  draw(now) {
    if (this.flight) this.#step(now);
    if (this.controls.update()) this.isStale = true;
    if (!this.isStale || !this.isSized) return false;
    this.#project();
    this.renderer.render(this.scene, this.camera);
    this.isStale = false;
    return true;
  }
}
