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

/** Whether a product is further from the exact one; NaN in its place, or an infinity, is further than any number. */
export const isWorse = ({ errors }: Evidence, { errors: others }: Evidence): boolean =>
  errors.exact.max > others.exact.max;
