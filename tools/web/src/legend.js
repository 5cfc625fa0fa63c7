// The legend: what the colors of depth and the line mean, with numbers and their unit.

import { RAMP_GRADIENT } from "./ramp.js";
import { element, lengthText } from "./words.js";

export class Legend {
  constructor(host) {
    this.host = host;
    this.bar = element("div.ramp");
    this.bar.style.background = RAMP_GRADIENT;
    this.ticks = element("div.ticks");
    this.note = element("div.note");
    this.depth = element("div.legend-depth", element("div.legend-title", "Depth inside"), this.bar, this.ticks);
    host.append(this.depth, element("div.legend-cut", element("i.cut-line"), "Cut: where surfaces cross"), this.note);
  }

  /** most: the depth at the end of the colors; 0: there is none. */
  show(most, isMeasured, isAnything) {
    this.host.hidden = !isAnything;
    this.depth.hidden = !most;
    this.ticks.replaceChildren(...[0, most / 2, most].map((depth) => element("span", lengthText(depth))));
    this.note.textContent = isMeasured || !most ? "" : "Depth was not measured in this pose.";
    this.note.hidden = !this.note.textContent;
  }
}
