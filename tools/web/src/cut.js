// The cut: the line in which the triangles of two parts intersect, as segments.
//
// The check has said which triangles touch the other part; which two of them intersect, and where, is found
// again here, in doubles. Positions were rounded for the page, so a segment may be missing where
// surfaces only just touch.

/** Corners and box of a triangle: x, y, z of each corner; least and greatest of each axis. */
function cornersOf(vertices, indices, triangle) {
  const corners = new Float64Array(15);
  for (let axis = 0; axis < 3; axis++) {
    for (let k = 0; k < 3; k++) corners[k * 3 + axis] = vertices[indices[triangle * 3 + k] * 3 + axis];
    corners[9 + axis] = Math.min(corners[axis], corners[3 + axis], corners[6 + axis]);
    corners[12 + axis] = Math.max(corners[axis], corners[3 + axis], corners[6 + axis]);
  }
  return corners;
}

function isApart(a, b) {
  return (
    a[12] < b[9] || b[12] < a[9] || a[13] < b[10] || b[13] < a[10] || a[14] < b[11] || b[14] < a[11]
  );
}

function normalOf(t) {
  const [ux, uy, uz] = [t[3] - t[0], t[4] - t[1], t[5] - t[2]];
  const [vx, vy, vz] = [t[6] - t[0], t[7] - t[1], t[8] - t[2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** Where a triangle crosses the plane of another: two points, or null. */
function crossing(t, plane, normal) {
  const heights = [0, 3, 6].map(
    (k) => (t[k] - plane[0]) * normal[0] + (t[k + 1] - plane[1]) * normal[1] + (t[k + 2] - plane[2]) * normal[2],
  );
  const points = [];
  for (let k = 0; k < 3; k++) {
    const [from, to] = [heights[k], heights[(k + 1) % 3]];
    if (from > 0 === to > 0) continue;
    const share = from / (from - to);
    const [i, j] = [k * 3, ((k + 1) % 3) * 3];
    points.push([0, 1, 2].map((axis) => t[i + axis] + share * (t[j + axis] - t[i + axis])));
  }
  return points.length === 2 ? points : null;
}

/** The segment that two triangles have in common, or null. */
export function segmentOf(a, b) {
  if (isApart(a, b)) return null;
  const [normalA, normalB] = [normalOf(a), normalOf(b)];
  const [ofA, ofB] = [crossing(a, b, normalB), crossing(b, a, normalA)];
  if (!ofA || !ofB) return null;
  const line = [0, 1, 2].map(
    (k) => normalA[(k + 1) % 3] * normalB[(k + 2) % 3] - normalA[(k + 2) % 3] * normalB[(k + 1) % 3],
  );
  const along = (point) => point[0] * line[0] + point[1] * line[1] + point[2] * line[2];
  for (const points of [ofA, ofB]) if (along(points[0]) > along(points[1])) points.reverse();
  const from = along(ofA[0]) > along(ofB[0]) ? ofA[0] : ofB[0];
  const to = along(ofA[1]) < along(ofB[1]) ? ofA[1] : ofB[1];
  return along(from) < along(to) ? [from, to] : null;
}

/** Do triangles share an edge? Then they share it, whatever they do. */
function areNeighbors(indices, x, y) {
  let count = 0;
  for (let k = 0; k < 3; k++)
    for (let l = 0; l < 3; l++) count += indices[x * 3 + k] === indices[y * 3 + l];
  return count > 1;
}

/** calls visit(i, j) for triangles of two lists whose boxes overlap along x, by sweeping. */
function sweep(listA, listB, visit) {
  const byLeft = (list) => [...list.keys()].sort((i, j) => list[i][9] - list[j][9]);
  const [orderA, orderB] = [byLeft(listA), byLeft(listB)];
  let first = 0;
  const widest = listB.reduce((most, b) => Math.max(most, b[12] - b[9]), 0);
  for (const i of orderA) {
    const a = listA[i];
    while (first < orderB.length && listB[orderB[first]][9] < a[9] - widest) first++;
    for (let k = first; k < orderB.length && listB[orderB[k]][9] <= a[12]; k++) visit(i, orderB[k]);
  }
}

/** Segments of the cut of two sides, six numbers each. A side: { vertices, indices, triangles }; of a
 * self-collision the second is null. */
export function cutOf(sideA, sideB) {
  const cornersOfAll = ({ vertices, indices, triangles }) =>
    Array.from(triangles, (triangle) => cornersOf(vertices, indices, triangle));
  const listA = cornersOfAll(sideA);
  const listB = sideB ? cornersOfAll(sideB) : listA;
  const segments = [];
  sweep(listA, listB, (i, j) => {
    if (!sideB && (i >= j || areNeighbors(sideA.indices, sideA.triangles[i], sideA.triangles[j]))) return;
    const segment = segmentOf(listA[i], listB[j]);
    if (segment) segments.push(...segment[0], ...segment[1]);
  });
  return segments;
}

/** How far a point is from a segment. */
export function distanceToSegment(point, segments, at) {
  let along = 0;
  let length = 0;
  for (let k = 0; k < 3; k++) {
    const way = segments[at + 3 + k] - segments[at + k];
    along += (point[k] - segments[at + k]) * way;
    length += way * way;
  }
  const share = length > 0 ? Math.min(1, Math.max(0, along / length)) : 0;
  return Math.hypot(
    ...[0, 1, 2].map((k) => segments[at + k] + share * (segments[at + 3 + k] - segments[at + k]) - point[k]),
  );
}

/** Which of several cuts is nearest to a point; -1: none. */
export function nearestOf(point, cuts) {
  let best = { at: -1, distance: Infinity };
  cuts.forEach((segments, at) => {
    for (let i = 0; i < segments.length; i += 6) {
      const distance = distanceToSegment(point, segments, i);
      if (distance < best.distance) best = { at, distance };
    }
  });
  return best.at;
}
