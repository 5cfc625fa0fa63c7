// The page: what is chosen, the moment that is shown, and what keys and the address do about it.

import { Findings, unpacked } from "./data.js";
import { fillParts, PairList } from "./lists.js";
import { modelsOf } from "./pose.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { countText, element, lengthText, nameElement, pairElements, plural, secondsText } from "./words.js";

const get = (id) => document.getElementById(id);

/** Takes an element out of the page: its text may be long. */
function taken(id) {
  const element = get(id);
  element.remove();
  return element;
}

const facts = JSON.parse(taken("facts").textContent);
const blob = taken("blob");
const bytes = await unpacked(blob.textContent, blob.dataset.packing);
const findings = new Findings(facts, bytes);
const models = modelsOf(facts, bytes);
const partName = (i) => facts.parts[i]?.name ?? "?";
const namesOf = (pair) => [partName(pair.a), partName(pair.b)];
// Without a baseline all pairs of triangles are new, and the word would only puzzle.
const hasBaseline = facts.baseline !== "none";
const pairWord = hasBaseline ? "new pair" : "pair";

const state = {
  pair: null, // null: all of them
  sample: findings.pairs.find((pair) => pair.worst >= 0)?.worst ?? 0,
  isPlaying: false,
  speed: 1,
  isSeeThrough: false,
  isApart: true, // parts that are not of the pair are faint
  hidden: new Set(),
};

// ---- The head -----------------------------------------------------------------------------------

function summaryText() {
  const samples = plural(findings.sampleCount, "pose");
  const found = findings.pairs.filter((pair) => pair.worst >= 0);
  if (!found.length) return `Nothing ${hasBaseline ? "new " : ""}touches in ${samples}.`;
  if (!facts.findings)
    return `${plural(found.length, "pair")} of parts, all allowed or within the limits, in ${samples}.`;
  const are = facts.findings === 1 ? "is a finding" : "are findings";
  return `${plural(facts.findings, "pair")} of parts ${are}, in ${samples}.`;
}

function fillHead() {
  const name = facts.file.split(/[\\/]/).pop() || "a model";
  document.title = `${facts.verdict}: ${name}`;
  get("file").textContent = name;
  get("file").title = facts.file;
  get("verdict").textContent = facts.verdict;
  get("verdict").classList.add(facts.verdict);
  get("summary").textContent = summaryText();
  const triangles = facts.parts.reduce((sum, part) => sum + part.triangles, 0);
  const numbers = [
    ["format", facts.format], ["parts", countText(facts.parts.length)], ["triangles", countText(triangles)],
    ["runs", countText(facts.runs.length)], ["poses", countText(facts.sampleCount)],
    ["baseline", facts.baseline], ["clean pairs", countText(facts.cleanPairs)],
  ];
  if (facts.shardCount > 1) numbers.push(["shard", `${facts.shard} of ${facts.shardCount}`]);
  get("numbers").append(
    ...numbers.map(([word, value]) => element("div", element("dt", word), element("dd", nameElement(value)))),
  );
}

// ---- What is shown ------------------------------------------------------------------------------

let stage = null;
let timeline = null;
let list = null;

function shownPairs() {
  return state.pair ? [state.pair] : findings.pairs.filter((pair) => !pair.allowed);
}

function redSets() {
  const sets = facts.parts.map(() => []);
  for (const pair of shownPairs()) {
    const { a, b } = findings.redAt(pair, state.sample);
    if (a.length) sets[pair.a]?.push(a);
    if (b.length) sets[pair.b]?.push(b);
  }
  return sets;
}

function showMoment() {
  const { run, frame, time } = findings.momentOf(state.sample);
  get("moment").textContent = `frame ${countText(frame)} · ${secondsText(time)}`;
  get("run").value = String(findings.runs.indexOf(run));
  const slider = get("timeline");
  slider.setAttribute("aria-valuenow", state.sample);
  slider.setAttribute("aria-valuetext", `${run.name}, frame ${frame}`);
  const row = state.pair
    ? findings.rowAt(state.pair, state.sample)
    : { fresh: findings.totals[state.sample], depth: null };
  const text = [plural(row.fresh, pairWord)];
  if (row.others) text.push(`${countText(row.others)} as in the baseline`);
  if (row.fresh && row.depth !== null) text.push(`depth ${lengthText(row.depth)}`);
  get("now").textContent = text.join(" · ");
}

function showParts() {
  const { pair } = state;
  stage?.show({
    isWanted: (i) => !state.hidden.has(i),
    isAside: (i) => state.isApart && pair !== null && i !== pair.a && i !== pair.b,
    isSeeThrough: state.isSeeThrough,
  });
}

function showSample() {
  stage?.poseAt(state.sample);
  stage?.mark(redSets());
  timeline.place(state.sample);
  showMoment();
}

function showPair() {
  const { pair } = state;
  list.select(pair);
  timeline.select(pair);
  get("what").replaceChildren(...(pair ? pairElements(namesOf(pair)) : ["All pairs of parts"]));
  showParts();
}

let addressTimer = 0;
/** The address follows, but not at every frame of a film. */
function noteAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    const pair = state.pair ? `pair=${state.pair.index}&` : "";
    history.replaceState(null, "", `#${pair}sample=${state.sample}`);
  }, 250);
}

function go(sample) {
  state.sample = Math.min(findings.sampleCount - 1, Math.max(0, sample));
  showSample();
  noteAddress();
}

function choose(pair) {
  state.pair = pair;
  showPair();
  showSample();
  noteAddress();
}

/** A pair, at its worst, from close by. */
function visit(pair) {
  play(false);
  if (pair?.worst >= 0) state.sample = pair.worst;
  choose(pair);
  if (pair) stage?.focus(false);
  else stage?.fit(false);
}

function visitNext(step) {
  const order = [null, ...findings.pairs].filter((pair) => !pair || !list.items.get(pair).hidden);
  const at = order.indexOf(state.pair) + step;
  if (at >= 0 && at < order.length) visit(order[at]);
}

/** "#pair=3&sample=120": the pair by its number in the report. */
function readAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const number = (name) => (/^\d+$/.test(wanted.get(name) ?? "") ? Number(wanted.get(name)) : null);
  const index = number("pair");
  const pair = findings.pairs.find((each) => each.index === index) ?? null;
  const sample = number("sample") ?? (pair?.worst >= 0 ? pair.worst : state.sample);
  state.sample = Math.min(findings.sampleCount - 1, sample);
  state.pair = pair;
  return pair;
}

// ---- Playing ------------------------------------------------------------------------------------

let playClock = 0;

function play(isPlaying) {
  state.isPlaying = isPlaying && findings.sampleCount > 1;
  playClock = 0;
  get("play").setAttribute("aria-pressed", String(state.isPlaying));
  get("play").setAttribute("aria-label", state.isPlaying ? "Pause" : "Play");
}

/** Around and around the run. */
function advance(seconds) {
  const { run } = findings.momentOf(state.sample);
  playClock += seconds * state.speed * ((run.rate || 30) / (run.step || 1));
  const steps = Math.floor(playClock);
  if (!steps) return;
  playClock -= steps;
  state.sample = run.sample + ((state.sample - run.sample + steps) % run.count);
  showSample();
}

let lastTime = 0;
function tick(time) {
  if (state.isPlaying && lastTime) advance(Math.min(0.25, (time - lastTime) / 1000));
  lastTime = time;
  stage?.draw(time);
  requestAnimationFrame(tick);
}

// ---- Keys and buttons ---------------------------------------------------------------------------

function runEnd(isLast) {
  const { run } = findings.momentOf(state.sample);
  return isLast ? run.sample + run.count - 1 : run.sample;
}

function toggle(id, apply) {
  const button = get(id);
  const isOn = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isOn));
  apply(isOn);
}

const actions = {
  play: () => play(!state.isPlaying),
  before: () => (play(false), go(state.sample - 1)),
  after: () => (play(false), go(state.sample + 1)),
  focus: () => stage?.focus(false),
  fit: () => stage?.fit(false),
  through: () => toggle("through", (isOn) => ((state.isSeeThrough = isOn), showParts())),
  apart: () => toggle("apart", (isOn) => ((state.isApart = isOn), showParts())),
  zup: () => toggle("zup", (isOn) => stage && (stage.isZUp = isOn)),
  close: () => toggle("close", (isOn) => (timeline.isClose = isOn)),
  help: () => (get("keys").open ? get("keys").close() : get("keys").showModal()),
};

const keys = {
  " ": actions.play,
  ArrowLeft: (event) => (play(false), go(state.sample - (event.shiftKey ? 10 : 1))),
  ArrowRight: (event) => (play(false), go(state.sample + (event.shiftKey ? 10 : 1))),
  Home: () => go(runEnd(false)),
  End: () => go(runEnd(true)),
  ArrowUp: () => visitNext(-1),
  ArrowDown: () => visitNext(1),
  "[": () => visitNext(-1),
  "]": () => visitNext(1),
  a: () => visit(null),
  f: actions.focus,
  0: actions.fit,
  x: actions.through,
  d: actions.apart,
  z: actions.zup,
  r: actions.close,
  "?": actions.help,
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("select, input[type=search], dialog[open]")) return;
  // A button or a box that has the focus keeps its own key.
  if (event.key === " " && event.target.closest("button, input, summary")) return;
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action(event);
}

function listen() {
  for (const [id, action] of Object.entries(actions)) get(id)?.addEventListener("click", action);
  document.addEventListener("keydown", onKey);
  get("done").addEventListener("click", () => get("keys").close());
  get("speed").addEventListener("change", (event) => (state.speed = Number(event.target.value)));
  get("run").addEventListener("change", (event) => go(findings.runs[Number(event.target.value)].sample));
  get("filter").addEventListener("input", (event) => list.filter(event.target.value, namesOf));
  addEventListener("hashchange", () => {
    readAddress();
    showPair();
    showSample();
    if (state.pair) stage?.focus(true);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    stage?.paint();
    timeline.redraw();
  });
}

// ---- The start ----------------------------------------------------------------------------------

function fillSide() {
  list = new PairList(get("pairs"), findings, namesOf, visit);
  get("filter").hidden = findings.pairs.length < 10;
  get("pairs").hidden = !findings.pairs.length;
  get("calm").hidden = findings.pairs.some((pair) => pair.worst >= 0);
  get("calm-text").textContent = summaryText();
  get("close").hidden = findings.runs.length < 3;
  fillParts(get("parts"), facts, (i, isShown) => {
    if (isShown) state.hidden.delete(i);
    else state.hidden.add(i);
    showParts();
  });
  findings.runs.forEach((run, i) => {
    const option = element("option", run.name);
    option.value = String(i);
    get("run").append(option);
  });
  get("hint").textContent = `${pairWord}s of triangles in each pose; each strip has its own scale; \u25be worst`;
  get("timeline").setAttribute("aria-valuemax", findings.sampleCount - 1);
  document.body.classList.toggle("still", findings.sampleCount === 1);
}

function makeStage() {
  try {
    stage = new Stage(get("view"), models, state.sample, findings.sampleCount);
  } catch (error) {
    // Without WebGL the lists and the timeline are still worth having.
    get("no-view").hidden = false;
    console.info(`no 3-D view: ${error.message}`);
  }
}

function start() {
  fillHead();
  const pair = readAddress();
  timeline = new Timeline(get("timeline"), findings, namesOf, pairWord, (sample, chosen) => {
    play(false);
    if (chosen && chosen !== state.pair) choose(chosen);
    go(sample);
  });
  fillSide();
  makeStage();
  listen();
  showPair();
  showSample();
  if (pair) stage?.focus(true);
  requestAnimationFrame((time) => {
    tick(time);
    window.pliantReady = true;
  });
}

start();
// For tests and the curious.
window.pliant = {
  facts, findings, state,
  redraw() {
    if (!stage) return;
    stage.isStale = true;
    stage.draw(performance.now());
  },
};
