import { expect, it } from 'vitest';
import { matrix } from '../matrix/dense.ts';
import { exactRows } from './exact.ts';
import { mergeCertificates } from './exact-product.ts';

// Rows that meet every way of deciding an entry, against columns of units.
const ulp = 2 ** -52;
const rows = [
  [1, 2, 3, 4],
  [Number.NaN, 1, 1, 1],
  [2 ** 1023, 2 ** 1023, 1, 0],
  [2 ** 995, -(2 ** 995), 1, 0],
  [1, 2 ** -53, 2 ** -200, 2 ** -201],
  [1, ulp, 2 ** -53, 2 ** -120],
  [0.1, 0.7, -0.3, 2 ** -70],
  [2 ** 80, 1 / 3, -(2 ** 80), 2 ** -90],
];
const a = matrix(rows.length, 4, Float64Array.from(rows.flat()));
const b = matrix(4, 2, Float64Array.of(1, 1 + ulp, 1, 1, 1, 1, 1, 1 - ulp / 2));

it.each(['typescript', 'simd'] as const)('parts of a product certify what the whole does: %s', (engine) => {
  const whole = exactRows(a, b, 0, rows.length, engine);
  const counts = ['byDoubleDouble', 'byExpansion', 'byBigInt', 'nonFinite', 'overflowed'] as const;
  for (const count of counts) expect(whole.stats[count], count).toBeGreaterThan(0);
  expect(whole.stats.worstAbsolute).toBeGreaterThan(0);
  for (let cut = 0; cut <= rows.length; cut++) {
    const parts = [exactRows(a, b, 0, cut, engine), exactRows(a, b, cut, rows.length, engine)];
    expect(mergeCertificates(parts.map(({ stats }) => stats))).toEqual(whole.stats);
    expect(parts.flatMap(({ value }) => [...value])).toEqual([...whole.value]);
    expect(parts.flatMap(({ low }) => [...low])).toEqual([...whole.low]);
  }
});

it('certificates of parts add up, but for the worst', () => {
  const names = [
    ...['entries', 'byExactSum', 'byDoubleDouble', 'byExpansion', 'byBigInt', 'nonFinite'],
    ...['exactDoubleDouble', 'overflowed', 'worstAbsolute', 'worstRelative'],
  ];
  const of = (number: (at: number) => number) =>
    Object.fromEntries(names.map((name, at) => [name, number(at)])) as never;
  const sums = (at: number) => (at < 8 ? 2 ** at + 3 ** at : Math.max(2 ** at, 100));
  expect(mergeCertificates([of((at) => 2 ** at), of((at) => (at < 8 ? 3 ** at : 100))])).toEqual(of(sums));
});

// Beyond these exponents a double-double sum could overflow or underflow on the way.
it.each([
  [497, 500, 1, 'byDoubleDouble'],
  [497, 501, 1, 'byBigInt'],
  [496, 500, 2, 'byDoubleDouble'],
  [497, 500, 2, 'byBigInt'],
  [989, 0, 1, 'byDoubleDouble'],
  [990, 0, 1, 'byBigInt'],
  [0, 990, 1, 'byBigInt'],
  [-450, -450, 1, 'byDoubleDouble'],
  [-450, -451, 1, 'byBigInt'],
] as const)('2^%d times 2^%d, %d terms, is decided %s', (x, y, k, how) => {
  const line = (exponent: number) => new Float64Array(k).fill(2 ** exponent);
  const { stats, value } = exactRows(matrix(1, k, line(x)), matrix(k, 1, line(y)), 0, 1, 'typescript');
  expect(stats[how]).toBe(1);
  expect(value[0]).toBe(k * 2 ** (x + y));
});
