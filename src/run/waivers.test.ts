import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CaseResult, CheckResult, Verdict } from '../evidence/case-result.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { parseCase } from '../problem/case.ts';
import { reportedFields } from '../problem/schema.ts';
import { noBaselines, withMissing } from './baselines.ts';
import { conclude } from './conclude.ts';
import { countOutcomes } from './overall.ts';
import type { Results, WaiverResult } from './results.ts';
import { settleWaivers } from './settled-waivers.ts';
import { isDate, readWaiver, type Waiver, waive } from './waivers.ts';

const waiver = (change: Partial<Waiver> = {}) =>
  readWaiver({ case: 'kernel=a:*', reason: 'Known.', expires: '2026-06-30', ...change });
const before = new Date('2026-06-30T23:59:59.999Z');
const after = new Date('2026-07-01T00:00:00Z');

const result = (text: string, verdict: Verdict, ...failing: string[]): CaseResult => {
  const value = reportedFields(parseCase(`${text};k=2;n=2`));
  const check = (name: string): CheckResult => ({ name, status: 'fail', message: `${name} fails` });
  const about = { algorithm: 'a', leaf: '', levelsUsed: 0, series: false, replay: '' };
  const checks: CheckResult[] = [{ name: 'complete', status: 'pass', message: '' }, ...failing.map(check)];
  return { ...value, ...about, case: `${text};k=2;n=2`, verdict, reason: '', checks };
};
const failing = result('kernel=a:x;m=1', 'fail', 'exceptions');

describe('a waiver', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('waives a failing case it matches, which stays a failure', () => {
    expect(waive(failing, [waiver()], before)).toEqual({
      ...failing,
      waiver: { reason: 'Known.', expires: '2026-06-30' },
    });
  });

  it.each([
    ['another case', failing, { case: 'kernel=b:*' }],
    ['another check', failing, { check: 'sigma' }],
    [
      'one of two failing checks',
      result('kernel=a:x;m=1', 'fail', 'exact', 'exceptions'),
      { check: 'exact' },
    ],
    ['a case that passes', result('kernel=a:x;m=1', 'pass'), {}],
    ['an inconclusive case', result('kernel=a:x;m=1', 'inconclusive'), {}],
  ])('does not waive %s', (_, given, change) => {
    expect(waive(given, [waiver(change)], before)).toEqual(given);
  });

  it('holds to the end of its last day, in UTC', () => {
    expect(waive(failing, [waiver()], before).waiver).toBeDefined();
    expect(waive(failing, [waiver()], after).waiver).toBeUndefined();
  });

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('holds as long on machines in %s', (zone) => {
    vi.stubEnv('TZ', zone);
    expect(Math.abs(before.getTimezoneOffset())).toBeGreaterThan(600);
    expect(waive(failing, [waiver()], new Date('2026-06-30T23:30:00Z')).waiver).toBeDefined();
    expect(waive(failing, [waiver()], new Date('2026-07-01T00:30:00Z')).waiver).toBeUndefined();
  });

  it('goes with others that cover the other checks; the first to expire counts', () => {
    const two = result('kernel=a:x;m=1', 'fail', 'exact', 'exceptions');
    const pair = [
      waiver({ check: 'exact', reason: 'One.' }),
      waiver({ check: 'exceptions', reason: 'Two.', expires: '2026-06-29' }),
    ];
    const early = new Date('2026-01-01');
    expect(waive(two, pair, early).waiver).toEqual({ reason: 'One.; Two.', expires: '2026-06-29' });
    expect(waive(two, pair, before).waiver).toBeUndefined();
  });

  it('is forgotten where it no longer covers', () => {
    const waived = waive(failing, [waiver()], before);
    expect(waive(waived, [], before)).toEqual(failing);
  });

  it('of a kernel that does not run at all covers that', () => {
    expect(
      waive(result('kernel=a:x;m=1', 'fail', 'runs'), [waiver({ check: 'runs' })], before).waiver,
    ).toBeDefined();
  });

  it('leaves no baseline behind', () => {
    const exact = { maxError: 1, meanError: 1 } as CaseResult['exact'];
    const waived = { ...waive(failing, [waiver()], before), exact };
    expect(withMissing(noBaselines('adapter'), [waived]).added).toBe(0);
    expect(withMissing(noBaselines('adapter'), [{ ...waived, verdict: 'pass' }]).added).toBe(1);
  });
});

describe('what became of a waiver', () => {
  const passing = result('kernel=a:x;m=2', 'pass');
  const undecided = result('kernel=a:x;m=3', 'inconclusive');
  const elsewhere = result('kernel=b:x;m=2', 'fail', 'exact');

  it.each([
    ['used', [failing, passing, elsewhere], true, before, { matched: 2, failed: 1 }],
    ['used', [failing], false, before, { matched: 1, failed: 1 }],
    ['unused', [passing, elsewhere], true, before, { matched: 1, failed: 0 }],
    ['unused', [elsewhere], true, before, { matched: 0, failed: 0 }],
    ['unused', [], true, before, { matched: 0, failed: 0 }],
    ['idle', [passing], false, before, { matched: 1, failed: 0 }],
    ['idle', [elsewhere], false, before, { matched: 0, failed: 0 }],
    ['idle', [passing, undecided], true, before, { matched: 2, failed: 0 }],
    ['expired', [failing], true, after, { matched: 1, failed: 1 }],
    ['expired', [passing], false, after, { matched: 1, failed: 0 }],
    ['expired', [elsewhere], true, after, { matched: 0, failed: 0 }],
    ['idle', [elsewhere], false, after, { matched: 0, failed: 0 }],
  ] as const)('is %s %#', (state, cases, whole, now, counts) => {
    const { case: pattern, reason, expires } = waiver();
    expect(settleWaivers([waiver()], cases, { whole, now })).toEqual([
      { case: pattern, reason, expires, state, ...counts },
    ]);
  });

  it('depends on the check it names', () => {
    const settled = settleWaivers([waiver({ check: 'sigma' })], [failing], { whole: true, now: before });
    expect(settled).toMatchObject([{ state: 'unused', check: 'sigma', matched: 1, failed: 0 }]);
  });
});

it.each([
  ['2026-12-31', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['2026-12-31T00:00:00Z', false],
  ['+002026-12-31', false],
  ['', false],
])('takes %j for a day: %j', (text, day) => {
  expect(isDate(text)).toBe(day);
});

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
