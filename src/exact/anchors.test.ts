import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponentOf } from '../base/binary64.ts';
import { inShort, isWhole } from '../base/in-short.testing.ts';
import { matrix } from '../matrix/dense.ts';
import { anchoredDot, anchorsFor, anchorWindow, anchorWriter, fitsAnchors } from './anchors.ts';
import { integerDot, roundInteger, toIntegers } from './bigint.ts';
import { dotExpansion, roundToPair } from './expansion.ts';
import { type ExactOperands, readOperands } from './operands.ts';
import type { AnchorWindow } from './sums.ts';
import { simdSums, sliceCuts } from './wasm/simd-sums.ts';

/** Returns the anchor of the only entry of a row times a column. */
function anchorOf(row: readonly number[], column: readonly number[]): number {
  const k = row.length;
  const a = matrix(1, k, Float64Array.from(row));
  const operands = readOperands(a, matrix(k, 1, Float64Array.from(column)));
  const anchors = new Float64Array(1);
  anchorWriter(operands, { rows: 1, cols: 1 })({ i0: 0, i1: 1, j0: 0, j1: 1 }, 1, anchors);
  return anchors[0];
}

/** The largest factor that an anchor may exceed the sum by, and what underflow adds for each term, in units of the tops. */
const [MOST, LOST] = [2 * (1 + 2 ** -14), 2 ** -144];

describe('anchors of sums', () => {
  const number = fc
    .tuple(fc.integer({ min: -(2 ** 26), max: 2 ** 26 }), fc.integer({ min: -40, max: 40 }))
    .map(([whole, exponent]) => whole * 2 ** exponent);
  const lines = fc
    .integer({ min: 1, max: 12 })
    .chain((k) => fc.tuple(...[1, 2].map(() => fc.array(number, { minLength: k, maxLength: k }))));

  it('are powers of two above the sums of magnitudes, by a factor of at most two', () => {
    fc.assert(
      fc.property(lines, ([row, column]) => {
        const size = row.reduce((sum, x, t) => sum + Math.abs(x * column[t]), 0);
        const tops = [row, column].map((line) => Math.max(...line.map(Math.abs)) || 1);
        const anchor = anchorOf(row, column);
        expect(anchor).toBe(2 ** exponentOf(anchor));
        expect(anchor).toBeGreaterThan(size);
        expect(anchor).toBeLessThanOrEqual(MOST * (size + row.length * LOST * tops[0] * tops[1]));
      }),
    );
  });

  it('hold for sums that binary32 rounds down each time, below a power of two', () => {
    const small = new Array(255).fill(2 ** -25);
    expect(anchorOf([2 - 2 ** -23, ...small], new Array(256).fill(1))).toBe(4);
  });

  it('hold for terms that underflow in binary32', () => {
    expect(anchorOf([2 ** -160, 1], [1, 0])).toBeGreaterThan(2 ** -160);
  });

  it.each([
    [-1060, 900],
    [985, -900],
    [-1074, 1074 - 900],
    [0, 0],
  ])('hold for lines of exponents %d and %d', (row, column) => {
    expect(anchorOf([2 ** row, 0], [2 ** column, 0])).toBe(2 ** (row + column + 1));
  });

  it('are next to nothing for lines that never meet, and for zeros', () => {
    expect(anchorOf([1, 0], [0, 1])).toBeLessThan(2 ** -140);
    expect(anchorOf([0, 0], [0, 0])).toBeLessThan(2 ** -140);
    expect(anchorOf([], [])).toBe(0);
  });
});

/** Returns k entries of at most 24 bits, just below 2 in magnitude except one in four, which is a small multiple of 2^-reach. */
function line(k: number, reach: number, seed: number, sign: (t: number) => number): Float32Array {
  const bits = Math.min(reach, 23);
  const entries = Float32Array.from({ length: k }, (_, t) => {
    const x = Math.sin(seed + t) * 9999;
    const noise = x - Math.floor(x);
    const small = Math.min(1 + 2 * Math.floor(noise * 8), 2 ** (reach + 1) - 1) * 2 ** -reach;
    return sign(t) * (t % 4 === 0 ? small : 2 - (1 + Math.floor(noise * 2 ** (bits - 6))) * 2 ** -bits);
  });
  entries[0] = sign(0) * 2 ** -reach;
  if (k > 1) entries[1] = 2 - 2 ** -bits;
  return entries;
}

const entry = { i0: 0, i1: 1, j0: 0, j1: 1 };

/** Sums the row and the column in vectors, in slices or from anchors. Returns value and remainder beside the exact ones. */
function sum(a: Float32Array, b: Float32Array, widest?: number) {
  const operands = readOperands(matrix(1, a.length, a), matrix(b.length, 1, b));
  const window = anchorWindow(operands);
  const open: AnchorWindow = widest === undefined ? window : { ...window, widest };
  const { hi, lo } = simdSums(operands, open).sum(entry);
  const value = hi[0] + lo[0];
  const z = value - hi[0];
  const isSliced = sliceCuts(open, operands, entry) !== undefined;
  return { window, isSliced, value, low: hi[0] - (value - z) + (lo[0] - z), exact: inIntegers(operands) };
}

function inIntegers({ a, b, rows, cols }: ExactOperands) {
  const integers = (x: ArrayLike<number>, grid: number) =>
    toIntegers(Float64Array.from(x), 0, x.length, grid);
  const n = integerDot(integers(a, rows.grid[0]), integers(b, cols.grid[0]));
  return roundInteger(n, rows.grid[0] + cols.grid[0]);
}

const signs: readonly [string, (t: number) => number][] = [
  ['all of one sign', () => 1],
  ['of both signs', (t) => (t % 3 === 0 ? -1 : 1)],
];
const LONGEST = 32768;
const lengths = [2, 3, 255, 1024, 1025, LONGEST];
const widestOf = (k: number) => 102 - 2 * Math.ceil(Math.log2(k));

describe.each(signs)('terms %s', (_, sign) => {
  it.each(lengths)('k = %d from anchors is exact at the limit of the window', (k) => {
    const reach = widestOf(k) / 2;
    for (const seed of inShort([1, 2], 2)) {
      const { window, isSliced, value, low, exact } = sum(
        line(k, reach, seed, sign),
        line(k, reach, 5 * seed, () => 1),
      );
      expect(window.rowReach[0] + window.colReach[0]).toBe(window.widest);
      expect(fitsAnchors(window, 0, 0)).toBe(true);
      expect(isSliced).toBe(false);
      expect({ value, low }).toEqual(exact);
    }
  });

  it.each(lengths.flatMap((k) => [0, 10, 23].map((reach) => [k, reach])))(
    'k = %d in slices is exact at their limit, the row reaching %d',
    (k, reach) => {
      const { window, isSliced, value, low, exact } = sum(
        line(k, reach, 1, sign),
        line(k, widestOf(k) - 2 * reach, 5, () => 1),
      );
      expect(2 * window.rowReach[0] + window.colReach[0]).toBe(window.widest);
      expect(isSliced).toBe(true);
      expect({ value, low }).toEqual(exact);
    },
  );
});

it.each([2 ** 22 - 1, 2 ** 23 - 1, 2 ** 24 - 1])('lower slices as large as they can be: %d', (y) => {
  const a = new Float32Array(LONGEST).fill((2 ** 16 - 1) * 2 ** -15);
  const b = new Float32Array(LONGEST).fill(y);
  a[0] = 1;
  b[0] = 1;
  const { isSliced, value, low, exact } = sum(a, b);
  expect(isSliced).toBe(true);
  expect({ value, low }).toEqual(exact);
});

it.each([
  ['anchors', 100, false],
  ['slices', 1000, true],
])('sums by %s beyond their limits do lose bits', (_, widest, sliced) => {
  const lost = Array.from({ length: isWhole ? 3 : 1 }, (_, seed) =>
    sum(
      line(LONGEST, 48, seed, () => 1),
      line(LONGEST, 48, 7 * seed, () => 1),
      widest,
    ),
  ).filter(({ isSliced, value, low, exact }) => {
    expect(isSliced).toBe(sliced);
    return value !== exact.value || low !== exact.low;
  });
  expect(lost.length).toBeGreaterThan(0);
});

it('takes lines of zeros, and none that are not finite or near the ends of the exponents', () => {
  const a = matrix(
    6,
    2,
    Float64Array.of(0, 0, 1, Number.NaN, Number.POSITIVE_INFINITY, 1, 2 ** 401, 0, 2 ** 400, 0, 2 ** -441, 1),
  );
  const window = anchorWindow(readOperands(a, matrix(2, 1, Float64Array.of(1, 1))));
  expect(Array.from({ length: 6 }, (_, i) => fitsAnchors(window, i, 0))).toEqual([
    true,
    false,
    false,
    false,
    true,
    false,
  ]);
});

it('sums exactly what fits the window, up to its last bit', () => {
  const k = 4;
  const a = Float64Array.of(2 ** 40 + 1, -(2 ** 40), 2 ** -60 * (1 + 2 ** -39), 2 ** -60);
  const b = Float64Array.of(1 + 2 ** -52, 1 + 2 ** -52, 1 + 2 ** -52, -1);
  const anchors = anchorsFor(k, 43, -151);
  expect(anchors).toBeDefined();
  const pair = roundToPair(anchoredDot(a, 0, b, 0, k, anchors!));
  expect(pair).toEqual(roundToPair(dotExpansion(a, 0, b, 0, k)));
  expect(pair).toEqual({ value: 1 + 2 ** -52, low: 2 ** -99 + 2 ** -112 + 2 ** -151 });
});

it.each([1, 2, 3, 7, 8, 1000, 2 ** 24])('refuses wider windows: k = %d', (k) => {
  const widest = [...Array(400).keys()].filter((below) => anchorsFor(k, 10, 10 - below)).at(-1)!;
  expect(anchorsFor(k, 10, 10 - widest - 1)).toBeUndefined();
  const bits = Math.ceil(Math.log2(2 * k));
  expect(widest).toBeLessThanOrEqual(208 - 3 * bits);
  expect(widest).toBeGreaterThan(200 - 3 * (bits + 1));
});
