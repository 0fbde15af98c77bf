import { describe, expect, test } from 'vitest';
import { inShort, isWhole } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import { defaultCampaign } from '../src/gate/campaign.ts';
import { externalCases } from '../src/gate/external-campaign.ts';
import { countShapeProducts } from '../src/gate/sampler.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import type { Gemm } from '../src/matrix/gemm.ts';
import type { PartialSums } from '../src/precision/claimed-rounding.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { formatCase, parseCase } from '../src/problem/case.ts';
import { budgetOf } from '../src/run/budget.ts';
import { cpuJudge } from './cpu-judge.ts';
import { some } from './some.ts';

/**
 * The law: a kernel that rounds the sums of parts of k, and their sums, as it claims passes every drawn case, in every order of the parts.
 * Without the claim, or with a bit less than claimed, it fails.
 *
 * Why: split-k kernels reduce their parts in the format of results. PyTorch does so by default.
 */
type Round = (x: number) => number;
const f32: Round = Math.fround;

const [number, word] = (() => {
  const made = new Float32Array(1);
  return [made, new Uint32Array(made.buffer)];
})();
/** Rounds binary32 to its upper bits, ties to even. */
const upper =
  (dropped: number): Round =>
  (x) => {
    number[0] = x;
    if (!Number.isFinite(number[0])) return number[0];
    const half = 2 ** (dropped - 1);
    word[0] += half - 1 + ((word[0] >>> dropped) & 1);
    word[0] = (word[0] >>> dropped) << dropped;
    return number[0];
  };
const bf16 = upper(16);

/** Rounds to multiples of 2^-24 that grow with the number, as binary16 has them. */
const halfIn =
  (bits: number): Round =>
  (x) => {
    const size = Math.abs(x);
    if (!Number.isFinite(x) || size === 0) return x;
    let last = 2 ** -24;
    while (size >= last * 2 ** bits) last *= 2;
    const whole = Math.floor(size / last);
    const rest = size / last - whole;
    const up = rest > 0.5 || (rest === 0.5 && whole % 2 === 1);
    const rounded = Math.sign(x) * (whole + Number(up)) * last;
    return Math.abs(rounded) > 65504 ? Math.sign(x) * Number.POSITIVE_INFINITY : rounded;
  };
const f16 = halfIn(11);

type Reduce = (parts: readonly number[], add: Round) => number;
const forward: Reduce = (parts, add) => parts.reduce((sum, part) => add(sum + part));
const reductions: Readonly<Record<string, Reduce>> = {
  forward,
  backward: (parts, add) => forward([...parts].reverse(), add),
  shuffled: (parts, add) => {
    const order = createRandom(parts.length, 5).permutation(parts.length);
    return forward(
      Array.from(order, (at) => parts[at]),
      add,
    );
  },
  'in halves': function halved(parts, add): number {
    if (parts.length === 1) return parts[0];
    const half = parts.length >> 1;
    return add(halved(parts.slice(0, half), add) + halved(parts.slice(half), add));
  },
};

interface Made {
  readonly precision: string;
  readonly parts: number;
  readonly kept: Round;
  readonly added: Round;
  readonly stored?: Round;
  readonly reduce?: Reduce;
  /** True if parts are added to beta·C, as by atomic additions to C. */
  readonly onto?: boolean;
  readonly claims?: Claims;
}

/** Makes a kernel with sums of parts in binary32, of terms in their own order. */
function made({ precision, parts, kept, added, stored = f32, reduce = forward, onto, claims }: Made) {
  const spec: FunctionKernel = {
    ...{ name: 'mine', precision, claims },
    accepts: { alpha: true, beta: true },
    multiply(a: Float32Array, b: Float32Array, gemm: Gemm, c: Float32Array, d: Float32Array) {
      const { m, n, alpha = 1, beta = 0 } = gemm;
      const k = alpha === 0 ? 0 : gemm.k;
      const each = Math.max(1, Math.ceil(k / parts));
      for (let i = 0; i < m; i++) {
        for (let j = 0; j < n; j++) {
          const sums: number[] = [];
          for (let from = 0; from < k; from += each) {
            let sum = 0;
            for (let p = from; p < Math.min(k, from + each); p++)
              sum = f32(sum + f32(a[i * gemm.k + p] * b[p * n + j]));
            sums.push(kept(onto === true ? f32(alpha * sum) : sum));
          }
          const addend = beta === 0 ? 0 : f32(beta * c[i * n + j]);
          const terms = onto === true && beta !== 0 ? [added(addend), ...sums] : sums;
          const sum = terms.length === 0 ? 0 : reduce(terms, added);
          d[i * n + j] = stored(onto === true ? sum : f32(f32(alpha * sum) + addend));
        }
      }
      return d;
    },
  };
  const computation = applyClaims(precisions.find(precision), claims);
  return { spec, kernel: externalKernel(spec, openFunctionKernel(spec), computation) };
}

const LARGEST = 2 ** 14;

/** Judges drawn cases of a kernel. */
async function judged(one: Made, most: number) {
  const { spec, kernel } = made(one);
  const draws = { seed: 20_261_128, ...(budgetOf('usual') as NonNullable<ReturnType<typeof budgetOf>>) };
  const cases = externalCases({ ...defaultCampaign, draws }, spec).filter(
    ({ problem }) => countShapeProducts(problem) <= LARGEST && problem.repeats < 1000,
  );
  return cpuJudge(() => kernel).judge(some(cases, Math.ceil(cases.length / most)));
}

const kinds = {
  bf16: { precision: 'bf16-f32', format: 'bf16', kept: bf16 },
  'bf16 results': { precision: 'bf16-f32-bf16', format: 'bf16', kept: bf16, stored: bf16 },
  f16: { precision: 'f16-f32', format: 'f16', kept: f16 },
  'f16 results': { precision: 'f16-f32-f16', format: 'f16', kept: f16, stored: f16 },
} as const;

const kernels = Object.entries(kinds).flatMap(([kind, { format, ...of }]) =>
  [2, 3, 4, 8, 17, 32].flatMap((parts, at) =>
    [true, false].flatMap((isNarrow) =>
      Object.entries(reductions).map(([way, reduce], turn): [string, Made] => {
        const partialSums = { format, ...(isNarrow ? { added: format } : {}) };
        const cut = (at + turn) % 2 === 0 ? ({ cut: 'even' } as const) : {};
        const onto = isNarrow && turn % 2 === 1;
        const name = `${kind}, ${parts} parts${isNarrow ? '' : ' added in f32'}, ${way}${onto ? ', onto C' : ''}`;
        const claims: Claims = { order: 'split-k', parts, ...cut, partialSums };
        return [name, { ...of, parts, added: isNarrow ? of.kept : f32, reduce, onto, claims }];
      }),
    ),
  ),
);

test.each(inShort(kernels, 37))('%s: passes', async (_, one) => {
  const results = await judged(one, isWhole ? 30 : 12);
  const others = results.filter(({ result }) => result.verdict !== 'pass');
  expect(others.map((each) => [formatCase(each.case), each.result.reason])).toEqual([]);
});

describe('fails', () => {
  const verdictOf = async (one: Made, problem = 'input=integers;m=30;k=2;n=145;seed=799089') => {
    const value = parseCase(`kernel=mine;precision=${one.precision};${problem}`);
    return (await cpuJudge(() => made(one).kernel).one(value)).result.verdict;
  };
  const four = { parts: 4, kept: bf16, added: bf16, precision: 'bf16-f32' };
  const claimOf = (partialSums: PartialSums, parts = 4): Claims => ({
    ...{ order: 'split-k', parts, cut: 'even', partialSums },
  });

  test.each(Object.entries(kinds))('%s without the claim', async (_, { format: __, ...of }) => {
    expect(await verdictOf({ ...of, parts: 4, added: of.kept })).toBe('fail');
    expect(await verdictOf({ ...of, parts: 4, added: f32 })).toBe('fail');
  });

  test('parts, or their sums, of one bit less than claimed', async () => {
    const bfloat = { ...four, claims: claimOf({ format: 'bf16', added: 'bf16' }) };
    const whole = 'input=wild-integers;m=9;k=9;n=47;seed=94764';
    expect(await verdictOf({ ...bfloat, parts: 1, kept: upper(17) }, whole)).toBe('fail');
    expect(await verdictOf({ ...bfloat, added: upper(17) }, whole)).toBe('fail');
    const half = { ...four, precision: 'f16-f32', claims: claimOf({ format: 'f16', added: 'f16' }) };
    expect(await verdictOf({ ...half, parts: 1, kept: halfIn(10), added: f16 })).toBe('fail');
    expect(await verdictOf({ ...half, kept: f16, added: halfIn(10) })).toBe('fail');
  });

  test('many parts that are added in the format in which they are kept, but claimed to be added in f32', async () => {
    const many = { ...four, parts: 32, claims: claimOf({ format: 'bf16' }, 32) };
    expect(await verdictOf(many, 'input=uniform;m=32;k=640;n=32')).toBe('fail');
  });
});
