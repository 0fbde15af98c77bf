import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { type Format, f16, f32 } from '../precision/format.ts';
import { readEpilogue } from './chain.ts';
import { possibleResults } from './evaluate.ts';

type Compute = (x: number, round: Format['round']) => number;

const sigmoid: Compute = (x, r) => r(0.5 * r(Math.tanh(0.5 * x)) + 0.5);
const formulas: readonly (readonly [step: string, way: string, compute: Compute])[] = [
  ['sigmoid', 'tanh/2 + 1/2', sigmoid],
  ['silu', 'x·(tanh/2 + 1/2)', (x, r) => r(x * sigmoid(x, r))],
  ['silu', 'x/2·(1 + tanh)', (x, r) => r(0.5 * x * r(1 + r(Math.tanh(0.5 * x))))],
  ['silu', 'x/2 + x/2·tanh', (x, r) => r(0.5 * x + r(0.5 * x * r(Math.tanh(0.5 * x))))],
];

/** Counts the possible results among 2,000 numbers. */
function countPossible(
  step: string,
  formula: string,
  format: Format,
  compute: (x: number) => number,
): number {
  const arithmetic = { format, unit: format.unitRoundoff, isNearest: true };
  const epilogue = readEpilogue([{ step, formula }], { m: 1, n: 1, batch: 1 });
  const random = createRandom(11);
  return Array.from({ length: 2000 }).filter(() => {
    const x = format.round(60 * (random.uniform01() - 0.5));
    const { lo, hi } = possibleResults(epilogue, arithmetic, () => ({ lo: x, hi: x }))(0, 0);
    const found = compute(x);
    return lo <= found && found <= hi;
  }).length;
}

describe.each([f32, f16])('in $name', (format) => {
  it.each(formulas)('%s by tanh as %s is possible where that is claimed', (step, _, compute) => {
    const of = (x: number) => compute(x, format.round);
    expect(countPossible(step, 'tanh', format, of)).toBe(2000);
    expect(countPossible(step, 'exp', format, of)).toBeLessThan(1950);
  });

  it.each(formulas)('%s by tanh as %s errs no more than so', (step, _, compute) => {
    const off = (x: number) => compute(x, format.round) + 32 * format.unitRoundoff * Math.max(1, Math.abs(x));
    expect(countPossible(step, 'tanh', format, off)).toBe(0);
  });
});
