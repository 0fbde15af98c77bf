import { describe, expect, it } from 'vitest';
import { MAX_DIMENSION, matrix } from '../matrix/dense.ts';
import { type AnchorWindow, anchorWindow, takes } from './anchor-window.ts';
import { integerDot, roundInteger, toIntegers } from './bigint.ts';
import { type Operands, operandsOf } from './operands.ts';
import { simdSums } from './wasm/simd-sums.ts';

/** k entries below 2 in magnitude, of which one in four is a small multiple of 2^-reach. */
function line(k: number, reach: number, seed: number, sign: (t: number) => number): Float32Array {
  const noise = (t: number) => {
    const x = Math.sin(seed + t) * 9999;
    return x - Math.floor(x);
  };
  const entries = Float32Array.from({ length: k }, (_, t) =>
    t % 4 === 0
      ? sign(t) * (1 + 2 * Math.floor(noise(t) * 8)) * 2 ** -reach
      : sign(t) * (2 - noise(t) * 2 ** -6),
  );
  entries[1] = 2 - 2 ** -23;
  return entries;
}

/** The row and the column as an operand pair, and their sum from anchors, as value and rest. */
function sum(a: Float32Array, b: Float32Array, widest?: number) {
  const operands = operandsOf(matrix(1, a.length, a), matrix(b.length, 1, b));
  const window = anchorWindow(operands);
  const open: AnchorWindow = widest === undefined ? window : { ...window, widest };
  const { hi, lo } = simdSums(operands, open).sum({ i0: 0, i1: 1, j0: 0, j1: 1 });
  const value = hi[0] + lo[0];
  const z = value - hi[0];
  return { window, value, low: hi[0] - (value - z) + (lo[0] - z), exact: inIntegers(operands) };
}

function inIntegers({ a, b, rows, cols }: Operands) {
  const integers = (x: ArrayLike<number>, grid: number) =>
    toIntegers(Float64Array.from(x), 0, x.length, grid);
  const n = integerDot(integers(a, rows.grid[0]), integers(b, cols.grid[0]));
  return roundInteger(n, rows.grid[0] + cols.grid[0]);
}

const signs: readonly [string, (t: number) => number][] = [
  ['all of one sign', () => 1],
  ['of both signs', (t) => (t % 3 === 0 ? -1 : 1)],
];

describe.each(signs)('terms %s', (_, sign) => {
  it.each([1, 2, 3, 255, 1024, 1025, MAX_DIMENSION])('k = %d at the limit of the window is exact', (k) => {
    const widest = 102 - 2 * Math.ceil(Math.log2(k));
    const reach = Math.min(Math.floor(widest / 2), 48);
    for (const seed of [1, 2, 3]) {
      const { window, value, low, exact } = sum(
        line(k, reach, seed, sign),
        line(k, reach, 5 * seed, () => 1),
      );
      expect(window.widest).toBe(widest);
      if (k > 1) expect(window.rowReach[0] + window.colReach[0]).toBe(2 * reach);
      expect(takes(window, 0, 0)).toBe(true);
      expect({ value, low }).toEqual(exact);
    }
  });
});

it('sums beyond the window do lose bits, so it is needed', () => {
  const lost = Array.from({ length: 20 }, (_, seed) =>
    sum(
      line(MAX_DIMENSION, 48, seed, () => 1),
      line(MAX_DIMENSION, 48, 7 * seed, () => 1),
      1000,
    ),
  ).filter(({ value, low, exact }) => value !== exact.value || low !== exact.low);
  expect(lost.length).toBeGreaterThan(0);
});

it('takes lines of zeros, and none that are not finite or near the ends of the exponents', () => {
  const a = matrix(
    6,
    2,
    Float64Array.of(0, 0, 1, Number.NaN, Number.POSITIVE_INFINITY, 1, 2 ** 401, 0, 2 ** 400, 0, 2 ** -441, 1),
  );
  const window = anchorWindow(operandsOf(a, matrix(2, 1, Float64Array.of(1, 1))));
  expect(Array.from({ length: 6 }, (_, i) => takes(window, i, 0))).toEqual([
    true,
    false,
    false,
    false,
    true,
    false,
  ]);
});
