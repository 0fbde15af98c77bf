/** A dot product to compute: a·b, of equal lengths. */
export interface DotProduct {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** One term of a dot product: an entry of A and one of B. */
export type DotTerm = readonly [a: number, b: number];

/** Returns a power of two as a product of two powers near each other, so that both are normal numbers in narrow formats. */
export function powerOfTwoTerm(exponent: number, factor = 1): DotTerm {
  const half = Math.floor(exponent / 2);
  return [factor * 2 ** (exponent - half), 2 ** half];
}

export const negateTerm = ([a, b]: DotTerm): DotTerm => [-a, b];

export function makeDot(...terms: readonly DotTerm[]): DotProduct {
  return { a: terms.map(([a]) => a), b: terms.map(([, b]) => b) };
}

/** Returns three terms in each of their six orders. Whatever the order of a sum, in some the first two meet before the third. */
export function everyOrder([x, y, z]: readonly [DotTerm, DotTerm, DotTerm]): DotProduct[] {
  return [
    makeDot(x, y, z),
    makeDot(y, x, z),
    makeDot(x, z, y),
    makeDot(z, x, y),
    makeDot(y, z, x),
    makeDot(z, y, x),
  ];
}

/** Returns all rotations of the terms, forwards and backwards. */
export function listRotations(terms: readonly DotTerm[]): DotProduct[] {
  return [terms, [...terms].reverse()].flatMap((list) =>
    list.map((_, at) => makeDot(...list.slice(at), ...list.slice(0, at))),
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

/** Writes powers of two as powers, and other numbers as they are. */
export function formatPowers(x: number): string {
  const exponent = Math.log2(Math.abs(x));
  if (Number.isInteger(exponent) && Math.abs(exponent) > 10) return `${x < 0 ? '−' : ''}2^${exponent}`;
  return `${x}`.replace(/^-/, '−');
}
