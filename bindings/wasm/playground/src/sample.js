// A model that is made here, so that there is something to see at once: two arms that bend by their bones, and a ball that morphs.

import {
  AnimationClip, Bone, BufferAttribute, BufferGeometry, Group, Mesh, MeshStandardMaterial, NumberKeyframeTrack, Quaternion,
  QuaternionKeyframeTrack, Skeleton, SkinnedMesh, Vector3,
} from "three";

const SIDES = 24, ROWS = 64, BONES = 8, LENGTH = 1.6, RADIUS = 0.13;

/** A closed surface of rings around the y axis, and its poles; place(u) is height and radius from pole to pole. */
function turned(rows, sides, place) {
  const points = [[0, place(0)[0], 0]];
  for (let i = 1; i < rows; i++) {
    const [y, radius] = place(i / rows);
    for (let k = 0; k < sides; k++) {
      const angle = (2 * Math.PI * k) / sides;
      points.push([radius * Math.cos(angle), y, -radius * Math.sin(angle)]);
    }
  }
  points.push([0, place(1)[0], 0]);
  const at = (i, k) => 1 + (i - 1) * sides + (k % sides);
  const triangles = [];
  for (let k = 0; k < sides; k++) {
    triangles.push(0, at(1, k + 1), at(1, k), points.length - 1, at(rows - 1, k), at(rows - 1, k + 1));
    for (let i = 1; i < rows - 1; i++) {
      triangles.push(at(i, k), at(i, k + 1), at(i + 1, k), at(i + 1, k), at(i, k + 1), at(i + 1, k + 1));
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(points.flat()), 3));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return geometry;
}

/** A rod with round ends. */
function rod(u) {
  const y = LENGTH * u, end = Math.min(y, LENGTH - y);
  return [y, end >= RADIUS ? RADIUS : Math.sqrt(RADIUS ** 2 - (RADIUS - end) ** 2)];
}

/** Each vertex follows the two bones that are closest to it. */
function skin(geometry) {
  const { position } = geometry.attributes;
  const joints = new Uint16Array(4 * position.count), weights = new Float32Array(4 * position.count);
  for (let i = 0; i < position.count; i++) {
    const along = Math.min(Math.max((position.getY(i) / LENGTH) * BONES - 0.5, 0), BONES - 1);
    const low = Math.min(Math.floor(along), BONES - 2);
    joints.set([low, low + 1], 4 * i);
    weights.set([1 - (along - low), along - low], 4 * i);
  }
  geometry.setAttribute("skinIndex", new BufferAttribute(joints, 4));
  geometry.setAttribute("skinWeight", new BufferAttribute(weights, 4));
}

function arm(name, x, color) {
  const geometry = turned(ROWS, SIDES, rod);
  skin(geometry);
  const mesh = new SkinnedMesh(geometry, new MeshStandardMaterial({ color, roughness: 0.7 }));
  mesh.name = name;
  const bones = Array.from({ length: BONES }, (_, i) => {
    const bone = new Bone();
    bone.name = `${name}-${i}`;
    bone.position.y = i === 0 ? 0 : LENGTH / BONES;
    return bone;
  });
  bones.forEach((bone, i) => bones[i + 1] && bone.add(bones[i + 1]));
  mesh.add(bones[0]);
  mesh.position.x = x;
  mesh.updateMatrixWorld(true);
  mesh.bind(new Skeleton(bones));
  return mesh;
}

function ball() {
  const geometry = turned(32, 32, (u) => [0.95 - 0.3 * Math.cos(Math.PI * u), 0.3 * Math.sin(Math.PI * u)]);
  const { array } = geometry.attributes.position;
  const wide = array.map((value, i) => (i % 3 === 1 ? -0.45 * (value - 0.95) : 0.35 * value));
  geometry.morphAttributes.position = [new BufferAttribute(wide, 3)];
  geometry.morphTargetsRelative = true;
  const mesh = new Mesh(geometry, new MeshStandardMaterial({ color: 0x8d99ae, roughness: 0.7 }));
  mesh.name = "ball";
  mesh.updateMorphTargets();
  return mesh;
}

const SEQUENCE = [0, 1.5, 2.5, 4];

function bend(mesh, angles) {
  return mesh.skeleton.bones.slice(1).map((bone, i) => {
    const axis = new Vector3(0, 0, mesh.position.x < 0 ? -1 : 1);
    const turns = [0, 1, 1, 0].flatMap((share) => new Quaternion().setFromAxisAngle(axis, share * angles(i)).toArray());
    return new QuaternionKeyframeTrack(`${bone.name}.quaternion`, SEQUENCE, turns);
  });
}

const morph = (shares) => new NumberKeyframeTrack("ball.morphTargetInfluences", SEQUENCE, shares);

export function sample() {
  const scene = new Group();
  const arms = [arm("left-arm", -0.68, 0x5b8fd6), arm("right-arm", 0.68, 0x58a58f)];
  scene.add(...arms, ball());
  const animations = [
    new AnimationClip("grip", 4, [...arms.flatMap((mesh) => bend(mesh, () => 0.135)), morph([0, 1, 1, 0])]),
    new AnimationClip("curl", 4, [...arms.flatMap((mesh) => bend(mesh, (i) => (i < 2 ? 0.15 : 1.15))), morph([0, 0, 0, 0])]),
  ];
  return { scene, animations, name: "sample" };
}
