// The side: pairs of parts from worst to best, each as a card with a picture, and the places of the
// pair that is chosen as cards below it. Alternatives of a pair are folded.

import { foldedOf, placesOf } from "./places.js";
import { areaText, countText, element, lengthText, nameElement, pairElements, plural, volumeText } from "./words.js";

const THUMB = { width: 152, height: 104 };

function momentText(findings, sample) {
  const { run, frame } = findings.momentOf(sample);
  return `${run.name}, frame ${countText(frame)}`;
}

/** "thigh_l 61 %, calf_l 30 %": names that cannot turn the text around them. */
function jointElements(shares) {
  return shares.flatMap(({ joint, percent }, i) => [i ? ", " : "", nameElement(joint), ` ${percent} %`]);
}

function numberElements(entries) {
  return element("span.numbers", ...entries.map(([value, word]) => element("span", element("b", value), ` ${word}`)));
}

/** A card that can be pressed; strings and elements in it are in spans, as buttons need. */
function card(kind, onPress, thumb, ...children) {
  const button = element(`button.card.${kind}`, ...(thumb ? [thumb] : []), element("span.card-text", ...children));
  button.type = "button";
  button.addEventListener("click", onPress);
  return button;
}

function thumbCanvas() {
  const canvas = element("canvas.thumb");
  Object.assign(canvas, THUMB);
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}

export class Cards {
  /** onChoose(pair, place): somebody wants to see it. onThumb(canvas, pair, place): a picture is seen
   * for the first time; null without a view. */
  constructor(host, findings, parts, namesOf, onChoose, onThumb) {
    Object.assign(this, { host, findings, namesOf, onChoose, onThumb });
    this.items = new Map(); // by pair; null: all of them
    this.seen = onThumb && new IntersectionObserver((entries) => this.#see(entries));
    this.list = element("ul.pairs");
    this.list.append(this.#item(null, this.#allCard()));
    for (const { pair, others } of foldedOf(findings.pairs, parts)) this.list.append(this.#group(pair, others));
    host.append(this.list);
  }

  #see(entries) {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      this.seen.unobserve(target);
      this.onThumb(target, ...target.shows);
    }
  }

  #thumb(pair, place) {
    if (!this.seen || pair.worst < 0) return null;
    const canvas = thumbCanvas();
    canvas.shows = [pair, place];
    this.seen.observe(canvas);
    return canvas;
  }

  #item(pair, button) {
    button.id = pair ? `pair-${pair.index}` : "pair-all";
    const item = element("li", button);
    this.items.set(pair, { item, button, places: null });
    return item;
  }

  #allCard() {
    this.allText = element("span.where");
    return card("all", () => this.onChoose(null, null), null, element("span.names", "All pairs of parts"), this.allText);
  }

  #group(pair, others) {
    const item = this.#item(pair, this.#pairCard(pair));
    if (!others.length) return item;
    const list = element("ul", ...others.map((other) => this.#item(other, this.#pairCard(other))));
    const summary = element("summary", `${plural(others.length, "alternative")} of it, not worse`);
    const fold = element("details.fold", summary, list);
    item.append(fold);
    for (const other of others) Object.assign(this.items.get(other), { fold, standIn: pair });
    return item;
  }

  #pairCard(pair) {
    const top = element("span.top", element(`span.verdict.${pair.verdict}`, pair.verdict));
    if (pair.allowed) top.append(element("span.tag", "allowed"));
    else if (!pair.finding && pair.worst >= 0) top.append(element("span.tag", "within the limits"));
    const texts = [top, element("span.names", ...pairElements(this.namesOf(pair)))];
    if (pair.worst < 0) texts.push(element("span.where", "nothing new since the baseline"));
    else texts.push(this.#numbers(pair), element("span.where", `worst in ${momentText(this.findings, pair.worst)}`));
    const made = card("pair", () => this.onChoose(pair, null), this.#thumb(pair, null), ...texts);
    made.classList.toggle("quiet", !pair.finding);
    return made;
  }

  #numbers(pair) {
    const entries = [];
    if (pair.mostDepth > 0) entries.push([lengthText(pair.mostDepth), "deep"]);
    else if (pair.mostCut > 0) entries.push([lengthText(pair.mostCut), "cut"]);
    if (pair.shown >= 0) entries.push([`${Math.round(100 * pair.shown)} %`, "shown"]);
    entries.push([countText(pair.mostPairs), pair.mostPairs === 1 ? "pair" : "pairs"]);
    if (pair.volume >= 0) entries.push([volumeText(pair.volume), "in common"]);
    if (pair.rigid && this.findings.sampleCount > 1) entries.push(["all", "poses"]);
    else entries.push([countText(pair.samples), pair.samples === 1 ? "pose" : "poses"]);
    return numberElements(entries);
  }

  // ---- Places -------------------------------------------------------------------------------------

  #placeCard(pair, place) {
    const names = this.namesOf(pair);
    const inner = names[place.inner];
    const other = names[1 - place.inner];
    const words =
      pair.a === pair.b ? ["in its own surface"]
      : place.isPoking ? [nameElement(other), " out of ", nameElement(inner)]
      : [nameElement(inner), " in ", nameElement(other)];
    const texts = [element("span.names", element("b", `${lengthText(place.depth)} deep`), " ", ...words)];
    if (place.shares.length) texts.push(element("span.where", "at ", ...jointElements(place.shares)));
    const area = areaText(Math.max(0, place.areas[place.inner]));
    const poses = pair.rigid && this.findings.sampleCount > 1 ? "all poses" : `${countText(place.samples.length)} of ${plural(pair.measures.length, "measured pose")}`;
    texts.push(element("span.where", `${area} inside, in ${poses}`));
    texts.push(element("span.where", `worst in ${momentText(this.findings, place.sample)}`));
    return card("place", () => this.onChoose(pair, place), this.#thumb(pair, place), ...texts);
  }

  #fillPlaces(pair, entry) {
    const places = placesOf(pair);
    entry.places = new Map(places.map((place) => [place, this.#placeCard(pair, place)]));
    const list = element("ul.places", ...[...entry.places.values()].map((each) => element("li", each)));
    const small = pair.measures.find(({ sample }) => sample === pair.worst)?.smallCount ?? 0;
    if (small) list.append(element("li.where.small", `and ${plural(small, "smaller place")} in the worst pose`));
    list.setAttribute("aria-label", "Places");
    list.hidden = true;
    entry.list = list;
    entry.button.after(list);
  }

  /** The places of a pair, deepest first. */
  placesOf(pair) {
    const entry = this.items.get(pair);
    if (!entry.places) this.#fillPlaces(pair, entry);
    return [...entry.places.keys()];
  }

  select(pair, place) {
    for (const [key, { button, list }] of this.items) {
      button.setAttribute("aria-current", String(key === pair && !place));
      if (list) list.hidden = key !== pair;
    }
    const entry = this.items.get(pair);
    if (pair && !entry.places) this.#fillPlaces(pair, entry);
    if (entry.list) entry.list.hidden = false;
    if (entry.fold) entry.fold.open = true;
    for (const [key, button] of entry.places ?? []) button.setAttribute("aria-current", String(key === place));
    // The first card is where a page starts: a narrow one would scroll to it, past the model.
    if (pair) (entry.places?.get(place) ?? entry.button).scrollIntoView({ block: "nearest" });
    else this.host.scrollTop = 0;
  }

  /** Leaves those that are wanted, and counts them. */
  filter(isWanted) {
    let count = 0;
    for (const [pair, { item, fold }] of this.items) {
      if (!pair) continue;
      const isIt = isWanted(pair);
      item.classList.toggle("left-out", !isIt);
      count += isIt;
      if (isIt && fold && !this.isFolded(pair)) fold.open = true;
    }
    this.allText.textContent = `${plural(count, "pair")} that intersect, worst first`;
    return count;
  }

  /** Does another pair stand for it, of which it is an alternative? Not one that is left out. */
  isFolded(pair) {
    const { standIn } = this.items.get(pair);
    return standIn !== undefined && this.isShown(standIn);
  }

  isShown(pair) {
    return !pair || !this.items.get(pair).item.classList.contains("left-out");
  }
}
