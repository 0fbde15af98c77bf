import { expect, it } from 'vitest';
import { type ComputedCell, chanceOutside, judgeComputed } from './computed-cells.ts';

const options = {
  maxSize: 100,
  tableOf: () => ({ rank: 7, nonzeros: 36, norms: 14.82843, outputExponent: 2.77155 }),
};
const about = { figure: 'Table 1', title: 'Numbers', row: 'strassen', column: 'growth' };
const norms: ComputedCell = {
  ...{ ...about, published: 14.8284, decimals: 4 },
  compute: ({ tableOf }) => ({ value: tableOf('strassen').norms }),
};
const drawn = (published: number): ComputedCell => ({
  ...{ ...about, published },
  compute: () => ({ value: 2, interval: [1, 3] }),
});
const statusesOf = (cells: readonly ComputedCell[]) =>
  judgeComputed(cells, options).map(({ cell, unexplained }) => `${cell.status}${unexplained ? '!' : ''}`);

it.each([
  [14.8284, 'close'],
  [14.8285, 'departs!'],
  [14.8283, 'departs!'],
])('compares the digits that are printed: %d', (published, status) => {
  expect(statusesOf([{ ...norms, published }])).toEqual([status]);
});

it('takes a known reason', () => {
  const [{ cell, unexplained }] = judgeComputed(
    [{ ...norms, published: 15, reason: 'Rounded up.' }],
    options,
  );
  expect(cell).toMatchObject({ status: 'departs', note: 'Rounded up.', measured: 14.82843 });
  expect(unexplained).toBe(false);
});

it('excuses as many outside their intervals as chance puts there, and no more', () => {
  const inside = (count: number) => Array.from({ length: count }, () => drawn(2));
  const judged = judgeComputed([...inside(38), drawn(0.9), drawn(3.1)], options);
  expect(judged.filter(({ byChance }) => byChance)).toHaveLength(2);
  expect(judged.some(({ unexplained }) => unexplained)).toBe(false);
  expect(judged[39].cell).toMatchObject({ status: 'departs', interval: [1, 3], ratio: 2 / 3.1 });
  const many = Array.from({ length: 8 }, () => drawn(4));
  expect(statusesOf([...inside(32), ...many]).filter((status) => status === 'departs!')).toHaveLength(8);
});

it('has the tail of the binomial distribution', () => {
  expect(chanceOutside(0, 10)).toBe(1);
  expect(chanceOutside(1, 10)).toBeCloseTo(1 - 0.95 ** 10, 12);
  expect(chanceOutside(2, 2)).toBeCloseTo(0.0025, 12);
});

it('leaves what is too large, and what comes after the end', () => {
  const [large] = judgeComputed([{ ...drawn(2), n: 101 }], options);
  expect(large.cell).toMatchObject({ status: 'not-measured', note: 'n = 101 exceeds --max-size 100.' });
  const [late] = judgeComputed([norms], options, () => true);
  expect(late.cell.status).toBe('not-measured');
});
