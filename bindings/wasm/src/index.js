// Pliant for JavaScript. The nouns are those of include/pliant/: Shape, World, Body, and what queries return.

export { load, loaded } from "./module.js";
export { Shape } from "./shape.js";
export { World, edgeEdgeMollifierThreshold } from "./world.js";
export { nearPairs, sweepPairs } from "./pairs.js";
export { cancellerOf } from "./threads.js";
export { Body } from "./body.js";
export { BodyPairs, ClosestPoints, Contacts, HitPoints, Impacts, Intersections, NearPairs, RayHits, WindingNumbers } from "./results.js";
export {
  BadArgumentError, BadDataError, BadDefError, BadIdError, BadIndexError, BadVersionError, BusyError, CancelledError,
  OutOfMemoryError, PliantError, StaleError, TooLargeError, UnsupportedError,
} from "./errors.js";
