import type { Product } from '../gpu/runner/product.ts';
import type { Evidence, RepeatedProduct } from './evidence.ts';

/** Finds the first answer of a product, and one that differs from it; the last where none differs. */
export function findDifferingAnswers([first, ...others]: readonly [Product, ...RepeatedProduct[]]): [
  Product,
  RepeatedProduct?,
] {
  const other = others.find((one) => !isSame(first, one)) ?? others.at(-1);
  return other === undefined ? [first] : [first, other];
}

/** True if two products have the same bits; NaN bit patterns are not told apart. */
export const isSame = ({ c: { data } }: Product, { c: { data: other } }: Product): boolean =>
  data.every((x, e) => Object.is(x, other[e]));

/** Returns the number of entries that a product did not write, or wrote outside its result. */
export const harmOf = ({ unwritten, overwritten, changed = 0 }: Product): number =>
  unwritten + overwritten + changed;

/**
 * True if `one` is worse than `other`. Harm to memory counts before any error. NaN or an infinity in place of a number counts as the
 * largest error.
 */
export const isWorse = (one: Evidence, other: Evidence): boolean => {
  const harm = harmOf(one.outcomes[0]) - harmOf(other.outcomes[0]);
  return harm === 0 ? one.errors.exact.max > other.errors.exact.max : harm > 0;
};
