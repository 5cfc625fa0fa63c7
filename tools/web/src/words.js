// Numbers and moments as people read them, and elements made of text that is never markup.

const COUNT = new Intl.NumberFormat("en");

export function countText(value) {
  return COUNT.format(value);
}

const METERS = { m: 1, cm: 0.01, mm: 0.001, um: 1e-6, km: 1000 };
let unit = "";

/** What lengths are in; "": it is not known. */
export function setUnit(name) {
  unit = name;
}

/** Three digits that count. */
function numberText(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(1);
  return String(Number(value.toPrecision(3)));
}

/** A length of the model, as the command's tables have it: metric ones below a meter in millimeters. */
export function lengthText(value) {
  if (value === null || value === undefined) return "–";
  const meters = value * METERS[unit];
  if (Number.isNaN(meters)) return `${numberText(value)} ${unit}`.trim();
  return Math.abs(meters) < 1 ? `${numberText(1000 * meters)} mm` : `${numberText(meters)} m`;
}

/** Small metric areas and volumes are told in centimeters. */
export function areaText(value) {
  const meters = value * METERS[unit] ** 2;
  if (Number.isNaN(meters)) return `${numberText(value)}${unit ? ` ${unit}²` : ""}`;
  return Math.abs(meters) < 0.1 ? `${numberText(1e4 * meters)} cm²` : `${numberText(meters)} m²`;
}

export function volumeText(value) {
  const meters = value * METERS[unit] ** 3;
  if (Number.isNaN(meters)) return `${numberText(value)}${unit ? ` ${unit}³` : ""}`;
  return Math.abs(meters) < 0.01 ? `${numberText(1e6 * meters)} cm³` : `${numberText(meters)} m³`;
}

export function secondsText(value) {
  return `${value.toFixed(2)} s`;
}

export function plural(count, one, many = `${one}s`) {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** element("div.name", "text", child, ...): names come from files, so strings are text alone. */
export function element(what, ...children) {
  const [tag, ...classes] = what.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  made.append(...children);
  return made;
}

/** A name from a file: it cannot turn the text around it, and is whole on hover. */
export function nameElement(text) {
  const made = element("bdi.name", text);
  made.title = text;
  return made;
}

/** Two parts, or the self-collision of one: "a and b", with names that may be cut short. */
export function pairElements([a, b], joint = "and") {
  if (a === b) return [nameElement(a), " ", element("span.with", "(self-collision)")];
  return [nameElement(a), " ", element("span.with", joint), " ", nameElement(b)];
}

export function colorOf(variable) {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
