// Pairs of features that the caller has found, and which bodies make pairs at all: mayPair().

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as pliant from "pliant";
import { ball, turn } from "./scenes.js";

const { Shape, World } = pliant;
const modules = {};
before(async () => {
  modules.simd = await pliant.load({ simd: true });
  modules.scalar = await pliant.load({ simd: false });
  modules.threads = await pliant.load({ threads: 3 });
});
after(() => modules.threads.endThreads());

/** A world of so many balls, each 0.1 beside the last, which fall by 5. */
function balls(module, count, def = {}) {
  const world = new World({ module, ...def });
  const shape = new Shape(ball(8), module);
  const bodies = Array.from({ length: count }, (_, i) => {
    const body = world.createBody(shape);
    body.setTransform(turn(0, [0.1 * i, 0, 0]));
    body.createEnd().setTransform(turn(0, [0.1 * i, 5, 0]));
    return body;
  });
  return { world, bodies };
}

const VERTICES = [1, 1, 2, 0, 0, 0, 4, 0, 0, 0, 4, 0];

test("near pairs of the caller are those of the world", () => {
  for (const module of Object.values(modules)) {
    const { world, bodies: [a, b] } = balls(module, 2);
    b.setTransform(turn(0.3, [1.9, 0.1, 0.2]));
    const vertices = [...a.vertices(), ...b.vertices()];
    const first = a.vertices().length / 3;
    const wanted = [...world.near({ distance: 0.1 })].filter(({ kind }) => kind === "edge-edge");
    const pairs = wanted.flatMap(({ vertices: [p, q, r, s] }) => [p, q, first + r, first + s]);
    const def = { module, kind: "edge-edge", vertices, pairs };
    const distances = pliant.nearPairs({ ...def, distance: 0.1 });
    assert.ok(wanted.length > 0 && distances instanceof Float32Array);
    assert.deepEqual([...distances], wanted.map(({ distance }) => distance));
    const details = pliant.nearPairs({ ...def, distance: distances.map((d) => 1.01 * d), details: true });
    assert.deepEqual([...details].map(({ weights, normal, region, kind, distance }) => ({ weights, normal, region, kind, distance })),
      wanted.map(({ weights, normal, region, kind, distance }) => ({ weights, normal, region, kind, distance })));
    assert.deepEqual([details.get(0).featureA, details.get(0).bodyA], [-1, undefined]);
    const limit = 1.001 * Math.min(...distances);
    assert.deepEqual([...pliant.nearPairs({ ...def, distance: limit })], [...distances].map((d) => (d < limit ? d : Infinity)));
    assert.equal(pliant.nearPairs({ ...def, pairs: [], distance: 1 }).length, 0);
    world.dispose();
  }
});

test("times of pairs of the caller", () => {
  const end = VERTICES.with(2, -2);
  const def = { kind: "vertex-triangle", start: VERTICES, end, pairs: [0, 1, 2, 3, 0, 1, 2, 3] };
  for (const module of Object.values(modules)) {
    assert.deepEqual([...pliant.sweepPairs({ ...def, module })], [0.5, 0.5]);
    assert.deepEqual([...pliant.sweepPairs({ ...def, module, maxTime: 0.5 })], [0.5, 0.5]);
    assert.deepEqual([...pliant.sweepPairs({ ...def, module, maxTime: 0.49 })], [Infinity, Infinity]);
    const [touch, near] = pliant.sweepPairs({ ...def, module, distance: [0, 1] });
    assert.ok(touch === 0.5 && near <= 0.25 && near > 0.24);
  }
});

test("what is wrong with pairs of the caller is said", () => {
  const near = { kind: "vertex-triangle", vertices: VERTICES, pairs: [0, 1, 2, 3] };
  const sweep = { kind: "vertex-triangle", start: VERTICES, end: VERTICES, pairs: [0, 1, 2, 3] };
  for (const [wrong, text] of [[{ kind: "vertex" }, /kind is vertex/], [{ pairs: [0, 1, 2] }, /pairs has 3/], [{ distance: -1 }, /def.distance is -1/],
    [{ distance: [1, 2] }, /distance has 2/], [{ vertices: [1, 2] }, /vertices has 2/]]) {
    assert.throws(() => pliant.nearPairs({ ...near, ...wrong }), { name: "BadArgumentError", message: text });
  }
  assert.throws(() => pliant.nearPairs({ ...near, pairs: [0, 1, 2, 4] }), pliant.BadIndexError);
  for (const [wrong, text] of [[{ end: [0, 0, 0] }, /end has 1/], [{ maxTime: 2 }, /def.max_time is 2/]]) {
    assert.throws(() => pliant.sweepPairs({ ...sweep, ...wrong }), { name: "BadArgumentError", message: text });
  }
});

for (const name of ["simd", "scalar", "threads"]) {
  test(`mayPair leaves out bodies: ${name}`, () => {
    const module = modules[name];
    const asked = [];
    let refused = null, failure = null;
    const mayPair = (a, b) => {
      asked.push([bodies.indexOf(a), bodies.indexOf(b)]);
      if (failure) throw failure;
      return a !== refused && b !== refused;
    };
    const { world, bodies } = balls(module, 4, { mayPair });
    const queries = [() => world.collide(), () => world.near({ distance: 0.01 }), () => world.sweep({ kind: "first" }), () => world.bodyPairs(),
      () => world.bodiesWithin({ distance: 0.01 }), () => bodies[1].collide()];
    const pairsOf = (answer) => [...new Set([...answer].map(({ bodyA, bodyB }) => `${bodies.indexOf(bodyA)} ${bodies.indexOf(bodyB)}`))];
    for (const query of queries) {
      asked.length = 0;
      refused = failure = null;
      const all = pairsOf(query());
      assert.deepEqual(asked.map(([a, b]) => `${a} ${b}`), all);
      assert.ok(all.length === 6 || all.length === 3);
      refused = bodies[2];
      assert.deepEqual(pairsOf(query()), all.filter((pair) => !pair.includes("2")));
      failure = new RangeError("no answer");
      asked.length = 0;
      assert.throws(query, failure);
      assert.equal(asked.length, 1); // it is not asked again
    }
    assert.ok(world.collideBodies(bodies[0], bodies[1]).count > 0); // two given bodies
    failure = null;
    assert.ok(world.collide().count > 0); // it goes on
    world.dispose();
  });
}

test("mayPair may ask another world, and not its own", () => {
  const module = modules.simd;
  const { world: inner } = balls(module, 3, { mayPair: (a, b) => { if (isWrong) throw new RangeError("inner"); return true; } });
  let isWrong = false;
  const { world } = balls(module, 3, { mayPair: () => inner.collide().count === 0 });
  assert.equal(world.collide().count, 0);
  isWrong = true;
  assert.throws(() => world.near({ distance: 0.1 }), /inner/);
  const { world: own } = balls(module, 2, { mayPair: () => own.collide() });
  assert.throws(() => own.collide(), pliant.BusyError);
  assert.throws(() => new World({ module, mayPair: 3 }), /mayPair is 3/);
});
