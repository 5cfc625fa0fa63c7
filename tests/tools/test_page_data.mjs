// The page's data without a browser: node test_page_data.mjs PAGE_MODELS FOLDER. Exit 77: no page.
//
// The page's own code reads pages back: vertices are where the library has them at every sample, to
// what 16 bits leave; rows, triangles and regions are those of the check, to the last one; cuts are as
// long as the library's, and depths of vertices are its own.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { distanceToSegment } from "../../tools/web/src/cut.js";
import { Findings, Reader, unpacked } from "../../tools/web/src/data.js";
import { marksOf } from "../../tools/web/src/marks.js";
import { foldedOf, placesOf } from "../../tools/web/src/places.js";
import { modelsOf } from "../../tools/web/src/pose.js";

const [program, folder] = process.argv.slice(2);

/** Distances of cloth from the box of page_scenes.c are those of a box, to what a byte leaves: 1/127 of
 * the reach at the end, and less the nearer. */
function checkFit(findings, models) {
  const pair = findings.pairs.find(({ a, b }) => a !== b);
  const { sample, reach, sides } = findings.fitOf(pair);
  assert.equal(sample, pair.worst);
  assert.equal(sides[0], null, "the box is closed, the cloth open: that is the garment");
  const vertices = models[pair.b].verticesAt(sample);
  const signs = new Set();
  sides[1].forEach((got, vertex) => {
    const beyond = [0, 1, 2].map((axis) => Math.abs(vertices[vertex * 3 + axis]) - 0.5);
    const wanted = Math.hypot(...beyond.map((at) => Math.max(0, at))) + Math.min(0, Math.max(...beyond));
    signs.add(Math.sign(got));
    if (Number.isNaN(got)) assert.ok(Math.abs(wanted) > reach * 0.999, `${wanted} is beyond ${reach}`);
    else assert.ok(Math.abs(got - wanted) < reach / 100, `${got} is ${wanted}`);
  });
  assert.ok(signs.has(-1) && signs.has(1), "inside and outside");
}

/** Depths by sample and the order of runs are those of the rows. */
function checkRuns(findings) {
  const runs = findings.runsFrom(findings.pairs);
  assert.equal(runs.length, findings.runs.length);
  for (const { run, depth, sample } of runs) {
    const rows = findings.pairs.filter(({ rigid }) => !rigid).flatMap(({ rows: { samples, depth: depths } }) =>
      [...samples].map((at, i) => ({ at, depth: depths[i] })).filter(({ at }) => at >= run.sample && at < run.sample + run.count));
    const still = findings.pairs.filter(({ rigid }) => rigid).map(({ rows }) => rows.depth[0] ?? 0);
    assert.equal(depth, Math.max(0, ...still, ...rows.map((row) => row.depth)));
    assert.ok(sample >= run.sample && sample < run.sample + run.count);
  }
  assert.ok(runs.every(({ depth }, i) => !i || depth <= runs[i - 1].depth), "worst first");
  for (const pair of findings.pairs.filter(({ rigid }) => !rigid)) {
    const depths = findings.depthsOf([pair]);
    pair.rows.samples.forEach((sample, i) => {
      const { fresh, depth } = { fresh: pair.rows.fresh[i], depth: pair.rows.depth[i] };
      assert.equal(depths[sample], depth > 0 ? depth : fresh ? -1 : 0);
    });
  }
}

/** The text of a script element, as an HTML parser finds it: to the first end tag. */
function scriptText(page, id) {
  const start = page.indexOf(`id="${id}">`);
  assert.ok(start > 0, `there is a script ${id}`);
  const from = start + `id="${id}">`.length;
  return page.slice(from, page.indexOf("</script", from));
}

function checkVertices(name, models, vertices) {
  let worst = 0;
  for (let sample = 0; sample < vertices.length; sample++) {
    const wanted = vertices[sample];
    const size = wanted.reduce((most, at) => Math.max(most, Math.abs(at)), 0);
    let first = 0;
    for (const model of models) {
      const got = model.verticesAt(sample);
      for (let i = 0; i < got.length; i++) worst = Math.max(worst, Math.abs(got[i] - wanted[first + i]) / size);
      first += got.length;
    }
    assert.equal(first, wanted.length);
  }
  assert.ok(worst < 5e-5, `${name}: vertices are within 5e-5 of the size, ${worst}`);
  return worst;
}

function checkRows(findings, wanted) {
  for (const pair of wanted.pairs) {
    const got = findings.pairs.find(({ index }) => index === pair.index);
    assert.equal(got.verdict, pair.verdict);
    assert.equal(got.worst, pair.worst);
    assert.equal(got.mostPairs, pair.mostPairs);
    const rows = [...got.rows.samples].map((sample, i) => [sample, got.rows.fresh[i]]);
    assert.deepEqual(rows, pair.fresh);
  }
}

const pairOf = (findings, index) => findings.pairs.find((pair) => pair.index === index);

function checkRegions(findings, wanted) {
  for (const { pair, sample, place, depth, area, inner, joint } of wanted.regions) {
    const got = pairOf(findings, pair).measures.find((measure) => measure.sample === sample).regions[place];
    assert.equal(got.depth, Math.fround(depth));
    assert.equal(got.areas[inner], Math.fround(area));
    assert.equal(got.inner, inner);
    assert.equal(got.shares[0]?.joint ?? "", joint);
  }
  for (const pair of findings.pairs.filter(({ measures }) => measures.length)) {
    const places = placesOf(pair);
    assert.ok(places[0].depth >= Math.fround(pair.mostDepth) * 0.999999, "the first place is the deepest");
    assert.ok(places.every((place) => place.samples.includes(place.sample)));
    const names = new Set(pair.measures.flatMap(({ regions }) => regions.map((each) => `${each.inner} ${each.shares[0]?.joint ?? ""}`)));
    assert.deepEqual(new Set(places.map(({ name }) => name)), names, "every region has a place");
  }
}

/** The greatest distance of a middle of a segment of one cut from the other cut. */
function farthest(of, from) {
  let most = 0;
  for (let i = 0; i < of.length; i += 6) {
    const middle = [0, 1, 2].map((k) => of[i + k] / 2 + of[i + 3 + k] / 2);
    let least = Infinity;
    for (let j = 0; j < from.length; j += 6) least = Math.min(least, distanceToSegment(middle, from, j));
    most = Math.max(most, least);
  }
  return most;
}

/** Cuts are those of the library, but for a triangle here and there that lies in its neighbor, to what
 * 16 bits leave; returns by how much they differ, as a part of the model's size. */
function checkCuts(findings, models, wanted) {
  let worst = 0;
  for (const { pair, sample, segments, depths } of wanted.cuts) {
    const size = wanted.vertices[sample].reduce((most, at) => Math.max(most, Math.abs(at)), 0);
    const marks = marksOf(models, findings, [pairOf(findings, pair)], sample);
    const got = marks.cuts[0].segments;
    worst = Math.max(worst, farthest(got, segments) / size, farthest(segments, got) / size);
    const stored = findings.depthsAt(pairOf(findings, pair), sample);
    if (stored) checkDepths([stored.a, stored.b], depths);
  }
  assert.ok(worst < 0.03, `cuts are where the library has them: ${worst}`);
  return worst;
}

function checkDepths(got, wanted) {
  const most = Math.max(...wanted.flat().map(([, depth]) => depth));
  wanted.forEach((side, k) => {
    assert.deepEqual(got[k].map(([vertex]) => vertex), side.map(([vertex]) => vertex));
    side.forEach(([, depth], i) => assert.ok(Math.abs(got[k][i][1] - depth) <= most / 255));
  });
}

function checkTriangles(findings, wanted) {
  let count = 0;
  for (const { pair, sample, a, pairs } of wanted.red) {
    const sides = [new Set(), new Set()];
    pairs.forEach((triangle, i) => sides[a === "self" ? 0 : i % 2].add(triangle));
    const got = findings.trianglesAt(pairOf(findings, pair), sample);
    const rising = (set) => [...set].sort((x, y) => x - y);
    assert.deepEqual([...got.a], rising(sides[0]));
    assert.deepEqual([...got.b], rising(sides[1]));
    count += got.a.length + got.b.length;
  }
  return count;
}

/** What page_models.c painted. */
function checkPaint(facts, bytes) {
  const table = (at, rows, columns) => [...new Reader(bytes, at).columns(Int32Array, rows, columns)];
  const [body, shield, plain] = facts.parts.map(({ paint }) => paint);
  assert.deepEqual(facts.looks, [{ color: [1, 1, 1], image: 0 }]);
  const { at, size, kind } = facts.images[0];
  assert.equal(kind, "image/png");
  assert.deepEqual([...bytes.subarray(at + size - 8, at + size - 4)], [...Buffer.from("IEND")]);
  assert.deepEqual(table(body.looks, 12, 1), [-1, ...Array(11).fill(0)]);
  assert.deepEqual(table(body.uvs, 36, 2), Array.from({ length: 72 }, (_, i) => (i / 8 - 1.5) * 2 ** 14));
  const reds = Array.from({ length: 108 }, (_, i) => (i % 3 ? 0 : 255 - i));
  assert.deepEqual(table(shield.colors, 36, 3), reds);
  assert.deepEqual([body.colors, shield.uvs, plain], [null, null, null]);
}

mkdirSync(folder, { recursive: true });
const made = spawnSync(program, [folder], { stdio: "inherit" });
if (made.status === 77) process.exit(77);
assert.equal(made.status, 0, "the pages are written");

for (const name of ["bend", "cloth", "still", "huge", "stopped", "worn", "busy"]) {
  const page = readFileSync(join(folder, `${name}.html`), "utf8");
  const wanted = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  const facts = JSON.parse(scriptText(page, "facts"));
  const packing = page.match(/data-packing="([a-z-]+)"/)[1];
  const bytes = await unpacked(scriptText(page, "blob"), packing);
  const findings = new Findings(facts, bytes);
  assert.ok(page.includes("Permission is hereby granted"), "the license of three.js is in the page");
  assert.equal(findings.sampleCount, wanted.samples);
  assert.equal(facts.findings, wanted.findings);
  const models = modelsOf(facts, bytes);
  const error = checkVertices(name, models, wanted.vertices);
  checkRows(findings, wanted);
  checkRegions(findings, wanted);
  checkRuns(findings);
  if (name === "cloth") checkFit(findings, models);
  if (name === "busy") assert.ok(findings.pairs.every((pair) => findings.fitOf(pair).sides.every((side) => side.length === 8)));
  if (name === "bend") assert.ok(findings.fitOf(findings.pairs.find(({ a, b }) => a === 0 && b === 2)).sides[0].some(Number.isNaN), "some is farther than the reach");
  if (name === "busy") assert.equal(findings.runsFrom(findings.pairs)[0].run.name, "push 13");
  const count = checkTriangles(findings, wanted);
  const cuts = checkCuts(findings, models, wanted);
  if (name === "worn") checkPaint(facts, bytes);
  if (name === "worn") assert.deepEqual(foldedOf(findings.pairs, facts.parts).map(({ others }) => others.length), [2]);
  const found = `vertices to ${error.toExponential(1)}, ${count} triangles, cuts to ${cuts.toExponential(1)}, ${facts.depthCount} poses with depths`;
  console.log(`ok      ${name}: ${wanted.samples} samples, ${found}, ${page.length} bytes`);
}
