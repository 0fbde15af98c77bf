import { expect, test } from 'vitest';
import { inShort } from '../base/in-short.testing.ts';
import { createRandom, type Random } from '../base/random.ts';
import type { RealArray } from '../matrix/dense.ts';
import { type AdditionKind, addInVectors, COLS, DEPTH, ROWS } from './add-product.ts';
import { fma32 } from './modeled-arithmetic.ts';

const round = Math.fround;

/** The addition of one more product to an entry, in plain numbers. */
const plainly: Record<AdditionKind, (x: number, y: number, sum: number) => number> = {
  single: (x, y, sum) => round(sum + round(x * y)),
  double: (x, y, sum) => sum + x * y,
  fused: fma32,
};
const addings = Object.keys(plainly) as AdditionKind[];

const created = (adding: AdditionKind, length: number): RealArray =>
  adding === 'double' ? new Float64Array(length) : new Float32Array(length);

type Entry = (random: Random, of: 'factor' | 'sum') => number;

/** Entries that distinguish roundings: ties and numbers next to them, cancellation, both ends of the range, infinities and NaN. */
const entries: Record<string, Entry> = {
  'between -1 and 1': (random) => random.uniform(-1, 1),
  'of few bits': (random) => (random.int(0, 64) - 32) * 2 ** random.int(-3, 3),
  // (1 + e)(1 − e) = 1 − e²: half a unit in the last place of the sum, except for bits that 53 bits do not hold.
  'beside ties': (random, of) =>
    (1 + random.int(-1, 1) * 2 ** -23) * (of === 'sum' ? 1 : 2 ** -12) * (random.int(0, 1) || -1),
  'of all sizes': (random) => random.uniform(-1, 1) * 2 ** random.int(-149, 127),
  'that overflow': (random) =>
    (1 - 2 ** -24 * random.int(0, 3)) * 2 ** random.int(62, 66) * (random.int(0, 1) || -1),
  'among them no numbers': (random) =>
    [0, -0, Number.POSITIVE_INFINITY, Number.NaN, 1][Math.min(random.int(0, 40), 4)],
};

const shapes = [
  { m: 16, k: 16, n: 16 },
  { m: ROWS + 3, k: 9, n: COLS + 5 },
  { m: 1, k: DEPTH + 7, n: 17 },
  { m: 5, k: 2 * DEPTH, n: COLS },
  { m: 7, k: 300, n: 8 },
];

test.each(
  inShort(
    addings.flatMap((adding) => Object.keys(entries).map((name) => [adding, name] as const)),
    3,
  ),
)('%s of entries %s: the bits of a plain loop', (adding, name) => {
  for (const [at, shape] of shapes.entries()) {
    const random = createRandom(at + 1, 7);
    const { m, k, n } = shape;
    const filled = (length: number, of: 'factor' | 'sum') =>
      created(adding, length).map(() => entries[name](random, of));
    const [x, y, out] = [filled(m * k, 'factor'), filled(k * n, 'factor'), filled(m * n, 'sum')];
    const expected = out.slice();
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        for (let p = 0; p < k; p++) {
          expected[i * n + j] = plainly[adding](x[i * k + p], y[p * n + j], expected[i * n + j]);
        }
      }
    }
    expect(addInVectors(adding, x, y, shape, out)).toBe(true);
    expect(out.findIndex((value, entry) => !Object.is(value, expected[entry]))).toBe(-1);
  }
});

test.each([
  { m: 0, k: 64, n: 64 },
  { m: 64, k: 0, n: 64 },
  { m: 64, k: 64, n: 0 },
  { m: 4096, k: 4096, n: 1 },
  { m: 8, k: 8, n: 8 },
])('leaves %o to a loop', (shape) => {
  const { m, n } = shape;
  const none = new Float32Array(0);
  const out = new Float32Array(m * n).fill(3);
  expect(addInVectors('single', none, none, shape, out)).toBe(false);
  expect(out.every((value) => value === 3)).toBe(true);
});
