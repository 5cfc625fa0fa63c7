// Colors of depth: lightness falls from shallow to deep, so that it is read without seeing hues.

const STOPS = ["#fff4a8", "#fec44f", "#f0713a", "#b82468", "#480a5e"]; // as in pictures: view/sketch.c

function rgb(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

/** Red, green, blue from 0 to 255, of a share from 0 to 1. */
export function rampColor(share) {
  const at = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const low = Math.min(STOPS.length - 2, Math.floor(at));
  const [from, to] = [rgb(STOPS[low]), rgb(STOPS[low + 1])];
  return from.map((value, k) => Math.round(value + (at - low) * (to[k] - value)));
}

export const RAMP_GRADIENT = `linear-gradient(to right, ${STOPS.join(", ")})`;

/** A row of pixels with all of it, four bytes each. */
export function rampPixels(count) {
  const pixels = new Uint8Array(count * 4);
  for (let i = 0; i < count; i++) pixels.set([...rampColor(i / (count - 1)), 255], i * 4);
  return pixels;
}
