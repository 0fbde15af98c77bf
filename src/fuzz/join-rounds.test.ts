import { expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { exactProduct } from '../exact/exact.ts';
import { findInput } from '../inputs/inputs.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import { applyClaims } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import type { RoundFindings, RoundsPlan } from '../run/fuzz-round.ts';
import { openProcessor } from '../run/node/open-machine.ts';
import { Scheduler } from '../run/scheduler.ts';
import { joinRounds } from './join-rounds.ts';
import { judgeRound, listRounds } from './round.ts';
import { runFuzz } from './run-fuzz.ts';
import { targetOf } from './target.ts';

const machine = openProcessor();
/** A kernel that is wrong at few shapes, none of which a round meets at its beginning. */
const RARE = 'rare';

function kernelOf(name: string) {
  const spec = {
    name,
    multiply: (a: Float32Array, b: Float32Array, { m, k, n }: { m: number; k: number; n: number }) => {
      const c = new Float32Array(m * n);
      for (let i = 0; i < m; i++)
        for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
      if (name === RARE && m === 7 && k === 5) c[0] += 1;
      return c;
    },
  };
  return externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
}

const scheduler = () =>
  new Scheduler({
    ...{ machine, reopen: async () => machine, evaluator: new Evaluator(exactProduct) },
    kernelOf: async ({ kernel }) => kernelOf(kernel),
  });

const plan: RoundsPlan = {
  ...{ runs: 1100, maxSize: 8, inputs: ['integers', 'uniform'] },
  targets: [RARE, 'never'].map((kernel) => ({ kernel, precision: 'f32' })),
};
const seed = 3;
const stop = () => false;

const single = await runFuzz({
  targets: plan.targets.map(({ kernel }) => targetOf(kernelOf(kernel))),
  space: { maxSize: plan.maxSize, families: plan.inputs.map(findInput) },
  ...{ judge: scheduler(), seed, runs: plan.runs, stop, corpus: [] },
});

const rounds = new Map<string, RoundFindings>();
// The last rounds first: machines take them in any order.
for (const place of listRounds(plan).reverse())
  rounds.set(
    `${place.target} ${place.round}`,
    await judgeRound(plan, place, { judge: scheduler(), seed, stop }),
  );

/** Removes times. */
const told = (value: object): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, one: unknown) =>
      ['seconds', 'judgingSeconds'].includes(key) ? undefined : one,
    ),
  );

const joined = (without = '') =>
  joinRounds(
    plan,
    (target, round) => {
      const key = `${target} ${round}`;
      return key === without ? undefined : rounds.get(key);
    },
    1,
  );

it('are what one run of the same seed says', () => {
  expect(single.findings.length).toBe(1);
  expect(told(joined())).toEqual(told(single));
});

itWhole('say nothing where one is missing, but for what is behind a violation', () => {
  expect(joined('1 2').summary.interrupted).toBe(true);
  const first = [0, 1, 2].find((round) => rounds.get(`0 ${round}`)?.finding !== undefined) as number;
  for (let round = first + 1; round < 3; round++) expect(told(joined(`0 ${round}`))).toEqual(told(joined()));
  expect(joined(`0 ${first}`).findings.length).toBeLessThanOrEqual(1);
});
