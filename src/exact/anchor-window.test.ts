import { describe, expect, it } from 'vitest';
import { inShort, isWhole } from '../base/in-short.testing.ts';
import { matrix } from '../matrix/dense.ts';
import { type AnchorWindow, anchorWindow, fitsAnchors } from './anchor-window.ts';
import { integerDot, roundInteger, toIntegers } from './bigint.ts';
import { type ExactOperands, readOperands } from './operands.ts';
import { simdSums, sliceCuts } from './wasm/simd-sums.ts';

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
