// The timeline: one strip for all pairs of parts, one for each, over the samples of all runs.
//
// A strip shows new pairs of triangles per sample, by the square root, so that a few are seen beside
// many; each strip has its own scale. Strips are drawn when they are scrolled into sight.

import { colorOf, countText, element, lengthText, pairElements, plural, secondsText } from "./words.js";

const STRIP_HEIGHT = 26;

/** Where samples are across a strip: runs side by side with a gap between them. */
class Across {
  constructor(runs, width) {
    const sampleCount = runs.reduce((sum, run) => sum + run.count, 0);
    const gap = Math.min(5, (0.25 * width) / runs.length);
    this.step = Math.max(0, width - gap * (runs.length - 1)) / sampleCount;
    let left = 0;
    this.runs = runs.map((run) => {
      const placed = { ...run, left, width: run.count * this.step };
      left += placed.width + gap;
      return placed;
    });
  }

  /** The left end of a sample; null where its run is not shown. */
  x(sample) {
    const run = this.runs.findLast((each) => each.sample <= sample);
    if (!run || sample >= run.sample + run.count) return null;
    return run.left + (sample - run.sample) * this.step;
  }

  sampleAt(x) {
    const run = this.runs.findLast((each) => each.left <= x) ?? this.runs[0];
    const within = Math.floor((x - run.left) / this.step);
    return run.sample + Math.min(run.count - 1, Math.max(0, within));
  }
}

/** As much of a text as there is room for; nothing where that says nothing. */
function fitted(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  for (let count = text.length - 1; count >= 4; count--) {
    const cut = `${text.slice(0, count)}\u2026`;
    if (context.measureText(cut).width <= room) return cut;
  }
  return "";
}

/** A canvas of the size that it has on the screen. */
function prepared(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.clearRect(0, 0, width, height);
  return context;
}

export class Timeline {
  /** word: what is counted. onSeek(sample, pair or null): somebody pointed at a moment. */
  constructor(host, findings, namesOf, word, onSeek) {
    this.host = host;
    this.word = word;
    this.findings = findings;
    this.namesOf = namesOf;
    this.onSeek = onSeek;
    this.sample = 0;
    this.totals = new Float64Array(findings.sampleCount);
    this.tip = document.getElementById("tip");
    this.ruler = element("canvas.ruler");
    this.head = element("div.playhead");
    this.head.append(element("i"));
    this.body = element("div.strips");
    this.strips = [];
    this.#addStrip(null);
    findings.pairs.forEach((pair) => this.#addStrip(pair));
    this.body.append(element("div.ruler-row", element("span"), this.ruler), ...this.strips.map((s) => s.row));
    this.body.append(this.head);
    host.append(this.body);
    this.#listen();
    new ResizeObserver(() => this.redraw()).observe(host);
  }

  #addStrip(pair) {
    const canvas = element("canvas");
    const label = element("div.strip-label");
    if (pair) {
      label.append(element(`i.dot.${pair.verdict}`), ...pairElements(this.namesOf(pair), "–"));
    } else {
      label.append(element("b", "All pairs"));
    }
    // A short name stays whole, and a long one gives way.
    for (const name of label.querySelectorAll(".name")) name.classList.toggle("short", name.textContent.length < 9);
    const row = element("div.strip", label, canvas);
    if (pair?.allowed) row.classList.add("allowed");
    this.strips.push({ pair, row, canvas, isDrawn: false });
  }

  #listen() {
    this.seen = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const strip = this.strips.find(({ canvas }) => canvas === entry.target);
        strip.isSeen = entry.isIntersecting;
        if (strip.isSeen) this.#draw(strip);
      }
    }, { root: this.host });
    for (const { canvas } of this.strips) this.seen.observe(canvas);
    this.body.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.held = this.#stripOf(event.target);
      this.body.setPointerCapture(event.pointerId);
      this.#seek(event, true);
    });
    this.body.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.#seek(event, false);
      this.#hover(event);
    });
    for (const name of ["pointerup", "pointercancel"])
      this.body.addEventListener(name, () => (this.held = undefined));
    this.body.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }

  #stripOf(target) {
    return this.strips.find(({ row }) => row.contains(target));
  }

  #sampleOf(event) {
    const { left } = this.ruler.getBoundingClientRect();
    return this.across.sampleAt(event.clientX - left);
  }

  #seek(event, isFirst) {
    const isLabel = event.clientX < this.ruler.getBoundingClientRect().left;
    const pair = this.held?.pair ?? null;
    if (isFirst && isLabel) {
      if (pair) this.onSeek(pair.worst >= 0 ? pair.worst : this.sample, pair);
    } else {
      this.onSeek(this.#sampleOf(event), isFirst ? pair : null);
    }
  }

  #hover(event) {
    const strip = this.held ?? this.#stripOf(event.target);
    const { left } = this.ruler.getBoundingClientRect();
    this.tip.hidden = event.clientX < left;
    if (this.tip.hidden) return;
    const sample = this.#sampleOf(event);
    const { run, frame, time } = this.findings.momentOf(sample);
    const lines = [element("b", `${run.name}, frame ${countText(frame)}`), element("span", secondsText(time))];
    if (strip?.pair) {
      const { fresh, others, depth } = this.findings.rowAt(strip.pair, sample);
      lines.push(element("span", plural(fresh, this.word)));
      if (others) lines.push(element("span", `${countText(others)} as in the baseline`));
      if (fresh && depth !== null) lines.push(element("span", `depth ${lengthText(depth)}`));
    } else {
      lines.push(element("span", `${plural(this.totals[sample], this.word)} in all`));
    }
    this.tip.replaceChildren(...lines);
    const box = this.tip.getBoundingClientRect();
    this.tip.style.left = `${Math.min(innerWidth - box.width - 8, event.clientX + 14)}px`;
    this.tip.style.top = `${Math.max(8, event.clientY - box.height - 12)}px`;
  }

  /** Leaves strips of pairs that are wanted; totals: at each sample. */
  filter(isWanted, totals) {
    this.totals = totals;
    for (const { pair, row } of this.strips) row.hidden = pair !== null && !isWanted(pair);
    this.redraw();
  }

  /** Shows the run of the moment alone, or all of them. */
  set isClose(value) {
    this.isRunAlone = value;
    this.redraw();
  }

  #shownRuns() {
    const { runs } = this.findings;
    if (!runs.length) return [{ sample: 0, count: this.findings.sampleCount, name: "rest" }];
    return this.isRunAlone ? [this.findings.runOf(this.sample)] : runs;
  }

  /** All again: the size, the runs or the colors changed. */
  redraw() {
    const width = this.ruler.clientWidth;
    if (!width) return;
    this.across = new Across(this.#shownRuns(), width);
    for (const strip of this.strips) strip.isDrawn = false;
    for (const strip of this.strips) if (strip.isSeen) this.#draw(strip);
    this.#drawRuler(width);
    this.place(this.sample);
  }

  #drawRuler(width) {
    const context = prepared(this.ruler, width, 20);
    context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    context.textBaseline = "middle";
    context.fillStyle = colorOf("--quiet");
    for (const run of this.across.runs)
      context.fillText(fitted(context, run.name, run.width - 2), run.left + 1, 10);
  }

  #draw(strip) {
    if (strip.isDrawn || !this.across) return;
    strip.isDrawn = true;
    const width = this.ruler.clientWidth;
    const context = prepared(strip.canvas, width, STRIP_HEIGHT);
    context.fillStyle = colorOf("--strip");
    for (const run of this.across.runs)
      context.fillRect(run.left, 0, Math.max(1, run.width), STRIP_HEIGHT);
    const { pair } = strip;
    const { samples, fresh } = pair?.rigid ? { samples: null, fresh: this.#everywhere(pair) } : pair?.rows ?? {};
    if (pair) this.#drawBars(context, samples ?? fresh.keys(), fresh, colorOf(`--${pair.verdict}-bar`));
    else this.#drawBars(context, this.totals.keys(), this.totals, colorOf("--all-bar"));
    if (pair && pair.worst >= 0) this.#drawWorst(context, pair.worst);
  }

  /** Parts that do not move against each other were checked once. */
  #everywhere(pair) {
    return new Float64Array(this.findings.sampleCount).fill(pair.rows.fresh[0] ?? 0);
  }

  #drawBars(context, samples, values, color) {
    const most = values.reduce((a, b) => Math.max(a, b), 0);
    if (!most) return;
    context.fillStyle = color;
    const gap = this.across.step > 4 ? 1 : 0;
    let i = 0;
    for (const sample of samples) {
      const value = values[i++];
      const x = this.across.x(sample);
      if (!value || x === null) continue;
      const height = Math.max(2, Math.sqrt(value / most) * (STRIP_HEIGHT - 6));
      // On whole pixels: neighbors leave no seams.
      const left = Math.round(x);
      const right = Math.round(x + this.across.step) - gap;
      context.fillRect(left, STRIP_HEIGHT - height, Math.max(1, right - left), height);
    }
  }

  #drawWorst(context, sample) {
    if (this.across.x(sample) === null) return;
    const middle = this.across.x(sample) + this.across.step / 2;
    context.fillStyle = colorOf("--ink");
    context.beginPath();
    context.moveTo(middle - 4, 0);
    context.lineTo(middle + 4, 0);
    context.lineTo(middle, 5);
    context.fill();
  }

  place(sample) {
    this.sample = sample;
    if (!this.across) return;
    if (this.across.x(sample) === null) {
      this.redraw();
      return;
    }
    const x = this.ruler.offsetLeft + this.across.x(sample) + this.across.step / 2;
    this.head.style.transform = `translateX(${x}px)`;
  }

  select(pair) {
    for (const strip of this.strips) {
      const isIt = strip.pair === pair;
      strip.row.classList.toggle("selected", isIt);
      if (isIt && pair) strip.row.hidden = false; // of alternatives that are folded, this one is not
      if (isIt && pair) strip.row.scrollIntoView({ block: "nearest" });
    }
  }
}
