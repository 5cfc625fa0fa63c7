// The adapter of Babylon.js: its meshes as bodies, and picking against brute force.

import assert from "node:assert/strict";
import { basename } from "node:path";
import { before, test } from "node:test";
import "@babylonjs/core/Materials/standardMaterial.js";
import "@babylonjs/core/Meshes/thinInstanceMesh.js";
import "@babylonjs/core/Culling/ray.js";
import { Bone } from "@babylonjs/core/Bones/bone.js";
import { Skeleton } from "@babylonjs/core/Bones/skeleton.js";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { Logger } from "@babylonjs/core/Misc/logger.js";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder.js";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder.js";
import { CreateLines } from "@babylonjs/core/Meshes/Builders/linesBuilder.js";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder.js";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget.js";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager.js";
import { Ray } from "@babylonjs/core/Culling/ray.js";
import { Scene } from "@babylonjs/core/scene.js";
import * as pliant from "pliant";
import { MeshBody, installPicking, shapeOf } from "pliant/babylon";
import { compareModel } from "./babylon.js";
import { browser, withPage } from "./browser.js";
import { assetFiles, stripped } from "./models.js";

const { World, load } = pliant;
before(async () => {
  Logger.LogLevels = Logger.ErrorLogLevel;
  await load();
});

const withScene = (use) => {
  const engine = new NullEngine();
  engine.getCaps().instancedArrays = true;
  try {
    return use(new Scene(engine));
  } finally {
    engine.dispose();
  }
};

const COMPRESSED = /_(dr|mo)\.glb$/; // Babylon takes its decoders of Draco and meshopt from a server
const files = assetFiles().filter((path) => !COMPRESSED.test(path));
const skip = files.length === 0 ? "PLIANT_ASSETS is not set" : false;

for (const file of files) {
  test(`${basename(file)}: vertices and picked triangles`, async () => {
    const { poses, moved, difference, rays, hits, differences } = await compareModel(pliant, new Uint8Array(stripped(file)));
    assert.ok(difference < 4e-6, `vertices differ by ${difference} of the size`);
    assert.ok(hits > rays / 20, `${hits} hits of ${rays} rays`);
    assert.ok(poses === 1 || moved > 0, `${moved} of ${poses} poses`);
    assert.deepEqual(differences, []);
  });
}

test("models in Chromium", { skip: skip || (browser ? false : "no chromium") }, async () => {
  const some = files.filter((path) => /CesiumMan\.glb|MorphStressTest\.glb|Robot|Knight/.test(path));
  const served = Object.fromEntries(some.map((path) => [`/models/${basename(path)}`, stripped(path)]));
  const found = await withPage(served, (page) => page.evaluate(async (names) => {
    const own = await import("pliant");
    const { compareModel: compare } = await import("/test/babylon.js");
    await own.load();
    const all = [];
    for (const name of names) all.push(await compare(own, new Uint8Array(await (await fetch(name)).arrayBuffer())));
    return all;
  }, Object.keys(served)));
  for (const { difference, hits, rays, differences } of found) {
    assert.ok(difference < 4e-6 && hits > rays / 20);
    assert.deepEqual(differences, []);
  }
});

/** A tube of two bones that bends, with a morph target. */
function tube(scene) {
  const mesh = CreateCylinder("tube", { height: 4, diameter: 1, tessellation: 16, subdivisions: 12, updatable: true }, scene);
  const positions = mesh.getVerticesData("position");
  const indices = [], weights = [], bulge = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const t = positions[i + 1] / 4 + 0.5;
    indices.push(0, 1, 0, 0);
    weights.push(1 - t, t, 0, 0);
    bulge.set([positions[i] * (1 + t), positions[i + 1], positions[i + 2] * (1 + t)], i);
  }
  mesh.setVerticesData("matricesIndices", indices);
  mesh.setVerticesData("matricesWeights", weights);
  mesh.skeleton = new Skeleton("bones", "bones", scene);
  const low = new Bone("low", mesh.skeleton, null, Matrix.Translation(0, -2, 0));
  new Bone("high", mesh.skeleton, low, Matrix.Translation(0, 4, 0));
  mesh.morphTargetManager = new MorphTargetManager(scene);
  const target = new MorphTarget("bulge", 0, scene);
  target.setPositions(bulge);
  mesh.morphTargetManager.addTarget(target);
  return { mesh, target };
}

const vertices = (body) => body.bodies.map((one) => one.vertices());

test("no change of a pose is missed, and what has not changed is not set", () => withScene((scene) => {
  const { mesh, target } = tube(scene);
  const [world, other] = [new World(), new World()];
  const body = new MeshBody(world, mesh);
  const contacts = world.collide();
  for (let i = 0; i < 3; i++) body.update();
  assert.equal(world.regions(contacts).length, 0, "contacts are valid while nothing moves");
  const changes = {
    position: () => { mesh.position.x = 3; },
    rotation: () => { mesh.rotation.z = 0.5; },
    bone: () => mesh.skeleton.bones[1].setRotation(new Vector3(0, 0, 0.7)),
    influence: () => { target.influence = 0.5; },
    "another body's pose": () => { body.body.setTransform(); mesh.position.y = 1; },
    positions: () => mesh.updateVerticesData("position", mesh.getVerticesData("position").map((x) => 2 * x)),
    "thin instances": () => mesh.thinInstanceAdd([Matrix.Identity(), Matrix.Translation(5, 0, 0)]),
    "one more": () => mesh.thinInstanceAdd(Matrix.Translation(0, 7, 0)),
    "one moved": () => mesh.thinInstanceSetMatrixAt(1, Matrix.Translation(0, 0, 4)),
    "one less": () => { mesh.thinInstanceCount = 2; },
  };
  for (const [name, change] of Object.entries(changes)) {
    const old = vertices(body);
    change();
    body.update();
    const fresh = new MeshBody(other, mesh);
    assert.deepEqual(vertices(body), vertices(fresh), name);
    assert.notDeepEqual(vertices(body), old, name);
    fresh.dispose();
  }
  assert.equal(body.poses().length, 2);
  for (const one of [world, other]) one.dispose();
}));

test("instances share a shape, and are picked in their place", () => withScene((scene) => {
  const ball = CreateSphere("ball", { segments: 6 }, scene);
  const copy = ball.createInstance("copy");
  copy.position.x = 5;
  const thin = CreateBox("thin", {}, scene);
  thin.thinInstanceAdd([1, 2, 3].map((y) => Matrix.Translation(0, 5 * y, 0)));
  thin.thinInstanceEnablePicking = true;
  const world = new World();
  assert.equal(shapeOf(ball, world.module), shapeOf(copy, world.module));
  const rays = [[0.04, 0.13], [5.1, 0.02], [0.1, 5.2], [0.1, 10.3], [0.2, 15.3], [9, 9]].map(([x, y]) => new Ray(new Vector3(x, y, -20), new Vector3(0, 0, 1)));
  const pick = () => rays.map((ray) => {
    const { hit, pickedMesh, faceId, thinInstanceIndex, subMeshId, distance } = scene.pickWithRay(ray);
    return [hit, pickedMesh?.name, faceId, thinInstanceIndex, subMeshId, distance.toFixed(4)].join();
  });
  const expected = pick();
  const installed = installPicking(pliant);
  assert.deepEqual(pick(), expected);
  assert.equal(scene.pickWithRay(rays[0], null, false, () => false)?.hit ?? false, false);
  assert.equal(scene.pickWithRay(new Ray(rays[0].origin, rays[0].direction, 3)).hit, false);
  const count = installed.world.bodies.length;
  copy.dispose();
  assert.equal(installed.world.bodies.length, count - 1);
  installed.dispose();
  assert.equal(installed.world.bodies.length, 0);
  assert.deepEqual(pick().slice(2), expected.slice(2));
  world.dispose();
}));

test("what is no mesh is refused by its name", () => withScene((scene) => {
  const world = new World();
  const lines = CreateLines("path", { points: [Vector3.Zero(), Vector3.One()] }, scene);
  assert.throws(() => new MeshBody(world, lines), /mesh "path" is a LinesMesh, and must be/);
  assert.throws(() => new MeshBody(world, scene), /mesh is a Scene, and must be/);
  const { mesh } = tube(scene);
  mesh.computeBonesUsingShaders = false;
  assert.throws(() => new MeshBody(world, mesh), /computeBonesUsingShaders/);
  assert.equal(world.bodies.length, 0);
  world.dispose();
}));
