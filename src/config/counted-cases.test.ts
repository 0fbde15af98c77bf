import { afterEach, expect, it, vi } from 'vitest';
import type { CaseResult } from '../evidence/case-result.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import type { Results } from '../run/results.ts';
import { gate } from './gate.ts';

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
      key === 'seconds' || key === 'judgingSeconds' ? undefined : value,
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

it('runs the core on the slowest machine, and passes with a sentence on the rest', async () => {
  slowMachine();
  const {
    verdict,
    reason,
    summary,
    skipped = [],
  } = await gate({ kernels: [kernel()], ...asked, budget: '60s' });
  expect(verdict).toBe('pass');
  expect(reason).toMatch(
    /^All \d+ cases that ran passed, among them all of the core, which a pass needs\. Of the known bugs that all cases find, these find about \d+ %\. .* did not run, for lack of time; the largest of these is /,
  );
  expect(summary.run).toBeGreaterThan(5);
  expect(summary.run + skipped.length).toBe(summary.planned);
});
