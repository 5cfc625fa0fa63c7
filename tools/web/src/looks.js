// How parts look in their file: colors, images, colors of vertices. Triangles are apart there, since
// two of them may have different colors where they share a vertex.

import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Mesh, MeshLambertMaterial,
  RepeatWrapping, Sphere, SRGBColorSpace, Texture, Vector3,
} from "three";
import { Reader } from "./data.js";

const UV_STEP = 2 ** -14;

/** Textures of the images, each null until it is there; onLoad: another one is. An image that a browser
 * cannot read stays away. */
export function texturesOf(facts, bytes, onLoad) {
  return facts.images.map(({ at, size, kind }) => {
    const holder = { texture: null };
    if (!size || !globalThis.createImageBitmap) return holder;
    const blob = new Blob([bytes.subarray(at, at + size)], { type: kind });
    createImageBitmap(blob, { maxSize: 4096 }).then((image) => {
      const texture = new Texture(image);
      texture.flipY = false;
      texture.colorSpace = SRGBColorSpace;
      texture.wrapS = texture.wrapT = RepeatWrapping;
      texture.needsUpdate = true;
      holder.texture = texture;
      onLoad();
    }, () => {});
    return holder;
  });
}

/** Has the file textures, or colors of vertices? Then it is shown so. */
export function hasTextures(facts) {
  return facts.parts.some(({ paint }) => paint && (paint.uvs !== null || paint.colors !== null));
}

/** Has the file more to show than parts? */
export function hasLooks(facts) {
  const isColored = facts.looks.some(({ color }) => color.some((value) => value < 1));
  return hasTextures(facts) || (isColored && facts.parts.some(({ paint }) => paint));
}

/** Darker than in the file: marks are brighter than any surface. */
const SHADE = 0.72;

/** The mesh of a part as its file has it. */
export class Look {
  constructor(facts, bytes, model, looks, textures) {
    this.model = model;
    this.textures = textures;
    const { paint, triangles } = facts;
    const table = (Kind, at, rows, columns) => new Reader(bytes, at).columns(Kind, rows, columns);
    const lookOf = table(Int32Array, paint.looks, triangles, 1);
    // By look, so that each is drawn at once.
    const order = [...lookOf.keys()].sort((i, j) => lookOf[i] - lookOf[j] || i - j);
    this.corners = new Uint32Array(triangles * 3);
    order.forEach((triangle, i) => this.corners.set([0, 1, 2].map((k) => triangle * 3 + k), i * 3));
    this.position = new BufferAttribute(new Float32Array(triangles * 9), 3).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry().setAttribute("position", this.position);
    geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    if (paint.uvs !== null) this.#add(geometry, "uv", table(Int32Array, paint.uvs, triangles * 3, 2), 2, UV_STEP);
    if (paint.colors !== null) this.#add(geometry, "color", table(Uint8Array, paint.colors, triangles * 3, 3), 3, 1 / 255);
    this.#group(geometry, order.map((triangle) => lookOf[triangle]), looks, paint.colors !== null);
    this.mesh = new Mesh(geometry, this.materials);
    this.mesh.frustumCulled = false;
  }

  #add(geometry, name, values, width, step) {
    const sorted = new Float32Array(values.length);
    this.corners.forEach((corner, i) => {
      for (let k = 0; k < width; k++) sorted[i * width + k] = values[corner * width + k] * step;
    });
    geometry.setAttribute(name, new BufferAttribute(sorted, width));
  }

  #group(geometry, lookOf, looks, vertexColors) {
    this.materials = [];
    this.images = [];
    for (let first = 0, end; first < lookOf.length; first = end) {
      end = lookOf.findIndex((look, i) => i > first && look !== lookOf[first]);
      if (end < 0) end = lookOf.length;
      const { color, image } = looks[lookOf[first]] ?? { color: [0.8, 0.8, 0.8], image: -1 };
      geometry.addGroup(first * 3, (end - first) * 3, this.materials.length);
      this.images.push(image);
      this.materials.push(new MeshLambertMaterial({
        color: new Color(...color.map((value) => value * SHADE)), vertexColors, flatShading: true, side: DoubleSide,
        polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 4,
      }));
    }
  }

  /** Images that are there by now. */
  refresh() {
    this.materials.forEach((material, i) => {
      const texture = this.textures[this.images[i]]?.texture ?? null;
      if (material.map === texture) return;
      material.map = texture;
      material.needsUpdate = true;
    });
  }

  /** positions: of the part's vertices on the stage. */
  pose(positions) {
    const { indices } = this.model;
    const to = this.position.array;
    this.corners.forEach((corner, i) => {
      const vertex = indices[corner] * 3;
      for (let k = 0; k < 3; k++) to[i * 3 + k] = positions[vertex + k];
    });
    this.position.needsUpdate = true;
  }
}
