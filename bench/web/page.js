// What bench/web/run.mjs measures in Chromium: two characters that touch, and rays at one of them.

import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { MeshBVH, StaticGeometryGenerator } from "three-mesh-bvh";
import * as pliant from "pliant";
import { MeshBody } from "pliant/three";
import { time } from "/test/recording.js";
import { random } from "/test/scenes.js";
import { morph } from "/morph.js";

async function character(url, offset) {
  const { scene, animations } = await new GLTFLoader().loadAsync(url);
  let mesh;
  scene.traverse((node) => { if (node.isSkinnedMesh) mesh ??= node; });
  scene.position.set(...offset);
  const mixer = new THREE.AnimationMixer(scene);
  mixer.clipAction(animations[0]).play();
  const pose = (time) => {
    mixer.setTime(time);
    morph(mesh, time);
    scene.updateMatrixWorld(true);
    mesh.skeleton.update(); // as the renderer does; three-mesh-bvh sees by it that something moved
  };
  return { mesh, duration: animations[0].duration, pose };
}

/** As its documentation has it: bake into a geometry, refit the tree, cast one at the other. */
function meshBvh(mesh) {
  const generator = new StaticGeometryGenerator(mesh);
  generator.attributes = ["position"];
  const geometry = generator.generate();
  const bvh = new MeshBVH(geometry, { indirect: true });
  return { bake: () => generator.generate(geometry), refit: () => bvh.refit(), bvh };
}

function castPairs(a, b, identity) {
  const pairs = [];
  a.bvh.bvhcast(b.bvh, identity, {
    intersectsTriangles(one, other, i, k) {
      if (one.intersectsTriangle(other)) pairs.push(a.bvh.resolveTriangleIndex(i) * 65536 + b.bvh.resolveTriangleIndex(k));
      return false;
    },
  });
  return pairs;
}

function differing(a, b) {
  const [one, other] = [new Set(a), new Set(b)];
  return a.filter((x) => !other.has(x)).length + b.filter((x) => !one.has(x)).length;
}

/** Plays all frames some times with one contender at a time, and returns of each of its parts the mean of the least times of all
 * frames: what else runs on the machine makes frames longer, and none shorter. */
function play(frames, passes, contender) {
  const least = frames.map(() => ({}));
  let results;
  for (let pass = 0; pass < passes; pass++) {
    results = frames.map((pose, i) => {
      pose();
      let last;
      for (const [name, work] of Object.entries(contender)) {
        const start = performance.now();
        last = work(last);
        least[i][name] = Math.min(least[i][name] ?? Infinity, performance.now() - start);
      }
      return last;
    });
  }
  const mean = (name) => least.reduce((sum, one) => sum + one[name], 0) / least.length;
  return { least: Object.fromEntries(Object.keys(contender).map((name) => [name, mean(name)])), results };
}

function comparePairs(characters, frameCount) {
  const world = new pliant.World();
  const bodies = characters.map(({ mesh }) => new MeshBody(world, mesh));
  const peers = characters.map(({ mesh }) => meshBvh(mesh));
  const identity = new THREE.Matrix4();
  const frames = Array.from({ length: frameCount }, (_, i) => () => {
    for (const { pose, duration } of characters) pose((duration * i) / frameCount);
  });
  const ours = play(frames, 10, {
    all() {
      for (const body of bodies) body.update();
      return world.collide();
    },
  });
  const theirs = play(frames, 5, {
    bake() { for (const peer of peers) peer.bake(); },
    refit() { for (const peer of peers) peer.refit(); },
    cast: () => castPairs(peers[0], peers[1], identity),
  });
  const { bake, refit, cast } = theirs.least;
  const found = ours.results.map((contacts) => Array.from({ length: contacts.count },
    (_, k) => contacts.triangleA(k) * 65536 + contacts.triangleB(k)));
  world.dispose();
  return {
    ours: ours.least.all, theirs: bake + refit + cast, bake, refit, cast, frameCount,
    contacts: found.flat().length,
    differences: found.reduce((sum, pairs, i) => sum + differing(pairs, theirs.results[i]), 0),
    triangles: characters.map(({ mesh }) => mesh.geometry.index.count / 3),
  };
}

/** A new pose for every ray. */
function compareRays({ mesh, pose, duration }, count) {
  const world = new pliant.World();
  const body = new MeshBody(world, mesh);
  const next = random(5);
  let raycaster;
  const frames = Array.from({ length: count }, () => {
    const time = duration * next();
    const to = new THREE.Vector3(0.2 * (next() - 0.5), next() - 0.6, 0.2 * (next() - 0.5));
    const from = new THREE.Vector3(4 * (next() - 0.5), 2 * next() - 1, 3);
    const one = new THREE.Raycaster(from, to.sub(from).normalize());
    return () => {
      pose(time);
      raycaster = one;
    };
  });
  mesh.boundingSphere = new THREE.Sphere(new THREE.Vector3(), 100); // three would take the first pose's for all
  const cast = { all: () => raycaster.intersectObject(mesh, false).map((one) => one.faceIndex) };
  const theirs = play(frames, 2, cast);
  mesh.raycast = body.raycast;
  const ours = play(frames, 20, cast);
  delete mesh.raycast;
  world.dispose();
  return {
    ours: ours.least.all, theirs: theirs.least.all, hits: theirs.results.flat().length,
    differences: ours.results.reduce((sum, faces, i) => sum + differing(faces, theirs.results[i]), 0),
  };
}

/** Rays at one pose: each through THREE.Raycaster, and all as a batch whose hits are read. In turns, so that what else runs on the
 * machine is in the way of both. */
function compareBatch({ mesh, pose, duration }, count) {
  pose(duration / 3);
  const world = new pliant.World();
  const body = new MeshBody(world, mesh);
  const box = body.body.box();
  const next = random(7);
  const inside = (axis, spread) => (box.low[axis] + box.high[axis]) / 2 + spread * (next() - 0.5) * (box.high[axis] - box.low[axis]);
  const raycasters = Array.from({ length: count }, () => {
    const from = new THREE.Vector3(inside(0, 4), inside(1, 2), box.high[2] + 3);
    const to = new THREE.Vector3(inside(0, 0.3), inside(1, 1), inside(2, 0.3));
    return new THREE.Raycaster(from, to.sub(from).normalize());
  });
  const rays = Float32Array.from(raycasters.flatMap(({ ray, far }) => [...ray.origin.toArray(), ...ray.direction.toArray(), far]));
  const { side } = mesh.material;
  mesh.material.side = THREE.DoubleSide; // a batch has all hits
  mesh.raycast = body.raycast;
  const contenders = {
    batch: () => Array.from(body.body.castRays(rays, { kind: "all" }), (hit) => hit.triangle),
    singles: () => raycasters.flatMap((one) => one.intersectObject(mesh, false).map(({ faceIndex }) => faceIndex)),
  };
  const least = {}, results = {};
  for (let turn = 0; turn < 50; turn++) {
    for (const [name, work] of Object.entries(contenders)) {
      const start = performance.now();
      results[name] = work();
      least[name] = Math.min(least[name] ?? Infinity, performance.now() - start);
    }
  }
  delete mesh.raycast;
  mesh.material.side = side;
  world.dispose();
  return { ...least, hits: results.batch.length, differences: differing(results.batch, results.singles) };
}

/** Four pairs of characters side by side: what the library divides into tasks, where two characters are too few. */
function crowdOf({ shapes, bodies, frames }) {
  const moved = (pose, x) => ({ ...pose, transform: pose.transform.map((value, i) => (i === 3 ? value + x : value)) });
  const places = [0, 0.8, 1.6, 2.4];
  return { shapes, bodies: places.flatMap(() => bodies), frames: frames.map((frame) => places.flatMap((x) => frame.map((pose) => moved(pose, x)))) };
}

/** One thread and two take turns, so that what else runs on the machine is in the way of both. */
async function compareThreads(recording, seconds) {
  const modules = [await pliant.load(), await pliant.load({ threads: 2 })];
  const turns = Array.from({ length: 4 }, () => modules.map((module) => time(pliant, module, recording, seconds / 4)));
  modules[1].endThreads();
  return [0, 1].map((k) => Math.min(...turns.map((turn) => turn[k])));
}

export async function measure({ offset, frameCount, poses, seconds, rayCount }) {
  const simd = await pliant.load();
  const scalar = await pliant.load({ simd: false });
  const characters = [await character("/a.glb", [0, 0, 0]), await character("/b.glb", offset)];
  const shapes = await Promise.all([0, 1].map(async (i) => (await fetch(`/shape-${i}`)).arrayBuffer()));
  const frames = poses.map((frame) => frame.map((pose) => ({
    weights: Float32Array.from(pose.weights), joints: Float32Array.from(pose.joints), transform: Float32Array.from(pose.transform),
  })));
  const recording = { shapes, bodies: [0, 1], frames };
  return {
    pairs: comparePairs(characters, frameCount),
    rays: compareRays(characters[0], rayCount),
    batch: compareBatch(characters[0], 1000),
    recorded: time(pliant, simd, recording, seconds),
    recordedScalar: time(pliant, scalar, recording, 1),
    threads: { pair: await compareThreads(recording, seconds), crowd: await compareThreads(crowdOf(recording), seconds) },
  };
}
