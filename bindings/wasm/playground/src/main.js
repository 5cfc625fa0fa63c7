// The playground: a model plays, and in each frame the library says what touches.

import { LineBasicMaterial } from "three";
import { load } from "pliant";
import wasmBytes from "wasm-bytes";
import { Checker } from "./checker.js";
import { disposeModel, readModel } from "./model.js";
import * as panel from "./panel.js";
import { Patches } from "./patches.js";
import { Player } from "./player.js";
import { Regions } from "./regions.js";
import { sample } from "./sample.js";
import { Stage } from "./stage.js";

const STEP = 1 / 30; // seconds of one press of an arrow key
const PANEL_EVERY = 200; // milliseconds: numbers that change faster cannot be read

const lineMaterial = new LineBasicMaterial({ depthTest: false, transparent: true });
const { Meter } = panel;
const meters = { query: new Meter(30), lines: new Meter(30), draw: new Meter(30), frame: new Meter(120), regions: new Meter(5) };
const patches = new Patches();
let stage, worker, model, checker, player;
let found = null; // the regions of the last answer
let isPlaying = !matchMedia("(prefers-reduced-motion: reduce)").matches;
let isMoved = true, isDirty = true, isPanelOld = true;
let lastTick = 0, lastPanel = 0;

// ---- A model ----

function closeModel() {
  if (!model) return;
  stage.scene.remove(model.scene, checker.lines);
  checker.dispose();
  disposeModel(model.scene);
}

function show(next) {
  const opened = new Checker(next.scene, lineMaterial); // throws before the last model is closed
  closeModel();
  [model, checker] = [next, opened];
  player = new Player(model.scene, model.animations);
  found = null;
  patches.setRegions([], []);
  worker.open(checker.shapes());
  stage.scene.add(model.scene, checker.lines);
  model.scene.updateMatrixWorld(true);
  stage.fit(model.scene);
  seeThrough();
  for (const meter of Object.values(meters)) meter.clear();
  panel.showModel(model.name, checker);
  panel.showClips(player);
  isMoved = true;
}

async function open(bytes, name) {
  try {
    const next = await readModel(bytes, name);
    show(next);
    panel.showTrouble(checker.parts.length > 0 ? "" : `${name} has no meshes.`);
  } catch (error) {
    panel.showTrouble(error.message);
  }
}

async function openFile(file) {
  if (file) await open(await file.arrayBuffer(), file.name);
}

/** A clip's own materials are kept, and made translucent where that is asked for. */
function seeThrough() {
  for (const { mesh } of checker.parts) {
    for (const material of [mesh.material].flat()) {
      material.userData.own ??= { transparent: material.transparent, opacity: material.opacity, depthWrite: material.depthWrite };
      Object.assign(material, panel.value("through") ? { transparent: true, opacity: 0.3, depthWrite: false } : material.userData.own);
      material.needsUpdate = true;
    }
  }
  isDirty = true;
}

// ---- A frame ----

/** The milliseconds that it takes, like those below. */
function drawMarks() {
  const start = performance.now();
  checker.drawLines(panel.value("cuts"));
  patches.update(panel.value("patches"));
  return performance.now() - start;
}

function update() {
  model.scene.updateMatrixWorld(true);
  meters.query.add(checker.query(panel.value("within")));
  meters.lines.add(drawMarks());
  worker.ask(() => checker.poses(), panel.value("within"));
  isMoved = false;
  isDirty = isPanelOld = true;
}

function draw() {
  const start = performance.now();
  stage.draw();
  meters.draw.add(performance.now() - start);
  isDirty = false;
}

/** Pairs with contacts now, and what the last answer of the worker says of them. */
function pairs() {
  const all = new Map();
  for (const [key, contacts] of checker.pairCounts()) {
    const [a, b] = key.split(",").map(Number);
    const names = a === b ? [checker.names[a]] : [checker.names[a], checker.names[b]];
    all.set(key, { names, contacts, regions: found && !worker.isBusy ? 0 : null, depth: 0 });
  }
  for (const { a, b, depth } of found ?? []) {
    const pair = all.get(`${a},${b}`);
    if (!pair) continue;
    pair.regions = (pair.regions ?? 0) + 1;
    pair.depth = Math.max(pair.depth, depth);
  }
  return [...all.values()].sort((one, other) => other.depth - one.depth || other.contacts - one.contacts);
}

function showPanel(now) {
  panel.showTime(player);
  if (!isPanelOld || now - lastPanel < PANEL_EVERY) return;
  [isPanelOld, lastPanel] = [false, now];
  panel.showNumbers(checker.contactCount, found?.length ?? null, meters);
  panel.showPairs(pairs());
}

function tick(now) {
  const isMoving = isPlaying && player.duration > 0;
  if (isMoving) {
    if (lastTick > 0) meters.frame.add(now - lastTick);
    player.advance(Math.min((now - lastTick) / 1e3, 0.1));
    isMoved = true;
  }
  lastTick = isMoving ? now : 0;
  if (isMoved) update();
  if (isDirty) draw();
  showPanel(now);
  requestAnimationFrame(tick);
}

// ---- Keys, buttons, files ----

function setPlaying(next) {
  isPlaying = next;
  meters.frame.clear();
  panel.showPlaying(isPlaying);
}

function choose(index) {
  player.choose(index);
  panel.showClip(player);
  isMoved = true;
}

function seek(time) {
  setPlaying(false);
  player.set(time);
  isMoved = true;
}

const KEYS = {
  " ": () => setPlaying(!isPlaying),
  ArrowLeft: () => seek(player.time - STEP),
  ArrowRight: () => seek(player.time + STEP),
  "[": () => choose(Math.max(player.index - 1, -1)),
  "]": () => choose(Math.min(player.index + 1, player.clips.length - 1)),
  x: () => panel.click("through"),
  f: () => { stage.fit(model.scene); isDirty = true; },
  o: () => panel.click("open"),
};

/** Keys that an element takes for itself: buttons the space bar, lists and sliders all. */
function onKey(event) {
  const isTaken = event.target.matches("select, input[type=range]") || (event.key === " " && event.target.matches("button, input, summary"));
  if (isTaken || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
}

function listen() {
  addEventListener("keydown", onKey);
  panel.on("play", "click", () => setPlaying(!isPlaying));
  panel.on("clip", "change", () => choose(Number(panel.value("clip"))));
  panel.on("speed", "change", () => { player.speed = Number(panel.value("speed")); });
  panel.on("time", "input", () => seek(Number(panel.value("time"))));
  panel.on("open", "click", () => panel.click("file"));
  panel.on("file", "change", (event) => openFile(event.target.files[0]));
  panel.on("sample", "click", () => { show(sample()); panel.showTrouble(""); });
  panel.on("through", "change", seeThrough);
  for (const id of ["within", "cuts", "patches"]) panel.on(id, "change", () => { isMoved = true; });
  addEventListener("dragover", (event) => { event.preventDefault(); panel.toggle("drop", true); });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) panel.toggle("drop", false); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    panel.toggle("drop", false);
    openFile(event.dataTransfer.files[0]);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { stage.recolor(lineMaterial); isDirty = true; });
}

/** The package ships its module as it is; here it is packed, as a page is one file. */
async function unpacked() {
  const stream = new Blob([wasmBytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

async function start() {
  const wasm = await unpacked();
  await load({ wasm, simd: true });
  stage = new Stage(document.getElementById("canvas"), () => { isDirty = true; });
  stage.recolor(lineMaterial);
  stage.scene.add(patches);
  worker = new Regions(wasm, ({ regions, milliseconds }) => {
    found = regions;
    meters.regions.add(milliseconds);
    patches.setRegions(regions, checker.bodies);
    patches.update(panel.value("patches"));
    isDirty = isPanelOld = true;
  });
  show(sample());
  setPlaying(isPlaying);
  listen();
  requestAnimationFrame(tick);
}

/** For the console and for tests. */
globalThis.playground = {
  open,
  /** The pose of a clip, by its name, at a time: numbers of contacts by names of meshes. */
  at(clip, time) {
    choose(player.clips.findIndex(({ name }) => name === clip));
    seek(time);
    update();
    return pairs().map(({ names, contacts }) => ({ names, contacts }));
  },
  play: () => setPlaying(true),
  get regions() { return worker.isBusy ? null : found; },
  /** Mean milliseconds of the last frames. */
  get times() { return Object.fromEntries(Object.entries(meters).map(([name, meter]) => [name, meter.mean])); },
  /** Milliseconds of the parts of one frame, one after the other, until it is drawn. */
  measure(clip, time) {
    setPlaying(false);
    if (player.clip?.name !== clip) choose(player.clips.findIndex(({ name }) => name === clip));
    const start = performance.now();
    player.set(time);
    model.scene.updateMatrixWorld(true);
    const pose = performance.now() - start;
    return { pose, query: checker.query(panel.value("within")), lines: drawMarks(), draw: stage.drawAndWait() };
  },
};

start().catch((error) => panel.showTrouble(`This browser cannot run the playground. ${error.message}`));
