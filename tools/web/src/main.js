// The page: what is chosen, the moment that is shown, and what keys and the address do about it.

import { Cards } from "./cards.js";
import { nearestOf } from "./cut.js";
import { Findings, unpacked } from "./data.js";
import { FitMap } from "./fit.js";
import { fillHead, summaryText } from "./head.js";
import { Legend } from "./legend.js";
import { hasLooks, hasTextures, Look, texturesOf } from "./looks.js";
import { marksOf } from "./marks.js";
import { PartList } from "./parts.js";
import { Player } from "./player.js";
import { modelsOf } from "./pose.js";
import { Stage } from "./stage.js";
import { Thumbs } from "./thumbs.js";
import { MANY_RUNS, Timeline } from "./timeline.js";
import { countText, element, lengthText, pairElements, plural, secondsText, setUnit } from "./words.js";

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

setUnit(facts.unit);

const state = {
  pair: null, // null: all of them
  place: null, // of the pair; null: none in particular
  sample: findings.pairs.find((pair) => pair.worst >= 0)?.worst ?? 0,
  isSeeThrough: false,
  isApart: true, // parts that are not of the pair are faint
  hasLooks: hasTextures(facts), // parts are as in their file
  words: [], // that names of parts have to have
};

// ---- What is shown ------------------------------------------------------------------------------

let stage = null;
let timeline = null;
let cards = null;
let parts = null;
let legend = null;
let fit = null;
let thumbs = null;
let totals = null;

function isWanted(pair) {
  const names = namesOf(pair).join(" ").toLowerCase();
  return parts.isWanted(pair) && state.words.every((word) => names.includes(word));
}

function wantedPairs() {
  return findings.pairs.filter((pair) => !pair.allowed && isWanted(pair));
}

/** With more pairs of parts at once, nobody sees which line is of what. */
const DRAWN_PAIRS = 5;

/** Wanted pairs that intersect in this pose: the deepest first, and those of which no depth is known as
 * in the list. One of several alternatives stands for all of them. */
function pairsHere() {
  const here = wantedPairs().filter((pair) => !cards.isFolded(pair)).map((pair) => ({ pair, ...findings.rowAt(pair, state.sample) }));
  return here.filter(({ fresh }) => fresh > 0).sort((x, y) => (y.depth ?? 0) - (x.depth ?? 0)).map(({ pair }) => pair);
}

function drawnPairs() {
  return state.pair ? [state.pair] : pairsHere().slice(0, DRAWN_PAIRS);
}

/** The depth at the end of the colors: it stays as it is from pose to pose. */
function mostDepth(pairs) {
  return pairs.reduce((most, pair) => Math.max(most, pair.mostDepth), 0);
}

/** The region that is pointed at: that of the place, or the deepest of the pair, or of all, in this pose. */
function pinnedRegion() {
  const { place, sample } = state;
  if (place?.sample === sample) return place;
  const [pair] = drawnPairs();
  return pair?.measures.find((measure) => measure.sample === sample)?.regions[0] ?? null;
}

let marks = { cuts: [], heat: { positions: [], depths: [] }, isMeasured: false };

function showMarks() {
  const pairs = drawnPairs();
  const most = mostDepth(state.pair ? pairs : wantedPairs());
  if (stage) {
    const region = pinnedRegion();
    const pin = region && region.depth > 0 ? [region.deepest, region.closest] : null;
    marks = marksOf(models, findings, pairs, state.sample);
    if (fit.side !== null) {
      showFit(pin);
      return;
    }
    stage.mark(marks, most, pin, { isOfMany: !state.pair });
  }
  legend.show(most, marks.isMeasured, stage && marks.cuts.length > 0);
}

/** Colors are distances of one part of the pair from the other, in the pose of which they are known. */
function showFit(pin) {
  const { heat, most } = fit.marks(fit.side);
  const isHere = fit.isAt(state.sample);
  marks.heat = isHere ? heat : { positions: [], depths: [] };
  stage.mark(marks, most, pin, { isSigned: true });
  const { run, frame } = findings.momentOf(fit.fit.sample);
  legend.showFit(fit.title(fit.side), most, isHere ? null : `${run.name}, frame ${countText(frame)}`);
}

/** Other colors were chosen: depth from close by, distances with all of the part. */
function showMap() {
  if (fit.side === null) {
    visit(state.pair, state.place);
    return;
  }
  play(false);
  showParts();
  go(fit.fit.sample);
  stage.fit(false, [stage.parts[models.indexOf(fit.modelOf(fit.side))]]);
}

/** The number at the pin, which follows it. */
function showPin() {
  const region = pinnedRegion();
  get("pin").hidden = !region || !(region.depth > 0);
  if (get("pin").hidden) return;
  const { x, y } = stage.onScreen(region.deepest);
  get("pin").textContent = lengthText(region.depth);
  // To the left where there is no room to the right.
  const left = x + get("pin").offsetWidth + 14 > get("view").clientWidth ? x - get("pin").offsetWidth - 20 : x;
  get("pin").style.transform = `translate(${Math.round(left)}px, ${Math.round(y)}px)`;
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
    : { fresh: totals[state.sample], depth: null };
  const text = [plural(row.fresh, pairWord)];
  if (row.others) text.push(`${countText(row.others)} as in the baseline`);
  if (row.fresh && row.depth !== null) text.push(`depth ${lengthText(row.depth)}`);
  const count = state.pair ? 0 : pairsHere().length;
  if (count > DRAWN_PAIRS) text.push(`drawn: the worst ${DRAWN_PAIRS} of ${countText(count)} pairs of parts`);
  get("now").textContent = text.join(" · ");
}

function isAside(i) {
  const { pair } = state;
  if (pair) return state.isApart && i !== pair.a && i !== pair.b;
  return parts.solo !== null && i !== parts.solo;
}

function showParts() {
  const { isSeeThrough, hasLooks } = state;
  // What is inside the other part has distances, too.
  const isThrough = (i) => isSeeThrough || (fit.side !== null && models[i] !== fit.modelOf(fit.side));
  stage?.show({ isWanted: (i) => !parts.hidden.has(i), isAside, isThrough, hasLooks });
}

function showSample() {
  stage?.poseAt(state.sample);
  showMarks();
  timeline.place(state.sample);
  showMoment();
}

function showPair() {
  const { pair, place } = state;
  fit.offer(stage && pair);
  cards.select(pair, place);
  timeline.select(pair);
  get("what").replaceChildren(...(pair ? pairElements(namesOf(pair)) : ["All pairs of parts"]));
  showParts();
}

/** Parts were hidden or shown, or a filter typed. */
function showWanted() {
  totals = findings.totalsOf(wantedPairs());
  const count = cards.filter(isWanted);
  timeline.filter((pair) => isWanted(pair) && !cards.isFolded(pair), wantedPairs());
  const isAll = count === findings.pairs.length;
  get("shown").textContent = isAll ? "" : `${countText(count)} of ${plural(findings.pairs.length, "pair")} shown`;
  if (state.pair && !isWanted(state.pair)) Object.assign(state, { pair: null, place: null });
  showPair();
  showSample();
}

/** What the strips of the timeline are, and their bars. */
function showStrips() {
  const measure = get("measure").value;
  timeline.show({ measure, layout: get("layout").value });
  const bars = measure === "depth" ? "depth, one scale; pale: it intersects, no depth known" : `${pairWord}s of triangles in each pose; each strip has its own scale`;
  get("hint").textContent = `${bars}; \u25be worst`;
}

let addressTimer = 0;
/** The address follows, but not at every frame of a film. */
function noteAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    const pair = state.pair ? `pair=${state.pair.index}&` : "";
    const place = state.place ? `place=${cards.placesOf(state.pair).indexOf(state.place)}&` : "";
    history.replaceState(null, "", `#${pair}${place}sample=${state.sample}`);
  }, 250);
}

function go(sample) {
  state.sample = Math.min(findings.sampleCount - 1, Math.max(0, sample));
  showSample();
  noteAddress();
}

function choose(pair, place) {
  Object.assign(state, { pair, place });
  showPair();
  showSample();
  noteAddress();
}

/** Where the camera looks for a place, or for the deepest of a pair in its worst pose. */
function ballOf(pair, place) {
  const region = place ?? cards.placesOf(pair).find(({ sample }) => sample === pair.worst);
  if (!region || !(region.depth > 0)) return null;
  const size = Math.sqrt(Math.max(0, region.areas[region.inner]));
  return { point: region.deepest, radius: Math.max(1.6 * region.depth, 0.8 * size) };
}

/** A pair, or a place of it, at its worst, from close by. */
function visit(pair, place = null) {
  play(false);
  if (pair?.worst >= 0) state.sample = place?.sample ?? pair.worst;
  choose(pair, place);
  if (pair) stage?.focus(false, ballOf(pair, place));
  else stage?.fit(false);
}

function visitNext(step) {
  const order = [null, ...findings.pairs].filter((pair) => cards.isShown(pair));
  const at = order.indexOf(state.pair) + step;
  if (at >= 0 && at < order.length) visit(order[at]);
}

function visitPlace(step) {
  const places = state.pair ? cards.placesOf(state.pair) : [];
  const at = state.place ? places.indexOf(state.place) + step : 0;
  if (at >= 0 && at < places.length) visit(state.pair, places[at]);
}

/** The finding that is nearest to what was clicked. */
function pickAt(x, y) {
  const hit = stage.pick(x, y);
  if (!hit) return;
  const pairs = wantedPairs().filter(({ a, b }) => a === hit.part || b === hit.part);
  const { cuts } = marksOf(models, findings, pairs, state.sample);
  const nearest = nearestOf(hit.point, cuts.map(({ segments }) => segments));
  if (nearest >= 0) choose(cuts[nearest].pair, null);
}

/** "#pair=3&place=0&sample=120": the pair by its number in the report, the place by its card. */
function readAddress(hash) {
  const wanted = new URLSearchParams(hash.slice(1));
  const number = (name) => (/^\d+$/.test(wanted.get(name) ?? "") ? Number(wanted.get(name)) : null);
  const index = number("pair");
  const pair = findings.pairs.find((each) => each.index === index) ?? null;
  state.place = pair ? (cards.placesOf(pair)[number("place") ?? -1] ?? null) : null;
  const sample = number("sample") ?? state.place?.sample ?? (pair?.worst >= 0 ? pair.worst : state.sample);
  state.sample = Math.min(findings.sampleCount - 1, sample);
  state.pair = pair;
}

/** What the address names, from close by if it is at its worst. */
function lookAtAddress() {
  const { pair, place, sample } = state;
  if (pair) stage?.focus(true, sample === (place?.sample ?? pair.worst) ? ballOf(pair, place) : null);
}

// ---- Playing ------------------------------------------------------------------------------------

const player = new Player(
  findings,
  (sample) => ((state.sample = sample), showSample()),
  (isPlaying) => {
    get("play").setAttribute("aria-pressed", String(isPlaying));
    get("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  },
);
const play = (isPlaying) => player.play(isPlaying);

function tick(time) {
  player.tick(time, state.sample);
  if (stage?.draw(time)) showPin();
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

/** The next choice of a list, around. */
function chooseNext(id, apply) {
  const list = get(id);
  if (list.hidden) return;
  const choices = [...list.options].filter((option) => !option.hidden);
  const at = choices.findIndex((option) => option.value === list.value);
  list.value = choices[(at + 1) % choices.length].value;
  apply();
}

const actions = {
  play: () => play(!player.isPlaying),
  before: () => (play(false), go(state.sample - 1)),
  after: () => (play(false), go(state.sample + 1)),
  focus: () => stage?.focus(false, state.place?.sample === state.sample ? ballOf(state.pair, state.place) : null),
  fit: () => stage?.fit(false),
  through: () => toggle("through", (isOn) => ((state.isSeeThrough = isOn), showParts())),
  apart: () => toggle("apart", (isOn) => ((state.isApart = isOn), showParts())),
  looks: () => toggle("looks", (isOn) => ((state.hasLooks = isOn), showParts())),
  zup: () => toggle("zup", (isOn) => stage && (stage.isZUp = isOn)),
  layout: () => chooseNext("layout", showStrips),
  measure: () => chooseNext("measure", showStrips),
  map: () => chooseNext("map", showMap),
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
  n: () => visitPlace(1),
  p: () => visitPlace(-1),
  a: () => visit(null),
  f: actions.focus,
  0: actions.fit,
  x: actions.through,
  d: actions.apart,
  z: actions.zup,
  t: () => !get("looks").hidden && actions.looks(),
  r: actions.layout,
  m: actions.measure,
  g: actions.map,
  "?": actions.help,
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("select, input[type=search], dialog[open]")) return;
  // A button or a box that has the focus keeps its own key.
  if ([" ", "Enter"].includes(event.key) && event.target.closest("button, input, summary")) return;
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action(event);
}

function listen() {
  for (const [id, action] of Object.entries(actions))
    if (get(id).tagName === "BUTTON") get(id).addEventListener("click", action);
  for (const id of ["layout", "measure"]) get(id).addEventListener("change", showStrips);
  get("map").addEventListener("change", showMap);
  document.addEventListener("keydown", onKey);
  get("done").addEventListener("click", () => get("keys").close());
  get("speed").addEventListener("change", (event) => (player.speed = Number(event.target.value)));
  get("run").addEventListener("change", (event) => go(findings.runs[Number(event.target.value)].sample));
  get("filter").addEventListener("input", (event) => {
    state.words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    showWanted();
  });
  addEventListener("hashchange", ({ newURL }) => {
    // The address itself may have followed an earlier click meanwhile.
    readAddress(new URL(newURL).hash);
    noteAddress();
    showPair();
    showSample();
    lookAtAddress();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    stage?.paint();
    timeline.redraw();
  });
}

// ---- The start ----------------------------------------------------------------------------------

/** In the order of the file; where there are many, worst first, with their depth. */
function fillRuns() {
  const isMany = findings.runs.length > MANY_RUNS;
  const order = isMany ? findings.runsFrom(wantedPairs()) : findings.runs.map((run) => ({ run, depth: 0 }));
  for (const { run, depth } of order) {
    const option = element("option", depth > 0 ? `${run.name} \u00b7 ${lengthText(depth)}` : run.name);
    option.value = String(findings.runs.indexOf(run));
    get("run").append(option);
  }
}

function fillSide() {
  get("filter").hidden = findings.pairs.length < 10;
  get("pairs").hidden = !findings.pairs.length;
  get("calm").hidden = findings.pairs.some((pair) => pair.worst >= 0);
  get("calm-text").textContent = summaryText(facts, findings);
  get("looks").hidden = !hasLooks(facts);
  get("looks").setAttribute("aria-pressed", String(state.hasLooks));
  fillRuns();
  const hasDepth = findings.pairs.some(({ mostDepth }) => mostDepth > 0);
  get("measure").hidden = !hasDepth;
  get("measure").value = hasDepth ? "depth" : "pairs";
  get("layout").hidden = findings.runs.length < 2;
  get("layout").value = findings.runs.length > MANY_RUNS ? "runs" : "all";
  showStrips();
  get("timeline").setAttribute("aria-valuemax", findings.sampleCount - 1);
  document.body.classList.toggle("still", findings.sampleCount === 1);
}

/** A click is a press that does not move. */
function listenForPicks() {
  let down = null;
  const canvas = get("view").querySelector("canvas");
  canvas.addEventListener("pointerdown", (event) => (down = event.button === 0 ? event : null));
  canvas.addEventListener("pointerup", (event) => {
    if (down && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 4) pickAt(event.clientX, event.clientY);
    down = null;
  });
}

function makeLooks() {
  const textures = texturesOf(facts, bytes, () => parts && showParts());
  return facts.parts.map((part, i) => (hasLooks(facts) && part.paint ? new Look(part, bytes, models[i], facts.looks, textures) : null));
}

function makeStage() {
  try {
    stage = new Stage(get("view"), models, makeLooks(), state.sample, findings.sampleCount);
    listenForPicks();
  } catch (error) {
    // Without WebGL the lists and the timeline are still worth having.
    get("no-view").hidden = false;
    document.body.classList.add("flat");
    console.info(`no 3-D view: ${error.message}`);
  }
}

/** The worst pose of a pair or place, into a small canvas: the stage is set for it, and back again. */
function drawThumb(canvas, pair, place) {
  const sample = place?.sample ?? pair.worst;
  stage.poseAt(sample);
  stage.show({ isWanted: (i) => i === pair.a || i === pair.b, isAside: () => false, isThrough: () => false, hasLooks: state.hasLooks });
  stage.mark(marksOf(models, findings, [pair], sample), mostDepth([pair]), null);
  stage.snapshot(canvas, ballOf(pair, place));
  canvas.classList.add("drawn");
  stage.poseAt(state.sample);
  showParts();
  showMarks();
  stage.draw(performance.now());
}

function makeLists() {
  parts = new PartList(get("parts"), facts.parts, showWanted);
  legend = new Legend(get("legend"));
  fit = new FitMap(get("map"), findings, models, namesOf);
  timeline = new Timeline(get("timeline"), findings, namesOf, pairWord, (sample, chosen) => {
    play(false);
    if (chosen && chosen !== state.pair) choose(chosen, null);
    go(sample);
  });
  thumbs = new Thumbs(drawThumb, () => !player.isPlaying && !stage.flight && stage.isSized);
  const onThumb = stage && ((canvas, pair, place) => thumbs.add(canvas, pair, place));
  cards = new Cards(get("pairs"), findings, facts.parts, namesOf, visit, onThumb);
}

function start() {
  fillHead(facts, findings);
  makeStage();
  makeLists();
  fillSide();
  listen();
  readAddress(location.hash);
  showWanted();
  lookAtAddress();
  requestAnimationFrame((time) => {
    tick(time);
    window.pliantReady = true;
  });
}

start();
// For tests and the curious.
window.pliant = {
  facts, findings, state, models, player, marks: () => marks, stage: () => stage, timeline: () => timeline,
  redraw() {
    if (!stage) return;
    stage.isStale = true;
    stage.draw(performance.now());
  },
};
