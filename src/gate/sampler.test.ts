import { expect, it } from 'vitest';
import { seeded } from '../base/random.ts';
import { everything } from '../matrix/features.ts';
import { OPS, shapesOfOnes } from '../problem/ones.ts';
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

const OF_ONES = [1, 2, 3, 4, 5, 6, 7];
const onesOf = ({ m, k, n }: { m: number; k: number; n: number }) =>
  Number(m === 1) + 2 * Number(k === 1) + 4 * Number(n === 1);

it('meets every op(A) and op(B) where some sizes are 1, whichever these are', () => {
  const shapes = shapesOfOnes(seeded(1, 1));
  const who = () => ({ kernel: 'mine', precision: 'f32', refuses: () => undefined });
  const drawing = { seed: 1, features: everything, inputs: () => true, few: true, ops: true };
  const met = drawnCases(shapes, who, drawing).map(({ problem }) =>
    [onesOf(problem), problem.a.op, problem.b.op].join(),
  );
  expect(new Set(met)).toEqual(
    new Set(OF_ONES.flatMap((ones) => OPS.map(([ofA, ofB]) => [ones, ofA, ofB].join()))),
  );
  expect(shapes.every(({ m, k, n }) => Math.max(m, k, n) <= 64)).toBe(true);
});
