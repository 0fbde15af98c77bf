import { expect, it } from 'vitest';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { conclude } from './conclude.ts';
import { countOutcomes } from './overall.ts';
import type { Results, WaiverResult } from './results.ts';
import { settleWaivers } from './settled-waivers.ts';
import { readWaiver, type Waiver, waive } from './waivers.ts';

const now = new Date('2026-06-30T12:00:00Z');
const passing = (text: string): CaseResult =>
  ({ kernel: 'mine', precision: 'f32', case: text, verdict: 'pass', checks: [] }) as never;
const cases = [passing('kernel=mine;m=1;k=2;n=2'), passing('kernel=mine;m=9;k=2;n=2')];
const inspected = (...contradictions: string[]): Inspection =>
  ({ kernel: 'mine', findings: [], measures: {}, contradictions }) as never;
const disproved = inspected('It claims f32, and computes in f16.');

function concluded(change: Partial<Waiver>, inspection = disproved, judged = cases) {
  const waiver = readWaiver({ case: 'kernel=mine', reason: 'Issue 17.', expires: '2026-06-30', ...change });
  const waived = judged.map((result) => waive(result, [waiver], now));
  const waivers: WaiverResult[] = settleWaivers([waiver], waived, { whole: true, now });
  const count = judged.length;
  const summary: Results['summary'] = {
    ...{ planned: count, run: count, ...countOutcomes(waived), seconds: 1, interrupted: false },
  };
  return conclude({ verdict: 'pass', reason: '', summary, cases: waived, waivers }, [inspection], []);
}

it.each<[string, Partial<Waiver>]>([
  ['by its name', { check: 'claims', case: 'kernel=mine;m=9' }],
  ['with all of its kernel', {}],
])('a disproved claim is waived %s, with reason and date', (_, change) => {
  const { verdict, reason, waivers } = concluded(change);
  expect(verdict).toBe('pass');
  expect(reason).toBe('All 2 cases passed. mine is wrong, which is waived until 2026-06-30: Issue 17.');
  expect(waivers).toMatchObject([{ state: 'used', kernels: ['mine'] }]);
});

it.each<[string, Partial<Waiver>]>([
  ['of another check', { check: 'exact' }],
  ['of some cases', { case: 'kernel=mine;m=9' }],
  ['of another kernel', { check: 'claims', case: 'kernel=other' }],
  ['that has expired', { check: 'claims', expires: '2026-06-29' }],
])('a waiver %s waives no claim', (_, change) => {
  const { verdict, reason } = concluded(change);
  expect(verdict).toBe('fail');
  expect(reason).toMatch(/^mine is wrong: it claims f32/);
});

it('a wrong product is waived whole: its cases, and that it claims to multiply', () => {
  const wrong = {
    ...cases[0],
    verdict: 'fail',
    checks: [{ name: 'exact', status: 'fail', message: '' }],
  } as CaseResult;
  const { verdict, reason } = concluded({}, disproved, [wrong, cases[1]]);
  expect(verdict).toBe('pass');
  expect(reason).toMatch(/^1 of 2 cases passed; 1 failure is waived\. mine is wrong, which is waived/);
});

it('a waiver of claims that outputs do not disprove is unused, and fails', () => {
  const { verdict, reason } = concluded({ check: 'claims' }, inspected());
  expect(verdict).toBe('fail');
  expect(reason).toBe(
    'The waiver of the claims of "kernel=mine" is unused, since outputs contradict none: remove it from the config.',
  );
});
