import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { f32 } from '../precision/format.ts';
import { readEpilogue } from './chain.ts';
import { possibleResults } from './evaluate.ts';

const arithmetic = { format: f32, unit: f32.unitRoundoff, isNearest: true };
const sizes = { m: 1, n: 1, batch: 1 };
const random = createRandom(7);
const draw = () => Math.fround(0.1 + random.uniform01());

/** Returns how many of some results are possible after steps, where each step multiplies. */
function countPossible(factors: number, compute: (x: number, by: readonly number[]) => number): number {
  return Array.from({ length: 500 }).filter(() => {
    const [x, by] = [Math.fround(5000 * draw()), Array.from({ length: factors }, draw)];
    const steps = by.map((values) => ({ step: 'scale', values }));
    const { lo, hi } = possibleResults(readEpilogue(steps, sizes), arithmetic, () => ({ lo: x, hi: x }))(
      0,
      0,
    );
    const found = compute(x, by);
    return lo <= found && found <= hi;
  }).length;
}

const inTurn = (x: number, by: readonly number[]) => by.reduce((y, s) => Math.fround(y * s), x);
const factorsFirst = (x: number, [first, ...more]: readonly number[]) => Math.fround(x * inTurn(first, more));

it('may multiply factors that follow one another first, or each in turn', () => {
  for (const factors of [2, 3]) {
    expect(countPossible(factors, inTurn)).toBe(500);
    expect(countPossible(factors, factorsFirst)).toBe(500);
  }
});

it('rounds no more often than so', () => {
  const off = (ulps: number) => (x: number, by: readonly number[]) => inTurn(x, by) * (1 + ulps * 2 ** -23);
  expect(countPossible(1, off(1))).toBe(0);
  expect(countPossible(2, off(4))).toBe(0);
});
