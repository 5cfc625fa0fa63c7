// Threads in node: the answers of one thread, and workers that come late, fail or end.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import * as pliant from "pliant";
import { setPlatform } from "../src/threads.js";
import { answersOf } from "./answers.js";
import { assetFiles, recordingOf } from "./models.js";
import { DIVIDED, ball, generated, morphBall, skinBall, someRays, turn } from "./scenes.js";

const { Shape, World } = pliant;
const MODEL = "mh_male_casual.glb";

let one, recording;
const threaded = [];
before(async () => {
  one = await pliant.load();
  for (const threads of [2, 3]) threaded.push(await pliant.load({ threads }));
  recording = generated(Shape, one, DIVIDED);
});
after(() => { for (const module of threaded) module.endThreads(); });

/** A module whose workers are those that `change` makes of what starts them; and all workers. */
async function changed(change, threads = 2) {
  const workers = [];
  const platform = setPlatform(null);
  const start = async (given) => {
    const started = await platform.startWorker(given);
    workers.push(started[0]);
    return started;
  };
  setPlatform({ ...platform, startWorker: (given) => change(given, start) });
  try {
    return { module: await pliant.load({ threads }), workers };
  } finally {
    setPlatform(platform);
  }
}

test("load says how many threads there are", async () => {
  assert.deepEqual([one, ...threaded].map(({ threads }) => threads), [1, 2, 3]);
  assert.equal((await pliant.load({ threads: 2, simd: false })).threads, 1);
  const file = new URL("../dist/pliant-threads.wasm", import.meta.url);
  assert.equal((await pliant.load({ wasm: file })).threads, 1);
  for (const threads of [0, 1.5, 2000, "2"]) await assert.rejects(pliant.load({ threads }), pliant.BadArgumentError);
});

describe("answers are those of one thread", () => {
  test("generated bodies", () => {
    const expected = answersOf(pliant, one, recording);
    assert.match(expected.join("\n"), /contacts [1-9].*regions [1-9].*near [1-9].*rays [1-9]/);
    for (const module of threaded) assert.deepEqual(answersOf(pliant, module, recording), expected);
  });
  const file = assetFiles().find((path) => path.endsWith(MODEL));
  test(`${MODEL}, twice`, { skip: file ? false : "PLIANT_ASSETS is not set" }, async () => {
    const model = await recordingOf(file, one, { frameCount: 1 });
    const expected = answersOf(pliant, one, model);
    assert.deepEqual(answersOf(pliant, threaded[1], model), expected);
  });
  test("shapes", () => {
    for (const def of [ball(120), morphBall(80), skinBall(80)]) {
      const [expected, ...found] = [one, ...threaded].map((module) => Buffer.from(new Shape(def, module).data()));
      for (const data of found) assert.ok(data.equals(expected));
    }
  });
});

test("results are ordinary buffers", () => {
  const [module] = threaded;
  const shape = new Shape(ball(24), module);
  const world = new World({ module });
  const [a, b] = [0, 1].map(() => world.createBody(shape));
  b.setTransform(turn(0.3, [0.5, 0, 0]));
  const contacts = world.collide();
  const [region] = world.regions(contacts);
  const arrays = [
    contacts.words, contacts.floats, world.castRays(someRays(9, 1)).words, region.parts[0].triangles, region.curves[0].positions,
    world.intersections(contacts).positions(0), shape.vertices(), shape.triangles(), a.vertices(), a.corners([0]), { buffer: shape.data() },
  ];
  for (const { buffer } of arrays) assert.ok(buffer instanceof ArrayBuffer, buffer.constructor.name);
  assert.throws(() => b.setWeights([1]), /pliant_body_set_weights: the shape has no targets/);
  world.dispose();
  shape.dispose();
});

/** Two bodies that the library divides, and the triangles of contacts of a frame of them. */
function busyWorld(module) {
  const shape = new Shape({ ...ball(46), treeLeafSize: 2 }, module);
  const world = new World({ module });
  const [, b] = [0, 1].map(() => world.createBody(shape));
  return {
    world, shape,
    frame: (i) => {
      b.setTransform(turn(0.01 * (i % 100), [0.6, 0.1, 0]));
      return world.collide().words.filter((_, k) => k % 6 > 3).join();
    },
  };
}

test("memory is flat over many frames", () => {
  for (const module of threaded) {
    const { world, shape, frame } = busyWorld(module);
    for (let i = 0; i < 200; i++) frame(i);
    const size = module.byteSize;
    for (let i = 0; i < 2000; i++) frame(i);
    assert.ok(module.byteSize - size <= 1 << 20); // workers come to larger tasks later; 1 kB a frame would be more
    world.dispose();
    shape.dispose();
  }
});

test("another thread cancels a query", async () => {
  const [module] = threaded;
  const { world, frame } = busyWorld(module);
  const expected = frame(0);
  const code = `
    import { parentPort, workerData } from "node:worker_threads";
    import { cancellerOf } from "pliant";
    const cancel = await cancellerOf(workerData);
    parentPort.postMessage("ready");
    for (;;) cancel();`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(code.replace('"pliant"', JSON.stringify(import.meta.resolve("pliant"))))}`);
  const worker = new Worker(url, { workerData: world.cancelToken() });
  await new Promise((done, fail) => worker.once("message", done).once("error", fail));
  assert.throws(() => { for (let i = 0; i < 10000; i++) frame(i); }, (error) => error instanceof pliant.CancelledError && error.result === "PLIANT_CANCELLED");
  await worker.terminate();
  assert.equal(frame(0), expected);
  world.dispose();
});

test("threads end in the middle, and the world goes on", async () => {
  const expected = busyWorld(one);
  const { module, workers } = await changed((given, start) => start(given), 4);
  const { frame } = busyWorld(module);
  const frames = (begin, end) => { for (let i = begin; i < end; i++) assert.ok(frame(i) === expected.frame(i), `frame ${i}`); };
  frames(0, 20);
  await new Promise((done) => setTimeout(done, 20)); // they sleep
  await workers[0].terminate(); // without a word to the library
  frames(20, 40);
  assert.equal(module.threads, 4);
  module.endThreads();
  assert.equal(module.threads, 1);
  frames(40, 60);
  module.endThreads();
  busyWorld(module).frame(0);
});

test("nobody waits for a worker that has not begun", async () => {
  const { module } = await changed(async () => [{ terminate() {} }, null], 3);
  assert.equal(module.threads, 3);
  assert.deepEqual(answersOf(pliant, module, recording), answersOf(pliant, one, recording));
});

test("a worker that cannot start is an error of load", async () => {
  await assert.rejects(changed(async () => { throw new Error("no room"); }), /no room/);
  await assert.rejects(changed((given, start) => start({ ...given, memory: null })), /must be a WebAssembly\.Memory/);
});

test("a query whose task traps in a worker traps as well", async () => {
  const { module } = await changed((given, start) => start({ ...given, stackTop: 16 })); // no stack
  const { frame } = busyWorld(module);
  assert.throws(() => { for (let i = 0; i < 1000; i++) frame(i); }, WebAssembly.RuntimeError);
  module.endThreads();
});

test("a program ends without ending its threads", () => {
  const code = `
    import { load } from "pliant";
    console.log((await load({ threads: 3 })).threads);`;
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd, encoding: "utf8", timeout: 60000 });
  assert.equal(printed, "3\n");
});
