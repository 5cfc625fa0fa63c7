// Pairs of features that the caller has found, without a world (pliant_near_pairs, pliant_sweep_pairs).

import { BadArgumentError, choice, itemsOf } from "./errors.js";
import { loaded } from "./module.js";
import { NearPairs } from "./results.js";

const KINDS = ["vertex-triangle", "edge-edge"];
const NO_WORLD = { bodyOf: () => undefined };

/** Four vertices for each pair, and how many pairs. */
function pairsOf(pairs) {
  if (pairs.length % 4 !== 0) {
    throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `pairs has ${pairs.length} numbers, and needs 4 for each`);
  }
  return [pairs instanceof Uint32Array ? pairs : Uint32Array.from(pairs), pairs.length / 4];
}

/** A number for all pairs, and null; or 0, and one for each pair. */
function distancesOf(distance, count) {
  if (typeof distance === "number") return [distance, null];
  if (distance.length !== count) {
    throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `distance has ${distance.length} numbers, and needs 1 for each pair`);
  }
  return [0, distance instanceof Float32Array ? distance : Float32Array.from(distance)];
}

/** How far pairs are from each other: infinity if they are farther than the distance. With details: NearPairs. */
export function nearPairs({ kind, vertices, pairs, distance = 0, details = false, module = loaded() }) {
  const [points, vertexCount] = itemsOf(vertices, 3, "vertices");
  const [numbers, count] = pairsOf(pairs);
  const [same, each] = distancesOf(distance, count);
  const room = new Float32Array(count), detailed = details ? new Uint8Array(88 * count) : null;
  const [pointsAt, pairsAt, eachAt, distancesAt, detailsAt] = module.input(points, numbers, each, room, detailed);
  module.check(module.exports.web_near_pairs(choice(KINDS, kind, "kind") * 2, pointsAt, vertexCount, pairsAt, count, same, eachAt,
    distancesAt, detailsAt));
  return details ? new NearPairs(NO_WORLD, module.copied(detailsAt, 88 * count), { stamp: 0n, isLimitReached: false })
    : new Float32Array(module.copied(distancesAt, 4 * count));
}

/** When pairs touch first on their way, or come within the distance: infinity if they do not up to maxTime. */
export function sweepPairs({ kind, start, end, pairs, distance = 0, maxTime = 1, module = loaded() }) {
  const [from, vertexCount] = itemsOf(start, 3, "start");
  const [to, endCount] = itemsOf(end, 3, "end");
  if (endCount !== vertexCount) {
    throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `end has ${endCount} vertices, and start has ${vertexCount}`);
  }
  const [numbers, count] = pairsOf(pairs);
  const [same, each] = distancesOf(distance, count);
  const [fromAt, toAt, pairsAt, eachAt, timesAt] = module.input(from, to, numbers, each, new Float32Array(count));
  module.check(module.exports.web_sweep_pairs(choice(KINDS, kind, "kind") * 2, fromAt, toAt, vertexCount, pairsAt, count, same, eachAt,
    maxTime, timesAt));
  return new Float32Array(module.copied(timesAt, 4 * count));
}
