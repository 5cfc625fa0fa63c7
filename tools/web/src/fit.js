// How garments fit: colors tell how far one part of a pair is from the other, outside and inside, as a
// list offers for the pair that is chosen. It is known in one pose of each pair, the worst.

import { fitMarks } from "./marks.js";
import { boxOf } from "./pose.js";
import { element, nameElement } from "./words.js";

export class FitMap {
  /** list: a select element. */
  constructor(list, findings, models, namesOf) {
    Object.assign(this, { list, findings, models, namesOf });
    this.pair = undefined;
  }

  /** Offers what is known of a pair of parts, or nothing of null; what was chosen stays of that pair. */
  offer(pair) {
    if (pair === this.pair) return;
    this.pair = pair;
    this.fit = pair && this.findings.fitOf(pair);
    const depth = element("option", "Colors: depth");
    depth.value = "";
    this.list.replaceChildren(depth, ...this.#sides().map((side) => this.#option(side)));
    this.list.value = "";
    this.list.hidden = this.list.length < 2;
  }

  modelOf(side) {
    return this.models[side ? this.pair.b : this.pair.a];
  }

  /** The smaller part first: a garment is likely smaller than a body. */
  #sides() {
    const sizeOf = (side) => {
      const box = boxOf([this.modelOf(side)], this.fit.sample) ?? [0, 0, 0, 0, 0, 0];
      return Math.hypot(...[0, 1, 2].map((axis) => box[axis + 3] - box[axis]));
    };
    return [0, 1].filter((side) => this.fit?.sides[side]).sort((x, y) => sizeOf(x) - sizeOf(y));
  }

  #option(side) {
    const option = element("option", this.title(side).map((part) => part.textContent ?? part).join(""));
    option.value = String(side);
    return option;
  }

  /** The part of the pair that has colors: 0 or 1; null: colors are depths. */
  get side() {
    return this.list.value === "" ? null : Number(this.list.value);
  }

  title(side) {
    const names = this.namesOf(this.pair);
    return [nameElement(names[side]), " from ", nameElement(names[1 - side])];
  }

  /** { heat, most }, see fitMarks(). */
  marks(side) {
    if (this.marked?.fit !== this.fit || this.marked.side !== side)
      this.marked = { fit: this.fit, side, ...fitMarks(this.modelOf(side), this.fit, side) };
    return this.marked;
  }

  /** Is it known at a sample? */
  isAt(sample) {
    return this.findings.checkedAt(this.pair, sample) === this.findings.checkedAt(this.pair, this.fit.sample);
  }
}
