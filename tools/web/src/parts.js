// The list of parts. One that is hidden has no findings, either; of one that is solo, only its own
// findings are shown, and other parts are faint.

import { partColor } from "./stage.js";
import { countText, element, nameElement, plural } from "./words.js";

export class PartList {
  constructor(host, parts, onChange) {
    this.hidden = new Set();
    this.solo = null;
    this.onChange = onChange;
    this.rows = parts.map((part, i) => this.#row(part, i));
    host.append(...this.rows.map(({ row }) => row));
  }

  #row(part, i) {
    const box = element("input");
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("change", () => {
      if (box.checked) this.hidden.delete(i);
      else this.hidden.add(i);
      this.onChange();
    });
    const swatch = element("i.swatch");
    swatch.style.background = partColor(i);
    const label = element("label", box, swatch, nameElement(part.name));
    label.title = [
      part.name, plural(part.triangles, "triangle"), part.closed ? "closed" : "open",
      ...(part.checked ? [] : ["not checked"]),
    ].join(", ");
    const solo = element("button.solo", "Solo");
    solo.type = "button";
    solo.setAttribute("aria-pressed", "false");
    solo.setAttribute("aria-label", `Solo: ${part.name}`);
    solo.addEventListener("click", () => this.#solo(i));
    return { row: element("div.part", label, element("span.count", countText(part.triangles)), solo), solo };
  }

  #solo(i) {
    this.solo = this.solo === i ? null : i;
    this.rows.forEach(({ solo }, k) => solo.setAttribute("aria-pressed", String(k === this.solo)));
    this.onChange();
  }

  isWanted({ a, b }) {
    const isAny = this.solo === null || a === this.solo || b === this.solo;
    return isAny && !this.hidden.has(a) && !this.hidden.has(b);
  }
}
