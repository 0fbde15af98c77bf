import { expect, it } from 'vitest';
import { syntheticResults } from '../../tests/support/synthetic.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { compareRuns } from './compare.ts';

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
