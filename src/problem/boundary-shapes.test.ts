import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { type BatchedShape, boundaryShapes } from './boundary-shapes.ts';

type Batched = Required<BatchedShape>;
type Says = (numbers: readonly number[], sizes: Batched) => boolean;

const isWithin = (size: number, [least, most]: readonly number[]) => least <= size && size <= most;
const isEqual = ({ m, k, n }: Batched) => m === k && k === n;

/** Conditions that the names of landmarks express, with the numbers in the names. */
const says: readonly (readonly [RegExp, Says])[] = [
  [
    /^odd squares of (\d+) to (\d+)/,
    (range, sizes) => isEqual(sizes) && sizes.m % 2 === 1 && isWithin(sizes.m, range),
  ],
  [
    /^squares of multiples of (\d+) to (\d+)/,
    ([step, most], sizes) => isEqual(sizes) && sizes.m % step === 0 && sizes.m <= most,
  ],
  [
    /^multiples of (\d+), and sums that are none/,
    ([step], { m, k, n }) => m % step === 0 && n % step === 0 && k % step !== 0,
  ],
  [
    /^sums of multiples of (\d+), and sides that are none/,
    ([step], { m, k, n }) => k % step === 0 && m % step !== 0 && n % step !== 0,
  ],
  [/^m = n/, (_, { m, n }) => m === n],
  [/^m = k/, (_, { m, k }) => m === k],
  [/^k = n/, (_, { k, n }) => k === n],
  [/^more rows than (\d+) bits/, ([bits], { m }) => m >= 2 ** bits],
  [/^more columns than (\d+) bits/, ([bits], { n }) => n >= 2 ** bits],
  [/^longer sums than (\d+) bits/, ([bits], { k }) => k >= 2 ** bits],
  [/^more products than (\d+) bits/, ([bits], { batch }) => batch >= 2 ** bits],
  [/^round decimal/, (_, { m, k, n }) => [m, k, n].every((size) => /^[125]0+$/.test(`${size}`))],
  [/^a (row|batch of rows) /, (_, { m }) => m === 1],
  [/times (a column|columns)$/, (_, { n }) => n === 1],
  [/^sums of ([\d,]+) to ([\d,]+) terms/, (range, { k }) => isWithin(k, range)],
  [/^more than 2\^(\d+) results/, ([power], { m, n, batch }) => m * n * batch > 2 ** power],
  [/^more than 2\^(\d+) rows/, ([power], { m }) => m > 2 ** power],
  [/^more than 2\^(\d+) columns/, ([power], { n }) => n > 2 ** power],
  [/^more than 2\^(\d+) entries of A/, ([power], { m, k, batch }) => m * k * batch > 2 ** power],
  [/^more than 2\^(\d+) entries of B/, ([power], { k, n, batch }) => k * n * batch > 2 ** power],
  [
    /^multiples of (\d+), and sums that are odd multiples of (\d+)/,
    ([side, slice], { m, k, n }) => m % side === 0 && n % side === 0 && k % (2 * slice) === slice,
  ],
  [/^all sizes beyond (\d+)/, ([least], { m, k, n }) => Math.min(m, k, n) > least],
  [
    /^two rows and terms, and (\d+) to (\d+) columns/,
    (range, { m, k, n }) => m + k === 4 && isWithin(n, range),
  ],
  [
    /^two rows and columns, and (\d+) to (\d+) terms/,
    (range, { m, k, n }) => m + n === 4 && isWithin(k, range),
  ],
  [
    /^two terms and columns, and (\d+) to (\d+) rows/,
    (range, { m, k, n }) => k + n === 4 && isWithin(m, range),
  ],
  [/sums beyond (\d+) bits/, ([bits], { k }) => k >= 2 ** bits],
  [/batch/, (_, { batch }) => batch > 1],
];

it.each(boundaryShapes)('$name: so are all that are drawn', ({ name, draw }) => {
  const random = createRandom(1, 1);
  const rules = says.flatMap(([words, holds]) => {
    const found = words.exec(name);
    if (found === null) return [];
    const numbers = found.slice(1).map((text) => Number(text?.replaceAll(',', '')));
    return [(sizes: Batched) => holds(numbers, sizes)];
  });
  expect(rules.length).toBeGreaterThan(0);
  const drawn = Array.from({ length: 40 }, () => ({ batch: 1, ...draw(random) }));
  expect(drawn.filter((sizes) => !rules.every((holds) => holds(sizes)))).toEqual([]);
});
