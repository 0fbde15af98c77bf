import type { ExactProduct } from '../src/exact/exact.ts';
import type { Matrix } from '../src/matrix/dense.ts';

/** Fails unless both matrices are equal bit for bit, NaNs of any payload alike. */
export function expectSameBits(found: Matrix, expected: Matrix): void {
  expectEach(found, expected, (x, y) => Object.is(x, y));
}

/** Fails unless both matrices have equal numbers: {@link expectSameBits}, except for the signs of zeros. */
export function expectSameNumbers(found: Matrix, expected: Matrix): void {
  expectEach(found, expected, (x, y) => x === y || Object.is(x, y));
}

/**
 * Returns the largest |computed − exact| / bound. An error where the bound is 0, and a NaN, count as infinite. Entries whose bound or exact
 * value is not finite count as 0. So do entries that may overflow as results of a format with the largest number `largest`:
 * `evidence/overflow.ts` judges them.
 */
export function largestUse(
  computed: Matrix,
  exact: ExactProduct,
  bound: Matrix,
  largest = Number.POSITIVE_INFINITY,
): number {
  let most = 0;
  for (let at = 0; at < computed.data.length; at++) {
    const value = exact.product.data[at];
    if (!Number.isFinite(bound.data[at]) || !Number.isFinite(value)) continue;
    if (Math.abs(value) + bound.data[at] > largest) continue;
    // The pair value + low is itself off by half a last place of low.
    const error = Math.abs(computed.data[at] - value - exact.low[at]) * (1 - 2 ** -51);
    const use = error === 0 ? 0 : error / bound.data[at];
    if (!(use <= most)) most = Number.isNaN(use) ? Number.POSITIVE_INFINITY : use;
  }
  return most;
}

function expectEach(
  found: Matrix,
  expected: Matrix,
  agree: (x: number, y: number, at: number) => boolean,
): void {
  if (found.rows !== expected.rows || found.cols !== expected.cols) {
    throw new Error(`${found.rows}×${found.cols} is not ${expected.rows}×${expected.cols}.`);
  }
  let wrong = 0;
  let first = 0;
  for (let at = found.data.length - 1; at >= 0; at--) {
    if (agree(found.data[at], expected.data[at], at)) continue;
    wrong++;
    first = at;
  }
  if (wrong === 0) return;
  const [i, j] = [Math.floor(first / found.cols), first % found.cols];
  const [x, y] = [found.data[first], expected.data[first]].map((value) =>
    Object.is(value, -0) ? '-0' : value,
  );
  throw new Error(
    `${wrong} of ${found.data.length} entries differ; the first, (${i}, ${j}), is ${x}, not ${y}.`,
  );
}
