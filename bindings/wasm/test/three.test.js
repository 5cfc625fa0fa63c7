// The adapter of three.js: its meshes as bodies, and rays against THREE.Raycaster.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as THREE from "three";
import { World, load } from "pliant";
import { ContactLines, MeshBody, shapeOf } from "pliant/three";
import { assetFiles, meshesOf, parse, pose, stripped } from "./models.js";
import { random } from "./scenes.js";

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
