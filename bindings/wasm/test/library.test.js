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
    const { total, ...parts } = world.memory();
    assert.equal(total, held);
    assert.equal(Object.values(parts).reduce((a, b) => a + b), held);
    const contacts = world.collide().count;
    world.trim();
    assert.equal(world.memory().total, world.memory().bodies);
    assert.ok(world.memory().total < held);
    assert.equal(world.collide().count, contacts);
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
  assert.throws(() => world.cancelToken(), pliant.UnsupportedError);
  assert.throws(() => world.hold(() => body.setTransform()), pliant.BusyError);
  assert.equal(world.hold(() => world.collide().count), 0);
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
  const part = open.volume();
  assert.ok(!part.isClosed && part.badPixelCount > 0);
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
  assert.deepEqual([...world.bodiesWithin()].map((pair) => pair.bodyA), [a]);

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
  assert.ok(region.parts[0].vertexDepths === undefined && region.parts[0].pieces.triangles.length === 0);
  const [{ parts: [sampled] }] = world.regions(contacts, { vertexDepths: true, pieceSize: 0.2 });
  assert.equal(sampled.vertexDepths.length, sampled.vertices.length);
  assert.ok(sampled.vertexDepths.every((depth) => depth <= sampled.maxDepth + 1e-6));
  assert.equal(sampled.pieces.corners.length, 3 * sampled.pieces.depths.length);
  assert.ok(sampled.pieces.triangles.every((triangle) => sampled.triangles.includes(triangle)));

  const near = world.near({ distance: 0.05 });
  assert.ok(near.count > 1 && near.vertices.length === 4 * near.count && !near.isLimitReached);
  for (const [i, pair] of [...near].entries()) {
    assert.deepEqual(pair.vertices, Array.from(near.vertices.subarray(4 * i, 4 * i + 4)));
    assert.equal(pair.pairCount, 1);
    if (pair.kind === "vertex-triangle") assert.equal(pair.vertices[0], pair.featureA);
    if (pair.kind === "triangle-vertex") assert.equal(pair.vertices[3], pair.featureB);
  }
  const unique = [...world.near({ distance: 0.05, unique: true })];
  assert.ok(unique.length < near.count && unique.some(({ kind }) => /^(vertex-vertex|vertex-edge|edge-vertex)$/.test(kind)));
  assert.equal(unique.reduce((sum, { pairCount }) => sum + pairCount, 0), near.count);
  assert.equal(pliant.edgeEdgeMollifierThreshold([0, 0, 0], [0, 0, 2], [0, 0, 0], [3, 4, 0]), 1e-3 * 4 * 25);
  const [pair] = near;
  world.excludeVertices(pair.bodyA, pair.bodyB, [pair.vertices[0], pair.vertices[3]]);
  assert.ok(world.near({ distance: 0.05 }).count < near.count);
  world.excludeVertices(pair.bodyB, pair.bodyA, null);
  assert.equal(world.near({ distance: 0.05 }).count, near.count);
  const selfCount = world.nearBodies(a, a, { distance: 0.3 }).count;
  a.setPatches(new Uint32Array(a.vertexCount));
  assert.ok(selfCount > 0 && world.nearBodies(a, a, { distance: 0.3 }).count === 0);
  a.setPatches(null);
  const some = world.near({ distance: 0.05, maxPairCount: 1 });
  assert.deepEqual([some.count, some.isLimitReached], [1, true]);
  assert.ok(world.distance(a, small).distance > 0.8);
  assert.equal(world.distance(a, small, { maxDistance: 0.1 }), null);
  const within = world.distance(a, a);
  assert.ok(within.bodyA === a && within.bodyB === a && within.distance > 0 && within.distance < 0.1);
  assert.deepEqual(world.containment(a, small), { contains: true, isClosed: true });
  const [closest] = a.closestPoints([0, 0, 3], { isSigned: true });
  assert.deepEqual([closest.body, closest.distance, closest.position], [a, 2, [0, 0, 1]]);
  const [inside, outside] = a.windingNumbers([0, 0, 0, 3, 0, 0]);
  assert.deepEqual(inside, { number: 1, error: 0, isInside: true, isUndecided: false });
  assert.ok(outside.number === 0 && !outside.isInside);
  const common = world.volume(a, b);
  assert.ok(common.volume > 0.1 && common.volume < a.volume().volume);

  const hits = world.castRays(someRays(10, 1), { kind: "all" });
  assert.ok(hits.count > 10 && [...hits].every((hit) => world.bodies.includes(hit.body)));
  const [first] = a.castRays([0.1, 0.05, 5, 0, 0, -1, 100]);
  assert.ok(first.side === 1 && Math.abs(first.t - 4) < 0.05);

  b.setTransform(turn(0, [5, 0, 0]));
  const end = b.createEnd();
  end.setTransform(turn(0, [0, 0, 0]));
  assert.deepEqual([...world.sweep({ kind: "all", maxImpactCount: 1 })].length, 1);
  assert.equal(world.sweep({ kind: "all", maxImpactCount: 1 }).isLimitReached, true);
  const [impact] = world.sweep();
  assert.ok(impact.vertices.length === 4 && impact.pairCount === 1);
  assert.ok(impact.time > 0.5 && impact.time < 0.7 && impact.bodyB === b);
  b.dispose();
  assert.equal(end.isAlive, false);
  assert.equal(world.sweep().count, 0);
  assert.equal(contacts.bodyB(0), undefined); // it was destroyed
  world.dispose();
});

test("each result has a class", () => {
  const { exports } = modules.simd;
  const names = [];
  for (let i = 1; names.at(-1) !== "PLIANT_BUSY"; i++) names.push(modules.simd.string(exports.pliant_result_name(i)));
  names.forEach((name, i) => {
    const words = name.split("_").slice(1).map((word) => word[0] + word.slice(1).toLowerCase());
    assert.equal(modules.simd.error(i + 1).constructor, pliant[`${words.join("")}Error`], name);
  });
  assert.match(modules.simd.error(names.length).message, /another call uses the world/);
});

/** Two balls in each other, and one whose weights move it: all have contacts. */
function threeBalls(module) {
  const shape = new Shape(ball(16), module), morphing = new Shape(morphBall(16), module);
  const world = new World({ module });
  const [a, b, c] = [shape, shape, morphing].map((one) => world.createBody(one));
  b.setTransform(turn(0.3, [1.5, 0.1, 0.2]));
  c.setTransform(turn(0, [0.2, 1.4, 0]));
  return { world, a, b, c, rest: shape.vertices() };
}

describe("contacts are stale once a body has changed", () => {
  let kept;
  const changes = {
    setTransform: ({ b }) => b.setTransform(turn(0.3, [1.4, 0.1, 0.2])),
    setWeights: ({ c }) => c.setWeights([0.1, 0]),
    setVertices: ({ a, rest }) => a.setVertices(rest),
    writeVertices: ({ a }) => a.writeVertices((array) => { array[0] += 0.01; }),
    resetPose: ({ a }) => a.resetPose(),
    "memory that is edited in place": () => { kept[3 * 20] += 0.01; },
  };
  for (const [name, change] of Object.entries(changes)) {
    test(name, () => {
      for (const module of Object.values(modules)) {
        const scene = threeBalls(module);
        const { world, a, rest } = scene;
        a.writeVertices((array) => array.set(rest));
        const contacts = world.collide();
        const count = world.regions(contacts).length;
        assert.ok(count >= 2 && contacts.stamp > 0n && world.intersections(contacts).count === contacts.count);
        a.writeVertices((array) => { kept = array; });
        const again = world.collide();
        change(scene);
        for (const call of [() => world.regions(again), () => world.intersections(again)]) {
          assert.throws(call, (error) => error instanceof pliant.StaleError && error.result === "PLIANT_STALE" && /has changed since the query/.test(error.message));
        }
        const fresh = world.collide();
        assert.ok(fresh.stamp > again.stamp);
        assert.equal(world.regions(fresh).length, count);
        world.dispose();
      }
    });
  }
});

test("contacts that the caller made have no stamp", () => {
  const { world } = threeBalls(modules.simd);
  const contacts = world.collide();
  const some = { words: contacts.words.slice(0, 12), count: 2 };
  assert.deepEqual([...world.intersections(some)], [...world.intersections(contacts)].slice(0, 2));
  assert.throws(() => world.regions(some), /contacts.stamp is 0/);
  some.words[4] = 0; // a triangle elsewhere
  assert.throws(() => world.intersections(some), /contacts.items\[0\]: the triangles have nothing in common/);
  world.dispose();
});

test("limits: the first items, and whether there are more", () => {
  const { world, a } = threeBalls(modules.simd);
  const all = world.collide();
  const rays = someRays(30, 1);
  const queries = {
    maxContactCount: (def) => world.collide(def),
    maxPairCount: (def) => world.bodyPairs({ distance: 10, ...def }),
    maxIntersectionCount: (def) => world.intersections(all, def),
    maxRegionCount: (def) => world.regions(all, def),
    maxHitCount: (def) => world.castRays(rays, { kind: "all", ...def }),
    maxPointCount: (def) => world.hitPoints(world.castRays(rays, { kind: "all" }), def),
  };
  const sizeOf = (answer) => answer.count ?? answer.length;
  for (const [name, query] of Object.entries(queries)) {
    const whole = query({});
    assert.ok(sizeOf(whole) >= 2 && whole.stamp > 0n && !whole.isLimitReached, name);
    assert.equal(query({ [name]: sizeOf(whole) }).isLimitReached, false, name);
    const one = query({ [name]: 1 });
    assert.deepEqual([sizeOf(one), one.isLimitReached], [1, true], name);
    if (name !== "maxContactCount") assert.deepEqual([...one], [...whole].slice(0, 1), name); // of one pair of bodies, those found first
    assert.throws(() => query({ [name]: 0.5 }), new RegExp(`${name} is 0.5, and must be a whole number`));
    assert.throws(() => query({ [name]: -1 }), pliant.BadArgumentError);
  }
  assert.equal(world.bodiesWithin({ maxPairCount: 1 }).isLimitReached, true);
  assert.equal(world.bodiesWithin({ distance: 10 }).count, 3);
  assert.throws(() => world.regions(world.collide({ maxContactCount: 2 })), /contacts are limited/);
  assert.equal(a.castRays(rays, { kind: "all", maxHitCount: 1 }).count, 1);
  world.dispose();
});

test("hits have joints, points and normals, and rays have rules of their own", () => {
  const module = modules.simd;
  const square = { vertices: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], triangles: [0, 1, 2, 0, 2, 3],
    skin: { jointCount: 2, influenceCount: 1, joints: [0, 1, 1, 0], weights: [1, 1, 1, 1] } };
  const shape = new Shape(square, module);
  const world = new World({ module });
  const [a, b] = [0, 1].map(() => world.createBody(shape));
  b.setTransform(turn(0, [0, 0, 1]));
  const rays = [1, 2, 3].flatMap(() => [0.9, 0.5, 5, 0, 0, -1, Infinity]);
  const bodies = (def) => [...world.castRays(rays, def)].map((hit) => hit.body);
  assert.deepEqual(bodies(), [b, b, b]);
  assert.deepEqual(bodies({ ignored: [b, null, a] }), [a, b, b]);
  assert.deepEqual([bodies({ sides: "front" }).length, bodies({ sides: "back" }).length], [3, 0]);
  a.setFilter(1, 0xffffffff);
  b.setFilter(2, 4);
  assert.deepEqual(bodies({ rayCollidesWith: [1, 2, 3], rayCategories: [4, 4, 8] }), [a, b, a]);
  for (const wrong of [{ ignored: [a] }, { rayCategories: [1, 2] }, { sides: "top" }]) assert.throws(() => world.castRays(rays, wrong), pliant.BadArgumentError);
  const hits = world.castRays(rays);
  const points = world.hitPoints(hits);
  assert.ok(points.count === 3 && points.get(2).normal.join() === "0,0,1" && Math.abs(points.get(0).position[0] - 0.9) < 1e-6);
  assert.deepEqual([...world.hitJoints(hits)], [1, 1, 1]);
  const kept = hits.kept([2]);
  b.setTransform(turn(0, [7, 0, 1]));
  assert.throws(() => world.hitPoints(hits), pliant.StaleError);
  const [point] = world.hitPoints(kept);
  assert.ok(Math.abs(point.position[0] - 7.9) < 1e-5 && world.hitJoints(kept)[0] === 1);
  world.dispose();
});

test("a world is asked for contacts within bodies too", () => {
  const module = modules.simd;
  const { vertices, triangles } = ball(12);
  const crossed = { vertices: [...vertices, ...vertices.map((x) => x + 0.3)], triangles: [...triangles, ...triangles.map((i) => i + vertices.length / 3)] };
  const shape = new Shape(crossed, module);
  const world = new World({ module });
  const [a, b] = [0, 1].map(() => world.createBody(shape));
  b.setTransform(turn(0, [9, 0, 0]));
  const self = world.collideBodies(a, a);
  assert.ok(self.count > 0);
  assert.deepEqual(self.words, a.selfCollide().words);
  assert.equal(world.collide().count, 0);
  const both = world.collide({ includesSelf: true });
  assert.deepEqual([both.count, both.get(0).bodyA, both.bodyB(both.count - 1)], [2 * self.count, a, b]);
  b.setSelf(false);
  assert.deepEqual(world.collide({ includesSelf: true }).words, self.words);
  assert.equal(world.collideBodies(b, b).count, self.count);
  assert.equal(world.regions(world.collide({ includesSelf: true }))[0].bodyB, a);
  world.dispose();
});

test("an end begins where its body is, and stays there", () => {
  const module = modules.simd;
  const world = new World({ module });
  const { vertices, triangles } = ball(12);
  const body = world.createBody(new Shape({ vertices, triangles }, module));
  const moved = vertices.map((x) => x + 1);
  body.setVertices(moved);
  body.setTransform([2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  const expected = body.vertices();
  const end = body.createEnd();
  assert.deepEqual(end.vertices(), expected);
  body.setVertices(vertices); // into the body's memory
  assert.deepEqual(end.vertices(), expected);
  const resting = world.createBody(body.shape);
  resting.setVertices(moved);
  resting.resetPose();
  assert.deepEqual(resting.createEnd().vertices(), vertices);
  const morphing = world.createBody(new Shape(morphBall(12), module));
  morphing.setVertices(moved);
  morphing.setWeights([0.5, 0]);
  assert.deepEqual(morphing.createEnd().vertices(), morphing.vertices());
  for (const corners of [null, triangles]) {
    const soup = world.createSoup();
    const soupVertices = corners ? vertices : vertices.subarray(0, 9 * 30);
    soup.setPrimitives(soupVertices, corners);
    const soupEnd = soup.createEnd();
    assert.deepEqual([soupEnd.triangleCount, soupEnd.vertexCount], [soup.triangleCount, soup.vertexCount]);
    const before = soup.corners([3, 7]);
    soup.setPrimitives(moved.subarray(0, 9)); // its old memory is released
    assert.deepEqual(soupEnd.corners([3, 7]), before);
  }
  world.createSoup().createEnd();
  world.dispose();
});

test("segments", () => {
  const module = modules.simd;
  const vertices = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 0]);
  const shape = new Shape({ vertices, triangles: [0, 1, 2], segments: [1, 3] }, module);
  assert.deepEqual([shape.info.triangleCount, shape.info.segmentCount], [2, 1]);
  assert.deepEqual([...shape.triangles()], [0, 1, 2, 1, 3, 3]);
  assert.equal(Shape.map(shape.data(), module).info.segmentCount, 1);
  assert.equal(new Shape({ vertices, segments: [1, 3] }, module).info.isClosed, false);
  const world = new World({ module });
  world.createBody(shape);
  const soup = world.createSoup({ primitiveKind: "segments" });
  soup.setPrimitives(new Float32Array([2, -1, 0, 2, 1, 0]));
  assert.equal(world.collide().count, 1);
  soup.setPrimitives(new Float32Array([2, -1, 0, 2, 1, 1, 2, 1, 0]), [0, 2]);
  assert.equal(world.collide().count, 1);
  soup.setPrimitives(new Float32Array([2, -1, 1, 2, 1, 1]));
  assert.equal(world.collide().count, 0);
  world.dispose();
});

test("vertices in double", () => {
  const world = new World({ module: modules.simd });
  const shape = new Shape({ vertices: [0, 0, 0, 4, 0, 0, 0, 4, 0], triangles: [0, 1, 2] }, modules.simd);
  world.createBody(shape);
  const body = world.createBody(shape);
  const above = [1, 1, 1, 1.5, 1, 2, 1, 1.5, 2];
  world.setOrigin([1000, 0, 0]);
  const set = (height) => body.setVertices64(above.map((x, i) => (i === 2 ? height : i % 3 === 0 ? x + 1000 : x)));
  set(1);
  assert.deepEqual([...body.vertices()], above);
  assert.equal(body.roundingError, 0);
  assert.deepEqual([...world.near({ distance: 1 })].map((pair) => pair.isUncertain), [false]);
  set(1 - 2 ** -25 + 2 ** -40);
  assert.ok(body.roundingError > 2 ** -26 && body.roundingError < 2 ** -24);
  assert.deepEqual([...world.near({ distance: 1 - 2 ** -24 })].map((pair) => pair.isUncertain), [true]);
  const end = body.createEnd();
  assert.equal(end.roundingError, body.roundingError);
  assert.throws(() => body.setVertices64([1, 2, 3]), /vertices has 3 numbers, and needs 9/);
  assert.throws(() => world.setOrigin([1, 2]), pliant.BadArgumentError);
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
