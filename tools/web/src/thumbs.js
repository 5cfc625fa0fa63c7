// Small pictures of findings, made one at a time when nothing else is to be done.

const idle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 30));

export class Thumbs {
  /** draw(canvas, pair, place): draws it now. mayDraw(): is there time? */
  constructor(draw, mayDraw) {
    this.draw = draw;
    this.mayDraw = mayDraw;
    this.waiting = [];
  }

  add(canvas, pair, place) {
    this.waiting.push([canvas, pair, place]);
    if (this.waiting.length === 1) this.#later();
  }

  #later() {
    idle(() => this.#next());
  }

  #next() {
    if (!this.mayDraw()) {
      setTimeout(() => this.#later(), 300);
      return;
    }
    const next = this.waiting[0];
    if (next[0].isConnected) this.draw(...next);
    this.waiting.shift();
    if (this.waiting.length) this.#later();
  }
}
