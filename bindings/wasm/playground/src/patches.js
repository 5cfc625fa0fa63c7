// The triangles of regions, colored by depth. Which ones they are is as old as the worker's last answer; where they are is now.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, MeshBasicMaterial } from "three";

/** As the ramp of style.css. */
const RAMP = [0xf6d648, 0xf28c28, 0xd6182d].map((hex) => new Color(hex));

function colorOf(share) {
  const at = Math.min(share, 1) * (RAMP.length - 1);
  const low = Math.min(Math.floor(at), RAMP.length - 2);
  return RAMP[low].clone().lerp(RAMP[low + 1], at - low);
}

export class Patches extends Mesh {
  #lists = []; // for each body that has some: { body, triangles, colors }

  constructor() {
    super(new BufferGeometry(), new MeshBasicMaterial({
      vertexColors: true, side: DoubleSide, transparent: true, opacity: 0.8, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4,
    }));
    this.frustumCulled = false;
    this.matrixAutoUpdate = false;
    this.renderOrder = 1;
  }

  /** The deepest region comes last, and wins where two share a triangle. */
  setRegions(regions, bodies) {
    const deepest = Math.max(...regions.map(({ depth }) => depth), 1e-30);
    const known = new Map();
    for (const region of [...regions].sort((one, other) => one.depth - other.depth)) {
      const color = colorOf(region.depth / deepest);
      if (!known.has(region.body)) known.set(region.body, new Map());
      for (const triangle of region.triangles) known.get(region.body).set(triangle, color);
    }
    this.#lists = [...known].map(([place, colored]) => ({ body: bodies[place], triangles: Int32Array.from(colored.keys()), colors: [...colored.values()] }));
    this.#color();
  }

  #color() {
    const colors = this.#lists.flatMap((list) => list.colors.flatMap((color) => [color, color, color]));
    const array = new Float32Array(3 * colors.length);
    colors.forEach((color, i) => color.toArray(array, 3 * i));
    this.geometry.dispose();
    this.geometry.setAttribute("position", new BufferAttribute(new Float32Array(array.length), 3));
    this.geometry.setAttribute("color", new BufferAttribute(array, 3));
  }

  /** Moves them to where their bodies are. */
  update(isShown) {
    this.visible = isShown && this.#lists.length > 0;
    if (!this.visible) return;
    const { position } = this.geometry.attributes;
    let at = 0;
    for (const { body, triangles } of this.#lists) {
      position.array.set(body.corners(triangles), at);
      at += 9 * triangles.length;
    }
    position.needsUpdate = true;
  }
}
