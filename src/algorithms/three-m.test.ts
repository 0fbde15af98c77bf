import { expect, test } from 'vitest';
import { algorithms, findAlgorithm, isOfComplex } from './algorithms.ts';
import { scheduleValuesOf } from './notation.ts';
import { threeM, threeMVariants } from './three-m.ts';
import { brentViolations, findWrongBlocks } from './verify-algorithm.ts';

/** Returns the product of a table for complex whole numbers, one for each block: Dr and Di. */
function productBy(
  { u, v, w }: Pick<typeof threeM, 'u' | 'v' | 'w'>,
  [ar, ai]: number[],
  [br, bi]: number[],
) {
  const [a, b] = [
    [ar, -ai, ai, ar],
    [br, bi],
  ];
  const sum = (row: readonly number[], of: readonly number[]) =>
    row.reduce((all, factor, at) => all + factor * of[at], 0);
  const products = u.map((row, r) => sum(row, a) * sum(v[r], b));
  return [0, 1].map((block) => products.reduce((all, x, r) => all + w[r][block] * x, 0));
}

const numbers = [-3, -1, 0, 2, 5];
const pairs = numbers.flatMap((re) => numbers.map((im) => [re, im]));
const isRight = (table: Parameters<typeof productBy>[0]) =>
  pairs.every((x) =>
    pairs.every((y) => {
      const [re, im] = productBy(table, x, y);
      return re === x[0] * y[0] - x[1] * y[1] && im === x[0] * y[1] + x[1] * y[0];
    }),
  );

test('3M multiplies complex numbers, and no others', () => {
  expect(isRight(threeM)).toBe(true);
  expect(brentViolations(threeM).length).toBeGreaterThan(0);
});

test('its variants do', () => expect(threeMVariants.map(isRight)).toEqual([true, true, true]));

test('no changed coefficient of it does', () => {
  for (const part of ['u', 'v', 'w'] as const) {
    threeM[part].forEach((row, r) => {
      row.forEach((_, c) => {
        const table = threeM[part].map((x) => [...x]);
        table[r][c] += 1;
        expect(isRight({ ...threeM, [part]: table }), `${part}[${r}][${c}]`).toBe(false);
      });
    });
  }
});

test('its schedule computes A11·B11 − A21·B21 and A11·B21 + A21·B11, which are Dr and Di', () => {
  const values = scheduleValuesOf(threeM);
  expect(findWrongBlocks(threeM, values)).toEqual([
    'C11 is A11·B11 + -1·A21·B21, expected A11·B11 + A12·B21.',
    'C21 is A11·B21 + A21·B11, expected A21·B11 + A22·B21.',
  ]);
  expect(values.all.filter(({ kind }) => kind === 'product')).toHaveLength(3);
});

test('it is found by its name, and is none of those that multiply any matrices', () => {
  expect(isOfComplex(findAlgorithm('3m'))).toBe(true);
  expect(algorithms).not.toContain(threeM);
});
