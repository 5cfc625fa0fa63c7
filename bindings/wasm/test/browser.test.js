// The same in Chromium: pairs, golden hash, and rays of three.js.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as pliant from "pliant";
import { answersOf } from "./answers.js";
import { browser, withPage } from "./browser.js";
import { play } from "./recording.js";
import { DIVIDED, generated } from "./scenes.js";

const work = fileURLToPath(new URL("../../../build/web/", import.meta.url));
const skip = browser ? false : "no chromium";

test("Chromium has the same contacts, near pairs and ray hits", { skip }, async () => {
  const module = await pliant.load();
  const expected = play(pliant, module, generated(pliant.Shape, module));
  const found = await withPage({}, (page) => page.evaluate(async () => {
    const own = await import("pliant");
    const { generated: scene } = await import("/test/scenes.js");
    const { play: run } = await import("/test/recording.js");
    const modules = [await own.load({ simd: true }), await own.load({ simd: false })];
    const recording = scene(own.Shape, modules[0]);
    return { lines: modules.map((one) => run(own, one, recording)), isSimd: (await own.load()).isSimd };
  }));
  assert.deepEqual(found, { lines: [expected, expected], isSimd: true });
});

/** In a page: the answers of some numbers of threads, and how many threads these were. */
async function answersOfThreads({ counts, def }) {
  const own = await import("pliant");
  const { answersOf: answers } = await import("/test/answers.js");
  const { generated: scene } = await import("/test/scenes.js");
  const recording = scene(own.Shape, await own.load(), def);
  const found = [];
  for (const threads of counts) {
    const module = await own.load({ threads });
    found.push({ threads: module.threads, lines: answers(own, module, recording) });
    module.endThreads();
  }
  return found;
}

test("Chromium has the same answers with threads, and one thread where a page is not isolated", { skip }, async () => {
  const module = await pliant.load();
  const lines = answersOf(pliant, module, generated(pliant.Shape, module, DIVIDED));
  const given = { counts: [1, 2, 3], def: DIVIDED };
  const isolated = await withPage({}, (page) => page.evaluate(answersOfThreads, given));
  assert.deepEqual(isolated, [1, 2, 3].map((threads) => ({ threads, lines })));
  const others = await withPage({}, (page) => page.evaluate(answersOfThreads, given), ["--disable-gpu"], {});
  assert.deepEqual(others, [1, 1, 1].map((threads) => ({ threads, lines })));
});

test("a worker that does not start is an error of load in Chromium", { skip }, async () => {
  const files = { "/src/worker.js": "throw new Error('broken');", "/src/work.js": "" };
  const message = await withPage(files, (page) => page.evaluate(async () => {
    const { load } = await import("pliant");
    return load({ threads: 2 }).then(() => "none", (error) => error.message);
  }));
  assert.match(message, /a worker of pliant did not start.*broken/);
});

const programs = ["simd", "scalar"].map((name) => `${work}${name}/tests/test_hash`);
test("Chromium has the golden hash", { skip: skip || (programs.every(existsSync) ? false : "not built: bindings/wasm/build --tests") }, async () => {
  const files = Object.fromEntries(programs.map((path, i) => [`/hash-${i}.wasm`, readFileSync(path)]));
  const found = await withPage(files, (page) => page.evaluate(async () => {
    const { runBytes } = await import("/test/hash.js");
    const all = [];
    for (const i of [0, 1]) all.push(await runBytes(await (await fetch(`/hash-${i}.wasm`)).arrayBuffer()));
    return all;
  }));
  for (const { code, text } of found) assert.equal(code, 0, text);
});

test("THREE.Raycaster works with it in Chromium", { skip }, async () => {
  const faces = await withPage({}, (page) => page.evaluate(async () => {
    const THREE = await import("three");
    const { load, World } = await import("pliant");
    const { MeshBody } = await import("pliant/three");
    await load();
    const mesh = new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.3, 64, 16), new THREE.MeshBasicMaterial());
    const cast = () => new THREE.Raycaster(new THREE.Vector3(1.5, 0.02, 5), new THREE.Vector3(0, 0, -1)).intersectObject(mesh)
      .map((one) => one.faceIndex);
    const expected = cast();
    mesh.raycast = new MeshBody(new World(), mesh).raycast;
    return [expected, cast()];
  }));
  assert.ok(faces[0].length > 0);
  assert.deepEqual(faces[1], faces[0]);
});

/** In a page: bodies that collide forever. Says when it has begun. */
const busy = (threads) => `
  import { load, Shape, World } from "pliant";
  import { ball, turn } from "/test/scenes.js";
  await load({ threads: ${threads} });
  const shape = new Shape(ball(300));
  const world = new World();
  const bodies = [0, 1, 2].map(() => world.createBody(shape));
  let count = 0;
  (function frame() {
    bodies.forEach((body, i) => body.setTransform(turn(0.01 * ++count, [0.3 * i, 0, 0])));
    if (world.collide().count > 0 && count > 9) parent.postMessage("busy");
    setTimeout(frame);
  })();
`;

/** Megabytes of memory that the renderers of this test's browser have. */
function rendererMemory() {
  const read = (pid, name) => { try { return readFileSync(`/proc/${pid}/${name}`, "latin1"); } catch { return ""; } };
  const parents = new Map(readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((pid) => [pid, read(pid, "stat").replace(/.*\) . /, "").split(" ")[0]]));
  const isOwn = (pid) => parents.has(pid) && (pid === String(process.pid) || isOwn(parents.get(pid)));
  return [...parents.keys()].filter((pid) => read(pid, "cmdline").includes("--type=renderer") && isOwn(pid))
    .reduce((sum, pid) => sum + Number(read(pid, "status").match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1e3, 0);
}

/** Megabytes of renderers: after some busy pages were closed, during one more, and after eleven. */
function closedPages(threads) {
  return withPage({}, async (page) => {
    await page.evaluate((code) => {
      globalThis.openBusy = async () => {
        const frame = document.createElement("iframe");
        const isBusy = new Promise((done) => addEventListener("message", done, { once: true }));
        frame.src = "/";
        document.body.append(frame);
        await new Promise((done) => { frame.onload = done; });
        frame.contentDocument.body.append(Object.assign(frame.contentDocument.createElement("script"), { type: "module", textContent: code }));
        await isBusy;
      };
      globalThis.closeAll = async () => {
        for (const frame of [...document.querySelectorAll("iframe")]) frame.remove();
        for (let i = 0; i < 5; i++) {
          gc();
          await new Promise((done) => setTimeout(done, 50));
        }
      };
    }, busy(threads));
    const turns = async (count) => {
      for (let i = 0; i < count; i++) await page.evaluate(async () => { await openBusy(); await closeAll(); });
      return rendererMemory();
    };
    const before = await turns(3);
    await page.evaluate(() => openBusy());
    const during = rendererMemory();
    await page.evaluate(() => closeAll());
    return { before, during, after: await turns(10) };
  }, ["--disable-gpu", "--js-flags=--expose-gc"]);
}

const noProc = existsSync("/proc/self/status") ? false : "no /proc";
test("a page that is closed in the middle leaves nothing behind", { skip: skip || noProc }, async () => {
  const { before, during, after } = await closedPages(1);
  const one = during - before, left = after - before;
  assert.ok(one > 20, `a page has ${one} MB`);
  assert.ok(left < one / 2, `eleven pages left ${left} MB, and one has ${one}`);
});

/** Workers end some time after their page: a page more or less is there when memory is read. */
test("nor do its threads", { skip: skip || noProc }, async () => {
  const { before, after } = await closedPages(2);
  assert.ok(after - before < 60, `eleven pages of 30 MB left ${after - before} MB`);
});
