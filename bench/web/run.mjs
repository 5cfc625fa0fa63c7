// Figures of the npm package: node bench/web/run.mjs [--quick]
//
// Takes bindings/wasm/build --tests --command, npm ci in bindings/wasm, chromium, and the characters of PLIANT_ASSETS. Everything
// is measured on one core, in Chromium if not said otherwise; web.threads.gain on two, which must be free. page.js has what runs there.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { browser, withPage } from "../../bindings/wasm/test/browser.js";
import * as models from "../../bindings/wasm/test/models.js";
import { encode } from "../../bindings/wasm/test/recording.js";
import * as pliant from "../../bindings/wasm/src/node.js";
import { morph } from "./morph.js";
import { playground } from "./playground.mjs";

const top = fileURLToPath(new URL("../../", import.meta.url));
const isQuick = process.argv.includes("--quick");
const seconds = isQuick ? 1 : 5;
const figure = (name, value) => console.log(`figure ${name} ${Number(value.toPrecision(4))}`);
const zipped = (...bytes) => gzipSync(Buffer.concat(bytes), { level: 9 }).length / 1000;

function sizes() {
  const wasm = join(top, "bindings/wasm");
  const scripts = readdirSync(join(wasm, "src")).filter((name) => name.endsWith(".js")).map((name) => readFileSync(join(wasm, "src", name)));
  figure("web.size.gzip", zipped(readFileSync(join(wasm, "dist/pliant-simd.wasm"))) + zipped(...scripts));
  const command = join(wasm, "dist/command.wasm");
  if (existsSync(command)) figure("web.size.command.gzip", zipped(readFileSync(command)));
}

/** Both characters in every frame, for the library of this machine. */
async function record(files, offset, frameCount) {
  const module = await pliant.load();
  const characters = await Promise.all(files.map((file) => models.parse(file)));
  const meshes = characters.map(({ scene }) => models.meshesOf(scene).find((mesh) => mesh.isSkinnedMesh));
  const shapes = meshes.map((mesh) => models.shapeData(mesh, module));
  const frames = Array.from({ length: frameCount }, (_, i) => meshes.map((mesh, k) => {
    const { scene, animations } = characters[k];
    const time = (animations[0].duration * i) / frameCount;
    models.pose(scene, { clip: animations[0], time });
    morph(mesh, time);
    return models.poseOf(mesh, k === 0 ? [0, 0, 0] : offset);
  }));
  return { shapes, bodies: [0, 1], rays: new Float32Array(), nearDistance: 0, frames };
}

function native(recording) {
  const folder = mkdtempSync(join(tmpdir(), "pliant-"));
  const file = join(folder, "recording");
  writeFileSync(file, encode(recording));
  const milliseconds = Number(execFileSync(join(top, "build/web/replay"), [file, String(seconds)], { encoding: "utf8" }));
  rmSync(folder, { recursive: true });
  return milliseconds;
}

async function characters() {
  const folder = process.env.PLIANT_ASSETS;
  if (!folder || !browser) return console.log(`skipped: ${folder ? "no chromium" : "PLIANT_ASSETS is not set"}`);
  const files = ["mh_female_sport", "mh_male_casual"].map((name) => models.stripped(join(folder, "makehuman", `${name}.glb`)));
  const offset = [0.5, 0, 0.2]; // some arms touch
  const frameCount = isQuick ? 10 : 40;
  const recording = await record(files, offset, frameCount);
  const poses = recording.frames.map((frame) => frame.map(({ weights, joints, transform }) => ({
    weights: [...weights], joints: [...joints], transform: [...transform],
  })));
  const served = {
    "/a.glb": files[0], "/b.glb": files[1], "/shape-0": Buffer.from(recording.shapes[0]), "/shape-1": Buffer.from(recording.shapes[1]),
    "/bench.js": readFileSync(new URL("page.js", import.meta.url)), "/morph.js": readFileSync(new URL("morph.js", import.meta.url)),
  };
  const found = await withPage(served, (page) => page.evaluate(async (options) => {
    const { measure } = await import("/bench.js");
    return measure(options);
  }, { offset, frameCount, poses, seconds, rayCount: isQuick ? 20 : 100 }));
  report(found, native(recording));
}

function report({ pairs, rays, batch, recorded, recordedScalar, threads }, machine) {
  console.log(`two characters: ${pairs.triangles.join(" and ")} triangles, ${pairs.frameCount} frames, ${pairs.contacts} contacts in all`);
  console.log(`  pliant ${pairs.ours.toFixed(3)} ms a frame, three-mesh-bvh ${pairs.theirs.toFixed(1)} ms (bake ${pairs.bake.toFixed(1)}, `
    + `refit ${pairs.refit.toFixed(1)}, cast ${pairs.cast.toFixed(1)})`);
  figure("web.character.ms", pairs.ours);
  figure("web.character.vs_three_mesh_bvh", pairs.theirs / pairs.ours);
  figure("web.character.differences", pairs.differences);
  console.log(`rays: pliant ${rays.ours.toFixed(3)} ms, THREE.Raycaster ${rays.theirs.toFixed(2)} ms, ${rays.hits} hits`);
  figure("web.raycast.vs_three", rays.theirs / rays.ours);
  figure("web.raycast.differences", rays.differences);
  console.log(`1,000 rays at one pose: as a batch ${batch.batch.toFixed(2)} ms, through THREE.Raycaster ${batch.singles.toFixed(2)} ms, ${batch.hits} hits`);
  figure("web.raycaster.vs_batch", batch.singles / batch.batch);
  figure("web.raycaster.differences", batch.differences);
  console.log(`recorded poses: Chromium ${recorded.toFixed(3)} ms, without SIMD ${recordedScalar.toFixed(3)} ms, native ${machine.toFixed(3)} ms`);
  figure("web.character.vs_native", recorded / machine);
  const [pair, crowd] = [threads.pair, threads.crowd].map((times) => times.map((one) => `${one.toFixed(3)} ms`).join(", with two threads "));
  console.log(`two characters ${pair}; eight ${crowd}`);
  figure("web.threads.pair_gain", threads.pair[0] / threads.pair[1]);
  figure("web.threads.gain", threads.crowd[0] / threads.crowd[1]);
}

async function page() {
  const folder = process.env.PLIANT_ASSETS;
  if (!folder || !browser) return;
  const found = await playground(join(folder, "makehuman/mh_female_sport.glb"), { passes: isQuick ? 3 : 10, seconds });
  const parts = ["pose", "query", "lines", "draw"].map((name) => `${name} ${found[name].toFixed(2)}`);
  console.log(`playground, mh_female_sport, milliseconds: ${parts.join(", ")}; a frame on the screen ${found.frame.toFixed(1)}`);
  figure("web.playground.fps", 1e3 / found.frame);
  figure("web.playground.undrawn_fps", 1e3 / (found.pose + found.query + found.lines));
}

sizes();
await characters();
await page();
