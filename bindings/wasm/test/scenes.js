// Generated meshes and motions: balls that morph, and a tube that bends by its joints.

/** A fixed sequence of numbers from 0 to 1. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A closed ball of 2 n (n - 1) triangles or so: rows from pole to pole. */
export function ball(n, radius = 1) {
  const vertices = [0, 0, radius];
  for (let i = 1; i < n; i++) {
    for (let k = 0; k < n; k++) {
      const a = (Math.PI * i) / n, b = (2 * Math.PI * k) / n;
      vertices.push(radius * Math.sin(a) * Math.cos(b), radius * Math.sin(a) * Math.sin(b), radius * Math.cos(a));
    }
  }
  vertices.push(0, 0, -radius);
  const at = (i, k) => 1 + (i - 1) * n + (k % n);
  const triangles = [];
  for (let k = 0; k < n; k++) {
    triangles.push(0, at(1, k), at(1, k + 1), at(n - 1, k), 1 + (n - 1) * n, at(n - 1, k + 1));
    for (let i = 1; i < n - 1; i++) {
      triangles.push(at(i, k), at(i + 1, k), at(i, k + 1), at(i, k + 1), at(i + 1, k), at(i + 1, k + 1));
    }
  }
  return { vertices: Float32Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** A ball with two targets: one makes it long, one is rough. */
export function morphBall(n) {
  const { vertices, triangles } = ball(n);
  const next = random(7);
  return {
    vertices, triangles,
    targets: [
      { vertices: vertices.map((x, i) => (i % 3 === 0 ? x : -0.3 * x)) },
      { vertices: vertices.map((x) => 0.1 * x * (next() - 0.5)) },
    ],
  };
}

/** A ball whose vertices follow two joints, the more the farther along x. */
export function skinBall(n) {
  const { vertices, triangles } = ball(n);
  const count = vertices.length / 3;
  const weights = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    weights[2 * i] = (vertices[3 * i] + 1) / 2;
    weights[2 * i + 1] = 1 - weights[2 * i];
  }
  const joints = Uint16Array.from({ length: 2 * count }, (_, i) => i % 2);
  return { vertices, triangles, skin: { jointCount: 2, influenceCount: 2, joints, weights } };
}

export function turn(angle, [x, y, z]) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return [c, -s, 0, x, s, c, 0, y, 0, 0, 1, z];
}

export function someRays(count, seed, size = 3) {
  const next = random(seed);
  return Float32Array.from(Array.from({ length: count }, () => {
    const from = [0, 1, 2].map(() => size * (2 * next() - 1));
    const to = [0, 1, 2].map(() => 0.5 * (2 * next() - 1));
    return [...from, ...to.map((x, i) => x - from[i]), 10];
  }).flat());
}

/** A recording of generated bodies: rest, morph and skin, in each other's way. */
export function generated(Shape, module, { frameCount = 20, rowCount = 24, treeLeafSize = 16, rayCount = 64 } = {}) {
  const defs = [ball(rowCount), morphBall(rowCount), skinBall(rowCount)];
  const shapes = defs.map((def) => {
    const shape = new Shape({ ...def, treeLeafSize }, module);
    const data = shape.data();
    shape.dispose();
    return data;
  });
  const frames = Array.from({ length: frameCount }, (_, i) => {
    const t = i / frameCount;
    return [
      { transform: turn(t, [1.1 * t, 0.2, 0]) },
      { weights: [t, 2 * t - 0.5], transform: turn(-t, [0.9, 0.4 * t, 0.1]) },
      { joints: [...turn(t, [0, 0, 0]), ...turn(-t, [0.3 * t, 0, 0])], transform: turn(0, [-0.5, 0.6, 0.2 * t]) },
      { weights: [0.3, t], transform: turn(2 * t, [0.2, 1.2 - t, -0.4]) },
    ];
  });
  return { shapes, bodies: [0, 1, 2, 1], rays: someRays(rayCount, 3), nearDistance: 0.01, frames };
}

/** So many leaves and rays that the library divides each query into tasks. */
export const DIVIDED = { frameCount: 2, rowCount: 46, treeLeafSize: 2, rayCount: 300 };
