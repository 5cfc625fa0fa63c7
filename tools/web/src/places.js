// Regions of many poses as places, each with the pose in which it is deepest.

/** A region's place has a name: the side that is inside, and the joint that moves most of it. */
function nameOf({ inner, shares }) {
  return `${inner} ${shares[0]?.joint ?? ""}`;
}

/** The places of a pair, deepest first: regions of one pose are places of their own; a region of
 * another pose that has the name of one is that place again. */
export function placesOf(pair) {
  const all = pair.measures.flatMap(({ sample, regions }) => regions.map((region) => ({ ...region, sample, name: nameOf(region) })));
  all.sort((x, y) => y.depth - x.depth || x.sample - y.sample);
  const sampleOf = new Map();
  const samplesOf = new Map();
  for (const { name, sample } of all) {
    if (!sampleOf.has(name)) sampleOf.set(name, sample);
    if (!samplesOf.has(name)) samplesOf.set(name, new Set());
    samplesOf.get(name).add(sample);
  }
  return all
    .filter(({ name, sample }) => sampleOf.get(name) === sample)
    .map((place) => ({ ...place, samples: [...samplesOf.get(place.name)].sort((x, y) => x - y) }));
}

/** Pairs with those that differ from them in alternatives alone, which are never worn together. */
export function foldedOf(pairs, parts) {
  const standIn = (i) => (parts[i]?.list > 0 ? `list ${parts[i].list}` : `part ${i}`);
  const groups = new Map();
  for (const pair of pairs) {
    const isListed = parts[pair.a]?.list > 0 || parts[pair.b]?.list > 0;
    const sides = [standIn(pair.a), standIn(pair.b)].sort().join(" ");
    const key = isListed ? `${sides} ${pair.a === pair.b} ${pair.allowed}` : `pair ${pair.index}`;
    if (!groups.has(key)) groups.set(key, { pair, others: [] });
    else groups.get(key).others.push(pair);
  }
  return [...groups.values()];
}
