import { expect, it } from 'vitest';
import { syntheticCase } from '../../tests/support/synthetic.ts';
import { mostTelling } from './html/sections/figures.ts';

it('shows failures first, then every algorithm at its deepest and the classical one without recursion', () => {
  const items = ['classical', 'strassen'].flatMap((algorithm) =>
    [0, 1, 2].map((levels) => ({
      result: syntheticCase({ algorithm, levels, input: 'uniform', n: 64, seed: 1 }),
    })),
  );
  items[1].result.verdict = 'fail';
  expect(mostTelling(items).map(({ result }) => `${result.algorithm} ${result.levels}`)).toEqual([
    'classical 1',
    'classical 0',
    'strassen 2',
    'classical 2',
    'strassen 1',
    'strassen 0',
  ]);
});
