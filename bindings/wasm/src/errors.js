// One class for each PliantResult but PLIANT_OK, in the order of the enumeration in include/pliant/base.h.

/** A call that failed. `message` is the library's: it names the function, the field and the index. */
export class PliantError extends Error {
  constructor(result, message) {
    super(message);
    this.name = new.target.name;
    this.result = result;
  }
}

export class OutOfMemoryError extends PliantError {}
export class TooLargeError extends PliantError {}
export class BadArgumentError extends PliantError {}
export class BadIndexError extends PliantError {}
export class BadDefError extends PliantError {}
export class BadDataError extends PliantError {}
export class BadVersionError extends PliantError {}
export class BadIdError extends PliantError {}
export class UnsupportedError extends PliantError {}
export class CancelledError extends PliantError {}
/** Contacts were handed back whose bodies have changed since. */
export class StaleError extends PliantError {}
export class BusyError extends PliantError {}

const CLASSES = [
  PliantError, OutOfMemoryError, TooLargeError, BadArgumentError, BadIndexError, BadDefError, BadDataError,
  BadVersionError, BadIdError, UnsupportedError, CancelledError,
  StaleError, BusyError,
];

export function errorOf(result, name, message) {
  const Class = CLASSES[result] ?? PliantError;
  return new Class(name, message);
}

/** The number of an option that has a name, such as "all" of ["all", "first", "any"]. */
export function choice(names, name, field) {
  const index = names.indexOf(name);
  if (index < 0) {
    throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `${field} is ${name}, and must be one of: ${names.join(", ")}`);
  }
  return index;
}

/** The most items that an answer may have, for C; 0: no limit. */
export function limit(count, field) {
  if (!Number.isSafeInteger(count)) {
    throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `${field} is ${count}, and must be a whole number`);
  }
  return BigInt(count);
}

/** An array of so many numbers for each item, as floats; and how many items. */
export function itemsOf(array, size, field) {
  if (array.length % size !== 0) {
    throw new BadArgumentError("PLIANT_BAD_ARGUMENT", `${field} has ${array.length} numbers, and needs ${size} for each`);
  }
  return [array instanceof Float32Array ? array : Float32Array.from(array), array.length / size];
}

/** What is disposed cannot be used. */
export function alive(pointer, what) {
  if (pointer === 0) throw new BadIdError("PLIANT_BAD_ID", `this ${what} was disposed`);
  return pointer;
}
