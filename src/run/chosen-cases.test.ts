import { expect, it } from 'vitest';
import { caseOf } from '../problem/case.ts';
import { chooseCases } from './chosen-cases.ts';
import type { PlannedCase } from './planned-case.ts';

const planned = (sizes: readonly number[], core = 0, kernel = 'mine'): PlannedCase[] =>
  sizes.map((size, at) => ({
    ...caseOf({ kernel, m: size, k: size, n: size, seed: at, input: 'uniform' }),
    series: false,
    ...(at < core ? { needed: true } : {}),
  }));

const plan = planned([20, 22, 24, 26, 28, 5], 3);

it('chooses the first cases of each kernel, however kernels alternate', () => {
  const other = planned([7, 20, 300], 1, 'other');
  const mingled = plan.flatMap((value, at) => [value, ...other.slice(at, at + 1)]);
  const { cases } = chooseCases(mingled, 2);
  expect(cases).toEqual([plan[0], other[0], plan[1], other[1]]);
});

it('chooses those that a pass needs before others, and keeps the order of all', () => {
  const mingled = [plan[3], plan[0], plan[4], plan[1], plan[5], plan[2]];
  expect(chooseCases(mingled, 2).cases).toEqual([plan[0], plan[1]]);
  expect(chooseCases(mingled, 4).cases).toEqual([plan[3], plan[0], plan[1], plan[2]]);
});

it('says how many cases a pass needs, if there are fewer', () => {
  expect(chooseCases(plan, 3)).toMatchObject({ lacks: [], note: '--cases 3 runs 3 of 6 planned cases.' });
  expect(chooseCases([...plan, ...planned([1, 2, 3, 4], 4, 'other')], 2).lacks).toEqual([
    '--cases 2 runs 2 of 6 cases of mine, and too few of 1 more kernel. A pass needs the core, 4 cases: use --cases 4.',
  ]);
});

it('runs all cases of a kernel that has fewer, and says so', () => {
  const both = [...plan, ...planned([3, 4], 0, 'other'), ...planned([3], 0, 'third')];
  const { cases, note } = chooseCases(both, 5);
  expect(cases).toHaveLength(8);
  expect(note).toBe('--cases 5 runs 8 of 9 planned cases. other and 1 more have fewer than 5.');
});
