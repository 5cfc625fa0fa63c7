// Numbers, lists and buttons beside the view.

const element = (id) => document.getElementById(id);
const count = new Intl.NumberFormat("en");
const BARS = 120, CHART_HEIGHT = 40, CHART_MOST = 50; // milliseconds at its upper edge

const milliseconds = (value) => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

/** glTF is in meters. */
function lengthOf(meters) {
  if (meters >= 1) return `${meters.toPrecision(3)} m`;
  return `${(1e3 * meters).toPrecision(3)} mm`;
}

function setText(id, text) {
  if (element(id).textContent !== text) element(id).textContent = text;
}

/** The last values. The median is shown: the first frames are slow, before the engine has compiled everything. */
export class Meter {
  #values = [];
  constructor(length) { this.length = length; }
  add(value) { if (this.#values.push(value) > this.length) this.#values.shift(); }
  clear() { this.#values = []; }
  get values() { return this.#values; }
  get median() { return [...this.#values].sort((one, other) => one - other)[this.#values.length >> 1] ?? NaN; }
  get mean() { return this.#values.reduce((sum, value) => sum + value, 0) / this.#values.length; }
}

export function showModel(name, { triangleCount, parts }) {
  setText("name", name);
  setText("size", `${count.format(triangleCount)} triangles, ${parts.length} ${parts.length === 1 ? "mesh" : "meshes"}`);
}

export function showClips(player) {
  const names = player.clips.map((clip, i) => [i, clip.name || `clip ${i + 1}`]);
  element("clip").replaceChildren(...[...names, [-1, "no clip"]].map(([value, text]) => new Option(text, value)));
  showClip(player);
}

export function showClip(player) {
  element("clip").value = player.index;
  element("time").max = player.duration || 1;
  for (const id of ["time", "play", "speed"]) element(id).disabled = player.duration === 0;
}

export function showTime(player) {
  element("time").value = player.time;
  element("time").setAttribute("aria-valuetext", `${player.time.toFixed(2)} seconds`);
  setText("clock", `${player.time.toFixed(2)} s`);
}

export function showPlaying(isPlaying) {
  document.body.classList.toggle("paused", !isPlaying);
  element("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
}

export function showTrouble(text) {
  element("trouble").hidden = !text;
  setText("trouble", text);
}

export function showNumbers(contactCount, regionCount, meters) {
  setText("contacts", count.format(contactCount));
  setText("regions", regionCount === null ? "…" : count.format(regionCount));
  setText("query", milliseconds(meters.query.median));
  const isMoving = meters.frame.values.length > 1;
  setText("rate", isMoving ? (1e3 / meters.frame.mean).toFixed(0) : "–");
  const parts = [["lines", meters.lines], ["drawing", meters.draw], ["regions", meters.regions]].filter(([, meter]) => meter.values.length > 0);
  setText("times", parts.map(([name, meter]) => `${name} ${milliseconds(meter.median)}`).join(", "));
  chart(meters.frame.values);
}

function chart(values) {
  const height = (value) => CHART_HEIGHT * (1 - Math.min(value / CHART_MOST, 1));
  const bars = values.slice(-BARS).map((value, i) => `M${i + 0.1} ${CHART_HEIGHT}V${height(value).toFixed(1)}h.8V${CHART_HEIGHT}z`);
  element("bars").setAttribute("d", bars.join(""));
  element("goal").setAttribute("d", `M0 ${height(1000 / 60).toFixed(1)}H${BARS}`);
}

function row({ names, contacts, regions, depth }) {
  const line = document.createElement("tr");
  const first = document.createElement("td");
  const [a, b] = names.map((name) => Object.assign(document.createElement("bdi"), { textContent: name }));
  const between = Object.assign(document.createElement("span"), { textContent: b ? " and " : " within itself" });
  first.append(a, between, ...(b ? [b] : []));
  const cells = [count.format(contacts), regions === null ? "…" : count.format(regions), depth > 0 ? lengthOf(depth) : "–"];
  line.append(first, ...cells.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
  return line;
}

/** Pairs of meshes, the deepest first. */
export function showPairs(pairs) {
  element("pairs").replaceChildren(...pairs.map(row));
  element("nothing").hidden = pairs.length > 0;
}

export const value = (id) => (element(id).type === "checkbox" ? element(id).checked : element(id).value);
export const on = (id, event, call) => element(id).addEventListener(event, call);
export const click = (id) => element(id).click();
export const toggle = (id, isShown) => { element(id).hidden = !isShown; };
