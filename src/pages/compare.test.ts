import { expect, it } from 'vitest';
import { syntheticResults } from '../../tests/support/synthetic.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Results } from '../run/results.ts';
import { compareKernels, compareRuns, describePrecisions } from './compare.ts';

it('finds nothing between a run and itself', () => {
  const results = syntheticResults();
  expect(compareRuns(results, results)).toEqual({
    common: 900,
    verdicts: [],
    errors: [],
    added: [],
    missing: [],
    growth: [],
  });
});

it('finds verdicts, errors, cases and growth that changed', () => {
  const before = syntheticResults();
  const after = syntheticResults();
  const changed = (result: CaseResult, factor: number) => {
    const meanError = factor * Number(result.exact?.meanError);
    return { ...result, exact: { ...result.exact!, meanError } };
  };
  const [a, b, c, d, e] = before.cases.slice(10);
  after.cases = [
    ...after.cases.slice(0, 10),
    { ...a, verdict: 'inconclusive' },
    changed(b, 3),
    changed(c, 0.1),
    changed(d, 1.05),
    ...after.cases.slice(15),
    { ...e, case: 'kernel=new' },
  ];
  after.growth = after.growth.map((fit, at) => (at === 0 ? { ...fit, slope: 0.9, interval: [0.8, 1] } : fit));
  const found = compareRuns(after, before);
  expect(found.verdicts.map(({ before, after }) => [before.verdict, after.verdict])).toEqual([
    ['pass', 'inconclusive'],
  ]);
  expect(found.errors.map(({ ratio }) => ratio)).toEqual([expect.closeTo(0.1, 9), expect.closeTo(3, 9)]);
  expect(found.added.map((result) => result.case)).toEqual(['kernel=new']);
  expect(found.missing.map((result) => result.case)).toEqual([e.case]);
  expect(found.growth).toHaveLength(1);
});

const [{ replay, ...model }] = syntheticResults().cases;

/** Makes a run of one kernel, with a case for each mean error. */
function runOf(errors: readonly (number | 'NaN' | undefined)[], more: Partial<CaseResult> = {}): Results {
  const cases = errors.map((meanError, at) => ({
    ...{ ...model, replay, kernel: 'mine', input: 'uniform', verdict: 'pass' as const, case: `case ${at}` },
    exact: meanError === undefined ? undefined : { ...model.exact!, meanError },
    ...more,
  }));
  return { ...syntheticResults(), cases };
}

const change = (before: Results, after: Results) => compareKernels(after, before)[0].meanError;

it('gives the geometric mean of paired ratios, and the t interval of their logarithms', () => {
  const found = change(runOf([1, 1, 1]), runOf([2, 4, 8]));
  // Logarithms to base 2 are 1, 2, 3: mean 2, deviation 1, and t is 4.3027 for two degrees of freedom.
  expect(found).toMatchObject({ pairs: 3, ratio: expect.closeTo(4, 9), says: 'no change' });
  const half = 4.302652729911275 / Math.sqrt(3);
  expect(found.interval?.map(Math.log2)).toEqual([expect.closeTo(2 - half, 6), expect.closeTo(2 + half, 6)]);
});

it.each([
  ['worse', [1, 2, 3, 4], [1.02, 2.04, 3.06, 4.08]],
  ['improved', [1, 2, 3, 4], [0.9, 1.8, 2.7, 3.6]],
  ['no change', [1, 2, 3, 4], [1, 2, 3, 4]],
  ['no change', [1, 2, 3, 4], [1.005, 2.01, 3.015, 4.02]],
  ['no change', [1, 1, 1, 1], [9, 1, 1, 1]],
  ['too few', [1], [9]],
  ['too few', [0], [1]],
] as const)('%s: %j, then %j', (says, before, after) => {
  expect(change(runOf(before), runOf(after)).says).toBe(says);
});

it('counts no case without a logarithm, and none of inputs that are not random', () => {
  const before = runOf([1, 1, 0, 1, undefined, 1]);
  expect(change(before, runOf([2, 2, 1, 0, 1, 'NaN'])).pairs).toBe(2);
  expect(change(runOf([1, 1], { input: 'identity' }), runOf([2, 2], { input: 'identity' })).pairs).toBe(0);
  expect(change(runOf([1, 1], { input: 'ours' }), runOf([2, 2], { input: 'ours' })).pairs).toBe(0);
});

it('tells new failures from fixed ones, and cases that one run has alone', () => {
  const verdicts = (...all: readonly CaseResult['verdict'][]): Results => {
    const run = runOf(all.map(() => 1));
    return { ...run, cases: run.cases.map((result, at) => ({ ...result, verdict: all[at] })) };
  };
  const before = verdicts('pass', 'fail', 'pass', 'fail');
  const after = verdicts('fail', 'pass', 'inconclusive');
  after.cases.push({ ...after.cases[0], case: 'new' }, { ...after.cases[1], case: 'newer' });
  const [found] = compareKernels(after, before);
  expect(found).toMatchObject({ kernel: 'mine', common: 3, added: 2, missing: 1 });
  const texts = (cases: readonly CaseResult[]) => cases.map((result) => result.case);
  expect([texts(found.newFailures), texts(found.fixed)]).toEqual([['case 0', 'new'], ['case 1']]);
  expect(found.others.map((one) => one.after.case)).toEqual(['case 2']);
});

it('tells claims that outputs disprove now', () => {
  const run = runOf([1]);
  const disproving = (...contradictions: string[]) =>
    ({ ...run, inspections: [{ kernel: 'mine', findings: [], contradictions }] }) as unknown as Results;
  const [{ disproved }] = compareKernels(disproving('an old one', 'a new one'), disproving('an old one'));
  expect(disproved).toEqual(['a new one']);
});

it('says that a kernel changed its precision', () => {
  const [before, after] = [runOf([1]), runOf([1], { precision: 'f64' })];
  expect(describePrecisions(after, before)).toEqual(['mine computed in f32 before, and in f64 now.']);
  expect(describePrecisions(before, before)).toEqual([]);
});
