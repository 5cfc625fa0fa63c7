// A crowd to shoot at: rays of THREE.Raycaster at skinned characters, exact and of the pose that is drawn.

import * as THREE from "three";
import * as pliant from "pliant";
import { installRaycast } from "pliant/three";
import { Figure, NAMES, figureGeometry } from "./figure.js";
import { Meter, aim, button, canvas, show, start } from "./shared.js";

const ROWS = 4, COLUMNS = 6, MAX_DECALS = 200, HEALTH = 6;
const DAMAGE = { "head": 6, "chest": 3, "hips": 2 }; // limbs: 1
const COLORS = [0x4f7cc4, 0x5a9c6e, 0xc08a3e, 0x9a6bb0, 0x4d9aa8, 0xb56576];

const raycaster = new THREE.Raycaster();
const meter = new Meter();
const pointer = new THREE.Vector2();
const decals = [];
const decal = new THREE.CircleGeometry(0.035, 12);
const ink = new THREE.MeshBasicMaterial({ color: 0x7a0010, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4 });
let stage, crowd, shots = 0, hits = 0, down = 0;

class Walker extends Figure {
  health = HEALTH;
  fall = 0;

  constructor(geometry, i) {
    super(geometry, COLORS[i % COLORS.length]);
    this.phase = 1.7 * i;
    this.place = i;
    this.mesh.userData.walker = this;
  }

  step(seconds) {
    this.phase += (4 + (this.place % 3)) * seconds;
    if (this.health <= 0) this.fall = Math.min(this.fall + 2 * seconds, 1);
    const row = Math.floor(this.place / COLUMNS), column = this.place % COLUMNS;
    this.mesh.position.set((column - (COLUMNS - 1) / 2) * 0.95 + 0.2 * Math.sin(0.4 * this.phase), 0, (row - (ROWS - 1) / 2) * 1.1);
    this.mesh.rotation.y = 0.4 * Math.sin(0.3 * this.phase + this.place);
    this.walk(this.phase, this.fall);
  }
}

/** The bone that moves a point of a triangle most. */
function boneOf({ object, face, barycoord }) {
  const { skinIndex, skinWeight } = object.geometry.attributes;
  const sums = new Array(NAMES.length).fill(0);
  [face.a, face.b, face.c].forEach((vertex, i) => {
    const weight = [barycoord.x, barycoord.y, barycoord.z][i];
    for (let k = 0; k < 4; k++) sums[skinIndex.getComponent(vertex, k)] += weight * skinWeight.getComponent(vertex, k);
  });
  return sums.indexOf(Math.max(...sums));
}

/** A mark that follows the bone. */
function mark({ object, face, point }, bone) {
  const spot = new THREE.Mesh(decal, ink);
  spot.raycast = () => {};
  // The face's normal is of the mesh's own coordinates; an attached skin's are those of the mesh.
  const normal = face.normal.clone().transformDirection(object.matrixWorld);
  spot.position.copy(point).addScaledVector(normal, 0.003);
  spot.lookAt(point.clone().add(normal));
  stage.scene.add(spot);
  object.skeleton.bones[bone].attach(spot);
  decals.push(spot);
  if (decals.length > MAX_DECALS) decals.shift().removeFromParent();
}

function shoot() {
  stage.scene.updateMatrixWorld();
  stage.camera.updateMatrixWorld();
  raycaster.setFromCamera(pointer, stage.camera);
  const [hit] = meter.measure(() => raycaster.intersectObjects(crowd.map(({ mesh }) => mesh), false));
  shots++;
  let last = "missed";
  if (hit) {
    const bone = boneOf(hit), { walker } = hit.object.userData;
    const damage = DAMAGE[NAMES[bone]] ?? 1;
    mark(hit, bone);
    hits++;
    if (walker.health > 0 && walker.health <= damage) down++;
    walker.health -= damage;
    last = `${NAMES[bone]}, −${damage}`;
  }
  report(last);
}

function report(last) {
  show({ "Last hit": last, "Hits": `${hits} of ${shots}`, "Down": `${down} of ${crowd.length}`, "A ray": shots ? meter.text : "–" });
}

function reset() {
  for (const spot of decals.splice(0)) spot.removeFromParent();
  for (const walker of crowd) Object.assign(walker, { health: HEALTH, fall: 0 });
  [shots, hits, down] = [0, 0, 0];
  report("–");
}

function moveAim(x, y) {
  pointer.set(Math.min(Math.max(x, -1), 1), Math.min(Math.max(y, -1), 1));
  aim.style.left = `${50 + 50 * pointer.x}%`;
  aim.style.top = `${50 - 50 * pointer.y}%`;
}

function aimAt(event) {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  moveAim(2 * (event.clientX - left) / width - 1, 1 - 2 * (event.clientY - top) / height);
}

/** A press that does not turn the view is a shot. */
function listen() {
  let from;
  canvas.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse") aimAt(event); });
  canvas.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
  canvas.addEventListener("pointerup", (event) => {
    if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 6) return;
    aimAt(event);
    shoot();
  });
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    moveAim(pointer.x + 0.02 * step[0], pointer.y + 0.03 * step[1]);
  });
}

start("Click or tap a figure to shoot; drag to turn. Keys: arrows aim, Space shoots, R starts again, P pauses.", (view) => {
  stage = view;
  const geometry = figureGeometry();
  crowd = Array.from({ length: ROWS * COLUMNS }, (_, i) => new Walker(geometry, i));
  for (const walker of crowd) walker.step(0);
  const group = new THREE.Group();
  group.add(...crowd.map(({ mesh }) => mesh));
  stage.scene.add(group);
  stage.scene.updateMatrixWorld(true);
  stage.fit(group);
  installRaycast(THREE, pliant);
  button("Shoot", " ", shoot);
  button("Start again", "r", reset);
  listen();
  aim.removeAttribute("hidden");
  moveAim(0, 0.1);
  report("–");
  return (seconds) => { for (const walker of crowd) walker.step(seconds); };
});
