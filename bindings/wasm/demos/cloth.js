// A cloth on a walking figure. XPBD in the page (Macklin, Müller, Chentanez 2016, small steps); near() tells what to keep apart, and
// sweep() what would pass through until the end of the frame.

import * as THREE from "three";
import { Shape, World } from "pliant";
import { MeshBody } from "pliant/three";
import { Figure, figureGeometry } from "./figure.js";
import { Meter, button, show, slider, start, turnByKeys } from "./shared.js";

const SIDE = 30, WIDTH = 1.25, COUNT = SIDE * SIDE; // vertices of the cloth, and meters
const FRAME = 1 / 60, PARTS = 8, ROUNDS = 3;
const GAP = 0.012, REACH = 0.035; // meters: kept between the surfaces, and how far near() looks
const FRICTION = 0.5;

const now = new Float32Array(3 * COUNT), next = new Float32Array(3 * COUNT), speed = new Float32Array(3 * COUNT), old = new Float32Array(3 * COUNT);
const links = [];
const [nearMeter, sweepMeter] = [new Meter(), new Meter()];
let figure, world, cloth, clothEnd, body, bodyEnd, posed, geometry;
let phase = 0, pace = 0.5, before, after, nearCount = 0, impactCount = 0, cutCount = 0, time = 0;

// ---- The cloth ----

function makeLinks() {
  const at = (x, y) => SIDE * y + x;
  const step = WIDTH / (SIDE - 1);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      // Neighbors, diagonals, and the next but one, which resist bending.
      for (const [dx, dy, softness] of [[1, 0, 0], [0, 1, 0], [1, 1, 1e-6], [1, -1, 1e-6], [2, 0, 1e-4], [0, 2, 1e-4]]) {
        if (x + dx >= SIDE || y + dy >= SIDE || y + dy < 0) continue;
        links.push({ a: 3 * at(x, y), b: 3 * at(x + dx, y + dy), length: step * Math.hypot(dx, dy), softness });
      }
    }
  }
}

function triangles() {
  const found = [];
  for (let y = 0; y < SIDE - 1; y++) {
    for (let x = 0; x < SIDE - 1; x++) {
      const a = SIDE * y + x, c = a + SIDE;
      found.push(a, c, a + 1, a + 1, c, c + 1);
    }
  }
  return found;
}

function drop() {
  for (let i = 0; i < COUNT; i++) {
    const x = i % SIDE, y = Math.floor(i / SIDE);
    now.set([(x / (SIDE - 1) - 0.5) * WIDTH + 0.03, 2.02 + 0.02 * Math.sin(0.7 * x), (y / (SIDE - 1) - 0.5) * WIDTH], 3 * i);
  }
  speed.fill(0);
}

// ---- Contacts ----

/** A pair of features: the point on the cloth stays on its side of the figure. Vertices of both, with weights whose sum is the vector
 * between the points. */
function contactOf({ bodyA, vertices, weights, normal, kind }) {
  const first = { "vertex-triangle": 1, "triangle-vertex": 3, "edge-edge": 2 }[kind];
  const isFirst = (i) => (first === undefined ? weights[i] > 0 : i < first); // of kinds with fewer vertices, the signs tell
  const own = [], others = [];
  vertices.forEach((vertex, i) => weights[i] && (isFirst(i) === (bodyA === cloth) ? own : others).push([3 * vertex, weights[i]]));
  // What is on the figure is fixed: where it will be at the end of the frame, along the normal.
  const reach = normal.map((n, k) => n * others.reduce((sum, [at, weight]) => sum + weight * after[at + k], 0)).reduce((a, b) => a + b);
  return { own, others, normal, reach, mass: own.reduce((sum, [, weight]) => sum + weight * weight, 0) };
}

/** Moves the cloth away, and along with the surface: friction. */
function separate({ own, others, normal, reach, mass }) {
  let depth = GAP - reach;
  for (const [at, weight] of own) for (let k = 0; k < 3; k++) depth -= weight * normal[k] * next[at + k];
  if (depth <= 0 || mass < 1e-9) return;
  for (const [at, weight] of own) {
    for (let k = 0; k < 3; k++) {
      const carried = others.reduce((sum, [from, w]) => sum + Math.abs(w) * (after[from + k] - before[from + k]), 0) / PARTS;
      const slide = next[at + k] - old[at + k] - carried;
      const along = slide - normal[k] * normal.reduce((sum, n, j) => sum + n * (next[at + j] - old[at + j]), 0);
      next[at + k] += weight / mass * depth * normal[k] - FRICTION * Math.abs(weight) * along;
    }
  }
}

// ---- A frame ----

function solveLinks(step) {
  for (const { a, b, length, softness } of links) {
    const x = next[a] - next[b], y = next[a + 1] - next[b + 1], z = next[a + 2] - next[b + 2];
    const distance = Math.hypot(x, y, z) || 1e-9;
    const move = (length - distance) / (2 + softness / step ** 2) / distance;
    next[a] += move * x; next[a + 1] += move * y; next[a + 2] += move * z;
    next[b] -= move * x; next[b + 1] -= move * y; next[b + 2] -= move * z;
  }
}

/** From `now` to `next`, in small steps. */
function move(contacts) {
  const step = FRAME / PARTS;
  next.set(now);
  const velocity = speed.slice();
  for (let part = 0; part < PARTS; part++) {
    old.set(next);
    for (let i = 0; i < next.length; i++) {
      if (i % 3 === 1) velocity[i] -= 9.81 * step;
      next[i] += velocity[i] * step;
    }
    solveLinks(step);
    for (const contact of contacts) separate(contact);
    for (let i = 1; i < next.length; i += 3) if (next[i] < GAP) next[i] = GAP; // the floor
    for (let i = 0; i < next.length; i++) velocity[i] = 0.998 * (next[i] - old[i]) / step;
  }
  return velocity;
}

/** What still touches when all rounds are over goes with the figure. */
function carry(impacts) {
  for (const { own, others } of impacts.map(contactOf)) {
    for (const [at] of own) {
      for (let k = 0; k < 3; k++) next[at + k] = now[at + k] + others.reduce((sum, [from, w]) => sum + Math.abs(w) * (after[from + k] - before[from + k]), 0);
    }
  }
}

function frame() {
  phase += (1 + 6 * pace) * FRAME;
  figure.walk(phase);
  figure.mesh.updateMatrixWorld(true);
  posed.update();
  const [{ joints, transform }] = posed.poses();
  bodyEnd.setJoints(joints);
  bodyEnd.setTransform(transform);
  after = bodyEnd.vertices();

  cloth.setVertices(now);
  const pairs = nearMeter.measure(() => [...world.near({ distance: REACH, unique: true })]);
  const contacts = pairs.map(contactOf);
  nearCount = contacts.length;
  let velocity, impacts = [];
  for (let round = 0; round < ROUNDS; round++) {
    velocity = move(contacts);
    clothEnd.setVertices(next);
    impacts = sweepMeter.measure(() => [...world.sweep({ kind: "all" })]);
    if (round === 0) impactCount = impacts.length;
    if (impacts.length === 0) break;
    contacts.push(...impacts.map(contactOf));
  }
  carry(impacts);
  speed.set(velocity);
  now.set(next);
  body.setJoints(joints);
  body.setTransform(transform);
  before = after;
  cloth.setVertices(now);
  cutCount = world.collide().count;
}

function draw() {
  geometry.attributes.position.array.set(now);
  geometry.attributes.position.needsUpdate = true;
  geometry.computeVertexNormals();
}

function makeWorld() {
  world = new World();
  const shape = new Shape({ vertices: now.slice(), triangles: triangles() });
  cloth = world.createBody(shape);
  cloth.setVertices(now);
  posed = new MeshBody(new World(), figure.mesh);
  body = world.createBody(posed.shape);
  const [{ joints, transform }] = posed.poses();
  body.setJoints(joints);
  body.setTransform(transform);
  [clothEnd, bodyEnd] = [cloth.createEnd(), body.createEnd()];
  before = body.vertices();
}

start("Drag to turn, pinch or scroll to zoom. Keys: arrows turn, + and − zoom, D drops the cloth again, P pauses.", (stage) => {
  makeLinks();
  drop();
  figure = new Figure(figureGeometry(), 0x8d99ae);
  figure.walk(0);
  figure.mesh.updateMatrixWorld(true);
  makeWorld();
  geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(now.slice(), 3));
  geometry.setIndex(triangles());
  const material = new THREE.MeshStandardMaterial({ color: 0xc8553d, side: THREE.DoubleSide, roughness: 0.9 });
  const surface = new THREE.Mesh(geometry, material);
  surface.frustumCulled = false;
  draw();
  const group = new THREE.Group();
  group.add(figure.mesh, surface);
  stage.scene.add(group);
  stage.fit(group);
  turnByKeys(stage);
  button("Drop again", "d", drop);
  slider("Walk", pace, (value) => { pace = value; });
  return (seconds) => {
    for (time = Math.min(time + seconds, 2 * FRAME); time >= FRAME; time -= FRAME) frame();
    draw();
    show({ "Near": String(nearCount), "Stopped": String(impactCount), "Through": String(cutCount), "near()": nearMeter.text, "sweep()": sweepMeter.text });
  };
});
