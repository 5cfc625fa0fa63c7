// The legend: what the colors of depth and the line mean, with numbers and their unit.

import { rampGradient } from "./ramp.js";
import { element, lengthText } from "./words.js";

export class Legend {
  constructor(host) {
    this.host = host;
    this.bar = element("div.ramp");
    this.ticks = element("div.ticks");
    this.note = element("div.note");
    this.title = element("div.legend-title");
    this.depth = element("div.legend-depth", this.title, this.bar, this.ticks);
    host.append(this.depth, element("div.legend-cut", element("i.cut-line"), "Cut: where surfaces cross"), this.note);
  }

  #show({ isAnything, title, most, values, isSigned, note }) {
    this.host.hidden = !isAnything;
    this.depth.hidden = !most;
    this.title.replaceChildren(...title);
    this.bar.style.background = rampGradient(isSigned);
    const signed = (value) => (value > 0 ? `+${lengthText(value)}` : value < 0 ? `\u2212${lengthText(-value)}` : "0");
    const textOf = isSigned ? signed : lengthText;
    this.ticks.replaceChildren(...values.map((value) => element("span", textOf(value))));
    this.note.textContent = note;
    this.note.hidden = !note;
  }

  /** most: the depth at the end of the colors; 0: there is none. */
  show(most, isMeasured, isAnything) {
    const note = isMeasured || !most ? "" : "Depth was not measured in this pose.";
    this.#show({ isAnything, title: ["Depth inside"], most, values: [0, most / 2, most], isSigned: false, note });
  }

  /** Distances of one part from another, from -most to most; where: the pose of which they are known, if
   * it is another one. */
  showFit(title, most, where) {
    const note = where ? `Known only in ${where}.` : "Minus is inside. No color: farther.";
    this.#show({ isAnything: true, title, most, values: [-most, 0, most], isSigned: true, note });
  }
}
