import fc from 'fast-check';
import { expect } from 'vitest';
import { algorithms } from '../src/algorithms/algorithms.ts';
import { isWhole } from '../src/base/in-short.testing.ts';
import { precisions } from '../src/precision/precisions.ts';
import { seeds } from './arbitraries.ts';
import { law } from './law.ts';
import { meansOf } from './mean-error.ts';

/**
 * The law: computed in one precision after the other, the same product has mean errors that are to each other as the
 * roundings of the precisions, within a factor of 3, and no precision ever changes places with another.
 *
 * Why: one rounding of an operand errs by u_in, and a sum of k products by about u·√(k/2 + 1), so that a product of
 * random data errs in proportion to √(2·u_in² + (k/2 + 1)·u²); recursion multiplies that by much the same in each.
 */
const IN_ORDER: readonly string[] = ['bf16-f32', 'f16', 'tf32-f32', 'f32', 'f32x2', 'f64'];

/** What a product of inner dimension k errs by, in the same units for every precision. */
function roundings(name: string, k: number): number {
  const { a: stored, multiplied: operands, accumulated: working } = precisions.find(name);
  const own = operands === stored ? 0 : operands.unitRoundoff;
  return Math.sqrt(2 * own ** 2 + (k / 2 + 1) * 2 ** (-2 * working.precision));
}

const products = fc.record({
  algorithm: fc.constantFrom(...algorithms.map(({ name }) => name)),
  n: fc.integer({ min: 20, max: isWhole ? 32 : 24 }),
  levels: fc.nat(isWhole ? 2 : 1),
  seed: seeds,
  times: fc.constant(3),
});

law('mean errors are as the unit roundoffs of their precisions', 10, products, (product) => {
  const errors = IN_ORDER.map((precision) => meansOf({ ...product, precision }).error);
  for (const [at, error] of errors.entries()) {
    if (at > 0) expect(error, `${IN_ORDER[at]} after ${IN_ORDER[at - 1]}`).toBeLessThan(errors[at - 1]);
  }
  const shares = errors.map((error, at) => error / roundings(IN_ORDER[at], product.n));
  expect(Math.max(...shares) / Math.min(...shares)).toBeLessThan(3);
});
