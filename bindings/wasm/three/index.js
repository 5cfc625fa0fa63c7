// Meshes of three.js as bodies.

export { MeshBody } from "./body.js";
export { createShape, disposeShapes, shapeOf } from "./geometry.js";
export { installRaycast } from "./install.js";
export { BoundsLines, ContactLines } from "./lines.js";
