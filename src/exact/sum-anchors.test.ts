import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponentOf } from '../base/binary64.ts';
import { matrix } from '../matrix/dense.ts';
import { readOperands } from './operands.ts';
import { anchorWriter } from './sum-anchors.ts';

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
