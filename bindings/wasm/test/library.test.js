// The library in node: with SIMD and without, against the library of this machine, and over many frames.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, describe, test } from "node:test";
import * as pliant from "pliant";
import { assetFiles, recordingOf } from "./models.js";
import { encode, play } from "./recording.js";
import { ball, generated, morphBall, someRays, turn } from "./scenes.js";

const { Shape, World } = pliant;
const work = fileURLToPath(new URL("../../../build/web/", import.meta.url));
const replay = join(work, "replay");
const folder = mkdtempSync(join(tmpdir(), "pliant-"));
after(() => rmSync(folder, { recursive: true }));

const modules = {};
before(async () => {
  modules.simd = await pliant.load({ simd: true });
  modules.scalar = await pliant.load({ simd: false });
});

function native(recording) {
  const file = join(folder, "recording");
  writeFileSync(file, encode(recording));
  return execFileSync(replay, [file], { encoding: "utf8", maxBuffer: 1 << 28 }).trim().split("\n");
}

describe("equal to native", { skip: existsSync(replay) ? false : "no build/web/replay: bindings/wasm/build --tests" }, () => {
  test("generated bodies: contacts, near pairs, ray hits", () => {
    const recording = generated(Shape, modules.simd);
    const expected = native(recording);
    assert.ok(expected.some((line) => /contacts [1-9]/.test(line) && /near [1-9]/.test(line) && /rays [1-9]/.test(line)));
    for (const name of ["simd", "scalar"]) assert.deepEqual(play(pliant, modules[name], recording), expected, name);
  });

  const files = assetFiles();
  test("models", { skip: files.length === 0 ? "PLIANT_ASSETS is not set" : false }, async (t) => {
    for (const file of files) {
      await t.test(file.split("/").slice(-2).join("/"), async (one) => {
        const recording = await recordingOf(file, modules.simd);
        if (typeof recording === "string") return one.skip(recording);
        const expected = native(recording);
        for (const name of ["simd", "scalar"]) assert.deepEqual(play(pliant, modules[name], recording), expected, name);
      });
    }
  });
});

test("memory is flat over 100,000 frames", () => {
  for (const [module, count] of [[modules.simd, 100000], [modules.scalar, 20000]]) {
    const shape = new Shape(morphBall(6), module);
    const world = new World({ module });
    const bodies = [world.createBody(shape), world.createBody(shape), world.createSoup()];
    const free = ball(6, 0.9).vertices;
    const pieces = ball(12).vertices;
    const frame = (i) => {
      const t = (i % 100) / 100;
      bodies[0].setWeights([t, 1 - t]);
      bodies[1].setTransform(turn(t, [t, 0, 0]));
      if (i % 3 === 0) bodies[1].setVertices(free);
      if (i % 7 === 0) bodies[1].setWeights([0, t]);
      if (i % 10 === 0) bodies[2].setPrimitives(pieces.subarray(0, 9 * (1 + (i % 20))));
      world.collide();
    };
    for (let i = 0; i < 1000; i++) frame(i);
    const size = module.byteSize;
    const held = world.stats().byteSize;
    for (let i = 0; i < count; i++) frame(i);
    assert.equal(module.byteSize, size);
    assert.equal(world.stats().byteSize, held);
    world.dispose();
    shape.dispose();
  }
});

test("what is disposed gives its memory back", () => {
  const module = modules.simd;
  const round = () => {
    const shape = new Shape(ball(40), module);
    const mapped = Shape.map(shape.data(), module);
    const world = new World({ module });
    const bodies = [shape, mapped, mapped].map((one) => world.createBody(one));
    bodies[0].setVertices(bodies[0].vertices());
    mapped.dispose(); // its bodies keep it
    bodies[2].dispose();
    assert.ok(world.collide().count > 0);
    world.dispose();
    shape.dispose();
  };
  for (let i = 0; i < 10; i++) round();
  const size = module.byteSize;
  for (let i = 0; i < 200; i++) round();
  assert.equal(module.byteSize, size);
});

test("what is forgotten gives its memory back", { skip: globalThis.gc ? false : "needs --expose-gc" }, async () => {
  const module = modules.simd;
  const round = async () => {
    const shape = new Shape(ball(60), module);
    const world = new World({ module });
    world.createBody(shape).setVertices(shape.vertices());
    world.collide();
  };
  const rounds = async (count) => {
    for (let i = 0; i < count; i++) {
      await round();
      await new Promise((done) => setTimeout(done));
      globalThis.gc();
    }
  };
  await rounds(20);
  const size = module.byteSize;
  await rounds(60);
  assert.equal(module.byteSize, size);
});

test("errors are classes, with the library's message", () => {
  const module = modules.simd;
  const { vertices, triangles } = ball(6);
  assert.throws(() => new Shape({ vertices, triangles: [0, 1, 99999] }, module), (error) =>
    error instanceof pliant.BadIndexError && error.result === "PLIANT_BAD_INDEX" && /pliant_shape_create.*99999/.test(error.message));
  assert.throws(() => Shape.map(new Uint8Array(100), module), pliant.BadDataError);
  const shape = new Shape({ vertices, triangles }, module);
  const world = new World({ module });
  const body = world.createBody(shape);
  assert.throws(() => body.setWeights([1]), /pliant_body_set_weights: the shape has no targets/);
  assert.throws(() => body.setTransform([1, 2]), pliant.BadArgumentError);
  assert.throws(() => world.castRays([0, 0, 0]), /rays has 3 numbers, and needs 7 for each/);
  assert.throws(() => new World({ module: modules.scalar }).createBody(shape), /the shape is of another module/);
  assert.throws(() => world.collide({ kind: "none" }), /kind is none, and must be one of: all, first, any/);
  body.dispose();
  assert.throws(() => body.setTransform(), pliant.BadIdError);
  world.dispose();
  assert.throws(() => world.collide(), /this world was disposed/);
  shape.dispose();
  assert.throws(() => shape.data(), pliant.BadIdError);
});

test("an open surface has no volume, and says of what it has measured", () => {
  const module = modules.simd;
  const { vertices, triangles } = ball(12);
  const world = new World({ module });
  const closed = world.createBody(new Shape({ vertices, triangles }, module));
  const open = world.createBody(new Shape({ vertices, triangles: triangles.subarray(3) }, module));
  const { volume, error } = closed.volume();
  assert.ok(Math.abs(volume - 3.9) < 0.3 + error, String(volume));
  assert.throws(() => open.volume(), (failure) => failure instanceof pliant.NotClosedError && failure.volume.badPixelCount > 0);
  world.dispose();
});

test("every query answers", () => {
  const module = modules.simd;
  const shape = new Shape(ball(16), module);
  const world = new World({ module });
  const [a, b, small] = [0, 1, 2].map(() => world.createBody(shape));
  b.setTransform(turn(0.3, [1.5, 0.1, 0.2]));
  small.setTransform([0.1, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0.1, 0]);
  const contacts = world.collide();
  assert.ok(contacts.count > 10);
  const { bodyA, bodyB, triangleA } = contacts.get(0);
  assert.deepEqual([bodyA, bodyB, triangleA], [a, b, contacts.triangleA(0)]);
  assert.equal([...contacts].length, contacts.count);
  assert.equal(world.collide({ kind: "any" }).count, 1);
  assert.deepEqual([world.collide({ maxContactCount: 3 })].map((c) => [c.count, c.isLimitReached]), [[3, true]]);
  assert.equal(a.collide().count, contacts.count);
  assert.equal(a.selfCollide().count, 0);
  assert.equal(world.collideBodies(a, b).count, contacts.count);
  assert.deepEqual([...world.bodyPairs()].map((pair) => pair.bodyB), [b, small]);
  assert.deepEqual([...world.bodiesWithin(0)].map((pair) => pair.bodyA), [a]);

  const cuts = world.intersections(contacts);
  assert.equal(cuts.count, contacts.count);
  const corners = a.corners([contacts.triangleA(0)]);
  const [point] = cuts.get(0);
  const sum = [0, 1, 2].map((k) => [0, 1, 2].reduce((x, i) => x + point.weightsA[i] * corners[3 * i + k], 0));
  sum.forEach((x, k) => assert.ok(Math.abs(x - point.position[k]) < 1e-6));

  const [region] = world.regions(contacts);
  assert.deepEqual([region.bodyA, region.bodyB, region.curves[0].isClosed], [a, b, true]);
  assert.ok(region.parts[0].depth > 0.2 && region.parts[0].depth <= region.parts[0].maxDepth && region.parts[0].triangles.length > 0);
  assert.ok(region.normal[0] < -0.9);

  assert.ok(world.near({ distance: 0.05 }).count > 0);
  assert.ok(world.distance(a, small).distance > 0.8);
  assert.equal(world.distance(a, small, { maxDistance: 0.1 }), null);
  assert.equal(world.contains(a, small), true);
  const [closest] = a.closestPoints([0, 0, 3], { isSigned: true });
  assert.deepEqual([closest.body, closest.distance, closest.position], [a, 2, [0, 0, 1]]);
  const common = world.volume(a, b);
  assert.ok(common.volume > 0.1 && common.volume < a.volume().volume);

  const hits = world.castRays(someRays(10, 1), { kind: "all" });
  assert.ok(hits.count > 10 && [...hits].every((hit) => world.bodies.includes(hit.body)));
  const [first] = a.castRays([0.1, 0.05, 5, 0, 0, -1, 100]);
  assert.ok(first.side === 1 && Math.abs(first.t - 4) < 0.05);

  b.setTransform(turn(0, [5, 0, 0]));
  const end = b.createEnd();
  end.setTransform(turn(0, [0, 0, 0]));
  const [impact] = world.sweep();
  assert.ok(impact.time > 0.5 && impact.time < 0.7 && impact.bodyB === b);
  b.dispose();
  assert.equal(end.isAlive, false);
  assert.equal(world.sweep().count, 0);
  assert.equal(contacts.bodyB(0), undefined); // it was destroyed
  world.dispose();
});

test("vertices are written in place", () => {
  const shape = new Shape(ball(16), modules.simd);
  const world = new World({ module: modules.simd });
  const body = world.createBody(shape);
  const rest = shape.vertices();
  body.writeVertices((array) => { for (let i = 0; i < array.length; i++) array[i] = 2 * rest[i]; });
  assert.deepEqual(body.vertices(), rest.map((x) => 2 * x));
  body.resetPose();
  assert.deepEqual(body.vertices(), rest);
  world.dispose();
});
