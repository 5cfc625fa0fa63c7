// Rays at triangles by brute force: orientations in double, and in whole numbers where rounding could decide.

const SCALE = 2 ** 149; // all floats are whole multiples of its inverse

const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const length = (a) => Math.hypot(...a);
const whole = (a) => a.map((x) => BigInt(x * SCALE));

/** On which side of the edge from a to b a ray passes. */
function side(origin, direction, a, b) {
  const [p, q] = [minus(a, origin), minus(b, origin)];
  const value = dot(direction, cross(p, q));
  // Differences of floats, products and sums are rounded some ten times, by 2^-53 each.
  if (Math.abs(value) > 2 ** -48 * length(direction) * (length(p) + length(origin)) * (length(q) + length(origin))) return Math.sign(value);
  const [o, d, u, v] = [origin, direction, a, b].map(whole);
  const exact = dot(d, cross(minus(u, o), minus(v, o)));
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

/** Where a ray hits a triangle; undefined if it does not. */
function hitTime(origin, direction, [a, b, c]) {
  const sides = [side(origin, direction, a, b), side(origin, direction, b, c), side(origin, direction, c, a)];
  if (Math.min(...sides) < 0 && Math.max(...sides) > 0) return undefined;
  const normal = cross(minus(b, a), minus(c, a));
  const t = dot(normal, minus(a, origin)) / dot(normal, direction);
  return t >= 0 && t < Infinity ? t : undefined;
}

/** The triangles that a ray hits first, which are several where it goes through an edge. */
export function firstHits(vertices, triangles, origin, direction) {
  let least = Infinity, found = [];
  const corner = (i) => [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]];
  for (let i = 0; i < triangles.length / 3; i++) {
    const t = hitTime(origin, direction, [0, 1, 2].map((k) => corner(triangles[3 * i + k])));
    if (t === undefined || t > least * (1 + 2 ** -40)) continue;
    if (t < least * (1 - 2 ** -40)) found = [];
    least = Math.min(least, t);
    found.push(i);
  }
  return found;
}
