// Recordings of frames, which WebAssembly plays here and test/replay.c on this machine. No part of this needs node.

const transformOf = ([x, y, z]) => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];

/** The frames of a recording: shapes (their data), bodies (indices of shapes), rays, nearDistance, frames of poses. */
export function encode({ shapes, bodies, rays, nearDistance, frames }) {
  const words = [];
  const integer = (x) => words.push(Uint32Array.of(x));
  const floats = (array) => words.push(new Uint32Array(Float32Array.from(array).buffer));
  integer(shapes.length);
  for (const data of shapes) {
    integer(data.byteLength);
    const padded = new Uint8Array(4 * Math.ceil(data.byteLength / 4));
    padded.set(new Uint8Array(data));
    words.push(new Uint32Array(padded.buffer));
  }
  for (const x of [bodies.length, ...bodies, rays.length / 7]) integer(x);
  floats(rays);
  floats([nearDistance]);
  integer(frames.length);
  for (const pose of frames.flat()) {
    integer(pose.weights?.length ?? 0);
    floats(pose.weights ?? []);
    integer((pose.joints?.length ?? 0) / 12);
    floats(pose.joints ?? []);
    floats(pose.transform ?? transformOf([0, 0, 0]));
  }
  const all = new Uint32Array(words.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of words) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function setFrame(bodies, poses) {
  poses.forEach((pose, i) => {
    if (pose.weights?.length) bodies[i].setWeights(pose.weights);
    if (pose.joints?.length) bodies[i].setJoints(pose.joints);
    bodies[i].setTransform(pose.transform ?? transformOf([0, 0, 0]));
  });
}

export function open({ Shape, World }, module, { shapes, bodies }) {
  const own = shapes.map((data) => Shape.map(data, module));
  const world = new World({ module });
  return { world, bodies: bodies.map((i) => world.createBody(own[i])), shapes: own };
}

function hashed(items, places, hash = 0) {
  const bits = new Uint32Array(items.words.buffer);
  for (let i = 0; i < items.count; i++) {
    for (const place of places) hash = Math.imul(hash ^ bits[i * items.wordCount + place], 16777619) >>> 0;
  }
  return hash;
}

/** The number of all items, and a hash of words of theirs. */
function summary(lists, places) {
  const hash = lists.reduce((sum, items) => hashed(items, places, sum), 0);
  return `${lists.reduce((sum, { count }) => sum + count, 0)} ${hash.toString(16).padStart(8, "0")}`;
}

/** The lines that replay prints. */
export function play(pliant, module, recording) {
  const { world, bodies, shapes } = open(pliant, module, recording);
  const lines = recording.frames.map((poses) => {
    setFrame(bodies, poses);
    return [
      `contacts ${summary([world.collide()], [0, 2, 4, 5])}`,
      `within ${summary(bodies.map((body) => body.selfCollide()), [4, 5])}`,
      `near ${summary([world.near({ distance: recording.nearDistance })], [4, 5, 6, 7])}`,
      `rays ${summary([world.castRays(recording.rays, { kind: "all" })], [0, 4, 5, 9])}`,
    ].join(" ");
  });
  world.dispose();
  for (const shape of shapes) shape.dispose();
  return lines;
}

/** The milliseconds that a frame takes, poses and contacts: of each frame the least of all passes, and the mean of these. */
export function time(pliant, module, recording, seconds) {
  const { world, bodies } = open(pliant, module, recording);
  const least = recording.frames.map(() => Infinity);
  for (const end = performance.now() + 1e3 * seconds; performance.now() < end || least.at(-1) === Infinity;) {
    recording.frames.forEach((poses, i) => {
      const start = performance.now();
      setFrame(bodies, poses);
      world.collide();
      least[i] = Math.min(least[i], performance.now() - start);
    });
  }
  world.dispose();
  return least.reduce((sum, one) => sum + one, 0) / least.length;
}
