import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../evidence/case-result.ts';
import { checks } from '../evidence/checks/checks.ts';
import { verdictOfChecks } from '../evidence/result-of.ts';

const decisive = checks.items.filter((check) => check.decisive).map(({ name }) => name);
const others = checks.items.filter((check) => !check.decisive).map(({ name }) => name);
const statuses = ['pass', 'fail', 'inconclusive', 'vacuous', 'not-applicable'] as const;

const answer = (name: string, status: CheckResult['status']): CheckResult => ({
  name,
  status,
  message: `${name} says ${status}`,
});
const answers = fc.array(
  fc
    .tuple(fc.constantFrom(...decisive, ...others), fc.constantFrom(...statuses))
    .map(([name, status]) => answer(name, status)),
);
const without = (status: CheckResult['status']) =>
  answers.map((all) => all.filter((one) => one.status !== status));

describe('the verdict of a case', () => {
  it('knows which checks decide', () => {
    expect(decisive).toEqual([
      'empty',
      'exact',
      'exceptions',
      'epilogue',
      'running-bound',
      'projections',
      'sigma',
    ]);
    expect(others).toEqual(['complete', 'real-diagonal', 'repeatable', 'unbiased', 'drift']);
  });

  it('is fail if any check fails, with the message of the first that does', () => {
    fc.assert(
      fc.property(
        without('fail'),
        answers,
        fc.constantFrom(...decisive, ...others),
        (before, after, name) => {
          const verdict = verdictOfChecks([...before, answer(name, 'fail'), ...after]);
          expect(verdict).toEqual({ verdict: 'fail', reason: `${name} says fail` });
        },
      ),
    );
  });

  it('is pass only if a decisive check passes and none fails or is inconclusive', () => {
    fc.assert(
      fc.property(answers, (all) => {
        const passed = all.some(({ name, status }) => status === 'pass' && decisive.includes(name));
        const trouble = all.some(({ status }) => status === 'fail' || status === 'inconclusive');
        expect(verdictOfChecks(all).verdict === 'pass').toBe(passed && !trouble);
      }),
    );
  });

  it.each([
    ['nothing was asked', [], /No check could judge/],
    [
      'all are not applicable',
      decisive.map((name) => answer(name, 'not-applicable')),
      /No check could judge/,
    ],
    ['the only bound is vacuous', [answer('running-bound', 'vacuous')], /says vacuous/],
    [
      'a bound is vacuous and the output complete',
      [answer('complete', 'pass'), answer('running-bound', 'vacuous'), answer('drift', 'pass')],
      /says vacuous/,
    ],
    [
      'only signs of trouble were looked for',
      others.map((name) => answer(name, 'pass')),
      /No check could judge/,
    ],
    [
      'one check could not judge',
      [answer('exceptions', 'inconclusive'), answer('running-bound', 'pass')],
      /says inconclusive/,
    ],
  ])('is inconclusive where %s', (_, given, reason) => {
    expect(verdictOfChecks(given)).toEqual({
      verdict: 'inconclusive',
      reason: expect.stringMatching(reason),
    });
  });

  it('passes on a decisive check beside a vacuous one', () => {
    expect(verdictOfChecks([answer('running-bound', 'vacuous'), answer('sigma', 'pass')]).verdict).toBe(
      'pass',
    );
  });
});
