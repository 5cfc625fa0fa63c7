// What is drawn of findings at a pose: the cut as segments, and the surface that is inside the other
// part, clipped at the cut, with its depth. Knows nothing of the screen.
//
// The library has such pieces too (RegionPieces), which pictures of the command are made of. The page
// cannot use them: it shows any pose, and of a pose the file has triangles that touch and depths of
// vertices, of the whole mesh. So Clip cuts triangles here, and a piece deep in a large triangle has
// the depth of its corners alone.

import { cutOf } from "./cut.js";

function sideOf(model, sample, triangles) {
  return { vertices: model.verticesAt(sample), indices: model.indices, triangles };
}

/** Where the way from a vertex to another first goes through one of some triangles: its share, or 1. */
function shareToSurface(from, to, other, isNeighbor) {
  const { vertices, indices, triangles } = other;
  const way = [0, 1, 2].map((k) => to[k] - from[k]);
  let least = 1;
  for (const triangle of triangles) {
    if (isNeighbor?.(triangle)) continue;
    const [a, b, c] = [0, 1, 2].map((k) => indices[triangle * 3 + k] * 3);
    // Moller and Trumbore's, in doubles.
    const [ux, uy, uz] = [0, 1, 2].map((k) => vertices[b + k] - vertices[a + k]);
    const [vx, vy, vz] = [0, 1, 2].map((k) => vertices[c + k] - vertices[a + k]);
    const [px, py, pz] = [way[1] * vz - way[2] * vy, way[2] * vx - way[0] * vz, way[0] * vy - way[1] * vx];
    const volume = ux * px + uy * py + uz * pz;
    if (volume === 0) continue;
    const [tx, ty, tz] = [0, 1, 2].map((k) => from[k] - vertices[a + k]);
    const u = (tx * px + ty * py + tz * pz) / volume;
    if (!(u >= -1e-9 && u <= 1 + 1e-9)) continue;
    const [qx, qy, qz] = [ty * uz - tz * uy, tz * ux - tx * uz, tx * uy - ty * ux];
    const v = (way[0] * qx + way[1] * qy + way[2] * qz) / volume;
    if (!(v >= -1e-9 && u + v <= 1 + 1e-9)) continue;
    const share = (vx * qx + vy * qy + vz * qz) / volume;
    if (share >= 0 && share < least) least = share;
  }
  return least;
}

/** Triangles of which a corner has a depth, each cut down to what is inside. */
class Clip {
  constructor(model, sample, depths, other, isSelf) {
    this.model = model;
    this.vertices = model.verticesAt(sample);
    this.depths = new Map(depths);
    this.other = other;
    this.isSelf = isSelf;
    this.shares = new Map(); // by edge, inside to outside
  }

  #at(vertex) {
    return [0, 1, 2].map((k) => this.vertices[vertex * 3 + k]);
  }

  /** Where the surface of the other part is on the way from an inner vertex to an outer one. */
  #end(inside, outside) {
    const key = inside * this.model.vertexCount + outside;
    const [from, to] = [this.#at(inside), this.#at(outside)];
    if (!this.shares.has(key)) {
      const { indices } = this.model;
      const touches = (triangle) => [0, 1, 2].some((k) => [inside, outside].includes(indices[triangle * 3 + k]));
      this.shares.set(key, shareToSurface(from, to, this.other, this.isSelf ? touches : null));
    }
    const share = this.shares.get(key);
    return from.map((at, k) => at + share * (to[k] - at));
  }

  /** The corners of a polygon: points and depths. */
  #polygon(corners) {
    const polygon = [];
    corners.forEach((vertex, k) => {
      const next = corners[(k + 1) % 3];
      const [isIn, isNextIn] = [this.depths.has(vertex), this.depths.has(next)];
      if (isIn) polygon.push([this.#at(vertex), this.depths.get(vertex)]);
      if (isIn !== isNextIn) polygon.push([isIn ? this.#end(vertex, next) : this.#end(next, vertex), 0]);
    });
    return polygon;
  }

  addTo(heat) {
    const { indices } = this.model;
    for (let i = 0; i < indices.length; i += 3) {
      if (![0, 1, 2].some((k) => this.depths.has(indices[i + k]))) continue;
      const polygon = this.#polygon([indices[i], indices[i + 1], indices[i + 2]]);
      for (let k = 2; k < polygon.length; k++) {
        for (const [point, depth] of [polygon[0], polygon[k - 1], polygon[k]]) {
          heat.positions.push(...point);
          heat.depths.push(depth);
        }
      }
    }
  }
}

/** How far a part of a pair is from the other one in the pose of which that is known: as marksOf() has
 * heat, with `most` at the ends of the colors, which all but a few vertices are within. */
export function fitMarks(model, { sample, sides }, side) {
  const distances = sides[side];
  const vertices = model.verticesAt(sample);
  const heat = { positions: [], depths: [] };
  for (let i = 0; i < model.indices.length; i += 3) {
    const corners = [0, 1, 2].map((k) => model.indices[i + k]);
    if (corners.some((vertex) => Number.isNaN(distances[vertex]))) continue;
    for (const vertex of corners) {
      heat.positions.push(vertices[vertex * 3], vertices[vertex * 3 + 1], vertices[vertex * 3 + 2]);
      heat.depths.push(distances[vertex]);
    }
  }
  const sizes = heat.depths.map(Math.abs).sort((x, y) => x - y);
  return { heat, most: sizes[Math.floor(0.95 * sizes.length)] ?? 0 };
}

/** { cuts: [{ pair, segments }], heat: { positions, depths }, isMeasured }: heat is triangles, three
 * corners each; isMeasured: some pair that is shown has its depths here. */
export function marksOf(models, findings, pairs, sample) {
  const marks = { cuts: [], heat: { positions: [], depths: [] }, isMeasured: false };
  for (const pair of pairs) {
    const { a, b } = findings.trianglesAt(pair, sample);
    const isSelf = pair.a === pair.b;
    if (!a.length || !models[pair.a] || !models[pair.b]) continue;
    const sideA = sideOf(models[pair.a], sample, a);
    const sideB = isSelf ? sideA : sideOf(models[pair.b], sample, b);
    marks.cuts.push({ pair, segments: cutOf(sideA, isSelf ? null : sideB) });
    const depths = findings.depthsAt(pair, sample);
    if (!depths) continue;
    marks.isMeasured = true;
    new Clip(models[pair.a], sample, depths.a, sideB, isSelf).addTo(marks.heat);
    if (!isSelf) new Clip(models[pair.b], sample, depths.b, sideA, false).addTo(marks.heat);
  }
  return marks;
}
