// The page in a browser: node test_page.mjs PAGE_MODELS FOLDER. Exit 77: no browser, or no page.
//
// Numbers, keys, clicks and the address do what they say; nothing is asked of the network; names are
// text whatever they hold; red pixels are there where something intersects, and only then.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser, findBrowser } from "./browser.mjs";

const [program, folder] = process.argv.slice(2);
const address = (name, hash = "") => pathToFileURL(resolve(folder, `${name}.html`)).href + hash;
const expected = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

/** Pixels of the 3-D view that are red: counted in the page, from what WebGL drew. */
const RED_PIXELS = `(() => {
  const from = document.querySelector("#view canvas");
  window.pliant.redraw();
  const to = document.createElement("canvas");
  to.width = from.width; to.height = from.height;
  const context = to.getContext("2d");
  context.drawImage(from, 0, 0);
  const { data } = context.getImageData(0, 0, to.width, to.height);
  let red = 0, any = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] > 0) any++;
    if (data[i + 3] > 0 && data[i] > 150 && data[i + 1] < 90 && data[i + 2] < 90) red++;
  }
  return { red, any };
})()`;

const sampleOf = (tab) => tab.get("window.pliant.state.sample");
const pairOf = (tab) => tab.get("window.pliant.state.pair?.index ?? null");

const tests = {
  async "what is shown is what was found"(browser) {
    const wanted = expected("bend");
    assert.ok(wanted.findings > 0, "the model has findings");
    const tab = await browser.open(address("bend"));
    const items = await tab.get(`[...document.querySelectorAll("#pairs .pair:not(.all)")].map((item) => ({
      index: Number(item.id.slice(5)), text: item.innerText }))`);
    assert.equal(items.length, wanted.pairs.length);
    for (const pair of wanted.pairs) {
      const item = items.find(({ index }) => index === pair.index);
      assert.ok(item.text.includes(pair.verdict), item.text);
      if (pair.worst >= 0) assert.ok(item.text.includes(`${pair.mostPairs} pair`), item.text);
    }
    assert.equal(await tab.get(`document.querySelectorAll("#timeline .strip").length`), wanted.pairs.length + 1);
    assert.ok((await tab.get("document.getElementById('summary').innerText")).startsWith(`${wanted.findings} pair`));
    return tab;
  },

  async "names are text"(browser) {
    const tab = await browser.open(address("bend"));
    assert.equal(await tab.get("document.images.length"), 0);
    assert.equal(await tab.get("document.getElementById('file').textContent"), "script>.glb");
    const names = await tab.get("window.pliant.facts.parts.map((part) => part.name)");
    assert.ok(names.includes("</script><img src=x onerror=alert(1)>\"'&\\\n<!--"));
    return tab;
  },

  async "a click on a pair goes to its worst sample"(browser) {
    const tab = await browser.open(address("bend"));
    for (const pair of expected("bend").pairs.filter(({ worst }) => worst >= 0)) {
      await tab.click(`#pair-${pair.index}`);
      assert.equal(await pairOf(tab), pair.index);
      assert.equal(await sampleOf(tab), pair.worst);
      const { red } = await tab.get(RED_PIXELS);
      assert.ok(red > 50, `pair ${pair.index}: ${red} red pixels`);
      await tab.until(`location.hash === "#pair=${pair.index}&sample=${pair.worst}"`, 5);
    }
    return tab;
  },

  async "keys"(browser) {
    const tab = await browser.open(address("bend", "#sample=3"));
    assert.equal(await sampleOf(tab), 3);
    await tab.press("ArrowRight");
    assert.equal(await sampleOf(tab), 4);
    await tab.press("ArrowLeft");
    await tab.press("ArrowLeft");
    assert.equal(await sampleOf(tab), 2);
    const first = await tab.get("window.pliant.findings.pairs[0]");
    await tab.press("]");
    assert.equal(await pairOf(tab), first.index);
    assert.equal(await sampleOf(tab), first.worst);
    await tab.press("[");
    assert.equal(await pairOf(tab), null);
    await tab.press(" ");
    assert.equal(await tab.get("window.pliant.state.isPlaying"), true);
    const before = await sampleOf(tab);
    await tab.until(`window.pliant.state.sample !== ${before}`, 20);
    await tab.press(" ");
    assert.equal(await tab.get("window.pliant.state.isPlaying"), false);
    await tab.press("x");
    assert.equal(await tab.get("document.getElementById('through').getAttribute('aria-pressed')"), "true");
    return tab;
  },

  async "the timeline leads to a sample"(browser) {
    const tab = await browser.open(address("bend"));
    const { samples } = expected("bend");
    await tab.click("#timeline .strip canvas", 0.999);
    assert.equal(await sampleOf(tab), samples - 1);
    await tab.click("#timeline .strip canvas", 0.001);
    assert.equal(await sampleOf(tab), 0);
    return tab;
  },

  async "an address leads to a place, and a wrong one to the start"(browser) {
    const { pairs, samples } = expected("bend");
    const tab = await browser.open(address("bend", `#pair=${pairs[0].index}&sample=7`));
    assert.equal(await pairOf(tab), pairs[0].index);
    assert.equal(await sampleOf(tab), 7);
    await tab.get("location.hash = '#pair=99999&sample=999999'");
    await tab.until("window.pliant.state.pair === null", 5);
    assert.equal(await sampleOf(tab), samples - 1);
    await tab.get("location.hash = '#pair=__proto__&sample=-4'");
    await tab.until("window.pliant.state.pair === null", 5);
    return tab;
  },

  async "a hidden part is not drawn"(browser) {
    const tab = await browser.open(address("cloth"));
    const before = await tab.get(RED_PIXELS);
    await tab.click("#parts .part:nth-child(1) input");
    await tab.click("#parts .part:nth-child(2) input");
    const after = await tab.get(RED_PIXELS);
    assert.ok(before.red > 50 && after.red === 0, JSON.stringify({ before, after }));
    return tab;
  },

  async "a cached sequence"(browser) {
    const pair = expected("cloth").pairs[0];
    const tab = await browser.open(address("cloth", `#pair=${pair.index}&sample=${pair.worst}`));
    assert.ok((await tab.get(RED_PIXELS)).red > 50);
    const none = [...Array(expected("cloth").samples).keys()].find(
      (sample) => !pair.fresh.some(([at, count]) => at === sample && count > 0));
    await tab.get(`location.hash = "#pair=${pair.index}&sample=${none}"`);
    await tab.until(`window.pliant.state.sample === ${none}`, 5);
    assert.equal((await tab.get(RED_PIXELS)).red, 0);
    return tab;
  },

  async "nothing found, nothing moving"(browser) {
    const tab = await browser.open(address("still"));
    assert.equal(await tab.get("document.getElementById('verdict').textContent"), "clean");
    assert.equal(await tab.get("document.getElementById('calm').hidden"), false);
    const { red, any } = await tab.get(RED_PIXELS);
    assert.ok(red === 0 && any > 2000, `${any} pixels drawn`);
    return tab;
  },

  async "a model of any size fits"(browser) {
    const tab = await browser.open(address("huge"));
    const { red, any } = await tab.get(RED_PIXELS);
    assert.ok(any > 2000 && red > 50, `${any} pixels, ${red} red`);
    return tab;
  },

  async "dark, narrow and small"(browser) {
    for (const [width, height] of [[1400, 900], [900, 1200], [600, 900]]) {
      const tab = await browser.open(address("bend"), { width, height, scheme: "dark" });
      assert.equal(await tab.get("document.documentElement.scrollWidth"), width);
      const heightOf = "(id) => document.getElementById(id).clientHeight";
      const sizes = await tab.get(`["view", "pairs", "timeline"].map(${heightOf})`);
      assert.ok(sizes.every((size) => size > 60), `${width} x ${height}: ${sizes}`);
      await tab.close();
    }
    return browser.open(address("still"), { scheme: "dark" });
  },
};

const found = findBrowser();
if (!found) skip("no Chromium");
mkdirSync(folder, { recursive: true });
const made = spawnSync(program, [folder], { stdio: "inherit" });
if (made.status === 77) skip("this build has no page in it");
assert.equal(made.status, 0, "the pages are written");

let failures = 0;
const browser = new Browser(found);
for (const [name, test] of Object.entries(tests)) {
  try {
    const tab = await test(browser);
    assert.deepEqual(tab.complaints, [], "the console is empty");
    const outside = tab.requests.filter((url) => !/^(file|data|about):/.test(url));
    assert.deepEqual(outside, [], "nothing is asked of the network");
    await tab.close();
    console.log(`ok      ${name}`);
  } catch (error) {
    failures++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
process.exit(failures ? 1 : 0);
