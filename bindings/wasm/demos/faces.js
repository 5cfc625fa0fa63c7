// Two faces with morph targets that are pressed into each other: contacts, lines where they cut, and how deep.

import * as THREE from "three";
import { World } from "pliant";
import { ContactLines, MeshBody } from "pliant/three";
import { Meter, button, lineMaterial, show, slider, start, turnByKeys } from "./shared.js";

const TARGETS = ["smile", "open", "puff", "pout"];
const meter = new Meter(), regionMeter = new Meter();
let world, faces, bodies, lines, stage;
let time = 0, closeness = 0.4, strength = 1, isWild = false, frameCount = 0;

/** A bump around a point of the front, in x and y. */
const bump = (x, y, cx, cy, rx, ry = rx) => Math.exp(-(((x - cx) / rx) ** 2) - ((y - cy) / ry) ** 2);
const both = (x, y, cx, cy, rx, ry) => bump(x, y, cx, cy, rx, ry) + bump(x, y, -cx, cy, rx, ry);

/** How far the front is from an egg. */
const relief = (x, y) => 0.30 * bump(x, y, 0, -0.03, 0.10, 0.17) + 0.12 * bump(x, y, 0, -0.12, 0.16, 0.07) // nose
  - 0.13 * both(x, y, 0.3, 0.16, 0.16, 0.1) + 0.07 * both(x, y, 0.3, 0.16, 0.11, 0.07) // eyes
  + 0.09 * both(x, y, 0.3, 0.33, 0.22, 0.06) // brows
  + 0.10 * bump(x, y, 0, -0.39, 0.2, 0.05) + 0.10 * bump(x, y, 0, -0.52, 0.17, 0.05) - 0.06 * bump(x, y, 0, -0.455, 0.22, 0.025) // lips
  + 0.12 * bump(x, y, 0, -0.78, 0.22, 0.12); // chin

const targets = {
  smile: (x, y) => [0.16 * x / 0.3 * both(x, y, 0.24, -0.45, 0.14), 0.16 * both(x, y, 0.28, -0.42, 0.14), 0.05 * both(x, y, 0.42, -0.25, 0.16)],
  open: (x, y) => [0, -0.2 * bump(x, y, 0, -0.62, 0.35, 0.16) + 0.05 * bump(x, y, 0, -0.38, 0.2, 0.05), -0.12 * bump(x, y, 0, -0.5, 0.18, 0.09)],
  puff: (x, y) => [0.14 * Math.sign(x) * both(x, y, 0.45, -0.3, 0.25), 0, 0.24 * both(x, y, 0.4, -0.35, 0.2)],
  pout: (x, y) => [-0.25 * x * bump(x, y, 0, -0.45, 0.3, 0.15), 0, 0.26 * bump(x, y, 0, -0.45, 0.16, 0.13)],
};

function faceGeometry() {
  const geometry = new THREE.SphereGeometry(1, 120, 90).rotateY(-Math.PI / 2).scale(0.72, 1, 0.8);
  geometry.deleteAttribute("uv");
  const { position } = geometry.attributes;
  const all = TARGETS.map(() => new Float32Array(3 * position.count));
  for (let i = 0; i < position.count; i++) {
    const [x, y, z] = [position.getX(i), position.getY(i), position.getZ(i)];
    const front = Math.min(Math.max(z / 0.4, 0), 1);
    position.setZ(i, z + front * relief(x, y));
    TARGETS.forEach((name, k) => all[k].set(targets[name](x, y).map((value) => front * value), 3 * i));
  }
  geometry.computeVertexNormals();
  geometry.morphAttributes.position = all.map((array) => new THREE.BufferAttribute(array, 3));
  geometry.morphTargetsRelative = true;
  return geometry;
}

function makeFaces() {
  const geometry = faceGeometry();
  return [0xd9a066, 0x6f9ceb].map((color, i) => {
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color, roughness: 0.65 }));
    mesh.rotation.y = i === 0 ? Math.PI / 2 : -Math.PI / 2;
    mesh.frustumCulled = false;
    return mesh;
  });
}

/** Expressions that come and go; faces that come closer. */
function pose() {
  faces.forEach((mesh, i) => {
    const swing = (k) => 0.5 - 0.5 * Math.cos((0.7 + 0.23 * k) * time + 1.9 * k + 2.5 * i);
    mesh.morphTargetInfluences = TARGETS.map((_, k) => strength * swing(k) * (isWild ? 1.6 : 1));
    mesh.position.x = (i === 0 ? -1 : 1) * (1.22 - 0.5 * closeness + 0.03 * Math.sin(0.8 * time));
    mesh.rotation.x = 0.1 * Math.sin(0.5 * time + 2 * i);
  });
  stage.scene.updateMatrixWorld(true);
}

function update() {
  pose();
  const contacts = meter.measure(() => {
    for (const body of bodies) body.update();
    return world.collide();
  });
  lines.update(world, contacts);
  // Depths take longer than contacts: they are measured in every sixth frame.
  if (frameCount++ % 6 === 0) {
    const regions = regionMeter.measure(() => world.regions(contacts, { depthTolerance: 0.05 }));
    const deepest = Math.max(0, ...regions.flatMap(({ parts }) => parts.map(({ maxDepth }) => maxDepth)));
    show({ "Contacts": String(contacts.count), "Regions": String(regions.length), "Deepest": deepest.toFixed(2), "collide()": meter.text, "regions()": regionMeter.text });
  }
}

start("Drag to turn, pinch or scroll to zoom. Keys: arrows turn, + and − zoom, W wilder faces, P pauses.", (view) => {
  stage = view;
  faces = makeFaces();
  const group = new THREE.Group();
  group.add(...faces);
  stage.scene.add(group);
  world = new World();
  pose();
  stage.fit(group);
  stage.camera.position.x = stage.controls.target.x; // from the side, so that both are seen
  stage.controls.update();
  turnByKeys(stage);
  bodies = faces.map((mesh) => new MeshBody(world, mesh));
  lines = new ContactLines(lineMaterial);
  lines.renderOrder = 1;
  stage.scene.add(lines);
  const wild = button("Wilder", "w", () => {
    isWild = !isWild;
    wild.setAttribute("aria-pressed", String(isWild));
    update();
  });
  wild.setAttribute("aria-pressed", "false");
  const changed = (set) => (value) => { set(value); frameCount = 0; update(); };
  slider("Closer", closeness, changed((value) => { closeness = value; }));
  slider("Faces", strength, changed((value) => { strength = value; }));
  return (seconds) => {
    time += seconds;
    update();
  };
});
