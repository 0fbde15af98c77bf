import { describe, expect, test } from 'vitest';
import { inShort, isWhole } from '../src/base/in-short.testing.ts';
import { defaultCampaign } from '../src/gate/campaign.ts';
import { externalCases } from '../src/gate/external-campaign.ts';
import { countShapeProducts } from '../src/gate/sampler.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { formatCase, parseCase } from '../src/problem/case.ts';
import { budgetOf } from '../src/run/budget.ts';
import { cpuJudge } from './cpu-judge.ts';
import { some } from './some.ts';

/**
 * The law: a kernel that quantizes its activations as it claims passes every drawn case, whichever documented operations it uses. Without
 * the claim, or with a mistake in the quantization, it fails.
 *
 * Why: ggml and MatMulNBits do so, and were held to the product of unquantized numbers.
 */
type Round = (x: number) => number;
const f32: Round = Math.fround;

/** Rounds to binary16, ties to even. */
const f16: Round = (x) => {
  const size = Math.abs(x);
  if (size === 0 || !Number.isFinite(x)) return x;
  const last = Math.max(2 ** -24, 2 ** (Math.floor(Math.log2(size)) - 10));
  const rounded = even(size / last) * last;
  return Math.sign(x) * (rounded > 65504 ? Number.POSITIVE_INFINITY : rounded);
};

const even: Round = (x) => {
  const whole = Math.floor(x);
  const rest = x - whole;
  return whole + Number(rest > 0.5 || (rest === 0.5 && whole % 2 !== 0));
};
const away: Round = (x) => Math.sign(x) * Math.floor(Math.abs(x) + 0.5);

/** A block of activations: its codes, the factor, and the kept sum. */
interface Block {
  readonly codes: number[];
  readonly factor: number;
  readonly zero: number;
  readonly sum: number;
}

/** Returns the code of a number before it is rounded. */
type Divide = (x: number, factor: number, largest: number) => number;

interface Way {
  readonly size: number;
  readonly kept?: Round;
  readonly divide?: Divide;
  readonly round?: Round;
  readonly most?: number;
  readonly kind?: 'signed' | 'zero-point';
}

const reciprocal: Divide = (x, factor) => f32(x * f32(1 / factor));
const quotient: Divide = (x, _, largest) => f32(x * f32(127 / largest));
const division: Divide = (x, factor) => f32(x / factor);

/** Quantizes a run of numbers; missing ones are zeros. */
function block(x: readonly number[], way: Way): Block {
  const { kept = f32, divide = reciprocal, round = even, most = 127, kind } = way;
  const none = { codes: x.map(() => 0), factor: 0, zero: 0, sum: 0 };
  let largest = 0;
  for (const one of x) if (Math.abs(one) > Math.abs(largest)) largest = one;
  if (largest === 0) return none;
  if (kind === 'zero-point') {
    const [low, high] = [Math.min(0, ...x), Math.max(0, ...x)];
    const factor = f32(f32(high - low) / 255);
    const point = (y: number) => Math.min(255, Math.max(0, y));
    const zero = point(round(f32(-low / factor)));
    return { codes: x.map((one) => point(round(divide(one, factor, 0)) + zero)), factor, zero, sum: 0 };
  }
  if (kind === 'signed') {
    const inverse = f32(-most / largest);
    const codes = x.map((one) => Math.min(127, round(f32(inverse * one))));
    return { codes, factor: f32(1 / inverse), zero: 0, sum: codes.reduce((a, b) => a + b, 0) };
  }
  const factor = f32(Math.abs(largest) / most);
  const codes = x.map((one) => round(divide(one, factor, Math.abs(largest))));
  const sum = codes.reduce((a, b) => a + b, 0);
  return { codes, factor: kept(factor), zero: 0, sum: f16(f32(sum * factor)) };
}

/** A mistake in the use of a row's blocks. */
type Mistake = (blocks: readonly Block[], at: number) => Block;

interface Made {
  readonly precision: string;
  readonly way: Way;
  readonly claims?: Claims | undefined;
  readonly mistake?: Mistake | undefined;
  /** True if offsets of weights multiply the kept sums. */
  readonly bySums?: boolean;
  /** The multiple of each minimum of weights that is subtracted: 1 unless it is a mistake. */
  readonly minima?: number;
}

/** Multiplies superblocks in whole numbers: codes by codes, scales of blocks, sums of codes by minima. */
function superblocks({
  precision,
  way,
  claims,
  mistake = (all, at) => all[at],
  minima = 1,
}: Made): FunctionKernel {
  const each = precision === 'q4_K' ? 32 : 16;
  return {
    ...{ name: 'mine', precision, claims },
    multiply(a, b, { m, k, n }, _c, d, factors) {
      const scales = factors?.b?.scales ?? [];
      const [count, per] = [Math.ceil(k / 256), Math.ceil(k / each)];
      const hasMinima = scales.length === 4;
      for (let i = 0; i < m; i++) {
        const row = Array.from(a.subarray(i * k, (i + 1) * k));
        const all = Array.from({ length: count }, (_, q) => block(row.slice(q * 256, (q + 1) * 256), way));
        for (let j = 0; j < n; j++) {
          let total = 0;
          for (let q = 0; q < count; q++) {
            const own = mistake(all, q);
            let [sum, less] = [0, 0];
            for (let from = q * 256; from < Math.min(k, (q + 1) * 256); from += each) {
              const place = j * per + Math.floor(from / each);
              let [products, codes] = [0, 0];
              for (let p = from; p < Math.min(k, from + each); p++) {
                products += own.codes[p - q * 256] * b[p * n + j];
                codes += own.codes[p - q * 256];
              }
              sum += products * scales[0][place];
              if (hasMinima) less += codes * scales[1][place];
            }
            const at = j * count + q;
            const [step, lower] = hasMinima ? [scales[2][at], scales[3][at]] : [scales[1][at], 0];
            total = f32(total + f32(f32(step * own.factor) * f32(sum)));
            total = f32(total - minima * f32(f32(lower * own.factor) * f32(less)));
          }
          d[i * n + j] = total;
        }
      }
      return d;
    },
  };
}

/** Makes a kernel that multiplies blocks in whole numbers, and adds their products in binary32. */
function blocks({ precision, way, claims, mistake = (all, at) => all[at], bySums }: Made): FunctionKernel {
  return {
    ...{ name: 'mine', precision, claims },
    multiply(a, b, { m, k, n }, _c, d, factors) {
      const weights = factors?.b;
      const [scales, zeros] = [weights?.scales[0] ?? [], weights?.zeros];
      const [size, perColumn] = [Math.min(way.size, Math.max(1, k)), Math.ceil(k / 32)];
      const part = Math.min(size, 32);
      for (let i = 0; i < m; i++) {
        const row = Array.from(a.subarray(i * k, (i + 1) * k));
        const all = Array.from({ length: Math.ceil(k / size) }, (_, q) =>
          block(row.slice(q * size, (q + 1) * size), way),
        );
        for (let j = 0; j < n; j++) {
          let total = 0;
          for (let from = 0; from < k; from += part) {
            const at = Math.floor(from / size);
            const own = mistake(all, at);
            const place = j * perColumn + Math.floor(from / 32);
            const raw = bySums === true && zeros === undefined ? 8 : 0;
            const zero = bySums === true ? 0 : (zeros?.[place] ?? 0);
            let sum = 0;
            for (let p = from; p < Math.min(k, from + part); p++)
              sum += (own.codes[p - at * size] - own.zero) * (b[p * n + j] + raw - zero);
            const factor = scales[place] ?? 1;
            const product = f32(sum * f32(factor * own.factor));
            const less = bySums === true ? f32(f32((zeros?.[place] ?? raw) * factor) * own.sum) : 0;
            total = f32(total + f32(product - less));
          }
          d[i * n + j] = total;
        }
      }
      return d;
    },
  };
}

function made(one: Made) {
  const spec = one.precision.endsWith('_K') ? superblocks(one) : blocks(one);
  const computation = applyClaims(precisions.find(one.precision), one.claims);
  return { spec, kernel: externalKernel(spec, openFunctionKernel(spec), computation) };
}

/** The products of a case: superblocks need long sums. */
const LARGEST = 2 ** 15;

/** Judges drawn cases of a kernel. */
async function judged(one: Made, most: number, { longerThan = 0 } = {}) {
  const { spec, kernel } = made(one);
  const draws = { seed: 20_261_128, ...(budgetOf('usual') as NonNullable<ReturnType<typeof budgetOf>>) };
  const cases = externalCases({ ...defaultCampaign, draws }, spec).filter(
    ({ problem }) =>
      countShapeProducts(problem) <= LARGEST && problem.repeats < 1000 && problem.k > longerThan,
  );
  return cpuJudge(() => kernel).judge(some(cases, Math.ceil(cases.length / most)));
}

const last: Claims = { arithmetic: { zeroPoints: 'last' } };
const q8 = { size: 32, kept: f16 };
const ALL = Number.POSITIVE_INFINITY;

/** Kernels as libraries have them. */
const libraries: Readonly<Record<string, Made & { claims: Claims }>> = {
  'ggml’s reference, q4_0 · q8_0': {
    precision: 'q4_0',
    way: { ...q8, round: away },
    claims: { activations: { scheme: 'q8_0' } },
  },
  'ggml on x86, q8_0 · q8_0': {
    precision: 'q8_0',
    way: { ...q8, divide: quotient },
    claims: { activations: { scheme: 'q8_0', rounding: 'nearest', division: 'quotient' } },
  },
  'ggml on x86, iq4_nl · q8_0': {
    precision: 'iq4_nl',
    way: { ...q8, divide: quotient },
    claims: { activations: { scheme: 'q8_0', rounding: 'nearest', division: 'quotient' } },
  },
  'ggml on Arm, q4_0 · q8_0': {
    precision: 'q4_0',
    way: q8,
    claims: { activations: { scheme: 'q8_0', rounding: 'nearest', division: 'reciprocal' } },
  },
  'ggml on CUDA, q4_0 · q8_1': {
    precision: 'q4_0',
    way: { ...q8, round: away, divide: division },
    bySums: true,
    claims: { activations: { scheme: 'q8_1' }, ...last },
  },
  'MatMulNBits at accuracy level 4': {
    precision: 'nbits4',
    way: { size: 32, divide: quotient },
    claims: { activations: { scheme: 'int8-block' } },
  },
  'MatMulNBits with blocks of 16': {
    precision: 'nbits8',
    way: { size: 16, divide: quotient },
    claims: { activations: { scheme: 'int8-block', block: 16 } },
  },
  'tokens in int8 by weights in binary32': {
    precision: 'f32',
    way: { size: ALL },
    claims: { activations: { scheme: 'int8-token' } },
  },
  'tokens in uint8 with a zero point': {
    precision: 'nbits8',
    way: { size: ALL, kind: 'zero-point', divide: division },
    claims: { activations: { scheme: 'uint8-token' } },
  },
  'ggml’s reference, q4_K · q8_K': {
    precision: 'q4_K',
    way: { size: 256, kind: 'signed' },
    claims: { activations: { scheme: 'q8_K' }, ...last },
  },
  'ggml’s reference, q6_K · q8_K': {
    precision: 'q6_K',
    way: { size: 256, kind: 'signed' },
    claims: { activations: { scheme: 'q8_K' } },
  },
  'ggml’s reference, q2_K · q8_K': {
    precision: 'q2_K',
    way: { size: 256, kind: 'signed' },
    claims: { activations: { scheme: 'q8_K', division: 'quotient' }, ...last },
  },
  'superblocks of activations by blocks of 32': {
    precision: 'q8_0',
    way: { size: 256, kind: 'signed' },
    claims: { activations: { scheme: 'q8_K' } },
  },
};

describe.each(inShort(Object.entries(libraries), 4))('%s', (_, one) => {
  test('passes with its claim', async () => {
    const results = await judged(one, isWhole ? 60 : 12);
    const others = results.filter(({ result }) => result.verdict !== 'pass');
    expect(others.map((each) => [formatCase(each.case), each.result.reason])).toEqual([]);
  });

  test('fails without it', async () => {
    const { activations: __, ...claims } = one.claims;
    const results = await judged({ ...one, claims: one.bySums ? {} : claims }, 12);
    expect(results.filter(({ result }) => result.verdict === 'fail').length).toBeGreaterThan(0);
  });
});

describe('a mistake fails', () => {
  const q4 = libraries['ggml’s reference, q4_0 · q8_0'];
  const sums = libraries['ggml on CUDA, q4_0 · q8_1'];
  const large = libraries['ggml’s reference, q4_K · q8_K'];
  const token = libraries['tokens in uint8 with a zero point'];
  const changed = (one: Made, change: Partial<Way>): Made => ({ ...one, way: { ...one.way, ...change } });
  const neighbor = (all: readonly Block[], at: number) => all[Math.max(0, at - 1)];
  const mistakes: Readonly<Record<string, Made>> = {
    'the factor of the block before': {
      ...q4,
      mistake: (all, at) => ({ ...all[at], factor: neighbor(all, at).factor }),
    },
    'a divisor of 128': changed(q4, { most: 128 }),
    'truncation of codes': changed(q4, { round: Math.trunc }),
    'a factor in binary32': changed(q4, { kept: f32 }),
    'blocks of 64': changed(q4, { size: 64 }),
    'the sum of the block before': {
      ...sums,
      mistake: (all, at) => ({ ...all[at], sum: neighbor(all, at).sum }),
    },
    'the zero point subtracted twice': {
      ...token,
      mistake: (all, at) => ({ ...all[at], zero: 2 * all[at].zero }),
    },
    'the factor of the superblock before': {
      ...large,
      mistake: (all, at) => ({ ...all[at], factor: neighbor(all, at).factor }),
    },
    'a minimum subtracted twice': { ...large, minima: 2 },
    'a minimum left out': { ...large, minima: 0 },
    'a largest code of 128 in superblocks': changed(large, { most: 128 }),
  };
  test.each(inShort(Object.entries(mistakes), 20))('%s', async (_, one) => {
    const longerThan = one.precision === large.precision ? 256 : 0;
    const results = await judged(one, isWhole ? 60 : 12, { longerThan });
    expect(results.filter(({ result }) => result.verdict === 'fail').length).toBeGreaterThan(0);
  });
});

test('the distance to the unquantized product stands beside the error', async () => {
  const { kernel } = made(libraries['ggml’s reference, q4_0 · q8_0']);
  const value = parseCase('kernel=mine;precision=q4_0;input=uniform;m=8;k=64;n=8');
  const { result } = await cpuJudge(() => kernel).one(value);
  expect(result).toMatchObject({ verdict: 'pass' });
  const { exact, quantization } = result;
  expect(Number(quantization?.endToEnd.maxError)).toBeGreaterThan(100 * Number(exact?.maxError));
});
