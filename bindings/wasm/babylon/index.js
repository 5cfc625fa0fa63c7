// Meshes of Babylon.js as bodies.

export { MeshBody } from "./body.js";
export { createShape, disposeShapes, shapeOf } from "./geometry.js";
export { installPicking } from "./picking.js";
