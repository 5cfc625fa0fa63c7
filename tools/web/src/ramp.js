// Colors of depth: lightness falls from shallow to deep, so that it is read without seeing hues.

const STOPS = ["#fff4a8", "#fec44f", "#f0713a", "#b82468", "#480a5e"]; // as in pictures: view/sketch.c

/** Of signed distances: what is inside as depths are, what is outside from pale to blue. */
const SIGNED_STOPS = ["#480a5e", "#b82468", "#f0713a", "#fff4a8", "#a6dba0", "#41a6b8", "#23449b"];

function rgb(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

/** Red, green, blue from 0 to 255, of a share from 0 to 1. */
function rampColor(stops, share) {
  const at = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  const [from, to] = [rgb(stops[low]), rgb(stops[low + 1])];
  return from.map((value, k) => Math.round(value + (at - low) * (to[k] - value)));
}

export function rampGradient(isSigned) {
  return `linear-gradient(to right, ${(isSigned ? SIGNED_STOPS : STOPS).join(", ")})`;
}

/** A row of pixels with all of it, four bytes each; isInside: nothing of what is outside. */
export function rampPixels(count, isSigned, isInside) {
  const pixels = new Uint8Array(count * 4);
  for (let i = 0; i < count; i++) pixels.set([...rampColor(isSigned ? SIGNED_STOPS : STOPS, i / (count - 1)), isInside && i > count / 2 ? 0 : 255], i * 4);
  return pixels;
}
