// The page in a browser: node test_page.mjs PAGE_MODELS FOLDER PACKAGES. Exit 77: no browser, or no page.
//
// Numbers, keys, clicks and the address do what they say; nothing is asked of the network; names are
// text whatever they hold; the cut is drawn where something intersects, and only then; axe-core, where
// it is installed, finds nothing serious.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser, findBrowser } from "./browser.mjs";

const [program, folder, packages] = process.argv.slice(2);
const address = (name, hash = "") => pathToFileURL(resolve(folder, `${name}.html`)).href + hash;
const expected = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

/** Pixels of the 3-D view: all that are drawn, and those that marks change. Counted in the page. */
const PIXELS = `(() => {
  const from = document.querySelector("#view canvas");
  const { marks } = window.pliant.stage();
  const read = () => {
    window.pliant.redraw();
    const to = document.createElement("canvas");
    to.width = from.width; to.height = from.height;
    const context = to.getContext("2d");
    context.drawImage(from, 0, 0);
    return context.getImageData(0, 0, to.width, to.height).data;
  };
  const data = read();
  const shown = marks.objects.map((each) => each.visible);
  for (const each of marks.objects) each.visible = false;
  const bare = read();
  marks.objects.forEach((each, i) => (each.visible = shown[i]));
  window.pliant.redraw();
  let marked = 0, any = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] > 0) any++;
    if ([0, 1, 2].some((k) => Math.abs(data[i + k] - bare[i + k]) > 24)) marked++;
  }
  return { marked, any };
})()`;

const sampleOf = (tab) => tab.get("window.pliant.state.sample");
const pairOf = (tab) => tab.get("window.pliant.state.pair?.index ?? null");

/** What axe-core finds that is serious or worse. */
const SERIOUS = `axe.run().then(({ violations }) => violations
  .filter(({ impact }) => ["serious", "critical"].includes(impact))
  .map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary) })))`;

const tests = {
  async "what is shown is what was found"(browser) {
    const wanted = expected("bend");
    assert.ok(wanted.findings > 0, "the model has findings");
    const tab = await browser.open(address("bend"));
    const items = await tab.get(`[...document.querySelectorAll("#pairs .card.pair")].map((item) => ({
      index: Number(item.id.slice(5)), text: item.innerText }))`);
    assert.equal(items.length, wanted.pairs.length);
    for (const pair of wanted.pairs) {
      const item = items.find(({ index }) => index === pair.index);
      assert.ok(item.text.includes(pair.verdict), item.text);
      if (pair.worst >= 0) assert.ok(item.text.includes(`${pair.mostPairs} pair`), item.text);
    }
    assert.equal(await tab.get(`document.querySelectorAll("#timeline .strip:not(.of-run)").length`), wanted.pairs.length + 1);
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
      const { marked } = await tab.get(PIXELS);
      assert.ok(marked > 200, `pair ${pair.index}: ${marked} pixels are marked`);
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
    assert.equal(await tab.get("window.pliant.player.isPlaying"), true);
    const before = await sampleOf(tab);
    await tab.until(`window.pliant.state.sample !== ${before}`, 20);
    await tab.press(" ");
    assert.equal(await tab.get("window.pliant.player.isPlaying"), false);
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

  async "strips tell depth on one scale, or pairs on their own"(browser) {
    const tab = await browser.open(address("bend"));
    const heights = () => tab.get(`(() => {
      const { strips, across } = window.pliant.timeline();
      return strips.filter(({ pair }) => pair?.worst >= 0).map(({ pair, canvas }) => {
        const copy = document.createElement("canvas");
        Object.assign(copy, { width: canvas.width, height: canvas.height });
        const context = copy.getContext("2d", { willReadFrequently: true });
        context.drawImage(canvas, 0, 0);
        const colorAt = (x, y) => context.getImageData(x, y, 1, 1).data.join();
        const x = Math.round(across.x(pair.worst)) + 1;
        const bar = colorAt(x, canvas.height - 1);
        let height = 0;
        while (height < canvas.height && colorAt(x, canvas.height - 1 - height) === bar) height++;
        return { depth: pair.mostDepth, height };
      });
    })()`);
    const most = (await heights()).reduce((deepest, { depth }) => Math.max(deepest, depth), 0);
    assert.ok(most > 0);
    for (const { depth, height } of await heights())
      assert.ok(Math.abs(height - Math.max(4, (20 * depth) / most)) <= 1, `a bar of ${depth} of ${most} is ${height} high`);
    assert.match(await tab.get("document.querySelector('.scale').textContent"), /^Depth to [\d.]+ m/);
    await tab.press("m");
    assert.equal(await tab.get("document.getElementById('measure').value"), "pairs");
    assert.ok((await heights()).every(({ height }) => height > 8), "each has its own scale");
    return tab;
  },

  async "many runs are strips, worst first, of which few are shown"(browser) {
    const tab = await browser.open(address("busy"));
    const shown = () => tab.get(`[...document.querySelectorAll("#timeline .strip")].filter((strip) => strip.offsetParent).map((strip) => strip.innerText.trim().split("\\n"))`);
    const [first, second, ...others] = await shown();
    assert.deepEqual([first[0], second[0], others.length], ["push 13", "push 12", 4]);
    assert.match(first[1], /^7\d\d mm$/);
    assert.equal(await tab.get("document.querySelector('.more').textContent"), "9 more runs");
    assert.match(await tab.get("document.getElementById('run').options[0].text"), /^push 13 . 7/);
    await tab.click(".more");
    assert.equal((await shown()).length, 15);
    await tab.click(".more");
    await tab.click("#timeline .of-run:nth-child(3) canvas", 0.999);
    const runOf = () => tab.get("window.pliant.findings.momentOf(window.pliant.state.sample).run.name");
    assert.equal(await runOf(), "push 11");
    await tab.get("location.hash = '#sample=1'");
    await tab.until("window.pliant.state.sample === 1", 5);
    assert.ok((await shown()).some(([name]) => name === "push 0"), "the run that is shown has a strip");
    await tab.press("r");
    assert.equal((await shown()).length, 1 + expected("busy").pairs.length);
    return tab;
  },

  async "distances of cloth from a body are colors, in the pose of which they are known"(browser) {
    const tab = await browser.open(address("cloth"));
    const hidden = () => tab.get("document.getElementById('map').hidden");
    const legend = () => tab.get("document.getElementById('legend').innerText");
    assert.equal(await hidden(), true);
    const { index, worst } = await tab.get("window.pliant.findings.pairs.find(({ a, b }) => a !== b)");
    await tab.click(`#pair-${index}`);
    assert.equal(await hidden(), false);
    await tab.press("ArrowRight");
    await tab.press("g");
    assert.equal(await tab.get("document.getElementById('map').selectedOptions[0].text"), "cloth from box");
    assert.equal(await sampleOf(tab), worst);
    assert.match(await legend(), /^cloth from box\s+\u2212[\d.]+ mm\s+0\s+\+[\d.]+ mm/);
    const { marked } = await tab.get(PIXELS);
    assert.ok(marked > 3000, `${marked} pixels have colors`);
    await tab.press("ArrowLeft");
    assert.match(await legend(), /Known only in fall, frame \d+\.$/);
    assert.ok((await tab.get(PIXELS)).marked < marked / 2);
    await tab.press("g");
    assert.match(await legend(), /^Depth inside/);
    await tab.press("g");
    await tab.press("a");
    assert.deepEqual([await hidden(), await sampleOf(tab)], [true, worst]);
    return tab;
  },

  async "a narrow page starts at its top"(browser) {
    const tab = await browser.open(address("busy"), { width: 390, height: 844 });
    assert.equal(await tab.get("scrollY"), 0);
    return tab;
  },

  async "the index of several models is filtered, in any browser's colors"(browser) {
    for (const [scheme, width] of [["light", 1400], ["dark", 390]]) {
      const tab = await browser.open(address("index"), { scheme, width, before: "window.pliantReady = true" });
      const shown = () => tab.get(`[...document.querySelectorAll("li")].filter((card) => card.checkVisibility()).map((card) => card.querySelector("h2").innerText)`);
      assert.deepEqual(await shown(), ["found.obj", "no.obj", "clean.obj"]);
      for (const [kind, name] of [["found", "found.obj"], ["unread", "no.obj"], ["clean", "clean.obj"]]) {
        await tab.click(`#show-${kind}`);
        assert.deepEqual(await shown(), [name]);
      }
      await tab.click("#show-all");
      assert.equal((await shown()).length, 3);
      assert.equal(await tab.get("document.documentElement.scrollWidth"), width);
      if (axe) await tab.get(axe);
      if (axe) assert.deepEqual(await tab.get(SERIOUS), [], `${scheme}, ${width}`);
      assert.deepEqual(tab.complaints, []);
      await tab.close();
    }
    return browser.open(address("still"));
  },

  async "of all pairs a few are drawn"(browser) {
    const tab = await browser.open(address("busy"));
    assert.equal(expected("busy").pairs.length, 6);
    assert.equal(await tab.get("window.pliant.marks().cuts.length"), 5);
    assert.match(await tab.get("document.getElementById('now').textContent"), /drawn: the worst 5 of 6 pairs of parts$/);
    assert.equal(await tab.get("document.getElementById('pin').hidden"), false);
    await tab.press("]");
    assert.equal(await tab.get("window.pliant.marks().cuts.length"), 1);
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
    await tab.get("location.hash = '#sample=3', history.replaceState(null, '', '#sample=5')");
    await tab.until("window.pliant.state.sample === 3", 5);
    await tab.until("location.hash === '#sample=3'", 5);
    await tab.get("location.hash = '#pair=__proto__&sample=-4'");
    await tab.until("window.pliant.state.pair === null", 5);
    return tab;
  },

  async "a hidden part is not drawn"(browser) {
    const tab = await browser.open(address("cloth"));
    const before = await tab.get(PIXELS);
    await tab.click("#parts .part:nth-child(1) input");
    await tab.click("#parts .part:nth-child(2) input");
    const after = await tab.get(PIXELS);
    assert.ok(before.marked > 50 && after.marked === 0, JSON.stringify({ before, after }));
    return tab;
  },

  async "a cached sequence"(browser) {
    const pair = expected("cloth").pairs[0];
    const tab = await browser.open(address("cloth", `#pair=${pair.index}&sample=${pair.worst}`));
    assert.ok((await tab.get(PIXELS)).marked > 50);
    const none = [...Array(expected("cloth").samples).keys()].find(
      (sample) => !pair.fresh.some(([at, count]) => at === sample && count > 0));
    await tab.get(`location.hash = "#pair=${pair.index}&sample=${none}"`);
    await tab.until(`window.pliant.state.sample === ${none}`, 5);
    assert.equal((await tab.get(PIXELS)).marked, 0);
    return tab;
  },

  async "nothing found, nothing moving"(browser) {
    const tab = await browser.open(address("still"));
    assert.equal(await tab.get("document.getElementById('verdict').textContent"), "clean");
    assert.equal(await tab.get("document.getElementById('calm').hidden"), false);
    const { marked, any } = await tab.get(PIXELS);
    assert.ok(marked === 0 && any > 2000, `${any} pixels drawn`);
    return tab;
  },

  async "a model of any size fits"(browser) {
    const tab = await browser.open(address("huge"));
    const { marked, any } = await tab.get(PIXELS);
    assert.ok(any > 2000 && marked > 50, `${any} pixels, ${marked} marked`);
    return tab;
  },

  async "places of a pair have cards, which lead to their deepest pose"(browser) {
    const tab = await browser.open(address("bend"));
    const { index } = await tab.get("window.pliant.findings.pairs.find((pair) => pair.measures.length)");
    await tab.click(`#pair-${index}`);
    const wanted = expected("bend").regions.filter(({ pair }) => pair === index);
    const deepest = wanted.reduce((most, { depth }) => Math.max(most, depth), 0);
    const cards = await tab.get(`[...document.querySelectorAll("#pair-${index} + .places .card")].map((card) => card.innerText)`);
    assert.ok(cards.length > 0);
    assert.ok(cards[0].startsWith(`${Number((deepest * 1000).toPrecision(3))} mm deep`), cards[0]);
    assert.match(cards[0], /m² inside, in \d+ of \d+ measured pose/);
    await tab.click(`#pair-${index} + .places .card`);
    assert.equal(await sampleOf(tab), wanted.find(({ depth }) => depth === deepest).sample);
    assert.equal(await tab.get("document.getElementById('pin').hidden"), false);
    const legend = await tab.get("document.getElementById('legend').innerText");
    assert.match(legend, /Depth inside\s+0 mm\s+[\d.]+ mm\s+[\d.]+ mm/);
    const heat = await tab.get("window.pliant.marks().heat.depths.length");
    assert.ok(heat > 0, "depth is drawn");
    await tab.until(`document.querySelectorAll(".thumb.drawn").length > 1`, 20);
    return tab;
  },

  async "a click on the model selects the finding that is there"(browser) {
    const pair = expected("cloth").pairs.find(({ worst }) => worst >= 0);
    const tab = await browser.open(address("cloth", `#sample=${pair.worst}`));
    assert.equal(await pairOf(tab), null);
    await tab.click("#view canvas", 0.5, 0.5);
    assert.notEqual(await pairOf(tab), null);
    return tab;
  },

  async "what is hidden or not solo is in no list and no count"(browser) {
    const tab = await browser.open(address("bend"));
    const shown = () => tab.get(`[...document.querySelectorAll("#pairs .card.pair")].filter((card) => card.offsetParent).length`);
    const strips = () => tab.get(`[...document.querySelectorAll("#timeline .strip")].filter((strip) => strip.offsetParent).length - 1`);
    const pairs = await tab.get("window.pliant.findings.pairs.map(({ a, b }) => [a, b])");
    assert.equal(await shown(), pairs.length);
    await tab.click("#parts .part:nth-child(2) input");
    const without = pairs.filter(([a, b]) => a !== 1 && b !== 1).length;
    assert.ok(without < pairs.length);
    assert.deepEqual([await shown(), await strips()], [without, without]);
    assert.ok((await tab.get("document.getElementById('shown').innerText")).startsWith(`${without} of ${pairs.length}`));
    await tab.click("#parts .part:nth-child(2) input");
    await tab.click("#parts .part:nth-child(3) .solo");
    const only = pairs.filter(([a, b]) => a === 2 || b === 2).length;
    assert.deepEqual([await shown(), await strips()], [only, only]);
    await tab.click("#parts .part:nth-child(3) .solo");
    assert.equal(await shown(), pairs.length);
    return tab;
  },

  async "alternatives are folded"(browser) {
    const tab = await browser.open(address("worn"));
    const folded = await tab.get(`[...document.querySelectorAll(".fold .card")].map((card) => card.checkVisibility({ contentVisibilityAuto: true }))`);
    assert.deepEqual(folded, [false, false]);
    const { index } = await tab.get("window.pliant.findings.pairs[1]");
    await tab.get(`location.hash = "#pair=${index}"`);
    await tab.until("document.querySelector('.fold').open", 5);
    return tab;
  },

  async "an alternative is drawn where the pair that stands for it is left out"(browser) {
    const tab = await browser.open(address("worn", "#sample=0"));
    const drawn = async () => ({
      cuts: (await tab.get("window.pliant.marks().cuts.map(({ pair }) => pair.index)")).sort(),
      strips: (await tab.get(`[...document.querySelectorAll("#timeline .strip:not(.of-run)")].filter((strip) => !strip.hidden).length`)) - 1,
      cards: (await tab.get(`[...document.querySelectorAll("#pairs .card.pair")].filter((card) => card.checkVisibility({ contentVisibilityAuto: true }))
        .map((card) => Number(card.id.slice(5)))`)).sort(),
    });
    const [first, ...others] = await tab.get("window.pliant.findings.pairs");
    const rest = others.map(({ index }) => index).sort();
    assert.deepEqual(await drawn(), { cuts: [first.index], strips: 1, cards: [first.index] });
    await tab.click(`#parts .part:nth-child(${first.b + 1}) input`);
    assert.deepEqual(await drawn(), { cuts: rest, strips: 2, cards: rest });
    const { marked } = await tab.get(PIXELS);
    assert.ok(marked > 200, `${marked} pixels are marked`);
    await tab.click(`#parts .part:nth-child(${first.b + 1}) input`);
    const { cuts, strips } = await drawn();
    assert.deepEqual({ cuts, strips }, { cuts: [first.index], strips: 1 });
    return tab;
  },

  async "textures of the file, unless they are not wanted"(browser) {
    const tab = await browser.open(address("worn"));
    const greens = `(() => {
      const from = document.querySelector("#view canvas");
      window.pliant.redraw();
      const to = document.createElement("canvas");
      to.width = from.width; to.height = from.height;
      const context = to.getContext("2d");
      context.drawImage(from, 0, 0);
      const { data } = context.getImageData(0, 0, to.width, to.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 1] > 60 && data[i + 1] > 3 * Math.max(data[i], data[i + 2])) count++;
      return count;
    })()`;
    await tab.until(`${greens} > 5000`, 10);
    await tab.press("t");
    assert.equal(await tab.get(greens), 0);
    assert.equal(await tab.get("document.getElementById('looks').getAttribute('aria-pressed')"), "false");
    const plain = await browser.open(address("bend"));
    assert.equal(await plain.get("document.getElementById('looks').hidden"), true);
    await plain.close();
    return tab;
  },

  async "a check that was ended says so"(browser) {
    const tab = await browser.open(address("stopped"));
    assert.equal(await tab.get("document.getElementById('incomplete').checkVisibility()"), true);
    const text = await tab.get("document.getElementById('incomplete').innerText");
    assert.match(text, /^Incomplete: 5 of 43 poses were checked \(/);
    assert.match(await tab.get("document.getElementById('verdict').textContent"), / so far$/);
    assert.ok((await tab.get("document.title")).startsWith("incomplete"));
    const whole = await browser.open(address("still"));
    assert.equal(await whole.get("document.getElementById('incomplete').hidden"), true);
    await whole.close();
    return tab;
  },

  async "without WebGL the lists work, and a message says why there is no view"(browser) {
    const tab = await browser.open(address("bend"), {
      before: "HTMLCanvasElement.prototype.getContext = ((get) => function (kind, ...rest) { return /webgl/.test(kind) ? null : get.call(this, kind, ...rest); })(HTMLCanvasElement.prototype.getContext)",
    });
    assert.equal(await tab.get("document.getElementById('no-view').hidden"), false);
    const pair = expected("bend").pairs.find(({ worst }) => worst >= 0);
    await tab.click(`#pair-${pair.index}`);
    assert.equal(await sampleOf(tab), pair.worst);
    assert.equal(await tab.get("document.querySelectorAll('.thumb').length"), 0);
    tab.complaints = tab.complaints.filter((text) => !text.includes("WebGL"));
    return tab;
  },

  async "nothing serious is in the way of people who use keys, or a reader of the screen"(browser) {
    if (!axe) return browser.open(address("still"));
    for (const [name, scheme, width] of [["bend", "light", 1400], ["worn", "dark", 390], ["stopped", "dark", 1000], ["busy", "light", 390]]) {
      const tab = await browser.open(address(name), { scheme, width, height: 900 });
      await tab.press("]");
      await tab.get(axe);
      const found = await tab.get(SERIOUS);
      assert.deepEqual(found, [], `${name}, ${scheme}, ${width}`);
      if (width !== 1400) {
        await tab.close();
        continue;
      }
      await tab.get("document.getElementById('filter').removeAttribute('hidden'), document.getElementById('filter').removeAttribute('aria-label'), document.getElementById('filter').removeAttribute('placeholder')");
      assert.deepEqual((await tab.get(SERIOUS)).map(({ id }) => id), ["label"], "what is wrong is found");
      await tab.close();
    }
    return browser.open(address("still"));
  },

  async "dark, narrow and small"(browser) {
    for (const [width, height] of [[2560, 1440], [900, 1200], [390, 844]]) {
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

const axePath = join(packages ?? "", "node_modules", "axe-core", "axe.min.js");
const axe = packages && existsSync(axePath) ? `${readFileSync(axePath, "utf8")}; true` : null;
if (!axe) console.log("there is no axe-core: accessibility is not checked");
const found = findBrowser();
if (!found) skip("no Chromium");
mkdirSync(folder, { recursive: true });
const made = spawnSync(program, [folder], { stdio: "inherit" });
if (made.status === 77) skip("this build has no page in it");
assert.equal(made.status, 0, "the pages are written");

let failures = 0;
const browser = new Browser(found);
for (const [name, test] of Object.entries(tests)) {
  const start = performance.now();
  try {
    const tab = await test(browser);
    assert.deepEqual(tab.complaints, [], "the console is empty");
    const outside = tab.requests.filter((url) => !/^(file|data|about):/.test(url));
    assert.deepEqual(outside, [], "nothing is asked of the network");
    await tab.close();
    console.log(`ok      ${name}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    failures++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
process.exit(failures ? 1 : 0);
