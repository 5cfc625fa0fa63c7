// The playground, from a disk: the numbers of the library, keys, files that cannot be read, and nothing in the way of readers.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as pliant from "pliant";
import { GRAPHICS, browser, withBrowser } from "./browser.js";
import { Player } from "../playground/src/player.js";
import { meshesOf, parse, poseOf, shapeData, stripped } from "./models.js";
import { encode } from "./recording.js";

const folder = mkdtempSync(join(tmpdir(), "pliant-"));
after(() => rmSync(folder, { recursive: true }));
const top = fileURLToPath(new URL("..", import.meta.url));
const replay = fileURLToPath(new URL("../../../build/web/replay", import.meta.url));
const assets = process.env.PLIANT_ASSETS;
const page = join(folder, "playground.html");

const isBuilt = existsSync(join(top, "dist/pliant-simd.wasm"));
if (browser && isBuilt) execFileSync(process.execPath, [join(top, "playground/build.mjs"), page]);

/** Calls use(tab) with the playground, when it has found regions; nothing may go wrong in it. */
async function withPlayground({ colorScheme = "light", width = 1400 }, use) {
  await withBrowser(GRAPHICS, async (context) => {
    const tab = await context.newPage();
    await tab.setViewportSize({ width, height: 844 });
    await tab.emulateMedia({ colorScheme });
    const troubles = [];
    tab.on("pageerror", (error) => troubles.push(error.message));
    tab.on("console", (message) => { if (message.type() === "error") troubles.push(message.text()); });
    tab.on("request", (request) => { if (!/^(file|blob|data):/.test(request.url())) troubles.push(request.url()); });
    await tab.goto(pathToFileURL(page).href);
    await tab.waitForFunction(() => globalThis.playground?.times.regions > 0);
    await use(tab);
    assert.deepEqual(troubles, []);
  });
}

/** Contacts between meshes and within them, by the library of this machine, in poses of clips. */
async function counted(model, times) {
  const { scene, animations } = await parse(stripped(model));
  const meshes = meshesOf(scene);
  const player = new Player(scene, animations);
  const frames = times.map(([name, time]) => {
    player.choose(player.clips.findIndex((clip) => clip.name === name));
    player.set(time);
    scene.updateMatrixWorld(true);
    return meshes.map((mesh) => poseOf(mesh, [0, 0, 0]));
  });
  const shapes = meshes.map((mesh) => shapeData(mesh, pliant.loaded()));
  const file = join(folder, "recording");
  writeFileSync(file, encode({ shapes, bodies: [...meshes.keys()], rays: new Float32Array(), nearDistance: 0, frames }));
  return execFileSync(replay, [file], { encoding: "utf8" }).trim().split("\n").map((line) => {
    const [, between, within] = line.match(/contacts (\d+) \w+ within (\d+)/);
    return [Number(between), Number(within)];
  });
}

const open = async (tab, file) => {
  await tab.setInputFiles("#file", file);
  await tab.waitForFunction((name) => document.getElementById("name").textContent === name, file.split("/").at(-1));
};

const skip = !browser ? "no chromium" : isBuilt ? false : "not built: bindings/wasm/build";
describe("the playground", { skip }, () => {
  test("shows contacts and regions of its own model", () => withPlayground({}, async (tab) => {
    const grip = await tab.evaluate(() => playground.at("grip", 2));
    assert.deepEqual(grip.map(({ names }) => names.join("+")).sort(), ["left-arm+ball", "left-arm+right-arm", "right-arm+ball"]);
    const curl = await tab.evaluate(() => playground.at("curl", 2));
    assert.deepEqual(curl.map(({ names }) => names.join("+")).sort(), ["left-arm", "right-arm"]);
    await tab.waitForFunction(() => playground.regions?.length >= 2);
    await tab.waitForFunction(() => /mm/.test(document.getElementById("pairs").textContent));
  }));

  test("keys and buttons do what they say", () => withPlayground({}, async (tab) => {
    const label = () => tab.getAttribute("#play", "aria-label");
    assert.equal(await label(), "Pause");
    await tab.keyboard.press("Space");
    assert.equal(await label(), "Play");
    await tab.keyboard.press("]");
    assert.equal(await tab.inputValue("#clip"), "1");
    for (let i = 0; i < 3; i++) await tab.keyboard.press("ArrowRight");
    await tab.waitForFunction(() => document.getElementById("clock").textContent === "0.10 s");
    await tab.keyboard.press("x");
    assert.ok(await tab.isChecked("#through"));
    await tab.uncheck("#within");
    await tab.evaluate(() => playground.at("curl", 2));
    await tab.waitForFunction(() => document.getElementById("contacts").textContent === "0");
    assert.ok(await tab.isVisible("#nothing"));
  }));

  test("a file that cannot be read says what to do", () => withPlayground({}, async (tab) => {
    await tab.setInputFiles("#file", { name: "bad.glb", mimeType: "", buffer: Buffer.from("not a model") });
    await tab.waitForSelector("#trouble:not([hidden])");
    assert.match(await tab.textContent("#trouble"), /bad\.glb cannot be read/);
    const draco = JSON.stringify({ asset: { version: "2.0" }, extensionsUsed: ["KHR_draco_mesh_compression"], extensionsRequired: ["KHR_draco_mesh_compression"] });
    await tab.setInputFiles("#file", { name: "draco.gltf", mimeType: "", buffer: Buffer.from(draco) });
    await tab.waitForFunction(() => /Save it without Draco/.test(document.getElementById("trouble").textContent));
  }));

  const model = join(assets ?? "", "makehuman/mh_female_sport.glb");
  const without = !assets ? "PLIANT_ASSETS is not set" : existsSync(replay) ? false : "not built: bindings/wasm/build --tests";
  test("has the numbers of the library of this machine", { skip: without }, () => withPlayground({}, async (tab) => {
    await pliant.load();
    const times = [["squat", 0.5], ["squat_heavy", 1], ["arms_cross", 1], ["shape_cycle", 2.2]];
    const expected = await counted(model, times);
    await open(tab, model);
    const found = [];
    for (const at of times) {
      const pairs = await tab.evaluate(([name, time]) => playground.at(name, time), at);
      const sum = (length) => pairs.filter(({ names }) => names.length === length).reduce((all, { contacts }) => all + contacts, 0);
      found.push([sum(2), sum(1)]);
    }
    assert.deepEqual(found, expected);
    assert.ok(expected.every(([between, within]) => between > 1000 && within > 50), String(expected));
  }));

  for (const colorScheme of ["light", "dark"]) {
    for (const width of [390, 1400]) {
      test(`axe-core finds nothing serious: ${colorScheme}, ${width} pixels`, () =>
        withPlayground({ colorScheme, width }, async (tab) => {
          await tab.evaluate(() => { document.querySelector("details").open = true; playground.at("grip", 2); });
          await tab.waitForFunction(() => /mm/.test(document.getElementById("pairs").textContent));
          assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it does not scroll sideways");
          const client = await tab.context().newCDPSession(tab); // the page's own policy lets no other script in
          await client.send("Page.setBypassCSP", { enabled: true });
          await client.send("Runtime.evaluate", { expression: readFileSync(join(top, "node_modules/axe-core/axe.min.js"), "utf8") });
          const found = await tab.evaluate(async () => (await axe.run()).violations
            .filter(({ impact }) => ["serious", "critical"].includes(impact))
            .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]));
          assert.deepEqual(found, []);
        }));
    }
  }
});
