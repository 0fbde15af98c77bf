import { describe, expect, it } from 'vitest';
import { grouped, lanesOf, type SumFunction, sumsIn } from '../lab/honest/sums.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { matrix } from '../src/matrix/dense.ts';
import type { Format } from '../src/precision/format.ts';
import { precisions } from '../src/precision/precisions.ts';

/**
 * The law: under `exceptions: 'nan'`, textbook compensated sums pass on all triples of special values. A number in the place of an infinity
 * or a NaN fails, and so do an infinity or a NaN in the place of a number, and an infinity of the other sign.
 *
 * Why: the rounding error of an infinite sum is ∞ − ∞, NaN, which may or may not reach the sum; it changes nothing else.
 */
const { POSITIVE_INFINITY: INFINITY, NaN: nan } = Number;
const VALUES = [0, 1, -3, INFINITY, -INFINITY, nan];
const entries = VALUES.flatMap((x) => VALUES.map((y) => [x, y] as const));
const COUNT = entries.length;

/** Rows of x·1 + y·z + 1 for all x, y and z. */
const rows = matrix(COUNT, 3, Float64Array.from(entries.flatMap(([x, y]) => [x, y, 1])));
const columns = matrix(
  3,
  VALUES.length,
  Float64Array.from([...VALUES.map(() => 1), ...VALUES, ...VALUES.map(() => 1)]),
);
const products = entries.flatMap(([x, y]) => VALUES.map((z) => Float64Array.of(x, y * z, 1)));

const sums: Readonly<Record<string, (format: Format) => SumFunction>> = {
  Kahan: (format) => sumsIn(format).kahan,
  Neumaier: (format) => sumsIn(format).neumaier,
  'Kahan in lanes': (format) => grouped(lanesOf(2), sumsIn(format).kahan, sumsIn(format).kahan),
  sequential: (format) => sumsIn(format).sequential,
};

const claimed: readonly Claims[] = [
  { arithmetic: { exceptions: 'nan' } },
  { arithmetic: { exceptions: 'nan', accumulator: { compensated: 'kahan' } } },
  {
    order: 'split-k',
    parts: 2,
    cut: 'even',
    arithmetic: { exceptions: 'nan', accumulator: { compensated: 'neumaier' } },
  },
];

function wrongOf(values: ArrayLike<number>, precision: string, claims: Claims): number {
  const c = matrix(COUNT, VALUES.length, Float64Array.from(values));
  return judgeProduct(c, rows, columns, { precision, claims }).wrong;
}

const exact = products.map((terms) => terms.reduce((sum, x) => sum + x, 0));
const infinite = exact.filter((x) => Math.abs(x) === INFINITY).length;

describe.each(['f32', 'f16', 'f64', 'f16-f32', 'bf16-f32-bf16'])('in %s', (precision) => {
  const { accumulated } = precisions.find(precision);

  describe.each(claimed)('under %j', (claims) => {
    it.each(Object.entries(sums))('%s passes', (_, sumIn) => {
      expect(wrongOf(products.map(sumIn(accumulated)), precision, claims)).toBe(0);
    });

    it.each([0, 1, INFINITY, -INFINITY, nan])('%d in the place of another kind fails', (other) => {
      const kind = (x: number) => (Number.isFinite(x) ? 0 : x);
      const isOther = (x: number) =>
        !Object.is(kind(x), kind(other)) && !(Number.isNaN(other) && Math.abs(x) === INFINITY);
      const planted = exact.map((x) => (isOther(x) ? other : x));
      expect(wrongOf(planted, precision, claims)).toBe(exact.filter(isOther).length);
    });
  });

  it('infinities that become NaN fail where it is not claimed', () => {
    const found = exact.map((x) => (Math.abs(x) === INFINITY ? nan : x));
    expect(wrongOf(found, precision, {})).toBe(infinite);
  });
});
