// The page's data without a browser: node test_page_data.mjs PAGE_MODELS FOLDER. Exit 77: no page.
//
// The page's own code reads pages back: vertices are where the library has them at every sample, to
// what 16 bits leave; rows and red triangles are those of the check, to the last one.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Findings, unpacked } from "../../tools/web/src/data.js";
import { modelsOf } from "../../tools/web/src/pose.js";

const [program, folder] = process.argv.slice(2);

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

function checkRed(findings, wanted) {
  let count = 0;
  for (const { pair, sample, a, pairs } of wanted.red) {
    const sides = [new Set(), new Set()];
    pairs.forEach((triangle, i) => sides[a === "self" ? 0 : i % 2].add(triangle));
    const got = findings.redAt({ index: pair }, sample);
    const rising = (set) => [...set].sort((x, y) => x - y);
    assert.deepEqual([...got.a], rising(sides[0]));
    assert.deepEqual([...got.b], rising(sides[1]));
    count += got.a.length + got.b.length;
  }
  return count;
}

mkdirSync(folder, { recursive: true });
const made = spawnSync(program, [folder], { stdio: "inherit" });
if (made.status === 77) process.exit(77);
assert.equal(made.status, 0, "the pages are written");

for (const name of ["bend", "cloth", "still", "huge"]) {
  const page = readFileSync(join(folder, `${name}.html`), "utf8");
  const wanted = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  const facts = JSON.parse(scriptText(page, "facts"));
  const packing = page.match(/data-packing="([a-z-]+)"/)[1];
  const bytes = await unpacked(scriptText(page, "blob"), packing);
  const findings = new Findings(facts, bytes);
  assert.ok(page.includes("Permission is hereby granted"), "the license of three.js is in the page");
  assert.equal(findings.sampleCount, wanted.samples);
  assert.equal(facts.findings, wanted.findings);
  const error = checkVertices(name, modelsOf(facts, bytes), wanted.vertices);
  checkRows(findings, wanted);
  const red = checkRed(findings, wanted);
  const found = `vertices to ${error.toExponential(1)}, ${red} red triangles`;
  console.log(`ok      ${name}: ${wanted.samples} samples, ${found}, ${page.length} bytes`);
}
