import { describe, expect, test } from 'vitest';
import published from '../../fixtures/published/strassen-gpu-2011.json' with { type: 'json' };
import { algorithms, findAlgorithm } from '../algorithms/algorithms.ts';
import { compile } from '../plan/compile.ts';
import { exactCost, quantities } from './cost.ts';
import { evaluate, formatPolynomial, formula } from './formula.ts';
import { rational } from './rational.ts';

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
  test.each([0, 1, 2, 3])('%d levels: holds at a size that was not used to find it', (levels) => {
    const found = formula(algorithm, levels);
    for (const n of [3 * 8 * 2 ** levels, 5 * 8 * 2 ** levels]) {
      const plan = compile({ algorithm, shape: { m: n, k: n, n }, depth: { levels } });
      const costs = exactCost(plan.steps);
      for (const quantity of quantities) expect(evaluate(found[quantity], n)).toEqual(costs[quantity]);
    }
  });
});

test('a polynomial is printed without ones, zeros and double signs', () => {
  const text = (cubic: [number, number], square: [number, number]) =>
    formatPolynomial({ cubic: rational(...cubic), square: rational(...square) });
  expect(text([1, 1], [-1, 1])).toBe('n³ - n²');
  expect(text([-1, 2], [3, 6])).toBe('-n³/2 + n²/2');
  expect(text([0, 1], [-5, 4])).toBe('-5n²/4');
  expect(text([0, 1], [0, 1])).toBe('0');
});
