import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CaseResult, Verdict } from '../evidence/case-result.ts';
import { type Baselines, baselines, noBaselines, withMissing } from './baselines.ts';

const result = (name: string, verdict: Verdict, maxError: number | 'Infinity', meanError = 1) =>
  ({ case: name, verdict, exact: { maxError, meanError } }) as CaseResult;

it('adds the cases that passed, in order of their names', () => {
  const given = [result('b', 'pass', 2), result('a', 'pass', 1, 0.5)];
  const { updated, added } = withMissing(noBaselines('x'), given);
  expect(added).toBe(2);
  expect(Object.entries(updated.cases)).toEqual([
    ['a', { maxError: 1, meanError: 0.5 }],
    ['b', { maxError: 2, meanError: 1 }],
  ]);
  expect(baselines.parse(JSON.parse(JSON.stringify(updated)))).toEqual(updated);
});

it('adds no case that did not pass, was not measured, has no finite error, or has a planted fault', () => {
  const unmeasured = { case: 'd', verdict: 'pass' } as CaseResult;
  const given = [
    result('a', 'fail', 1),
    result('b', 'inconclusive', 1),
    result('c', 'pass', 'Infinity'),
    result('kernel=classical:naive;fault=stale-tile', 'pass', 1),
  ];
  const { updated, added } = withMissing(noBaselines('x'), [...given, unmeasured]);
  expect({ added, cases: updated.cases }).toEqual({ added: 0, cases: {} });
});

it('never changes a baseline that is there', () => {
  const names = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 2 }));
  fc.assert(
    fc.property(names, names, (before, now) => {
      const known: Baselines = {
        ...noBaselines('x'),
        cases: Object.fromEntries(before.map((name) => [name, { maxError: 7, meanError: 7 }])),
      };
      const copy = structuredClone(known);
      const { updated, added } = withMissing(
        known,
        now.map((name) => result(name, 'pass', 1)),
      );
      expect(known).toEqual(copy);
      expect(updated.cases).toMatchObject(known.cases);
      expect(Object.keys(updated.cases)).toHaveLength(Object.keys(known.cases).length + added);
      for (const name of now) expect(updated.cases[name]).toBeDefined();
    }),
  );
});
