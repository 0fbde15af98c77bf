/** A dot product to compute: a·b, of equal lengths. */
export interface Dot {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** One term of a dot product: an entry of A and one of B. */
export type Term = readonly [a: number, b: number];

/** Returns a power of two as a product of two powers near each other, so that both are normal numbers in narrow formats. */
export function power(exponent: number, factor = 1): Term {
  const half = Math.floor(exponent / 2);
  return [factor * 2 ** (exponent - half), 2 ** half];
}

export const negative = ([a, b]: Term): Term => [-a, b];

export function dot(...terms: readonly Term[]): Dot {
  return { a: terms.map(([a]) => a), b: terms.map(([, b]) => b) };
}

/** Returns three terms in each of their six orders. Whatever the order of a sum, in some the first two meet before the third. */
export function everyOrder([x, y, z]: readonly [Term, Term, Term]): Dot[] {
  return [dot(x, y, z), dot(y, x, z), dot(x, z, y), dot(z, x, y), dot(y, z, x), dot(z, y, x)];
}

/** Returns all rotations of the terms, forwards and backwards. */
export function rotations(terms: readonly Term[]): Dot[] {
  return [terms, [...terms].reverse()].flatMap((list) =>
    list.map((_, at) => dot(...list.slice(at), ...list.slice(0, at))),
  );
}

/** Finds the largest whole number from `low` to `high` at which a monotonic condition holds; low − 1 if there is none. */
export async function lastHolding(
  low: number,
  high: number,
  holds: (at: number) => Promise<boolean>,
): Promise<number> {
  let [yes, no] = [low - 1, high + 1];
  while (no - yes > 1) {
    // The end is tried first, since most formats are kept whole.
    const at = no === high + 1 && yes === low - 1 ? high : Math.floor((yes + no) / 2);
    if (await holds(at)) yes = at;
    else no = at;
  }
  return yes;
}
