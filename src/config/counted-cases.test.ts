import { afterEach, expect, it, vi } from 'vitest';
import type { CaseResult } from '../evidence/case-result.ts';
import { openOwnDevice } from '../gpu/open-own.ts';
import { openHere } from '../kernels/open-here.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { judge } from '../run/judge.ts';
import { openMachine } from '../run/open-machine.ts';
import type { Results } from '../run/results.ts';
import { gate } from './gate.ts';
import { planQuickGate } from './plan-quick-gate.ts';
import { thisRuntime } from './this-runtime.ts';

/** A·B by a loop. @param without the number of last terms to leave out where k is that of the largest product */
const kernel = (without = 0): FunctionKernel => ({
  name: 'loop',
  // Larger products would be slow here.
  accepts: { sizes: ({ m, k, n }) => Math.max(m, k, n) <= 20 || 'they are too large' },
  multiply: (a, b, { m, k, n }) => {
    const c = new Float32Array(m * n);
    const terms = k - (k === LARGEST ? without : 0);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++)
        for (let p = 0; p < terms; p++) c[i * n + j] += Math.fround(a[i * k + p] * b[p * n + j]);
    return c;
  },
});
const LARGEST = 19;
const asked = { sizes: [3, LARGEST, 5], seed: 7 };

afterEach(() => vi.restoreAllMocks());

/** Mocks a machine on which 1000 s pass between two readings of the clock. */
function slowMachine(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1e6;
    return now;
  });
}

/** Results without durations. */
const untimed = ({
  verdict,
  reason,
  cases,
  inspections,
  groups,
  summary: { seconds: _, ...counts },
}: Results) =>
  JSON.parse(
    JSON.stringify({ verdict, reason, cases, inspections, groups, counts }, (key, value) =>
      key === 'seconds' || key === 'took' ? undefined : value,
    ),
  );

it.each([
  ['pass', 0],
  ['fail', 2],
])('counts cases: the same come of them on a slow machine, which %s', async (verdict, without) => {
  const call = { kernels: [kernel(without)], ...asked, cases: 9 };
  const usual = await gate(call);
  expect(usual).toMatchObject({ verdict, summary: { planned: 9, run: 9 } });
  slowMachine();
  expect(untimed(await gate(call))).toEqual(untimed(usual));
});

it('goes on with the cases that it asks alone', async () => {
  const call = { kernels: [kernel()], ...asked, cases: 9 };
  const told: CaseResult[] = [];
  const whole = await gate(call);
  const again = await gate({ ...call, known: whole.cases.slice(3, 6), onCase: (one) => told.push(one) });
  expect(untimed(again)).toEqual(untimed(whole));
});

it('says that time ran out, and what to do, where seconds are counted', async () => {
  slowMachine();
  const { verdict, reason, summary } = await gate({ kernels: [kernel()], ...asked, budget: '60s' });
  expect(verdict).toBe('inconclusive');
  expect(reason).toMatch(
    new RegExp(
      `^Time ran out after ${summary.run} of ${summary.planned} cases; loop was not tested with .*Give more time with --budget, or set a number of cases with --cases\\.`,
    ),
  );
  expect(summary.run).toBeLessThan(3);
});

it('says so first where a pass needs a number of cases', async () => {
  slowMachine();
  const about = await planQuickGate({ kernels: [kernel()], ...asked, budget: '60s' }, undefined);
  const { catalogue } = about;
  const { reason } = await judge({
    ...{ ...about, least: 5, thin: ['Few sizes are taken.'] },
    open: (kernels) =>
      openMachine(kernels, {
        catalogue,
        openDevice: openOwnDevice,
        processor: thisRuntime,
        sessionOf: openHere,
      }),
  });
  expect(reason).toMatch(
    /^Time ran out after 1 of \d+ cases; a pass needs 5\. Give more time with --budget, .*--cases\./,
  );
});
