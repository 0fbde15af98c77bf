import type { ExpectedComparison } from './expected-comparison.ts';

/** True if every entry passes a test. */
function every(
  { found, expected }: ExpectedComparison,
  test: (found: number, expected: number, at: number) => boolean,
) {
  for (let at = 0; at < expected.length; at++) if (!test(found[at], expected[at], at)) return false;
  return true;
}

/** |found − expected| ≤ atol + rtol·|expected| for every entry. Infinities equal themselves, and NaN equals NaN if `equalNan`. */
export const allclose =
  (rtol: number, atol: number, equalNan = false) =>
  (compared: ExpectedComparison): boolean =>
    every(compared, (found, expected) => isClose(found, expected, rtol, atol, equalNan));

function isClose(found: number, expected: number, rtol: number, atol: number, equalNan: boolean): boolean {
  if (found === expected) return true;
  if (Number.isNaN(found) && Number.isNaN(expected)) return equalNan;
  if (!Number.isFinite(expected)) return false;
  return Math.abs(found - expected) <= atol + rtol * Math.abs(expected);
}

/** True if all entries are equal; NaN equals NaN. */
export const equal = (compared: ExpectedComparison): boolean =>
  every(compared, (found, expected) => found === expected || (Number.isNaN(found) && Number.isNaN(expected)));

/** Σ(found − expected)² / Σ expected² is at most `most`. NaN and infinities fail unless both have the same. */
export const nmse =
  (most: number) =>
  ({ found, expected }: ExpectedComparison): boolean => {
    let [errors, squares] = [0, 0];
    for (let at = 0; at < expected.length; at++) {
      const [x, y] = [found[at], expected[at]];
      if (Number.isNaN(x) !== Number.isNaN(y)) return false;
      if (!Number.isFinite(x) || !Number.isFinite(y)) {
        if (!Object.is(x, y)) return false;
        continue;
      }
      errors += (x - y) ** 2;
      squares += y * y;
    }
    return !(errors / squares > most);
  };

/**
 * Pearson's correlation of found and expected entries is at least `least`, with non-finite entries counted as 0. If only one of
 * the two is all NaN or all 0, it fails. Constant entries pass if they are close.
 */
export const correlation =
  (least: number) =>
  ({ found, expected }: ExpectedComparison): boolean => {
    const all = (values: Float64Array, test: (value: number) => boolean) => values.every(test);
    const [nans, zeros] = [[found, expected].map((one) => all(one, Number.isNaN)), isZero(found, expected)];
    if (nans[0] || nans[1]) return nans[0] && nans[1];
    if (zeros[0] !== zeros[1]) return false;
    const [x, y] = [found, expected].map((one) => one.map((value) => (Number.isFinite(value) ? value : 0)));
    if (same(x, y)) return true;
    if (x.length === 1) return isClose(x[0], y[0], 1e-5, 1e-8, false);
    const [mx, my] = [mean(x), mean(y)];
    let [xy, xx, yy] = [0, 0, 0];
    for (let at = 0; at < x.length; at++) {
      xy += (x[at] - mx) * (y[at] - my);
      xx += (x[at] - mx) ** 2;
      yy += (y[at] - my) ** 2;
    }
    if (xx === 0 || yy === 0) return xx === yy;
    return xy / Math.sqrt(xx * yy) >= least;
  };

const isZero = (...all: readonly Float64Array[]) => all.map((one) => one.every((value) => value === 0));
const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
const same = (x: Float64Array, y: Float64Array) => x.every((value, at) => Object.is(value, y[at]));

/**
 * |found − expected| < epsilon·(|found| + |expected|) for every entry. If one is 0, or both together are below `floor`, the
 * difference must be below epsilon·floor.
 */
export const relativelyEqual =
  (epsilon: number, floor: number) =>
  (compared: ExpectedComparison): boolean =>
    every(compared, (found, expected) => {
      if (found === expected) return true;
      const [difference, sum] = [Math.abs(found - expected), Math.abs(found) + Math.abs(expected)];
      if (found === 0 || expected === 0 || sum < floor) return difference < epsilon * floor;
      return difference < epsilon * sum;
    });

/** |found − expected| ≤ epsilon in absolute terms; non-finite entries pass beside non-finite ones. */
export const within =
  (epsilon: number) =>
  (compared: ExpectedComparison): boolean =>
    every(compared, (found, expected) => {
      if (!Number.isFinite(found) && !Number.isFinite(expected)) return true;
      return Math.abs(found - expected) <= epsilon;
    });

/**
 * |found − expected| < threshold·eps·(|alpha||A||B| + |beta||C|) for every entry. Here eps is the distance from 1 to the next
 * number, and a size of 0 counts as 1.
 */
export const ratio =
  (threshold: number) =>
  (compared: ExpectedComparison): boolean => {
    const sizes = compared.sizes();
    const eps = 2 * compared.precision.accumulated.unitRoundoff;
    return every(compared, (found, expected, at) => {
      if (found === expected) return true;
      return Math.abs(found - expected) < threshold * eps * (sizes[at] || 1);
    });
  };

/**
 * Twice the bound on rounding each product and each sum in any order: |found − expected| ≤ 2(k + 3)·u·(|alpha||A||B| +
 * |beta||C|), plus one rounding of the result. Infinities and NaN must be where they are expected.
 * @see N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., (3.13).
 */
export const componentwise = (compared: ExpectedComparison): boolean => {
  const { k, precision, format } = compared;
  const [sizes, u] = [compared.sizes(), precision.accumulated.unitRoundoff];
  return every(compared, (found, expected, at) => {
    if (found === expected || (Number.isNaN(found) && Number.isNaN(expected))) return true;
    if (!Number.isFinite(expected)) return false;
    const own = format.unitRoundoff * Math.abs(expected) + format.minSubnormal;
    return Math.abs(found - expected) <= 2 * (k + 3) * u * sizes[at] + own;
  });
};
