// Half of each morph target, more or less, by the time.

export function morph(mesh, time) {
  mesh.morphTargetInfluences.forEach((_, i, all) => { all[i] = 0.25 + 0.25 * Math.sin(3 * time + i); });
}
