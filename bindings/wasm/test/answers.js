// All that queries return, of all frames of a recording, as text to compare. No part of this needs node.

import { open, setFrame } from "./recording.js";

function hashed(text) {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

const isWorldly = (value) => typeof value === "object" && value !== null && "world" in value && "userData" in value;
const plain = (_, value) => (isWorldly(value) ? value.index : ArrayBuffer.isView(value) ? [...value] : value);

/** A line for each frame: of each query how many items there are, and a hash of all of them. */
export function answersOf(pliant, module, recording) {
  const { world, bodies, shapes } = open(pliant, module, recording);
  const points = recording.rays.filter((_, i) => i % 7 < 3);
  const lines = recording.frames.map((poses) => {
    setFrame(bodies, poses);
    const contacts = world.collide();
    const regions = world.regions(contacts, { depthTolerance: 0.1 });
    const found = {
      contacts, regions, intersections: world.intersections(contacts), self: bodies[0].selfCollide(),
      near: world.near({ distance: recording.nearDistance }), rays: world.castRays(recording.rays, { kind: "all" }),
      points: world.closestPoints(points), windings: bodies[0].windingNumbers(points),
    };
    return Object.entries(found).map(([name, items]) => `${name} ${items.count ?? items.length} ${hashed(JSON.stringify([...items], plain))}`).join(", ");
  });
  world.dispose();
  for (const shape of shapes) shape.dispose();
  return lines;
}
