import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaseResult } from '../evidence/case-result.ts';
import { countOutcomes, decideVerdict } from './overall.ts';
import type { WaiverResult } from './results.ts';

const counts = (pass: number, fail: number, inconclusive: number, waived = 0, interrupted = false) => {
  const run = pass + fail + inconclusive;
  const planned = interrupted ? run + 1 : run;
  const summary = {
    planned,
    run,
    pass,
    fail,
    inconclusive,
    comparedWithModel: 0,
    equalToModel: 0,
    seconds: 1,
    interrupted,
  };
  return waived === 0 ? summary : { ...summary, waived };
};
const waiver = (state: WaiverResult['state'], change: Partial<WaiverResult> = {}): WaiverResult => ({
  case: 'kernel=a',
  reason: 'Known.',
  expires: '2026-01-31',
  state,
  matched: 2,
  failed: state === 'unused' ? 0 : 1,
  ...change,
});
const missing = 'Shard 2 of 3 is missing.';

describe('the verdict of a gate', () => {
  it.each([
    [counts(3, 0, 0), {}, 'pass', 'All 3 cases passed.'],
    [counts(1, 0, 0), {}, 'pass', 'The one case passed.'],
    [counts(0, 1, 0), {}, 'fail', 'The one case failed.'],
    [counts(3, 1, 0), {}, 'fail', '1 of 4 cases failed.'],
    [counts(3, 2, 1, 1), {}, 'fail', '1 of 6 cases failed; 1 more failure is waived.'],
    [counts(3, 1, 0, 1), { waivers: [waiver('used')] }, 'pass', '3 of 4 cases passed; 1 failure is waived.'],
    [
      counts(0, 2, 0, 2),
      { waivers: [waiver('used')] },
      'inconclusive',
      'No case passed; 2 failures are waived.',
    ],
    [counts(3, 1, 1, 1), {}, 'inconclusive', '1 of 5 cases could not be judged; 1 failure is waived.'],
    [counts(3, 1, 0, 1, true), {}, 'inconclusive', 'Interrupted after 4 of 5 cases.'],
    [counts(0, 0, 0), {}, 'inconclusive', 'Nothing was run.'],
    [counts(3, 0, 0), { missing }, 'inconclusive', missing],
    [counts(3, 1, 0), { missing }, 'fail', `1 of 4 cases failed. ${missing}`],
    [counts(3, 0, 0), { waivers: [waiver('idle')] }, 'pass', 'All 3 cases passed.'],
    [
      counts(3, 0, 0),
      { waivers: [waiver('unused')] },
      'fail',
      'The waiver of "kernel=a" is unused, since no case that it matches fails (2 cases): remove it from the config.',
    ],
    [
      counts(3, 1, 0, 1),
      { waivers: [waiver('used'), waiver('unused', { matched: 0 })] },
      'fail',
      'The waiver of "kernel=a" matches no case: correct it, or remove it from the config.',
    ],
    [
      counts(3, 0, 0),
      { waivers: [waiver('unused', { check: 'sigma' })] },
      'fail',
      'The waiver of "kernel=a" is unused, since no case that it matches fails its check sigma (2 cases): remove it from the config.',
    ],
    [
      counts(3, 1, 0),
      { waivers: [waiver('expired')] },
      'fail',
      '1 of 4 cases failed. The waiver of "kernel=a" expired on 2026-01-31: fix the cause, or set a later date.',
    ],
    [
      counts(3, 0, 0),
      { waivers: [waiver('expired', { failed: 0 })] },
      'fail',
      'The waiver of "kernel=a" expired on 2026-01-31: remove it from the config.',
    ],
  ] as const)('of %j with %j is %s', (summary, circumstances, verdict, reason) => {
    expect(decideVerdict(summary, circumstances)).toEqual({ verdict, reason });
  });

  it('is a pass only where something passed and nothing else is open', () => {
    const small = fc.nat(3);
    fc.assert(
      fc.property(
        small,
        small,
        small,
        small,
        fc.boolean(),
        (pass, fail, inconclusive, waived, interrupted) => {
          const { verdict } = decideVerdict(
            counts(pass, fail, inconclusive, Math.min(waived, fail), interrupted),
          );
          const clear = pass > 0 && inconclusive === 0 && !interrupted;
          expect(verdict === 'pass').toBe(clear && fail <= waived);
          expect(verdict === 'fail').toBe(fail > waived);
        },
      ),
    );
  });
});

it('counts what is waived among what fails', () => {
  const results = [
    { verdict: 'pass', equalsModel: true },
    { verdict: 'fail', equalsModel: false },
    { verdict: 'fail', waiver: { reason: 'Known.', expires: '2026-12-31' } },
    { verdict: 'inconclusive' },
  ] as unknown as CaseResult[];
  const all = { pass: 1, fail: 2, inconclusive: 1, comparedWithModel: 2, equalToModel: 1 };
  expect(countOutcomes(results)).toEqual({ ...all, waived: 1 });
  expect(countOutcomes(results.slice(0, 2))).toEqual({ ...all, fail: 1, inconclusive: 0 });
});
