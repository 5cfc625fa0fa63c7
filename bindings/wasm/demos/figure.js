// A walking figure that is made here: limbs of one surface each, that bend by eleven bones.

import { Bone, BufferAttribute, CapsuleGeometry, MeshStandardMaterial, Skeleton, SkinnedMesh, SphereGeometry } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

/** Name, parent, and where it is from its parent. */
const BONES = [
  ["hips", -1, 0, 0.95, 0], ["chest", 0, 0, 0.3, 0], ["head", 1, 0, 0.32, 0],
  ["left arm", 1, 0.22, 0.17, 0], ["left hand", 3, 0.06, -0.29, 0], ["right arm", 1, -0.22, 0.17, 0], ["right hand", 5, -0.06, -0.29, 0],
  ["left leg", 0, 0.1, -0.05, 0], ["left foot", 7, 0, -0.43, 0], ["right leg", 0, -0.1, -0.05, 0], ["right foot", 9, 0, -0.43, 0],
];
export const NAMES = BONES.map(([name]) => name);

/** A capsule from one joint to another point; a vertex follows both bones around the joint between them. */
function limb(from, to, radius, bones, place = () => 0) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const geometry = new CapsuleGeometry(radius, Math.hypot(dx, dy), 5, 14, 8).rotateZ(Math.atan2(dy, dx) - Math.PI / 2);
  geometry.translate((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, 0);
  const { position } = geometry.attributes;
  const joints = new Uint16Array(4 * position.count), weights = new Float32Array(4 * position.count);
  for (let i = 0; i < position.count; i++) {
    const second = Math.min(Math.max(place(position.getY(i)), 0), 1);
    joints.set(bones, 4 * i);
    weights.set([1 - second, second], 4 * i);
  }
  geometry.setAttribute("skinIndex", new BufferAttribute(joints, 4));
  geometry.setAttribute("skinWeight", new BufferAttribute(weights, 4));
  geometry.deleteAttribute("uv");
  return geometry;
}

const below = (y, width = 0.1) => (at) => (y - at) / width + 0.5;

/** One geometry for all figures. */
export function figureGeometry() {
  const head = new SphereGeometry(0.13, 18, 12).scale(0.85, 1.1, 0.95).translate(0, 1.68, 0);
  const count = head.attributes.position.count;
  head.setAttribute("skinIndex", new BufferAttribute(new Uint16Array(4 * count).map((_, i) => (i % 4 ? 0 : 2)), 4));
  head.setAttribute("skinWeight", new BufferAttribute(new Float32Array(4 * count).map((_, i) => (i % 4 ? 0 : 1)), 4));
  head.deleteAttribute("uv");
  const arms = [1, -1].map((s) => limb([0.2 * s, 1.42], [0.34 * s, 0.86], 0.06, s > 0 ? [3, 4] : [5, 6], below(1.13)));
  const legs = [1, -1].map((s) => limb([0.1 * s, 0.9], [0.1 * s, 0.08], 0.085, s > 0 ? [7, 8] : [9, 10], below(0.47)));
  return mergeGeometries([limb([0, 1.0], [0, 1.36], 0.17, [0, 1], (y) => (y - 1.1) / 0.2), limb([0, 1.4], [0, 1.62], 0.06, [1, 2], (y) => (y - 1.5) / 0.1), head, ...arms, ...legs]);
}

export class Figure {
  constructor(geometry, color) {
    this.mesh = new SkinnedMesh(geometry, new MeshStandardMaterial({ color, roughness: 0.8 }));
    this.mesh.frustumCulled = false;
    this.bones = BONES.map(([name, , ...place]) => {
      const bone = new Bone();
      bone.name = name;
      bone.position.set(...place);
      return bone;
    });
    BONES.forEach(([, parent], i) => (parent < 0 ? this.mesh : this.bones[parent]).add(this.bones[i]));
    this.mesh.updateMatrixWorld(true);
    this.mesh.bind(new Skeleton(this.bones));
  }

  /** A pose of the walk: two steps are 2 pi. `fall` from 0 to 1 lays it down. */
  walk(phase, fall = 0) {
    const swing = Math.sin(phase) * (1 - fall);
    const [hips, chest, , leftArm, leftHand, rightArm, rightHand, leftLeg, leftFoot, rightLeg, rightFoot] = this.bones;
    hips.position.y = 0.95 + 0.025 * Math.abs(Math.cos(phase)) - 0.78 * fall * fall;
    hips.rotation.x = -1.5 * fall * fall;
    chest.rotation.y = -0.25 * swing;
    leftLeg.rotation.x = -0.6 * swing;
    rightLeg.rotation.x = 0.6 * swing;
    leftFoot.rotation.x = 0.5 * (1 + Math.sin(phase + 2.2)) * (1 - fall);
    rightFoot.rotation.x = 0.5 * (1 - Math.sin(phase + 2.2)) * (1 - fall);
    leftArm.rotation.set(0.6 * swing, 0, 0.15 + fall);
    rightArm.rotation.set(-0.6 * swing, 0, -0.15 - fall);
    leftHand.rotation.x = rightHand.rotation.x = -0.4;
  }
}
