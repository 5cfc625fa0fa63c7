// The timeline: strips over the samples of runs, in one of three layouts. A strip for each pair of
// parts, over all runs or over the one that is shown; or a strip for each run, worst first, of what is
// chosen. Strips are drawn when they are scrolled into sight.

import { Across, drawStrip, fitted, greatest, MEASURES, prepared } from "./strips.js";
import { colorOf, countText, element, lengthText, nameElement, pairElements, plural, secondsText } from "./words.js";

/** Of more runs, so many are shown until somebody asks for the others. */
const RUNS_SHOWN = 6;

/** Beside more runs than these, strips of pairs are too narrow to be read. */
export const MANY_RUNS = 12;

export class Timeline {
  /** word: what is counted. onSeek(sample, pair or null): somebody pointed at a moment. */
  constructor(host, findings, namesOf, word, onSeek) {
    Object.assign(this, { host, word, findings, namesOf, onSeek });
    this.sample = 0;
    this.wanted = []; // pairs of which the first strip is
    this.selected = null;
    this.measure = "depth";
    this.layout = "all";
    this.areAllRuns = false;
    this.tip = document.getElementById("tip");
    this.ruler = element("canvas.ruler");
    this.scale = element("span.scale");
    this.head = element("div.playhead", element("i"));
    this.strips = [null, ...findings.pairs].map((pair) => this.#pairStrip(pair));
    this.runStrips = findings.runs.map((run) => this.#runStrip(run));
    this.more = element("button.more");
    this.more.type = "button";
    this.more.addEventListener("click", () => ((this.areAllRuns = !this.areAllRuns), this.redraw()));
    this.runList = element("div.run-strips", ...this.runStrips.map(({ row }) => row));
    this.body = element("div.strips", element("div.ruler-row", this.scale, this.ruler));
    this.body.append(...this.strips.map(({ row }) => row), this.runList, this.head);
    host.append(this.body);
    host.after(this.more); // a slider has no buttons in it
    this.#listen();
    new ResizeObserver(() => this.redraw()).observe(host);
  }

  #strip(label, facts) {
    // A short name stays whole, and a long one gives way.
    for (const name of label.querySelectorAll(".name")) name.classList.toggle("short", name.textContent.length < 9);
    const canvas = element("canvas");
    return { canvas, row: element("div.strip", label, canvas), isDrawn: false, ...facts };
  }

  #pairStrip(pair) {
    const label = element("div.strip-label");
    if (pair) label.append(element(`i.dot.${pair.verdict}`), ...pairElements(this.namesOf(pair), "–"));
    else label.append(element("b", "All pairs"));
    const strip = this.#strip(label, { pair, run: null });
    strip.row.classList.toggle("allowed", Boolean(pair?.allowed));
    return strip;
  }

  #runStrip(run) {
    const worst = element("span.worst");
    const strip = this.#strip(element("div.strip-label", nameElement(run.name), worst), { pair: null, run });
    strip.row.classList.add("of-run");
    return Object.assign(strip, { worst });
  }

  get #all() {
    return [...this.strips, ...this.runStrips];
  }

  #listen() {
    const byCanvas = new Map(this.#all.map((strip) => [strip.canvas, strip]));
    this.seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const strip = byCanvas.get(target);
        strip.isSeen = isIntersecting;
        if (isIntersecting) this.#draw(strip);
      }
    }, { root: this.host });
    for (const { canvas } of this.#all) this.seen.observe(canvas);
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
    return this.#all.find(({ row }) => row.contains(target));
  }

  #sampleOf(event, strip) {
    const { left } = this.ruler.getBoundingClientRect();
    return (strip?.across ?? this.across).sampleAt(event.clientX - left);
  }

  #isLabel(event) {
    return event.clientX < this.ruler.getBoundingClientRect().left;
  }

  #seek(event, isFirst) {
    const { held } = this;
    if (this.layout === "runs" && !held) return;
    if (!isFirst || !this.#isLabel(event)) this.onSeek(this.#sampleOf(event, held), isFirst ? (held?.pair ?? null) : null);
    else if (held?.run) this.onSeek(this.order.find(({ run }) => run === held.run).sample, null);
    else if (held?.pair) this.onSeek(held.pair.worst >= 0 ? held.pair.worst : this.sample, held.pair);
  }

  #tipLines(strip, sample) {
    const { run, frame, time } = this.findings.momentOf(sample);
    const lines = [element("b", `${run.name}, frame ${countText(frame)}`), element("span", secondsText(time))];
    const pairs = this.#pairsOf(strip);
    if (pairs.length === 1) {
      const { fresh, others, depth } = this.findings.rowAt(pairs[0], sample);
      lines.push(element("span", plural(fresh, this.word)));
      if (others) lines.push(element("span", `${countText(others)} as in the baseline`));
      if (fresh) lines.push(element("span", depth === null ? "depth not measured" : `depth ${lengthText(depth)}`));
      return lines;
    }
    const depth = this.findings.depthsOf(pairs)[sample];
    lines.push(element("span", `${plural(this.findings.totalsOf(pairs)[sample], this.word)} in all`));
    if (depth > 0) lines.push(element("span", `deepest ${lengthText(depth)}`));
    return lines;
  }

  #hover(event) {
    const strip = this.held ?? this.#stripOf(event.target);
    this.tip.hidden = !this.across || this.#isLabel(event) || (this.layout === "runs" && !strip);
    if (this.tip.hidden) return;
    this.tip.replaceChildren(...this.#tipLines(strip ?? this.strips[0], this.#sampleOf(event, strip)));
    const box = this.tip.getBoundingClientRect();
    this.tip.style.left = `${Math.max(8, Math.min(innerWidth - box.width - 8, event.clientX + 14))}px`;
    this.tip.style.top = `${Math.max(8, event.clientY - box.height - 12)}px`;
  }

  // ---- What is shown ------------------------------------------------------------------------------

  /** Leaves strips of pairs that are wanted; pairs: those that count together. */
  filter(isWanted, pairs) {
    this.wanted = pairs;
    this.isWanted = isWanted;
    this.redraw();
  }

  select(pair) {
    this.selected = pair;
    this.redraw();
    for (const { pair: own, row } of this.strips) row.classList.toggle("selected", own === pair);
    this.#showSelected();
  }

  #showSelected() {
    const strip = this.strips.find(({ pair }) => pair && pair === this.selected);
    if (strip && !strip.row.hidden) strip.row.scrollIntoView({ block: "nearest" });
  }

  /** measure: "depth" or "pairs"; layout: "all" or "one" (pairs of parts, over all runs or the one that
   * is shown) or "runs". */
  show({ measure = this.measure, layout = this.layout }) {
    Object.assign(this, { measure, layout });
    this.redraw();
    this.#showSelected();
  }

  /** The pairs of parts that a strip tells of. */
  #pairsOf({ pair, run }) {
    if (run) return this.selected ? [this.selected] : this.wanted;
    return pair ? [pair] : this.wanted;
  }

  #shownRuns() {
    const { runs } = this.findings;
    if (!runs.length) return [{ sample: 0, count: this.findings.sampleCount, name: "rest" }];
    return this.layout === "one" ? [this.findings.runOf(this.sample)] : runs;
  }

  /** Strips of runs in their order: the worst, and that of the moment. */
  #orderRuns() {
    this.order = this.findings.runsFrom(this.#pairsOf(this.runStrips[0] ?? { run: true }));
    const now = this.findings.runOf(this.sample);
    const shown = this.order.map(({ run }, i) => this.areAllRuns || i < RUNS_SHOWN || run === now);
    this.order.forEach(({ run, depth, pairs }, i) => {
      const strip = this.runStrips.find((each) => each.run === run);
      strip.row.hidden = !shown[i];
      strip.row.classList.toggle("selected", run === now);
      strip.worst.textContent = depth > 0 ? lengthText(depth) : pairs ? plural(pairs, "pair") : "–";
      this.runList.append(strip.row);
    });
    const clean = this.order.filter(({ depth, pairs }) => !depth && !pairs).length;
    const folded = shown.filter((isShown) => !isShown).length;
    this.more.hidden = this.order.length <= RUNS_SHOWN;
    const others = plural(folded, "more run") + (clean ? `, ${countText(clean)} of them clean` : "");
    this.more.textContent = this.areAllRuns ? "The worst runs only" : others;
  }

  #arrange() {
    const isRuns = this.layout === "runs";
    for (const { pair, row } of this.strips)
      row.hidden = isRuns || (pair !== null && pair !== this.selected && !this.isWanted?.(pair));
    this.runList.hidden = this.more.hidden = !isRuns;
    this.ruler.classList.toggle("unused", isRuns);
    if (isRuns) this.#orderRuns();
  }

  /** The depth at the top of all strips that are shown. */
  #mostDepth() {
    const pairs = this.layout === "runs" ? this.#pairsOf({ run: true }) : this.findings.pairs.filter((pair) => this.isWanted?.(pair));
    return pairs.reduce((most, { rows }) => Math.max(most, greatest(rows.depth)), 0);
  }

  /** All again: the size, the runs, what is chosen or the colors changed. */
  redraw() {
    this.#arrange();
    const width = this.ruler.clientWidth;
    if (!width) return;
    this.width = width;
    this.across = new Across(this.#shownRuns(), width);
    this.most = this.#mostDepth();
    this.shared = null;
    this.scale.textContent = this.measure === "depth" && this.most > 0 ? `Depth to ${lengthText(this.most)}` : "";
    for (const strip of this.#all) {
      strip.isDrawn = false;
      strip.across = strip.run ? new Across([strip.run], width) : this.across;
    }
    for (const strip of this.#all) if (strip.isSeen) this.#draw(strip);
    this.#drawRuler(width);
    this.#placeHead();
  }

  #drawRuler(width) {
    const context = prepared(this.ruler, width, 20);
    if (this.layout === "runs") return;
    context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    context.textBaseline = "middle";
    context.fillStyle = colorOf("--quiet");
    for (const run of this.across.runs)
      context.fillText(fitted(context, run.name, run.width - 2), run.left + 1, 10);
  }

  /** Strips of runs share one list of values. */
  #valuesOf(strip) {
    const { valuesOf } = MEASURES[this.measure];
    if (!strip.run) return valuesOf(this.findings, this.#pairsOf(strip));
    return (this.shared ??= valuesOf(this.findings, this.#pairsOf(strip)));
  }

  #draw(strip) {
    if (strip.isDrawn || !this.across || strip.row.hidden) return;
    strip.isDrawn = true;
    const values = this.#valuesOf(strip);
    const pair = strip.run ? this.selected : strip.pair;
    drawStrip({
      canvas: strip.canvas, width: this.width, across: strip.across, values,
      most: this.measure === "depth" ? this.most : greatest(values), share: MEASURES[this.measure].share,
      color: colorOf(pair ? `--${pair.verdict}-bar` : "--all-bar"), worst: pair?.worst ?? -1,
    });
  }

  place(sample) {
    const before = this.findings.runOf(this.sample);
    this.sample = sample;
    if (!this.across) return;
    if (this.layout !== "all" && before !== this.findings.runOf(sample)) this.redraw();
    else this.#placeHead();
  }

  #placeHead() {
    const now = this.layout === "runs" ? this.findings.runOf(this.sample) : null;
    const strip = this.runStrips.find(({ run }) => run === now);
    const across = strip?.across ?? this.across;
    const x = this.ruler.offsetLeft + across.x(this.sample) + across.step / 2;
    this.head.style.transform = `translateX(${x}px)`;
    this.head.style.top = strip ? `${strip.row.offsetTop}px` : "";
    this.head.style.bottom = strip ? "auto" : "";
    this.head.style.height = strip ? `${strip.row.offsetHeight}px` : "";
  }
}
