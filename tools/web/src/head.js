// The head of the page: the model, what was found, and whether the check is whole.

import { countText, element, nameElement, plural } from "./words.js";

const get = (id) => document.getElementById(id);

/** What was found, in a sentence. */
export function summaryText(facts, findings) {
  const hasBaseline = facts.baseline !== "none";
  const samples = plural(facts.incomplete ? facts.testedCount : findings.sampleCount, "pose");
  const found = findings.pairs.filter((pair) => pair.worst >= 0);
  if (!found.length) return `Nothing ${hasBaseline ? "new " : ""}touches in ${samples}.`;
  if (!facts.findings)
    return `${plural(found.length, "pair")} of parts, all allowed or within the limits, in ${samples}.`;
  const are = facts.findings === 1 ? "is a finding" : "are findings";
  return `${plural(facts.findings, "pair")} of parts ${are}, in ${samples}.`;
}

function fillNumbers(facts) {
  const triangles = facts.parts.reduce((sum, part) => sum + part.triangles, 0);
  const numbers = [
    ["format", facts.format], ["unit", facts.unit || "not known"], ["parts", countText(facts.parts.length)],
    ["triangles", countText(triangles)], ["runs", countText(facts.runs.length)], ["poses", countText(facts.sampleCount)],
    ["baseline", facts.baseline], ["clean pairs", countText(facts.cleanPairs)],
  ];
  if (facts.shardCount > 1) numbers.push(["shard", `${facts.shard} of ${facts.shardCount}`]);
  if (facts.settings) numbers.push(["configuration", facts.settings]);
  get("numbers").append(
    ...numbers.map(([word, value]) => element("div", element("dt", word), element("dd", nameElement(value)))),
  );
}

export function fillHead(facts, findings) {
  const name = facts.file.split(/[\\/]/).pop() || "a model";
  document.title = `${facts.incomplete ? "incomplete, " : ""}${facts.verdict}: ${name}`;
  get("file").textContent = name;
  get("file").title = facts.file;
  get("verdict").textContent = facts.incomplete ? `${facts.verdict} so far` : facts.verdict;
  // What is clean so far is not known to be clean.
  get("verdict").classList.add(facts.incomplete && facts.verdict === "clean" ? "unknown" : facts.verdict);
  document.body.classList.toggle("unknown", Boolean(facts.incomplete));
  get("summary").textContent = summaryText(facts, findings);
  get("incomplete").hidden = !facts.incomplete;
  const poses = `${countText(facts.testedCount)} of ${plural(facts.sampleCount, "pose")} were checked`;
  get("why").textContent = `${poses} (${facts.incomplete}). There may be more, and worse.`;
  fillNumbers(facts);
}
