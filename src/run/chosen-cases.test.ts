import { expect, it } from 'vitest';
import { caseOf, formatCase } from '../problem/case.ts';
import { chooseCases, classesFirst } from './chosen-cases.ts';
import type { PlannedCase } from './planned-case.ts';

const planned = (sizes: readonly number[], kernel = 'mine'): PlannedCase[] =>
  sizes.map((size, at) => ({
    ...caseOf({ kernel, m: size, k: size, n: size, seed: at, input: 'uniform' }),
    series: false,
  }));
const sizesIn = (cases: readonly PlannedCase[]) => cases.map(({ problem: { m } }) => m);

const plan = planned([20, 22, 24, 26, 28, 5, 700, 1, 300]);

it('asks so many cases, those in the order of the plan that meet every class of sizes', () => {
  const chosen = chooseCases(plan, 6);
  expect(sizesIn(chosen.cases)).toEqual([20, 22, 5, 700, 1, 300]);
  expect(chosen).toMatchObject({ lacks: [], note: '--cases 6 runs 6 of 9 planned cases.' });
  expect(sizesIn(chooseCases(plan, 8).cases)).toEqual([20, 22, 24, 26, 5, 700, 1, 300]);
  expect(sizesIn(chooseCases(plan, 5).cases)).toHaveLength(5);
  expect(chooseCases(plan, 5).lacks).toEqual([]);
});

it('says how many are enough where they do not meet every class', () => {
  const { cases, lacks } = chooseCases(plan, 2);
  expect(cases).toHaveLength(2);
  expect(lacks).toEqual([
    expect.stringMatching(
      /^--cases 2 runs 2 of 9 cases of mine, none with m of 601–4096, .* and 3 more\. A pass needs 5 of each kernel: use --cases 5\.$/,
    ),
  ]);
  expect(chooseCases(plan, 5).lacks).toEqual([]);
});

it('says how many a pass is of at least, or all where there are no more', () => {
  expect(chooseCases(plan, 6, 8).lacks).toEqual([
    '--cases 6 runs 6 of 9 cases of mine. A pass needs 8 of each kernel: use --cases 8.',
  ]);
  expect(chooseCases(plan, 8, 69).lacks[0]).toContain('use --cases 9.');
  expect(chooseCases(plan, 9, 69).lacks).toEqual([]);
});

it('asks all of a kernel that has fewer, and tells', () => {
  const both = [...plan, ...planned([3, 4], 'other'), ...planned([3], 'third')];
  const { cases, note } = chooseCases(both, 5);
  expect(cases).toHaveLength(8);
  expect(note).toBe('--cases 5 runs 8 of 12 planned cases. other and 1 more have fewer than 5.');
});

it('chooses for each kernel as if there were no other, however they come in turn', () => {
  const other = planned([7, 20, 300, 21, 22, 23], 'other');
  const mingled = plan.flatMap((value, at) => [value, ...other.slice(at, at + 1)]);
  const own = (kernel: string) =>
    chooseCases(mingled, 5)
      .cases.filter((value) => value.kernel === kernel)
      .map(formatCase);
  expect(own('mine')).toEqual(chooseCases(plan, 5).cases.map(formatCase));
  expect(own('other')).toEqual(chooseCases(other, 5).cases.map(formatCase));
});

it('puts the few small cases first that meet every class of sizes of their kernel, and leaves none out', () => {
  const ordered = classesFirst([...plan, ...planned([9, 10], 'other')]);
  expect(ordered.map(({ kernel, problem: { m } }) => `${kernel} ${m}`)).toEqual([
    ...['mine 1', 'mine 5', 'mine 20', 'other 9'],
    ...['mine 22', 'mine 24', 'mine 26', 'mine 28', 'mine 700', 'mine 300', 'other 10'],
  ]);
});
