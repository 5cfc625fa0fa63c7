// Regions, in a thread of their own: depth takes longer than a frame.

import { Shape, World, load } from "pliant";

let module, world, bodies;

function open({ shapes, bodies: places }) {
  world?.dispose();
  const known = shapes.map((data) => Shape.map(data, module));
  world = new World({ module });
  bodies = places.map((place) => world.createBody(known[place]));
  for (const shape of known) shape.dispose(); // bodies keep it
}

function pose(poses) {
  poses.forEach(({ weights, joints, transform }, i) => {
    if (weights) bodies[i].setWeights(weights);
    if (joints) bodies[i].setJoints(joints);
    if (transform) bodies[i].setTransform(transform);
  });
}

/** The part that is inside the other body, and the deeper one of two; if none is inside, the shallower one, as in the command. */
function innerPart({ parts, isInside }) {
  const some = parts.map((part, i) => ({ ...part, i, isInside: isInside[i] })).filter(({ triangles }) => triangles.length > 0);
  const deep = (one, other) => other.depth - one.depth;
  const inside = some.filter((part) => part.isInside).sort(deep);
  return inside[0] ?? some.sort(deep).at(-1);
}

function find({ poses, includesSelf }) {
  const start = performance.now();
  pose(poses);
  const regions = Array.from(world.regions(world.collide({ includesSelf })), (region) => {
    const places = [region.bodyA, region.bodyB].map((body) => bodies.indexOf(body));
    const inner = innerPart(region);
    return { a: places[0], b: places[1], depth: inner?.depth ?? 0, body: places[inner?.i ?? 0], triangles: inner?.triangles ?? new Int32Array() };
  });
  return { regions, milliseconds: performance.now() - start };
}

self.onmessage = async ({ data }) => {
  if (data.wasm) module ??= await load({ wasm: data.wasm, simd: true });
  if (data.shapes) open(data);
  if (data.poses) self.postMessage({ id: data.id, ...find(data) });
};
