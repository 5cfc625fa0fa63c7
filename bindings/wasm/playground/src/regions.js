// Regions as the worker finds them: one pose after the other, the newest first.

import workerText from "worker-text";

export class Regions {
  #worker;
  #waiting = null;
  #isBusy = false;
  #id = 0;

  constructor(wasm, onFound) {
    this.#worker = new Worker(URL.createObjectURL(new Blob([workerText], { type: "text/javascript" })));
    this.#worker.postMessage({ wasm });
    this.#worker.onmessage = ({ data }) => {
      this.#isBusy = false;
      if (data.id === this.#id) onFound(data);
      if (this.#waiting) this.#send();
    };
  }

  /** Another model: what is on its way belongs to the last one. */
  open(shapes) {
    this.#id++;
    this.#waiting = null;
    this.#worker.postMessage(shapes, shapes.shapes);
  }

  /** `poses` is called when the worker is ready for it: a later call takes its place. */
  ask(poses, includesSelf) {
    this.#waiting = { poses, includesSelf };
    if (!this.#isBusy) this.#send();
  }

  get isBusy() { return this.#isBusy; }

  #send() {
    const { poses, includesSelf } = this.#waiting;
    this.#waiting = null;
    this.#isBusy = true;
    this.#worker.postMessage({ id: this.#id, poses: poses(), includesSelf });
  }
}
