import { expect, it } from 'vitest';
import { singlePrecision } from '../../precision/single.ts';
import type { InputPair } from '../input.ts';
import { largestMagnitude, wild, wildIntegers } from './wild.ts';

const SEEDS = Array.from({ length: 300 }, (_, at) => at + 1);
const share = (holds: (seed: number) => boolean) => SEEDS.filter(holds).length / SEEDS.length;
const shape = { m: 12, k: 12, n: 12 };
const made = (seed: number) => wild.generate({ ...shape, seed });
const [pairs, wholes] = [SEEDS.map(made), SEEDS.map((seed) => wildIntegers.generate({ ...shape, seed }))];

/** Returns entry (i, j) of |A||B|, or of A·B. */
const sum = ({ a, b }: InputPair, i: number, j: number, of: (x: number) => number) => {
  let all = 0;
  for (let p = 0; p < a.cols; p++) all += of(a.data[i * a.cols + p] * b.data[p * b.cols + j]);
  return all;
};
const sumOf = (data: ArrayLike<number>) => Array.from(data).reduce((all, x) => all + x, 0);
const squares = (pair: InputPair, of: (x: number) => number) => {
  let all = 0;
  for (let i = 0; i < pair.a.rows; i++) {
    for (let j = 0; j < pair.b.cols; j++) all += sum(pair, i, j, of) ** 2;
  }
  return all;
};

it('meets what people multiply without a list of it: each trait a few times in a hundred', () => {
  const traits: Record<string, (pair: InputPair) => boolean> = {
    whole: ({ a }) => a.data.every(Number.isInteger),
    positive: ({ a }) => a.data.every((x) => x >= 0),
    sparse: ({ a }) => a.data.filter((x) => x === 0).length > a.data.length / 2,
    'few values': ({ b }) => new Set(b.data).size < 10,
    'a line of zeros': ({ a }) =>
      Array.from({ length: 12 }, (_, i) => a.data.subarray(12 * i, 12 * i + 12)).some((row) =>
        row.every((x) => x === 0),
      ),
    symmetric: ({ b }) => b.data.every((x, at) => x === b.data[(at % 12) * 12 + Math.floor(at / 12)]),
    'equal rows': ({ a }) => a.data.every((x, at) => x === a.data[at % 12]),
    'B of A': ({ a, b }) =>
      [b.data, b.data.map((_, at) => b.data[(at % 12) * 12 + Math.floor(at / 12)])].some((data) => {
        const factor = largestMagnitude(data) / largestMagnitude(a.data);
        return data.every((x, at) => Math.abs(x - factor * a.data[at]) <= 1e-5 * Math.abs(x));
      }),
    large: ({ a }) => largestMagnitude(a.data) > 2 ** 8,
    small: ({ b }) => largestMagnitude(b.data) < 2 ** -8,
    mean: ({ a }) => Math.abs(sumOf(a.data)) > 6 * 144 * (largestMagnitude(a.data) / 10),
  };
  for (const [name, holds] of Object.entries(traits)) {
    expect(pairs.filter(holds).length / pairs.length, name).toBeGreaterThan(name === 'B of A' ? 0.01 : 0.03);
  }
});

it('never cancels so far that its bound says nothing', () => {
  const { unitRoundoff: u } = singlePrecision.accumulated;
  for (const pair of [...pairs, ...wholes]) {
    expect(squares(pair, (x) => x)).toBeGreaterThanOrEqual((10 * 14 * u) ** 2 * squares(pair, Math.abs));
  }
});

it('leaves no product of two entries subnormal, and none near the largest', () => {
  for (const { a, b } of pairs) {
    const sizes = [a, b].map(({ data }) => [...data].filter((x) => x !== 0).map(Math.abs));
    if (sizes.some((all) => all.length === 0)) continue;
    const [least, most] = [Math.min, Math.max].map((of) =>
      sizes.map((all) => of(...all)).reduce((x, y) => x * y),
    );
    expect(least).toBeGreaterThanOrEqual(2 ** -126);
    expect(most).toBeLessThanOrEqual(2 ** 41);
  }
});

it('keeps whole numbers exact, also beside those of another seed, as products of a batch share them', () => {
  const most = (of: 'a' | 'b') => Math.max(...wholes.map((pair) => largestMagnitude(pair[of].data)));
  expect(shape.k * most('a') * most('b')).toBeLessThanOrEqual(2 ** 24);
  expect(share((seed) => largestMagnitude(wholes[seed - 1].a.data) > 0)).toBeGreaterThan(0.95);
});

it('gives C structures and sizes, too', () => {
  const all = SEEDS.slice(0, 100).map((seed) => {
    const c = { rows: 12, cols: 12, data: new Float32Array(144) };
    wild.editAddend?.(c, seed);
    return c.data;
  });
  expect(all.every((data) => data.every(Number.isFinite))).toBe(true);
  expect(all.filter((data) => largestMagnitude(data) > 2 ** 10).length).toBeGreaterThan(5);
  expect(all.filter((data) => data.every(Number.isInteger)).length).toBeGreaterThan(5);
});
