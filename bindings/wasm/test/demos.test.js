// The demos, from a disk: nothing goes wrong in them, keys and taps do what they say, and nothing is in the way of readers.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { GRAPHICS, browser, withBrowser } from "./browser.js";
import { DEMOS } from "../demos/list.mjs";

const folder = mkdtempSync(join(tmpdir(), "pliant-"));
after(() => rmSync(folder, { recursive: true }));
const top = fileURLToPath(new URL("..", import.meta.url));
const pictures = process.env.PLIANT_PICTURES; // a folder that keeps what a reader sees
if (pictures) mkdirSync(pictures, { recursive: true });

const isBuilt = existsSync(join(top, "dist/pliant-simd.wasm"));
if (browser && isBuilt) execFileSync(process.execPath, [join(top, "demos/build.mjs"), folder]);

/** Calls use(tab) with a demo that has drawn some frames; nothing may go wrong in it. */
async function withDemo(context, name, { colorScheme = "light", width = 1400 }, use) {
  const tab = await context.newPage();
  await tab.setViewportSize({ width, height: 844 });
  await tab.emulateMedia({ colorScheme });
  const troubles = [];
  tab.on("pageerror", (error) => troubles.push(error.message));
  tab.on("console", (message) => { if (message.type() === "error") troubles.push(message.text()); });
  tab.on("request", (request) => { if (!/^(file|blob|data):/.test(request.url())) troubles.push(request.url()); });
  await tab.goto(pathToFileURL(join(folder, `demo-${name}.html`)).href);
  await tab.waitForFunction(() => globalThis.demo?.frames > 3);
  await use(tab);
  await tab.close();
  assert.deepEqual(troubles, []);
}

async function assertReadable(tab, picture) {
  assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it does not scroll sideways");
  if (pictures) await tab.screenshot({ path: join(pictures, `${picture}.png`), timeout: 120000 });
  const client = await tab.context().newCDPSession(tab); // the page's own policy lets no other script in
  await client.send("Page.setBypassCSP", { enabled: true });
  await client.send("Runtime.evaluate", { expression: readFileSync(join(top, "node_modules/axe-core/axe.min.js"), "utf8") });
  const found = await tab.evaluate(async () => (await axe.run()).violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]));
  assert.deepEqual(found, []);
}

const numbers = (tab) => tab.evaluate(() => Object.fromEntries([...document.querySelectorAll("dl div")].map((one) => [one.children[0].textContent, one.children[1].textContent])));

const USES = {
  /** Shots by key, by mouse and by button. */
  async crowd(tab) {
    await tab.focus("#canvas");
    assert.ok(await tab.isVisible("#aim"));
    await tab.keyboard.press("ArrowUp");
    await tab.keyboard.press(" ");
    const { x, y, width, height } = await tab.locator("#canvas").boundingBox();
    for (let i = 0; i < 8; i++) await tab.mouse.click(x + width * (0.38 + 0.03 * i), y + height * 0.5);
    await tab.getByRole("button", { name: "Shoot" }).click();
    const [, hits, shots] = (await numbers(tab)).Hits.match(/(\d+) of (\d+)/);
    assert.equal(Number(shots), 10);
    assert.ok(Number(hits) > 2, `${hits} hits`);
    await tab.keyboard.press("p");
  },
  /** The cloth comes to lie on the figure, and no triangle of it is in the figure. */
  async cloth(tab) {
    await tab.keyboard.press("p");
    for (let i = 0; i < 12; i++) {
      const { Near, Through } = await tab.evaluate(() => { for (let k = 0; k < 5; k++) demo.step(1 / 30); }).then(() => numbers(tab));
      assert.equal(Through, "0", `after ${i} rounds`);
      if (i > 5) assert.ok(Number(Near) > 100, `${Near} are near`);
    }
  },
  /** Sliders change what touches. */
  async faces(tab) {
    await tab.keyboard.press("p");
    const contacts = async (value) => {
      await tab.locator("input").first().fill(String(value));
      return Number((await numbers(tab)).Contacts);
    };
    assert.equal(await contacts(0), 0);
    assert.ok(await contacts(0.8) > 50);
    await tab.focus("#canvas");
    const before = await tab.screenshot({ timeout: 120000 });
    for (const key of ["ArrowLeft", "ArrowDown", "-"]) await tab.keyboard.press(key);
    await tab.evaluate(() => new Promise((done) => { const from = demo.frames; const wait = () => (demo.frames > from + 1 ? done() : requestAnimationFrame(wait)); wait(); }));
    assert.ok(!before.equals(await tab.screenshot({ timeout: 120000 })), "arrow keys turn the view");
    await tab.keyboard.press("w");
  },
};

const skip = !browser ? "no chromium" : isBuilt ? false : "not built: bindings/wasm/build";
describe("demos", { skip }, () => {
  for (const { name } of DEMOS) {
    test(`${name} works, and is readable`, () => withBrowser(GRAPHICS, async (context) => {
      for (const [colorScheme, width] of [["light", 1400], ["dark", 390], ["dark", 1400], ["light", 390]]) {
        await withDemo(context, name, { colorScheme, width }, async (tab) => {
          if (width === 1400) await USES[name](tab);
          else await tab.keyboard.press("p");
          await assertReadable(tab, `${name}-${width}-${colorScheme}`);
        });
      }
    }));
  }

  test("each is at most 250 lines", () => {
    for (const { name } of DEMOS) assert.ok(readFileSync(join(top, `demos/${name}.js`), "utf8").split("\n").length <= 251, name);
  });
});
