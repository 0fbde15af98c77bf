import { describe, expect, it } from 'vitest';
import { inShort, isWhole, itWhole } from '../src/base/in-short.testing.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { Evaluator } from '../src/evidence/evaluate.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { runCampaign } from '../src/fuzz/campaign.ts';
import { runFuzz } from '../src/fuzz/run-fuzz.ts';
import { targetOf } from '../src/fuzz/target.ts';
import { findInput } from '../src/inputs/inputs.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { KernelSession } from '../src/kernels/kernel.ts';
import { defineKernel, type FunctionKernel, type UserKernel } from '../src/kernels/user-kernel.ts';
import { eachEntry } from '../src/kernels/whole-gemm.testing.ts';
import type { Gemm } from '../src/matrix/gemm.ts';
import type { Entries } from '../src/matrix/operands.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { singlePrecision } from '../src/precision/single.ts';
import { changeCase, formatCase, parseCase } from '../src/problem/case.ts';
import { noBaselines } from '../src/run/baselines.ts';
import { openProcessor } from '../src/run/node/open-machine.ts';
import type { PlannedCase } from '../src/run/planned-case.ts';
import { runGate } from '../src/run/run-gate.ts';
import { Scheduler } from '../src/run/scheduler.ts';
import {
  afterOthers,
  honest,
  inProcess,
  poisoned,
  product,
  type Stateful,
  withCallContext,
} from './stateful-kernels.ts';

const machine = openProcessor();
const simple: UserKernel = { name: 'mine', multiply: () => new Float32Array() };
const judging = (session: KernelSession, spec: UserKernel = simple) => ({
  reopen: async () => machine,
  evaluator: new Evaluator(exactProduct),
  kernelOf: async () => externalKernel(spec, session, applyClaims(singlePrecision)),
});

const planned = (...rest: readonly string[]): PlannedCase[] =>
  rest.map((text) => ({ ...parseCase(`kernel=mine;${text}`), series: false }));

const gate = (cases: readonly PlannedCase[], session: KernelSession, spec?: UserKernel) =>
  runGate(cases, {
    ...judging(session, spec),
    ...{ open: machine, thresholds: defaultThresholds, baselines: noBaselines(machine.fingerprint.id) },
  });

const wholeGemm = planned(
  'input=integers;m=9;k=8;n=7;a=t+3;b=tf@5;c=n+2;alpha=2;beta=-1;repeats=10',
  'input=integers;m=4;k=3;n=5;batch=3;b=n*same;c=n+2@1*7;d=nf;beta=1;repeats=10',
  'input=integers;m=6;k=5;n=4;group=3;repeats=10',
  'input=integers;m=0;k=5;n=4;repeats=10',
  'input=integers;m=3;k=0;n=4;beta=2;repeats=10',
);

const repeated = planned(
  'input=uniform;m=13;k=9;n=11;repeats=18',
  'input=integers;m=1;k=9;n=3;repeats=18',
  'input=uniform;m=7;k=5;n=1;repeats=18',
);

/** The cases without repetitions. */
const once = repeated.map((value) => changeCase(value, { repeats: 1 }));

/** Cheats by an author who had read neither the checks nor this file; only changing call contexts show them. */
const { cheats3 }: { cheats3: readonly { readonly what: string; readonly kernel: FunctionKernel }[] } =
  await import(new URL('../fixtures/adversary/cheats-3.js', import.meta.url).href);
const strange = ['heap', 'weights', 'described', 'chained', 'kept', 'one-go'].map((name) => {
  const { what, kernel } = cheats3.find(
    (one) => one.kernel.name === `cheat-3-${name}`,
  ) as (typeof cheats3)[number];
  return { what, kernel };
});

describe('a product that is asked for again and again in company', () => {
  it.each(inShort(strange, 6))('shows a stranger’s: $what', async ({ kernel }) => {
    expect((await gate(repeated, openFunctionKernel(kernel))).verdict).toBe('fail');
  });

  it.each(inShort(withCallContext, 10))('shows a kernel that $what', async ({ make }) => {
    for (const value of once) expect((await gate([value], inProcess(make))).verdict).toBe('pass');
    const { verdict, cases } = await gate(repeated, inProcess(make));
    expect(verdict).toBe('fail');
    // The case includes its call context, so that it fails as well when it runs again alone.
    expect(cases.every(({ after }) => after === undefined)).toBe(true);
  });

  it.each(inShort(honest, 3))('passes a kernel that $what', async ({ make }) => {
    const { verdict, reason, cases } = await gate(repeated, inProcess(make));
    expect(verdict, cases.map((one) => one.reason).join('\n')).toBe('pass');
    expect(reason).toBe('All 3 cases passed.');
  });

  it('is judged so among others that are computed together', async () => {
    const cases = [
      ...planned('input=uniform;m=3;k=4;n=5'),
      ...repeated,
      ...planned('input=uniform;m=5;k=4;n=3'),
    ];
    const verdicts = async ({ make }: Stateful) => {
      const judged = await new Scheduler({ machine, ...judging(inProcess(make)) }).judge(cases);
      expect(judged.map((one) => one.case)).toEqual(cases);
      return judged.map(({ result }) => result.verdict);
    };
    expect(new Set(await verdicts(honest[0]))).toEqual(new Set(['pass']));
    const [first, wrong, , , last] = await verdicts(withCallContext[0]);
    expect([first, wrong, last]).toEqual(['pass', 'fail', 'pass']);
  });

  itWhole(
    'passes one that computes the whole GEMM, several products of unequal shapes together',
    async () => {
      const multiply = (a: Entries, b: Entries, gemm: Gemm, c: Entries, d: Entries) => {
        eachEntry(a, b, gemm, c, (entry, place) => {
          d[place(gemm.d)] = Math.fround(entry);
        });
        return d;
      };
      const spec = defineKernel<FunctionKernel<Entries>>({
        ...{ name: 'mine', accepts: 'everything', multiply },
        multiplyGroup: (products) => products.map(({ a, b, gemm, c, d }) => multiply(a, b, gemm, c, d)),
      });
      const session = openFunctionKernel(spec);
      const { verdict, cases } = await gate(wholeGemm, session, spec);
      expect(verdict, cases.map((one) => one.reason).join('\n')).toBe('pass');
    },
  );

  itWhole('is held to be right each time where its bits may differ', async () => {
    const spec = { ...simple, claims: { deterministic: false } };
    const [wrong] = withCallContext;
    expect((await gate(repeated, inProcess(wrong.make), spec)).verdict).toBe('fail');
    const rounds: Stateful['make'] = () => {
      let calls = 0;
      return (a, b, gemm) => (++calls % 2 === 0 ? product(a, b, gemm) : fromBehind(a, b, gemm));
    };
    expect((await gate(repeated, inProcess(rounds))).verdict).toBe('fail');
    const { verdict, cases } = await gate(repeated, inProcess(rounds), spec);
    expect(verdict, cases.map((one) => one.reason).join('\n')).toBe('pass');
  });
});

/** Computes the product with its terms in reverse order. */
function fromBehind(a: Float32Array, b: Float32Array, { m, k, n }: Gemm): Float32Array {
  return Float32Array.from({ length: m * n }, (_, e) => {
    let sum = 0;
    for (let p = k - 1; p >= 0; p--)
      sum = Math.fround(sum + Math.fround(a[Math.floor(e / n) * k + p] * b[p * n + (e % n)]));
    return sum;
  });
}

const plain = [1, 3, 5, 7, 9].map((size) => `input=uniform;m=${size};k=${size};n=${size}`);
// The product of this input is not repeated.
const trigger = 'input=uniform-2-5;m=129;k=65;n=33';
const around = planned(...plain, trigger, ...plain.map((text) => `${text};seed=2`));
const [spoils] = planned(trigger);

describe('a failure that earlier cases cause', () => {
  it.each(inShort(afterOthers, 4))('is told as one after them: a kernel that $what', async ({ make }) => {
    const { cases } = await gate(around, inProcess(make));
    const failed = cases.filter(({ verdict }) => verdict === 'fail');
    expect(failed.length).toBeGreaterThan(0);
    for (const { reason, after = [], replay, case: text, checks } of failed) {
      expect(after).toHaveLength(1);
      expect(parseCase(after[0]).problem).toEqual(spoils.problem);
      expect(reason).toMatch(/^This case fails only if 129×65×33 ran before it, in the same process. /);
      expect(checks[0]).toMatchObject({ name: 'state', status: 'fail', message: reason });
      expect(replay).toBe(`npx gemm-paranoia gate --case '${after[0]}' --case '${text}'`);
      const sequence = planned(...[...after, text].map((one) => one.replace(/^kernel=mine;/, '')));
      expect((await gate(sequence, inProcess(make))).cases.map(({ verdict }) => verdict)).toEqual([
        'pass',
        'fail',
      ]);
      expect((await gate(sequence.slice(1), inProcess(make))).verdict).toBe('pass');
    }
  });

  it.each(inShort(afterOthers, 4))(
    'is found so by a campaign, and kept as it is: a kernel that $what',
    async ({ make }) => {
      const judge = new Scheduler({ machine, ...judging(inProcess(make)) });
      await judge.judge([spoils]);
      const { findings } = await runCampaign({
        targets: [targetOf(await judge.kernel({ kernel: 'mine' }))],
        space: { maxSize: 6, families: [findInput('uniform')] },
        ...{ judge, seed: 1, runs: isWhole ? 60 : 20, stop: () => false },
      });
      expect(findings).toHaveLength(1);
      const [{ after = [], check, shrinks }] = findings;
      expect(after.map((text) => parseCase(text).problem)).toEqual([spoils.problem]);
      expect([check, shrinks]).toEqual(['state', 0]);
    },
  );

  itWhole('is one of a corpus that keeps those before it, of gate and fuzz', async () => {
    const [{ make }] = afterOthers;
    const [rights] = honest;
    const kept = planned('input=uniform;m=2;k=2;n=2').map((value) => ({ ...value, after: [spoils] }));
    const [result] = (await gate(kept, inProcess(make))).cases;
    expect(result).toMatchObject({ verdict: 'fail', after: [formatCase(spoils)] });
    expect((await gate(kept, inProcess(rights.make))).verdict).toBe('pass');
    const fuzz = async (session: KernelSession) => {
      const judge = new Scheduler({ machine, ...judging(session) });
      const targets = [targetOf(await judge.kernel({ kernel: 'mine' }))];
      const space = { maxSize: 4, families: [findInput('uniform')] };
      const options = { targets, space, judge, seed: 1, runs: 2, corpus: kept, stop: () => false };
      return (await runFuzz(options)).fuzz.findings;
    };
    const [finding, ...others] = await fuzz(inProcess(make));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ check: 'state', case: result.case, after: [formatCase(spoils)] });
    expect(await fuzz(inProcess(rights.make))).toEqual([]);
  });

  it('is none of the next product where it was an error', async () => {
    const { cases } = await gate(around, inProcess(poisoned.make));
    const failed = cases.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ m, after }) => [m, after])).toEqual([[129, undefined]]);
  });
});
