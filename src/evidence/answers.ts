import type { Product } from '../gpu/runner/product.ts';
import type { Again, Evidence } from './evidence.ts';

/** The first of a product's answers, and with it one that differs from it, else the second. */
export function firstWithOther([first, ...others]: readonly [Product, ...Again[]]): [Product, Again?] {
  const other = others.find((one) => !isSame(first, one)) ?? others.at(-1);
  return other === undefined ? [first] : [first, other];
}

/** Whether two products have the same bits, but for those of NaN. */
export const isSame = ({ c: { data } }: Product, { c: { data: other } }: Product): boolean =>
  data.every((x, e) => Object.is(x, other[e]));

/** Entries that a product did not write, or wrote where it should not have. */
export const harmOf = ({ unwritten, overwritten, changed = 0 }: Product): number =>
  unwritten + overwritten + changed;

/**
 * Whether a product is further from the exact one; NaN in its place, or an infinity, is further than any number, and what was done
 * to memory than any error.
 */
export const isWorse = (one: Evidence, other: Evidence): boolean => {
  const harm = harmOf(one.outcomes[0]) - harmOf(other.outcomes[0]);
  return harm === 0 ? one.errors.exact.max > other.errors.exact.max : harm > 0;
};
