// Frames of the playground with mh_female_sport: the query, the lines, and the drawing, measured apart.
//
// Chromium draws without a graphics card here, in software. So what a frame takes without its drawing is a figure of its own.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { GRAPHICS, withBrowser } from "../../bindings/wasm/test/browser.js";

const CLIPS = ["squat", "arms_cross", "squat_heavy"];

/** In the page: the least time of each part of a frame over some passes, on the average of all frames. */
async function measure({ clips, passes }) {
  const frames = clips.flatMap((clip) => Array.from({ length: 20 }, (_, i) => [clip, i / 10]));
  const least = frames.map(() => ({}));
  for (let pass = 0; pass < passes; pass++) {
    frames.forEach(([clip, time], i) => {
      for (const [name, value] of Object.entries(playground.measure(clip, time))) least[i][name] = Math.min(least[i][name] ?? Infinity, value);
    });
    await new Promise(requestAnimationFrame);
  }
  const mean = (name) => least.reduce((sum, one) => sum + one[name], 0) / least.length;
  return { pose: mean("pose"), query: mean("query"), lines: mean("lines"), draw: mean("draw") };
}

export async function playground(model, { passes, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), "pliant-"));
  const file = join(folder, "playground.html");
  execFileSync(process.execPath, [fileURLToPath(new URL("../../bindings/wasm/playground/build.mjs", import.meta.url)), file]);
  try {
    return await withBrowser(GRAPHICS, async (context) => {
      const page = await context.newPage();
      await page.setViewportSize({ width: 1400, height: 900 });
      await page.goto(pathToFileURL(file).href);
      await page.waitForFunction(() => globalThis.playground?.times.regions > 0);
      await page.setInputFiles("#file", model);
      await page.waitForFunction(() => document.getElementById("name").textContent.endsWith(".glb"));
      await page.uncheck("#patches"); // regions are the worker's
      const parts = await page.evaluate(measure, { clips: CLIPS, passes });
      await page.evaluate(() => { playground.at("squat", 0); playground.play(); });
      await page.waitForTimeout(1e3 * seconds);
      const { frame } = await page.evaluate(() => playground.times);
      return { ...parts, frame };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
