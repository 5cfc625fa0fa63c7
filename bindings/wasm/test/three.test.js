// The adapter of three.js: its meshes as bodies, and rays against THREE.Raycaster.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as THREE from "three";
import * as pliant from "pliant";
import { BoundsLines, ContactLines, MeshBody, installRaycast, shapeOf } from "pliant/three";
import { assetFiles, meshesOf, parse, pose, stripped } from "./models.js";
import { random } from "./scenes.js";

const { World, load } = pliant;
before(() => load());

/** A tube of two bones that bend, with a morph target, off the origin. */
function tube({ bindMode = "attached" } = {}) {
  const geometry = new THREE.CylinderGeometry(0.5, 0.4, 4, 40, 60).toNonIndexed();
  const { position } = geometry.attributes;
  const indices = [], weights = [], bulge = [];
  for (let i = 0; i < position.count; i++) {
    const t = position.getY(i) / 4 + 0.5;
    indices.push(0, 1, 0, 0);
    weights.push(1 - t, t, 0, 0);
    bulge.push(position.getX(i) * t, 0, position.getZ(i) * t);
  }
  geometry.setAttribute("skinIndex", new THREE.Uint16BufferAttribute(indices, 4));
  geometry.setAttribute("skinWeight", new THREE.Float32BufferAttribute(weights, 4));
  geometry.morphAttributes.position = [new THREE.Float32BufferAttribute(bulge, 3)];
  geometry.morphTargetsRelative = true;
  const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshBasicMaterial());
  mesh.bindMode = bindMode;
  const [low, high] = [new THREE.Bone(), new THREE.Bone()];
  low.position.y = -2;
  high.position.y = 4;
  low.add(high);
  mesh.add(low);
  mesh.position.set(1, 2, 3);
  mesh.updateMatrixWorld(true);
  mesh.bind(new THREE.Skeleton([low, high]));
  high.rotation.z = 0.9;
  low.rotation.x = 0.3;
  mesh.rotation.y = 0.5;
  mesh.morphTargetInfluences = [0.7];
  mesh.updateMatrixWorld(true);
  return mesh;
}

function worldVertices(mesh) {
  const found = [];
  const point = new THREE.Vector3();
  for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
    mesh.getVertexPosition(i, point);
    found.push(...point.applyMatrix4(mesh.matrixWorld).toArray());
  }
  return found;
}

function assertClose(actual, expected, tolerance) {
  assert.equal(actual.length, expected.length);
  for (let i = 0; i < actual.length; i++) {
    assert.ok(Math.abs(actual[i] - expected[i]) <= tolerance, `${i}: ${actual[i]} is not ${expected[i]}`);
  }
}

for (const bindMode of ["attached", "detached"]) {
  test(`a SkinnedMesh is where three has it: ${bindMode}`, () => {
    const mesh = tube({ bindMode });
    const world = new World();
    const body = new MeshBody(world, mesh);
    assertClose(body.body.vertices(), worldVertices(mesh), 2e-6);
    world.dispose();
  });
}

test("models are where three has them", { skip: assetFiles().length === 0 ? "PLIANT_ASSETS is not set" : false }, async () => {
  for (const file of assetFiles().filter((path) => /Cesium|Fox_q|Stress|Robot|mh_/.test(path))) {
    const { scene, animations } = await parse(stripped(file));
    if (animations[0]) pose(scene, { clip: animations[0], time: animations[0].duration / 3 });
    scene.updateMatrixWorld(true);
    const world = new World();
    for (const mesh of meshesOf(scene).slice(0, 4)) {
      const expected = worldVertices(mesh);
      const size = Math.max(1, ...expected.map(Math.abs));
      assertClose(new MeshBody(world, mesh).body.vertices(), expected, 4e-6 * size);
    }
    world.dispose();
  }
});

test("poses are what a world elsewhere needs", () => {
  const [world, other] = [new World(), new World()];
  for (const bindMode of ["attached", "detached"]) {
    const body = new MeshBody(world, tube({ bindMode }));
    const copy = other.createBody(body.body.shape);
    const [{ weights, joints, transform }] = body.poses();
    copy.setWeights(weights);
    copy.setJoints(joints);
    copy.setTransform(transform);
    assert.deepEqual(copy.vertices(), body.body.vertices());
  }
  for (const one of [world, other]) one.dispose();
});

test("instances are bodies of one shape", () => {
  const mesh = new THREE.InstancedMesh(new THREE.SphereGeometry(0.6, 16, 12), new THREE.MeshBasicMaterial(), 3);
  for (let i = 0; i < 3; i++) mesh.setMatrixAt(i, new THREE.Matrix4().makeTranslation(i, 0, 0));
  mesh.position.y = 5;
  mesh.updateMatrixWorld();
  const world = new World();
  const bodies = new MeshBody(world, mesh);
  assert.equal(shapeOf(mesh, world.module), bodies.bodies[0].shape);
  const pairs = new Set([...world.collide()].map(({ bodyA, bodyB }) => [bodyA, bodyB].map((body) => bodies.bodies.indexOf(body)).join()));
  assert.deepEqual([...pairs], ["0,1", "1,2"]);
  mesh.raycast = bodies.raycast;
  const [hit] = new THREE.Raycaster(new THREE.Vector3(2, 5.1, 9), new THREE.Vector3(0, 0, -1)).intersectObject(mesh);
  assert.equal(hit.instanceId, 2);
  bodies.dispose();
  assert.equal(world.bodies.length, 0);
  world.dispose();
});

function summary(hit) {
  return {
    faceIndex: hit.faceIndex, face: [hit.face.a, hit.face.b, hit.face.c],
    numbers: [hit.distance, ...hit.point.toArray(), ...hit.face.normal.toArray(), ...(hit.uv?.toArray() ?? []), ...(hit.normal?.toArray() ?? [])],
  };
}

/** The same hits, with numbers that differ by rounding: three computes in double. */
function assertSameHits(mesh, body, count, scale = 1) {
  const next = random(11);
  const box = new THREE.Box3().setFromArray(worldVertices(mesh));
  const size = box.getSize(new THREE.Vector3());
  const somewhere = (spread) => box.getCenter(new THREE.Vector3()).add(
    new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiply(size).multiplyScalar(spread));
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const origin = somewhere(4);
    const raycaster = new THREE.Raycaster(origin, somewhere(0.8).sub(origin).normalize());
    const expected = raycaster.intersectObject(mesh, false).map(summary);
    mesh.raycast = body.raycast;
    const found = raycaster.intersectObject(mesh, false).map(summary);
    delete mesh.raycast;
    assert.deepEqual(found.map((hit) => [hit.faceIndex, hit.face]), expected.map((hit) => [hit.faceIndex, hit.face]));
    found.forEach((hit, k) => assertClose(hit.numbers, expected[k].numbers, 2e-3 * scale));
    hits += found.length;
  }
  return hits;
}

test("THREE.Raycaster has the same hits", () => {
  const world = new World();
  const mesh = tube();
  mesh.computeBoundingSphere();
  const body = new MeshBody(world, mesh);
  for (const side of [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide]) {
    mesh.material.side = side;
    assert.ok(assertSameHits(mesh, body, 60) > 20);
  }
  const plain = new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.3, 100, 16), new THREE.MeshBasicMaterial());
  plain.scale.set(-1, 2, 1); // mirrored
  plain.updateMatrixWorld(true);
  assert.ok(assertSameHits(plain, new MeshBody(world, plain), 60) > 20);
  world.dispose();
});

test("the nearest hit alone, and nothing nearer than near", () => {
  const world = new World();
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(1), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
  mesh.raycast = new MeshBody(world, mesh).raycast;
  const raycaster = new THREE.Raycaster(new THREE.Vector3(0.1, 0.05, 5), new THREE.Vector3(0, 0, -1));
  assert.equal(raycaster.intersectObject(mesh).length, 2);
  raycaster.firstHitOnly = true;
  assert.equal(raycaster.intersectObject(mesh).length, 1);
  raycaster.near = 5;
  assert.ok(raycaster.intersectObject(mesh)[0].distance > 5);
  world.dispose();
});

test("lines show contacts", () => {
  const world = new World();
  const meshes = [0, 0.5].map((x) => {
    const mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12));
    mesh.position.x = x;
    mesh.updateMatrixWorld();
    return new MeshBody(world, mesh);
  });
  assert.equal(meshes.length, 2);
  const lines = new ContactLines();
  const contacts = world.collide();
  lines.update(world, contacts);
  assert.ok(lines.geometry.drawRange.count >= 2 * (contacts.count - 4));
  const cuts = world.intersections(contacts);
  const ends = Array.from({ length: cuts.count }, (_, i) => cuts.positions(i)).filter((points) => points.length === 6).flatMap((points) => [...points]);
  if (ends.length === 6 * cuts.count) assert.deepEqual([...lines.geometry.attributes.position.array.subarray(0, ends.length)], ends);
  world.dispose();
});

test("lines show bounds", () => {
  const world = new World();
  const shape = new pliant.Shape({ vertices: [0, 0, 0, 2, 0, 0, 0, 3, 4], triangles: [0, 1, 2] });
  const lines = new BoundsLines();
  lines.update([world.createBody(shape), world.createBody(shape)]);
  assert.equal(lines.geometry.drawRange.count, 48);
  const ends = lines.geometry.attributes.position.array.subarray(0, 72);
  const corners = new Set(Array.from({ length: 24 }, (_, i) => ends.slice(3 * i, 3 * i + 3).join()));
  assert.deepEqual([...corners].sort(), ["0,0,0", "0,0,4", "0,3,0", "0,3,4", "2,0,0", "2,0,4", "2,3,0", "2,3,4"]);
  world.dispose();
});

const vertices = (body) => body.bodies.map((one) => one.vertices());

/** Changes a mesh in each way, one after the other: the body is where one made now would be. */
function assertFollows(mesh, changes) {
  const [world, other] = [new World(), new World()];
  const body = new MeshBody(world, mesh);
  const contacts = world.collide();
  for (let i = 0; i < 3; i++) body.update();
  assert.deepEqual(world.regions(contacts).map(() => 0), [], "contacts are valid while nothing moves");
  for (const [name, change] of Object.entries(changes)) {
    const before = vertices(body);
    change(mesh, body);
    body.update();
    const fresh = new MeshBody(other, mesh);
    assert.deepEqual(vertices(body), vertices(fresh), name);
    if (!name.startsWith("unseen")) assert.notDeepEqual(vertices(body), before, name);
    fresh.dispose();
  }
  for (const one of [world, other]) one.dispose();
}

test("no change of a pose is missed", () => {
  const skin = {
    bone: (mesh) => { mesh.skeleton.bones[1].rotation.z = 0.2; mesh.updateMatrixWorld(true); },
    "bone's matrix": (mesh) => { mesh.skeleton.bones[1].matrixWorld.elements[13] += 1e-3; },
    "inverse": (mesh) => { mesh.skeleton.boneInverses[0].elements[12] += 0.5; },
    "bind matrix": (mesh) => { mesh.bindMatrix.elements[14] -= 0.25; },
    "weights": (mesh) => { mesh.morphTargetInfluences[0] = 0.1; },
    "new weights": (mesh) => { mesh.morphTargetInfluences = [0.9]; },
    "joints by another": (mesh, { body }) => {
      const moved = new Float32Array([1, 0, 0, 9, 0, 1, 0, 0, 0, 0, 1, 0]);
      body.setJoints([...moved, ...moved]);
      mesh.skeleton.bones[0].matrixWorld.elements[12] += 1;
    },
    "unseen by another": (mesh, { body }) => body.setTransform([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0]),
    "target": ({ geometry }) => {
      geometry.morphAttributes.position[0].setX(5, 3);
      geometry.morphAttributes.position[0].needsUpdate = true;
    },
  };
  assertFollows(tube(), { ...skin, "unseen mode": (mesh) => { mesh.bindMode = "detached"; }, "matrix": (mesh) => { mesh.matrixWorld.elements[12] += 2; } });
  assertFollows(tube({ bindMode: "detached" }), {
    ...skin,
    "matrix": (mesh) => { mesh.matrixWorld.elements[12] += 2; },
    "inverse of the bind matrix": (mesh) => { mesh.bindMatrixInverse.elements[13] += 2; },
  });
});

test("nor a change of a plain mesh, its geometry or its instances", () => {
  const position = (array) => new THREE.Float32BufferAttribute(array, 3);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", position([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  const changes = {
    "matrix": (mesh) => { mesh.position.x += 1; mesh.updateMatrixWorld(); },
    "positions": ({ geometry: { attributes } }) => { attributes.position.setX(1, 4); attributes.position.needsUpdate = true; },
    "another attribute": (mesh) => mesh.geometry.setAttribute("position", position([0, 0, 5, 1, 0, 0, 0, 1, 0, 0, 0, 1])),
    "more vertices": (mesh) => mesh.geometry.setAttribute("position", position([0, 0, 5, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1])),
    "another geometry": (mesh) => { mesh.geometry = new THREE.BoxGeometry(); },
  };
  assertFollows(new THREE.Mesh(geometry.clone()), changes);
  const instanced = new THREE.InstancedMesh(geometry.clone(), undefined, 3);
  for (let i = 0; i < 3; i++) instanced.setMatrixAt(i, new THREE.Matrix4().makeTranslation(0, 0, 3 * i));
  assertFollows(instanced, {
    ...changes,
    "one instance": (mesh) => mesh.setMatrixAt(1, new THREE.Matrix4().makeTranslation(9, 0, 0)),
    "fewer": (mesh) => { mesh.count = 1; },
    "more": (mesh) => { mesh.count = 3; },
    "a matrix and fewer": (mesh) => { mesh.count = 2; mesh.matrixWorld.elements[12] = 7; },
  });
});

test("what is no mesh is refused by its name", () => {
  const world = new World();
  const batched = new THREE.BatchedMesh(2, 100, 100, new THREE.MeshBasicMaterial());
  for (const [object, name] of [[batched, "BatchedMesh"], [new THREE.Points(), "Points"], [new THREE.Line(), "Line"], [new THREE.Group(), "Group"]]) {
    assert.throws(() => new MeshBody(world, object), new RegExp(`mesh is a ${name}, and must be`));
    assert.throws(() => shapeOf(object, world.module), new RegExp(`mesh is a ${name}, and must be`));
  }
  assert.equal(world.bodies.length, 0);
  world.dispose();
});

/** A scene of all kinds, and rays at it. */
function zoo() {
  const scene = new THREE.Scene();
  const knot = new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.3, 60, 12), new THREE.MeshBasicMaterial());
  knot.geometry.setDrawRange(30, 900);
  const instanced = new THREE.InstancedMesh(new THREE.SphereGeometry(0.5, 12, 8), new THREE.MeshBasicMaterial(), 20);
  for (let i = 0; i < 20; i++) instanced.setMatrixAt(i, new THREE.Matrix4().makeTranslation((i % 5) - 2, Math.floor(i / 5) - 1.5, i % 3));
  instanced.count = 17;
  const box = new THREE.Mesh(new THREE.BoxGeometry(), Array.from({ length: 6 }, (_, i) => new THREE.MeshBasicMaterial({ side: i % 3 })));
  box.position.set(-1, 1, 2);
  const batched = new THREE.BatchedMesh(1, 100, 100, new THREE.MeshBasicMaterial());
  const added = batched.addGeometry(new THREE.BoxGeometry());
  batched.addInstance?.(added); // older ones draw what they have
  const points = new THREE.Points(new THREE.SphereGeometry(1, 8, 8), new THREE.PointsMaterial());
  const skinned = tube();
  skinned.computeBoundingSphere();
  scene.add(knot, instanced, box, batched, points, skinned, new THREE.Mesh(new THREE.BufferGeometry()), new THREE.Group());
  scene.updateMatrixWorld(true);
  const next = random(3);
  const rays = Array.from({ length: 80 }, () => {
    const somewhere = (spread) => new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(spread);
    const origin = somewhere(12);
    return new THREE.Raycaster(origin, somewhere(4).sub(origin).normalize());
  });
  const cast = () => rays.map((one) => one.intersectObject(scene).map(({ object, faceIndex, index, instanceId, face }) =>
    [scene.children.indexOf(object), faceIndex, index, instanceId, face?.materialIndex].join()).sort());
  return { scene, cast, mesh: knot, instanced };
}

for (const where of ["three", "a scene"]) {
  test(`one line for all meshes of ${where}`, () => {
    const { scene, cast, mesh, instanced } = zoo();
    const expected = cast();
    assert.ok(expected.flat().length > 150);
    const own = [THREE.Mesh, THREE.SkinnedMesh, THREE.InstancedMesh].map((Class) => Class.prototype.raycast);
    const installed = installRaycast(where === "three" ? THREE : scene, pliant);
    assert.deepEqual(cast(), expected);
    assert.equal(installed.bodyOf(instanced).bodies.length, 17);
    instanced.count = 3;
    const fewer = cast();
    assert.equal(installed.bodyOf(instanced).bodies.length, 3);
    const count = installed.world.bodies.length;
    mesh.geometry.dispose();
    assert.equal(installed.world.bodies.length, count - 1);
    assert.deepEqual(cast(), fewer);
    installed.dispose();
    assert.equal(installed.world.bodies.length, 0);
    assert.deepEqual([THREE.Mesh, THREE.SkinnedMesh, THREE.InstancedMesh].map((Class) => Class.prototype.raycast), own);
    assert.deepEqual(cast(), fewer);
  });
}
