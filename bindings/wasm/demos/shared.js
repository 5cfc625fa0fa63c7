// What all demos have: the library, a view, buttons, numbers, and a loop.

import { LineBasicMaterial, Spherical } from "three";
import { load } from "pliant";
import wasmBytes from "wasm-bytes";
import { Stage } from "../playground/src/stage.js";

const byId = (id) => document.getElementById(id);
export const canvas = byId("canvas");
export const aim = byId("aim");

function element(name, text, parent) {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
}

/** A button, and the key that presses it. */
export function button(text, key, press) {
  const made = element("button", text, byId("controls"));
  made.type = "button";
  made.onclick = press;
  addEventListener("keydown", (event) => {
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || (key === " " && event.target !== canvas && event.target !== document.body)) return;
    event.preventDefault();
    press();
  });
  return made;
}

/** A slider from 0 to 1. */
export function slider(text, value, change) {
  const label = element("label", text, byId("controls"));
  const made = element("input", "", label);
  Object.assign(made, { type: "range", min: 0, max: 1, step: 0.01, value });
  made.oninput = () => change(Number(made.value));
  return made;
}

/** Numbers that are shown: show({ name: text }). */
const shown = new Map();
export function show(numbers) {
  for (const [name, text] of Object.entries(numbers)) {
    if (!shown.has(name)) {
      const group = element("div", "", byId("numbers"));
      element("dt", name, group);
      shown.set(name, element("dd", "", group));
    }
    shown.get(name).textContent = text;
  }
}

/** The mean of the last times, as text. */
export class Meter {
  #times = [];
  measure(work) {
    const start = performance.now();
    const result = work();
    this.#times.push(performance.now() - start);
    if (this.#times.length > 30) this.#times.shift();
    return result;
  }
  get text() { return `${(this.#times.reduce((sum, one) => sum + one, 0) / (this.#times.length || 1)).toFixed(2)} ms`; }
}

/** Arrow keys turn the view, plus and minus zoom, while it has the focus. */
export function turnByKeys({ camera, controls }) {
  const turns = { ArrowLeft: [-0.1, 0, 1], ArrowRight: [0.1, 0, 1], ArrowUp: [0, -0.1, 1], ArrowDown: [0, 0.1, 1], "+": [0, 0, 0.9], "-": [0, 0, 1.1] };
  canvas.addEventListener("keydown", (event) => {
    const turn = turns[event.key];
    if (!turn) return;
    event.preventDefault();
    const place = new Spherical().setFromVector3(camera.position.clone().sub(controls.target));
    place.set(place.radius * turn[2], place.phi + turn[1], place.theta + turn[0]).makeSafe();
    camera.position.setFromSpherical(place).add(controls.target);
    controls.update();
  });
}

export const lineMaterial = new LineBasicMaterial({ depthTest: false, transparent: true });

/** Loads the library, and calls make(stage), which returns step(seconds): it is called for each frame, unless the demo rests. */
export async function start(keys, make) {
  byId("keys").textContent = keys;
  try {
    const wasm = new Response(new Blob([wasmBytes]).stream().pipeThrough(new DecompressionStream("gzip")));
    await load({ wasm: await WebAssembly.compile(await wasm.arrayBuffer()), simd: true });
    const stage = new Stage(canvas, () => {});
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const recolor = () => stage.recolor(lineMaterial);
    let isResting = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = make(stage);
    const pause = button(isResting ? "Play" : "Pause", "p", () => {
      isResting = !isResting;
      pause.textContent = isResting ? "Play" : "Pause";
    });
    dark.addEventListener("change", recolor);
    recolor();
    step(0);
    let last = performance.now();
    globalThis.demo = { frames: 0, step }; // for the console and for tests
    const tick = (now) => {
      if (!isResting) step(Math.min((now - last) / 1000, 1 / 30));
      last = now;
      stage.draw();
      globalThis.demo.frames++;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  } catch (error) {
    byId("trouble").hidden = false;
    byId("trouble").textContent = `This browser cannot run the demo. ${error.message}`;
    throw error;
  }
}
