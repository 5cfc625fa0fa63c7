// The side: pairs of parts from worst to best, and the parts.

import { partColor } from "./stage.js";
import { countText, element, lengthText, nameElement, pairElements, plural } from "./words.js";

function pairText(pair, findings) {
  if (pair.worst < 0) return "nothing new since the baseline";
  const { run, frame } = findings.momentOf(pair.worst);
  return `worst in ${run.name}, frame ${countText(frame)}`;
}

function numbersOf(pair) {
  const numbers = element("div.numbers");
  const add = (value, word) => numbers.append(element("span", element("b", value), ` ${word}`));
  add(countText(pair.mostPairs), pair.mostPairs === 1 ? "pair" : "pairs");
  add(lengthText(pair.mostDepth), "deep");
  if (pair.volume >= 0) add(lengthText(pair.volume), "in common");
  add(countText(pair.samples), pair.samples === 1 ? "pose" : "poses");
  return numbers;
}

/** Pairs as a list of choices, of which one is chosen; the first is all of them. */
export class PairList {
  constructor(host, findings, namesOf, onChoose) {
    this.host = host;
    this.items = new Map();
    this.onChoose = onChoose;
    this.#add(null, this.#allItem(findings));
    for (const pair of findings.pairs) this.#add(pair, this.#pairItem(pair, findings, namesOf));
  }

  #add(pair, item) {
    item.setAttribute("role", "option");
    item.id = pair ? `pair-${pair.index}` : "pair-all";
    item.addEventListener("click", () => this.onChoose(pair));
    this.items.set(pair, item);
    this.host.append(item);
  }

  #allItem(findings) {
    const item = element("div.pair.all", element("div.names", element("b", "All pairs of parts")));
    item.append(element("div.where", `${plural(findings.pairs.length, "pair")} that intersect, worst first`));
    return item;
  }

  #pairItem(pair, findings, namesOf) {
    const names = element("div.names", ...pairElements(namesOf(pair)));
    const word = element(`span.verdict.${pair.verdict}`, pair.verdict);
    const top = element("div.top", word);
    if (pair.allowed) top.append(element("span.tag", "allowed"));
    else if (!pair.finding && pair.worst >= 0) top.append(element("span.tag", "within the limits"));
    const item = element("div.pair", top, names);
    item.append(element("div.where", pairText(pair, findings)));
    if (pair.worst >= 0) item.append(numbersOf(pair));
    item.classList.toggle("quiet", !pair.finding);
    return item;
  }

  select(pair) {
    for (const [key, item] of this.items) {
      item.setAttribute("aria-selected", String(key === pair));
      if (key !== pair) continue;
      this.host.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    }
  }

  /** Leaves those whose names have all words of a text. */
  filter(text, namesOf) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [pair, item] of this.items) {
      const names = pair ? namesOf(pair).join(" ").toLowerCase() : "";
      item.hidden = pair !== null && !words.every((word) => names.includes(word));
    }
  }
}

export function fillParts(host, facts, onChange) {
  facts.parts.forEach((part, i) => {
    const box = element("input");
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("change", () => onChange(i, box.checked));
    const swatch = element("i.swatch");
    swatch.style.background = partColor(i);
    const label = element("label.part", box, swatch, nameElement(part.name));
    label.append(element("span.count", countText(part.triangles)));
    label.title = [
      part.name, plural(part.triangles, "triangle"), part.closed ? "closed" : "open",
      ...(part.checked ? [] : ["not checked"]),
    ].join(", ");
    host.append(label);
  });
}
