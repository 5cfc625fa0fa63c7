// The camera's ways: where it has to be to see something, and how it gets there.

import { Vector3 } from "three";

/** How far an eye in a direction has to be to see all corners of a box. */
export function distanceOf(camera, box, middle, eye) {
  const right = new Vector3(0, 1, 0).cross(eye).normalize();
  const up = eye.clone().cross(right);
  const high = Math.tan((camera.fov * Math.PI) / 360) * 0.93; // some air around it
  const wide = high * camera.aspect;
  let distance = 1e-3;
  for (let i = 0; i < 8; i++) {
    const [x, y, z] = [i & 1, i & 2, i & 4].map((isFar) => (isFar ? box.max : box.min));
    const corner = new Vector3(x.x, y.y, z.z).sub(middle);
    const needed = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / high);
    distance = Math.max(distance, needed + corner.dot(eye));
  }
  return distance;
}

/** How far an eye has to be to see a ball. */
export function distanceOfBall(camera, radius) {
  const half = Math.atan(Math.tan((camera.fov * Math.PI) / 360) * Math.min(1, camera.aspect));
  return radius / Math.sin(half);
}

/** Directions to look from: around, level, from above, and a little from below. */
export function directions() {
  const made = [];
  for (const [height, count] of [[0.15, 8], [0.8, 6], [-0.35, 4]])
    for (let i = 0; i < count; i++) {
      const angle = 0.4 + (i * 2 * Math.PI) / count;
      made.push(new Vector3(Math.sin(angle), height, Math.cos(angle)).normalize());
    }
  return made;
}

/** From where a camera is to another place; the offset from the target turns rather than cutting across. */
export class Flight {
  constructor(camera, controls, target, distance, direction, isAtOnce) {
    Object.assign(this, { camera, controls, target });
    this.position = direction.clone().normalize().multiplyScalar(distance).add(target);
    this.fromTarget = controls.target.clone();
    this.fromPosition = camera.position.clone();
    this.start = performance.now();
    this.time = isAtOnce || matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 450;
  }

  /** One step; returns whether it has arrived. */
  step(now) {
    const share = this.time > 0 ? Math.min(1, Math.max(0, now - this.start) / this.time) : 1;
    const eased = share * share * (3 - 2 * share);
    const before = this.fromPosition.clone().sub(this.fromTarget);
    const after = this.position.clone().sub(this.target);
    const size = before.length() ** (1 - eased) * after.length() ** eased;
    const offset = before.normalize().lerp(after.clone().normalize(), eased);
    if (share === 1 || offset.length() < 1e-3) offset.copy(after);
    this.controls.target.lerpVectors(this.fromTarget, this.target, eased);
    this.camera.position.copy(offset.setLength(share === 1 ? after.length() : size)).add(this.controls.target);
    return share === 1;
  }
}
