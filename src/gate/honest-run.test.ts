import { describe, expect, it } from 'vitest';
import { growthOfKernel } from '../algorithms/shared-growth.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { medianOfLargest, someBeyond } from '../evidence/normal-tail.ts';
import { findInput } from '../inputs/inputs.ts';
import { precisionNames, precisions } from '../precision/precisions.ts';
import { flat, formatCase, parseCase } from '../problem/case.ts';
import { honestCases } from './honest-cases.ts';
import { honestRun } from './honest-run.ts';

describe('honest cases', () => {
  const cases = honestCases(1000, 1, precisionNames);

  it('are the same for a seed, and can be spelt', () => {
    expect(honestCases(1000, 1, precisionNames)).toEqual(cases);
    expect(honestCases(10, 2, precisionNames)).not.toEqual(cases.slice(0, 10));
    for (const { series: _, ...value } of cases) expect(parseCase(formatCase(value))).toEqual(value);
  });

  it('are accepted by their inputs, and are of every kind', () => {
    const kinds = new Map<string, Set<unknown>>();
    for (const value of cases) {
      const { m, k, n, input, levels, precision, ...rest } = flat(value);
      const growth = growthOfKernel(value.kernel);
      const asked = { m, k, n, levels, growth, precision: precisions.find(precision) };
      expect(findInput(input).accepts(asked)).toEqual({ ok: true });
      for (const [key, kind] of Object.entries({ ...rest, m, k, n, input, precision, levels })) {
        kinds.set(key, (kinds.get(key) ?? new Set()).add(kind));
      }
    }
    const counts = ['kernel', 'precision', 'input', 'levels', 'fringe', 'tail'].map(
      (key) => kinds.get(key)?.size,
    );
    expect(counts).toEqual([139, 7, 16, 4, 2, 2]);
  });

  it('are in the precisions that are served', () => {
    expect(new Set(honestCases(100, 1, ['f32']).map(({ problem: { precision } }) => precision))).toEqual(
      new Set(['f32']),
    );
  });
});

describe('an honest run', () => {
  const result = (verdict: CaseResult['verdict'], worst: number, reason = verdict as string) =>
    ({
      verdict,
      reason,
      input: 'uniform',
      precision: 'f32',
      m: 10,
      n: 10,
      checks: [{ name: 'sigma', status: verdict, message: '', found: worst, allowed: 6 }],
    }) as unknown as CaseResult;
  const judging = (results: CaseResult[]) => async (cases: readonly unknown[]) =>
    results.splice(0, cases.length);
  const cases = honestCases(3, 1, ['f32']);

  it('counts alarms and what could not be judged, and compares sigmas with the model', async () => {
    const results = [result('pass', 3.5), result('fail', 7), result('inconclusive', 1, 'a bound of 1.5e-3')];
    const outcome = await honestRun(cases, { judge: judging(results), sigmas: 6 });
    expect(outcome).toMatchObject({ planned: 3, run: 3, pass: 1, interrupted: false });
    expect(outcome.alarms.map(({ reason }) => reason)).toEqual(['fail']);
    expect(outcome.inconclusive).toEqual([{ input: 'uniform', reason: 'a bound of …', cases: 1 }]);
    expect(outcome.checks).toEqual([{ name: 'sigma', pass: 1, fail: 1, undecided: 1 }]);
    const [{ beyond, alarm, ...tally }] = outcome.sigmas;
    expect(tally).toEqual({
      precision: 'f32',
      cases: 3,
      entries: 300,
      worst: 7,
      modelled: medianOfLargest(300),
    });
    expect(beyond.map((one) => one.cases)).toEqual([2, 1, 1]);
    expect(beyond[0].modelled).toBeCloseTo(3 * someBeyond(3, 100), 12);
    expect(alarm).toBeCloseTo(3 * someBeyond(6, 100), 12);
  });

  it('ends when it is stopped, with what is finished', async () => {
    const outcome = await honestRun(cases, { judge: judging([]), sigmas: 6, stop: () => true });
    expect(outcome).toMatchObject({ planned: 3, run: 0, interrupted: true, sigmas: [] });
  });
});
