// Clips in time: which one, where in it, and how fast.

import { AnimationMixer } from "three";

export class Player {
  #mixer;

  constructor(scene, clips) {
    this.#mixer = new AnimationMixer(scene);
    this.clips = clips.filter((clip) => clip.duration > 0);
    this.speed = 1;
    this.choose(this.clips.length > 0 ? 0 : -1);
  }

  /** -1: the pose that the file has without a clip. */
  choose(index) {
    this.#mixer.stopAllAction();
    this.index = index;
    this.clip = this.clips[index] ?? null;
    if (this.clip) this.#mixer.clipAction(this.clip).play();
    this.set(0);
  }

  get duration() { return this.clip?.duration ?? 0; }

  /** A time past either end comes in at the other. */
  set(time) {
    const { duration } = this;
    this.time = time >= 0 && time <= duration ? time : duration === 0 ? 0 : ((time % duration) + duration) % duration;
    if (!this.clip) return;
    // At its very end the mixer would begin again.
    this.#mixer.setTime(Math.min(this.time, duration * (1 - 1e-7)));
  }

  advance(seconds) { this.set(this.time + seconds * this.speed); }
}
