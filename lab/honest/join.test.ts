import { expect, it } from 'vitest';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { Evaluator } from '../../src/evidence/evaluate.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { openNodeDevice } from '../../src/gpu/node/open.ts';
import type { Case } from '../../src/problem/case.ts';
import { kernelOf } from '../../src/run/kernel-of.ts';
import { type CaseOutcome, Scheduler } from '../../src/run/scheduler.ts';
import { honestCases } from './cases.ts';
import { joinOutcomes } from './join.ts';
import { honestKernel } from './kernels.ts';
import { type HonestOutcome, honestRun } from './run.ts';

/** Rounds numbers: sums in another order differ in rounding. */
const rounded = ({ seconds: _, ...outcome }: HonestOutcome) =>
  JSON.parse(JSON.stringify(outcome), (_key, value) =>
    typeof value === 'number' ? Number(value.toPrecision(9)) : value,
  );

/** Sorts unordered rows by their text. */
function sorted(outcome: ReturnType<typeof rounded>) {
  const byText = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
  const { inconclusive, undecided, coverage, checks, ...others } = outcome;
  return {
    ...others,
    ...{ inconclusive: byText(inconclusive), undecided: byText(undecided), checks: byText(checks) },
    coverage: coverage.map((one: { met: object[]; unmet: string[] }) => [byText(one.met), one.unmet]),
  };
}

itWhole('parts of the cases, joined, are the whole', async () => {
  const open = await openNodeDevice({ adapter: 'software', toggles: [] });
  try {
    const judge = new Scheduler({
      machine: open,
      reopen: () => openNodeDevice({ adapter: 'software', toggles: [] }),
      evaluator: new Evaluator(exactProduct),
      kernelOf: async (choice, machine) => honestKernel(choice) ?? kernelOf(choice, machine),
      replay: (text) => text,
    });
    const cases = honestCases(60, 5, ['f32', 'f16-f32', 'bf16-f32']);
    // Judged once, since some of the kernels round randomly.
    const all = await judge.judge(cases);
    const judged = new Map(all.map((one, at): [Case, CaseOutcome] => [cases[at], one]));
    const known = (some: readonly Case[]) => some.flatMap((one) => judged.get(one) ?? []);
    const run = (some: readonly Case[]) =>
      honestRun(some, { judge: async (batch) => known(batch), sigmas: 6 });
    const whole = await run(cases);
    const parts = [await run(cases.slice(0, 13)), await run(cases.slice(13, 20)), await run(cases.slice(20))];
    expect(sorted(rounded(joinOutcomes(parts)))).toEqual(sorted(rounded(whole)));
    expect(whole.run).toBe(60);
  } finally {
    open.close();
  }
});

it('one outcome joined is itself', async () => {
  const outcome = await honestRun([], { judge: async () => [], sigmas: 6 });
  expect(joinOutcomes([outcome])).toEqual(outcome);
});
