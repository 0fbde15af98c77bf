/** Maps numbers to doubles. `Float64Array.from` does the same with an iterator, in 80 ns a number instead of 6. */
export function mapNumbers(values: ArrayLike<number>, of: (x: number, at: number) => number): Float64Array {
  const made = new Float64Array(values.length);
  for (let at = 0; at < made.length; at++) made[at] = of(values[at], at);
  return made;
}

/** Makes zeros. */
export const zeros = (length: number): Float64Array => new Float64Array(length);

/** Makes doubles from their indices, in order. */
export function makeNumbers(length: number, of: (at: number) => number): Float64Array {
  const made = new Float64Array(length);
  for (let at = 0; at < length; at++) made[at] = of(at);
  return made;
}

/** Joins doubles that follow one another. */
export function joinNumbers(parts: readonly Float64Array[]): Float64Array {
  const made = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

/** Returns the least multiple of a number that is no less than a length. */
export const alignUp = (length: number, multiple: number): number => Math.ceil(length / multiple) * multiple;

/** A double in a form that JSON can hold. */
export type JsonNumber = number | 'Infinity' | '-Infinity' | 'NaN';

/** Converts a double to a form that JSON can hold. */
export const toJsonNumber = (x: number): JsonNumber => (Number.isFinite(x) ? x : (String(x) as JsonNumber));

/** Formats a value as JSON. Numbers that JSON cannot hold are written as {@link JsonNumber}, never as null. */
export const formatJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'number' ? toJsonNumber(item) : item));

/** Returns the double of a {@link JsonNumber}. */
export const fromJsonNumber = (x: JsonNumber): number => Number(x);
