// The same in Chromium: pairs, golden hash, and rays of three.js.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as pliant from "pliant";
import { browser, withPage } from "./browser.js";
import { play } from "./recording.js";
import { generated } from "./scenes.js";

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
