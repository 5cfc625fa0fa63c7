// How strips of the timeline are drawn: where samples are across, and bars of what is told.

import { colorOf } from "./words.js";

export const STRIP_HEIGHT = 26;
const STUB_HEIGHT = 4;

/** Where samples are across a strip: runs side by side with a gap between them. */
export class Across {
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

/** What strips can tell. Depth is linear, and on one scale for all strips. Pairs are by the square
 * root, so that a few are seen beside many, and each strip has its own scale. */
export const MEASURES = {
  depth: { valuesOf: (findings, pairs) => findings.depthsOf(pairs), share: (value, most) => value / most },
  pairs: { valuesOf: (findings, pairs) => findings.totalsOf(pairs), share: (value, most) => Math.sqrt(value / most) },
};

export function greatest(values) {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

/** As much of a text as there is room for; nothing where that says nothing. */
export function fitted(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  for (let count = text.length - 1; count >= 4; count--) {
    const cut = `${text.slice(0, count)}\u2026`;
    if (context.measureText(cut).width <= room) return cut;
  }
  return "";
}

/** A canvas of the size that it has on the screen. */
export function prepared(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.clearRect(0, 0, width, height);
  return context;
}

/** A bar of a sample, on whole pixels, so that neighbors leave no seams; `least`: how wide at least. */
function drawBar(context, across, sample, height, least) {
  const x = across.x(sample);
  if (x === null) return;
  const left = Math.round(x);
  const right = Math.round(x + across.step) - (across.step > 4 ? 1 : 0);
  context.fillRect(left, STRIP_HEIGHT - height, Math.max(least, right - left), height);
}

function drawWorst(context, across, sample) {
  if (!(sample >= 0) || across.x(sample) === null) return;
  const middle = across.x(sample) + across.step / 2;
  context.fillStyle = colorOf("--ink");
  context.beginPath();
  context.moveTo(middle - 4, 0);
  context.lineTo(middle + 4, 0);
  context.lineTo(middle, 5);
  context.fill();
}

/** Draws a strip: { canvas, width, across, values, most, share, color, worst }. A value below 0 is one
 * that is not known: a low and pale bar. The few that are known stand out however narrow they are. */
export function drawStrip({ canvas, width, across, values, most, share, color, worst }) {
  const context = prepared(canvas, width, STRIP_HEIGHT);
  context.fillStyle = colorOf("--strip");
  for (const run of across.runs) context.fillRect(run.left, 0, Math.max(1, run.width), STRIP_HEIGHT);
  context.fillStyle = color;
  for (const isKnown of [false, true]) {
    context.globalAlpha = isKnown ? 1 : 0.4;
    for (const { sample: first, count } of across.runs)
      for (let sample = first; sample < first + count; sample++) {
        const value = values[sample];
        if (!value || value > 0 !== isKnown) continue;
        const height = isKnown ? Math.max(STUB_HEIGHT, share(value, most) * (STRIP_HEIGHT - 6)) : STUB_HEIGHT;
        drawBar(context, across, sample, height, isKnown ? 2 : 1);
      }
  }
  drawWorst(context, across, worst);
}
