// Marks on the stage: depth as colors, the cut as a bright line in a dark one, and a pin where it is
// deepest. What is behind a surface shows through it, faintly.

import {
  BufferAttribute, BufferGeometry, DataTexture, DoubleSide, GreaterDepth, LinearFilter, Mesh,
  MeshBasicMaterial, MeshLambertMaterial, SRGBColorSpace,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { rampPixels } from "./ramp.js";

function rampTexture(isSigned, isInside) {
  const texture = new DataTexture(rampPixels(256, isSigned, isInside), 256, 1);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** In the order in which they are drawn: after surfaces that are seen through, as transparent lines are,
 * and with no depth of their own, so that none hides another. */
const LINE = { transparent: true, depthWrite: false };
const CUT_LINES = [
  { ...LINE, color: 0x0b0d12, linewidth: 4.2, order: 6 },
  { ...LINE, color: 0xffffff, linewidth: 1.9, order: 7 },
  { ...LINE, color: 0xffffff, linewidth: 1.2, order: 5, depthFunc: GreaterDepth, opacity: 0.35 },
];
const PIN_LINES = [
  { ...LINE, color: 0x0b0d12, linewidth: 5, order: 8, depthTest: false },
  { ...LINE, color: 0x35e0ff, linewidth: 2.5, order: 9, depthTest: false },
];

function linesOf(options) {
  return options.map(({ order, ...material }) => {
    const lines = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial(material));
    lines.renderOrder = order;
    lines.frustumCulled = false;
    lines.visible = false;
    return lines;
  });
}

export class DrawnMarks {
  constructor() {
    // Of depths, of distances, and of distances behind surfaces: only what is inside shows through.
    this.ramps = [rampTexture(false), rampTexture(true), rampTexture(true, true)];
    const [map] = this.ramps;
    const offset = { side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    this.heat = new BufferGeometry();
    this.heatMaterials = [
      new MeshLambertMaterial({ map, emissiveMap: map, emissive: 0xffffff, emissiveIntensity: 0.45, flatShading: true, ...offset }),
      new MeshBasicMaterial({ map, transparent: true, opacity: 0.3, depthFunc: GreaterDepth, depthWrite: false, side: DoubleSide }),
    ];
    this.heats = this.heatMaterials.map((material, k) => {
      const mesh = new Mesh(this.heat, material);
      mesh.renderOrder = 2 + k;
      mesh.frustumCulled = false;
      return mesh;
    });
    this.cuts = linesOf(CUT_LINES);
    this.pins = linesOf(PIN_LINES);
    this.plain = new MeshBasicMaterial({ color: 0xff0000, ...offset });
    this.objects = [...this.heats, ...this.cuts, ...this.pins];
    this.points = new Float32Array(0);
  }

  /** segments and heat in the stage's units; most: the depth at the end of the colors; isOfMany: they are
   * of several pairs of parts, so lines are thin, and those behind surfaces do not show; isSigned: depths are distances from -most to most. */
  set({ segments, positions, depths, most, isOfMany, isSigned }) {
    this.#setLines(this.cuts, segments);
    this.cuts.forEach(({ material }, k) => (material.linewidth = CUT_LINES[k].linewidth * (isOfMany ? 0.6 : 1)));
    this.cuts[2].visible &&= !isOfMany;
    this.heat.dispose();
    this.heat.setAttribute("position", new BufferAttribute(positions, 3));
    const places = new Float32Array(depths.length * 2).fill(0.5);
    const shareOf = (depth) => (isSigned ? (depth / (most || 1) + 1) / 2 : depth / (most || 1));
    depths.forEach((depth, i) => (places[i * 2] = (Math.min(1, Math.max(0, shareOf(depth))) * 255 + 0.5) / 256));
    this.heat.setAttribute("uv", new BufferAttribute(places, 2));
    for (const mesh of this.heats) mesh.visible = positions.length > 0;
    const [surface, behind] = this.heatMaterials;
    surface.map = surface.emissiveMap = this.ramps[isSigned ? 1 : 0];
    behind.map = this.ramps[isSigned ? 2 : 0];
    behind.opacity = isSigned ? 0.6 : 0.3;
    this.points = segments.length ? segments : positions;
  }

  /** Two ends in the stage's units, or null. */
  setPin(ends) {
    this.#setLines(this.pins, ends ?? []);
  }

  /** Lines of one kind lie over each other. */
  #setLines(lines, segments) {
    lines[0].geometry.dispose();
    const geometry = new LineSegmentsGeometry();
    if (segments.length) geometry.setPositions(segments);
    for (const line of lines) {
      line.visible = segments.length > 0;
      line.geometry = geometry;
    }
  }

  /** While `draw` runs, marks are pure red, and nothing of them shows through surfaces. */
  asRed(draw) {
    const [outer, inner, behind] = this.cuts;
    const shown = this.objects.map((each) => each.visible);
    const { linewidth } = outer.material;
    const color = outer.material.color.getHex();
    for (const each of [this.heats[1], inner, behind, ...this.pins]) each.visible = false;
    this.heats[0].material = this.plain;
    outer.material.color.set(0xff0000);
    outer.material.linewidth = 30; // it is drawn small
    draw();
    outer.material.color.set(color);
    outer.material.linewidth = linewidth;
    this.heats[0].material = this.heatMaterials[0];
    this.objects.forEach((each, i) => (each.visible = shown[i]));
  }
}
