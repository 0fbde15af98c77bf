import { expect, it } from 'vitest';
import { everything } from '../matrix/features.ts';
import { isWhole } from './gemm-sample.ts';
import { drawnCases } from './sampler.ts';

it('meets each family and edit both plain and varied, where each shape meets one of them', () => {
  const sizes = Array.from({ length: 200 }, (_, at) => ({ m: 20 + (at % 7), k: 30, n: 40 }));
  const who = () => ({ kernel: 'mine', precision: 'f32', refuses: () => undefined });
  const cases = drawnCases(sizes, who, { seed: 1, features: everything, inputs: () => true, few: true });
  const of = (test: boolean) =>
    new Set(
      cases.filter((one) => isWhole(one) === test).map(({ problem }) => `${problem.input} ${problem.edit}`),
    );
  // Entries near the largest number leave no room for factors.
  const plain = [...of(false)].filter((text) => !text.endsWith('near-largest')).sort();
  expect(plain.length).toBeGreaterThan(20);
  expect([...of(true)].sort()).toEqual(plain);
});
