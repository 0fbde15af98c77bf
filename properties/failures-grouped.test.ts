import fc from 'fast-check';
import { expect } from 'vitest';
import { itWhole } from '../src/base/in-short.testing.ts';
import { caseArbitrary } from '../src/fuzz/case-arbitrary.ts';
import { targetOf } from '../src/fuzz/target.ts';
import { withShrunk } from '../src/gate/shrink-example.ts';
import { integers } from '../src/inputs/integers.ts';
import { uniform } from '../src/inputs/uniform.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import { eachEntry } from '../src/kernels/whole-gemm.testing.ts';
import type { Gemm } from '../src/matrix/gemm.ts';
import { claimedIn } from '../src/precision/precision.ts';
import { singlePrecision } from '../src/precision/single.ts';
import { parseCase } from '../src/problem/case.ts';
import { groupFailures } from '../src/run/groups/group-failures.ts';
import { cpuJudge } from './cpu-judge.ts';

/**
 * The law: of a kernel with one mistake, drawn cases fail as one group, whose rule is the mistake's own (but for cases in which it changes nothing), which is named, and whose
 * example shrinks to a case of that rule.
 */
const DRAWN = { maxSize: 24, families: [integers, uniform] };
const CASES = 150;

/** What cases of a kernel come to that takes what is asked for something else. */
async function groupsOf(misread: (gemm: Gemm) => Partial<Gemm>) {
  const spec = {
    name: 'mine',
    accepts: { transposed: true, alpha: true, beta: true, leadingDimensions: true },
    multiply(a: Float32Array, b: Float32Array, gemm: Gemm, c: Float32Array, d: Float32Array) {
      eachEntry(a, b, { ...gemm, ...misread(gemm) }, c.slice(), (entry, place) => {
        d[place(gemm.d)] = entry;
      });
      return d;
    },
  };
  const kernel = externalKernel(spec, openFunctionKernel(spec), claimedIn(singlePrecision));
  const judge = cpuJudge(() => kernel);
  const cases = fc.sample(caseArbitrary(targetOf(kernel), DRAWN), { seed: 5, numRuns: CASES });
  const judged = await judge.judge(cases);
  const groups = groupFailures(judged.map(({ result }) => result));
  return withShrunk(groups, { judge, stop: () => false });
}

itWhole.each<readonly [rule: RegExp, cause: string, misread: (gemm: Gemm) => Partial<Gemm>, least: object]>([
  [
    /fail: (exactly|all but [1-4] of) those with k ≡ 1 mod 4$/,
    'last-terms-lost',
    ({ k }) => ({ k: k % 4 === 1 ? k - 1 : k }),
    { m: 1, k: 1, n: 1 },
  ],
  [
    /fail: (exactly|all but [1-9] of) those with beta other than 0 and 1$/,
    'beta-ignored',
    ({ beta }) => ({ beta: Number(beta !== 0) }),
    { k: 1 },
  ],
  [
    /fail: (exactly|all but [1-4] of) those with alpha (other than 0 and 1|≠ 1)$/,
    'alpha-ignored',
    ({ alpha }) => ({ alpha: alpha === 0 ? 0 : 1 }),
    { m: 1, k: 1, n: 1 },
  ],
  [
    /A transposed/,
    'a-transposed',
    ({ a, k, m }) => (a.op === 't' && a.order === 'row' && m === k ? { a: { ...a, op: 'n' } } : {}),
    {},
  ],
])('%s: %s', async (rule, cause, misread, least) => {
  const [group] = await groupsOf(misread);
  expect(group.says).toMatch(rule);
  expect(group.looksLike?.cause).toBe(cause);
  expect(parseCase(group.shrunk?.case ?? group.example).problem).toMatchObject(least);
});
