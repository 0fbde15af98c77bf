/** A set of cases, by their numbers, a bit each. */
export type CaseSet = Uint32Array;

export function makeCaseSet(count: number, holds: (at: number) => boolean): CaseSet {
  const bits = new Uint32Array(Math.ceil(count / 32));
  for (let at = 0; at < count; at++) if (holds(at)) bits[at >>> 5] |= 1 << (at & 31);
  return bits;
}

export const intersectSets = (x: CaseSet, y: CaseSet): CaseSet => x.map((word, at) => word & y[at]);

/** Counts the cases that two sets have in common. */
export function countCommon(x: CaseSet, y: CaseSet): number {
  let count = 0;
  for (let at = 0; at < x.length; at++) count += ones(x[at] & y[at]);
  return count;
}

export const countCases = (x: CaseSet): number => countCommon(x, x);

/** Counts the set bits of a word (Warren, Hacker's Delight, section 5-1). */
function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
