import { describe, expect, test } from 'vitest';
import { algorithms, findAlgorithm } from '../algorithms/algorithms.ts';
import { inShort } from '../base/in-short.testing.ts';
import { rational } from '../base/rational.ts';
import { compile } from '../plan/compile.ts';
import { ranges } from '../problem/ranges.ts';
import published from '../study/published/strassen-2011.json' with { type: 'json' };
import { exactCost, quantities } from './cost.ts';
import { evaluate, formatPolynomial, formula, hasFormula, wholeSize } from './formula.ts';

const figures = [
  published.fig14_oneLevel,
  published.fig17_twoLevel,
  published.fig18_threeLevel,
  published.fig19_fourLevel,
];

test.each(
  figures.flatMap((rows, index) =>
    Object.entries(rows).map(([name, row]) => [name, name === 'classical' ? 0 : index + 1, row] as const),
  ),
)('%s, %d levels: printed as in the paper', (name, levels, row) => {
  const found = formula(findAlgorithm(name), levels);
  for (const quantity of quantities) {
    const printed = row[quantity].replaceAll('^3', '³').replaceAll('^2', '²');
    expect(formatPolynomial(found[quantity])).toBe(printed);
  }
});

describe.each(algorithms.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (_, algorithm) => {
  const levels = [0, 1, 2, 3].filter((levels) => 5 * wholeSize(algorithm, levels) <= ranges.size.most);
  test.each(inShort(levels, 2))('%d levels: holds at a size that was not used to find it', (levels) => {
    const found = formula(algorithm, levels);
    const size = wholeSize(algorithm, levels);
    for (const n of [3 * size, 5 * size]) {
      const plan = compile({ algorithm, shape: { m: n, k: n, n }, depth: { levels } });
      const costs = exactCost(plan.steps);
      for (const quantity of quantities) expect(evaluate(found[quantity], n)).toEqual(costs[quantity]);
    }
  });
});

test('there is none where its sizes are beyond what can be multiplied, and a plan is described without', () => {
  const algorithm = findAlgorithm('hopcroft-kerr-234');
  const levels = [0, 1, 2, 3, 4];
  expect(levels.map((depth) => hasFormula(algorithm, depth))).toEqual([true, true, true, true, false]);
  expect(() => formula(algorithm, 4)).toThrow(/levels must be so few that \d+ is at most 32768, but is 4/);
});

test('a polynomial is printed without ones, zeros and double signs', () => {
  const text = (cubic: [number, number], square: [number, number]) =>
    formatPolynomial({ cubic: rational(...cubic), square: rational(...square) });
  expect(text([1, 1], [-1, 1])).toBe('n³ - n²');
  expect(text([-1, 2], [3, 6])).toBe('-n³/2 + n²/2');
  expect(text([0, 1], [-5, 4])).toBe('-5n²/4');
  expect(text([0, 1], [0, 1])).toBe('0');
});
