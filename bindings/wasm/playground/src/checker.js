// The meshes of a model as bodies, and what touches in their pose.

import { World } from "pliant";
import { ContactLines, MeshBody, disposeShapes } from "pliant/three";
import { meshesOf } from "./model.js";

/** So that a page with a hopeless model can still be left. */
const MAX_CONTACTS = 500000;

export class Checker {
  #world = new World();

  constructor(scene, material) {
    scene.updateMatrixWorld(true);
    this.parts = meshesOf(scene).map(({ mesh, name }) => ({ name, mesh, body: new MeshBody(this.#world, mesh) }));
    this.bodies = this.parts.flatMap(({ body }) => body.bodies);
    this.places = new Map(this.bodies.map((body, i) => [body, i]));
    this.names = this.parts.flatMap(({ name, body }) => body.bodies.map((_, i) => (body.bodies.length > 1 ? `${name} ${i + 1}` : name)));
    this.triangleCount = this.bodies.reduce((sum, body) => sum + body.triangleCount, 0);
    this.lines = new ContactLines(material);
    this.contacts = null;
  }

  /** Poses all bodies as the scene has them, and asks for contacts: the milliseconds that it takes. */
  query(includesSelf) {
    const start = performance.now();
    for (const { body } of this.parts) body.update();
    this.contacts = this.#world.collide({ includesSelf, maxContactCount: MAX_CONTACTS });
    return performance.now() - start;
  }

  drawLines(isShown) {
    this.lines.visible = isShown && this.contactCount > 0;
    if (this.lines.visible) this.lines.update(this.#world, this.contacts);
  }

  get contactCount() { return this.contacts?.count ?? 0; }

  /** The numbers of contacts by pairs of bodies: "0,2" is between the first and the third, "1,1" within the second. */
  pairCounts() {
    const counts = new Map();
    for (let i = 0; i < this.contactCount; i++) {
      const key = `${this.places.get(this.contacts.bodyA(i))},${this.places.get(this.contacts.bodyB(i))}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  /** For a world elsewhere: shapes as they are saved, which of them each body has, and the poses of all bodies. */
  shapes() {
    const known = [...new Set(this.bodies.map(({ shape }) => shape))];
    return { shapes: known.map((shape) => shape.data()), bodies: this.bodies.map(({ shape }) => known.indexOf(shape)) };
  }

  poses() { return this.parts.flatMap(({ body }) => body.poses()); }

  dispose() {
    this.#world.dispose();
    for (const { mesh } of this.parts) disposeShapes(mesh.geometry);
    this.lines.geometry.dispose();
  }
}
