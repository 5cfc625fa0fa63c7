// Numbers and moments as people read them, and elements made of text that is never markup.

const COUNT = new Intl.NumberFormat("en");

export function countText(value) {
  return COUNT.format(value);
}

/** A length in the file's units: three digits that count. */
export function lengthText(value) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(1);
  return String(Number(value.toPrecision(3)));
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
