import { describe, expect, test } from 'vitest';
import { inShort } from '../../base/in-short.testing.ts';
import { exactProduct } from '../../exact/exact.ts';
import type { Machine } from '../../gpu/device.ts';
import { externalKernel } from '../../kernels/external-kernel.ts';
import { openFunctionKernel } from '../../kernels/function-kernel.ts';
import type { FunctionKernel } from '../../kernels/user-kernel.ts';
import { eachEntry } from '../../kernels/whole-gemm.testing.ts';
import { matrix } from '../../matrix/dense.ts';
import type { Gemm } from '../../matrix/gemm.ts';
import { bf16, f16, tf32 } from '../../precision/format.ts';
import { applyClaims } from '../../precision/precision.ts';
import { singlePrecision } from '../../precision/single.ts';
import { parseCase } from '../../problem/case.ts';
import type { CaseResult } from '../case-result.ts';
import { defaultThresholds } from '../checks/check.ts';
import { Evaluator } from '../evaluate.ts';
import { judgeProduct } from '../judge-product.ts';
import { resultOf } from '../result-of.ts';
import { recognize } from './recognize.ts';

/** The product of dense matrices, for mistakes to change. */
interface Wrong {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly a: (i: number, q: number) => number;
  readonly b: (q: number, j: number) => number;
  readonly right: (i: number, j: number) => number;
}
type Mistake = (wrong: Wrong) => (i: number, j: number) => number;

const dot = ({ k, a, b }: Wrong, i: number, j: number, take = (x: number) => x, add = Math.fround) => {
  let sum = 0;
  for (let q = 0; q < k; q++) sum = add(sum + take(a(i, q)) * take(b(q, j)));
  return sum;
};

/** Makes a kernel of dense matrices with a mistake. */
const making = (mistake: Mistake): FunctionKernel<Float32Array>['multiply'] => {
  return (x, y, { m, k, n }, _, d) => {
    const a = (i: number, q: number) => x[i * k + q];
    const b = (q: number, j: number) => y[q * n + j];
    const wrong: Wrong = { m, k, n, a, b, right: (i, j) => dot(wrong, i, j) };
    const entry = mistake(wrong);
    for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) d[i * n + j] = entry(i, j);
    return d;
  };
};

/** Judges cases of a kernel in turn. */
async function judged(
  multiply: FunctionKernel<Float32Array>['multiply'],
  ...texts: readonly string[]
): Promise<CaseResult[]> {
  const spec = { name: 'mine', accepts: 'everything', multiply } as const;
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
  const evaluator = new Evaluator(exactProduct);
  const results: CaseResult[] = [];
  for (const text of texts) {
    const value = parseCase(`kernel=mine;${text}`);
    const found = await evaluator.attempt({ case: value, kernel }, {} as Machine);
    results.push(await resultOf(value, kernel, found, defaultThresholds));
  }
  return results;
}

/** Returns the mistake that a failing result names. */
const looks = ({ checks }: CaseResult) => checks.find(({ status }) => status === 'fail')?.looksLike;

const SQUARE = 'm=16;k=16;n=16';
const ODD = 'm=13;k=37;n=11';

describe('a mistake is named, of whole and of random numbers', () => {
  const last =
    ({ a, b, k, right }: Wrong, terms: number) =>
    (i: number, j: number) => {
      let lost = 0;
      for (let q = k - terms; q < k; q++) lost += a(i, q) * b(q, j);
      return right(i, j) - lost;
    };
  test.each<readonly [cause: string, says: string, shape: string, mistake: Mistake]>([
    [
      'c-transposed',
      'C was written as its transpose',
      SQUARE,
      ({ right }) =>
        (i, j) =>
          right(j, i),
    ],
    [
      'c-transposed',
      'C was written as its transpose',
      ODD,
      ({ m, n, right }) =>
        (i, j) =>
          right((i * n + j) % m, Math.floor((i * n + j) / m)),
    ],
    [
      'b-transposed',
      'B was read as its transpose',
      SQUARE,
      (one) => (i, j) => dot({ ...one, b: (q, j) => one.b(j, q) }, i, j),
    ],
    [
      'both-transposed',
      'A and B were both read as their transposes',
      SQUARE,
      (one) => (i, j) => dot({ ...one, a: (i, q) => one.a(q, i), b: (q, j) => one.b(j, q) }, i, j),
    ],
    [
      'operands-exchanged',
      'A and B were swapped',
      SQUARE,
      (one) => (i, j) => dot({ ...one, a: one.b, b: one.a }, i, j),
    ],
    ['operand-twice', 'A was read in place of B', SQUARE, (one) => (i, j) => dot({ ...one, b: one.a }, i, j)],
    [
      'c-reversed',
      'the rows of C are in reverse order',
      ODD,
      ({ m, right }) =>
        (i, j) =>
          right(m - 1 - i, j),
    ],
    [
      'c-shifted',
      'each column of C is the one 3 columns further on, with wraparound',
      ODD,
      ({ n, right }) =>
        (i, j) =>
          right(i, (j + 3) % n),
    ],
    [
      'c-shifted',
      'each row of C is the one 1 row before',
      ODD,
      ({ right }) =>
        (i, j) =>
          i === 0 ? Number.NaN : right(i - 1, j),
    ],
    [
      'c-quadrants-swapped',
      'C12 and C21 were swapped',
      SQUARE,
      ({ right }) =>
        (i, j) =>
          i < 8 !== j < 8 ? right(i ^ 8, j ^ 8) : right(i, j),
    ],
    [
      'c-tiles-swapped',
      'neighboring blocks of 4 rows of C were swapped',
      'm=24;k=9;n=11',
      ({ right }) =>
        (i, j) =>
          right(i ^ 4, j),
    ],
    [
      'c-permuted',
      'the rows of C are in another order: row 0 holds row 5',
      'm=11;k=9;n=12',
      ({ right }) =>
        (i, j) =>
          right((3 * i + 5) % 11, j),
    ],
    [
      'c-lines-repeated',
      'the first 8 rows of C were repeated',
      ODD,
      ({ right }) =>
        (i, j) =>
          right(i % 8, j),
    ],
    ['last-terms-lost', 'the last 5 terms of k are missing', ODD, (one) => last(one, 5)],
    [
      'last-terms-lost',
      'where entries are wrong, the last term of k is missing',
      ODD,
      (one) => (i, j) => (i < 10 ? one.right(i, j) : last(one, 1)(i, j)),
    ],
    [
      'terms-lost',
      'term 7 of k is missing',
      ODD,
      (one) => (i, j) => one.right(i, j) - one.a(i, 7) * one.b(7, j),
    ],
    [
      'terms-twice',
      'terms 16…31 of k are counted twice',
      ODD,
      (one) => (i, j) =>
        one.right(i, j) +
        dot({ ...one, k: 16, a: (i, q) => one.a(i, q + 16), b: (q, j) => one.b(q + 16, j) }, i, j),
    ],
    [
      'inner-index-wraps',
      'the index over k restarted after 32 terms',
      ODD,
      (one) => (i, j) => dot({ ...one, a: (i, q) => one.a(i, q % 32), b: (q, j) => one.b(q % 32, j) }, i, j),
    ],
    [
      'every-nth-term-lost',
      'term 3 of every 4 terms of k is missing',
      ODD,
      (one) => (i, j) => dot({ ...one, a: (i, q) => (q % 4 === 3 ? 0 : one.a(i, q)) }, i, j),
    ],
    [
      'zero',
      'where entries are wrong, the result is 0',
      ODD,
      ({ right }) =>
        (i, j) =>
          i >= 8 && j >= 8 ? 0 : right(i, j),
    ],
    [
      'twice',
      'where entries are wrong, the result is doubled',
      ODD,
      ({ right }) =>
        (i, j) =>
          i < 8 && j < 8 ? 2 * right(i, j) : right(i, j),
    ],
    [
      'b-beside',
      'B was read 2 rows further down',
      ODD,
      (one) => (i, j) => dot({ ...one, b: (q, j) => one.b(q + 2, j) ?? 0 }, i, j),
    ],
    [
      'b-leading-dimension',
      'the leading dimension of B was taken as 12, the next multiple of 4',
      ODD,
      (one) => (i, j) => dot({ ...one, b: (q, j) => one.b(0, q * 12 + j) ?? 0 }, i, j),
    ],
  ])('%s: %s', async (cause, says, shape, mistake) => {
    for (const result of await judged(making(mistake), `input=integers;${shape}`, `input=uniform;${shape}`)) {
      expect(result.verdict).toBe('fail');
      expect(looks(result)).toEqual({ cause, says });
      expect(result.reason).toContain(says);
    }
  });
});

describe('a mistake in precision is named', () => {
  test.each<readonly [cause: string, says: string, mistake: Mistake]>([
    ...[bf16, { ...tf32, name: 'tf32 or f16' }].map(
      ({ name, round }) =>
        [
          'narrow-operands',
          `A and B were rounded to ${name} before multiplication`,
          (one: Wrong) => (i: number, j: number) => dot(one, i, j, round),
        ] as const,
    ),
    [
      'narrow-operands',
      'A was rounded to bf16 before multiplication',
      (one) => (i, j) => dot({ ...one, a: (i, q) => bf16.round(one.a(i, q)) }, i, j),
    ],
    [
      'narrow-sums',
      'sums were rounded to tf32 or f16 after each term',
      (one) => (i, j) => dot(one, i, j, (x) => x, f16.round),
    ],
    [
      'narrow-results',
      'D was rounded to bf16',
      ({ right }) =>
        (i, j) =>
          bf16.round(right(i, j)),
    ],
  ])('%s: %s', async (cause, says, mistake) => {
    const [result] = await judged(making(mistake), `input=uniform;${ODD}`);
    expect(looks(result)).toEqual({ cause, says });
  });
});

describe('what is not finite', () => {
  const taking =
    (take: (x: number) => number): Mistake =>
    (one) =>
    (i, j) =>
      dot(one, i, j, take);
  test.each<readonly [says: RegExp, mistake: Mistake]>([
    [/NaN was taken as 0/, taking((x) => (Number.isNaN(x) ? 0 : x))],
    [/NaN and infinities were taken as 0/, taking((x) => (Number.isFinite(x) ? x : 0))],
    [
      /terms with a zero in A were skipped/,
      (one) => (i, j) => {
        let sum = 0;
        for (let q = 0; q < one.k; q++)
          if (one.a(i, q) !== 0) sum = Math.fround(sum + one.a(i, q) * one.b(q, j));
        return sum;
      },
    ],
  ])('%s', async (says, mistake) => {
    const [result] = await judged(making(mistake), 'input=special-values;m=24;k=24;n=24');
    expect(result.verdict).toBe('fail');
    expect(result.reason).toMatch(says);
  });
});

test('the answer before is recognised, in the product after it', async () => {
  const last = new Float32Array(400);
  const stale = making(({ n, right }) => (i, j) => {
    const [at, found] = [i * n + j, right(i, j)];
    const before = last[at];
    last[at] = found;
    return before === 0 ? found : before;
  });
  const [, second] = await judged(stale, `input=uniform;seed=2;${SQUARE}`, `input=uniform;seed=3;${SQUARE}`);
  expect(looks(second)).toEqual({ cause: 'previous-answer', says: expect.stringContaining('16×16×16') });
});

describe('mistakes in what lies beyond A·B', () => {
  const whole =
    (change: (gemm: Gemm) => Partial<Gemm>): FunctionKernel<Float32Array>['multiply'] =>
    (a, b, gemm, c, d) => {
      eachEntry(a, b, { ...gemm, ...change(gemm) }, c.slice(), (entry, place) => {
        d[place(gemm.d)] = entry;
      });
      return d;
    };
  test.each(
    inShort<readonly [cause: string, text: string, change: (gemm: Gemm) => Partial<Gemm>]>(
      [
        ['c-left', 'beta=2', () => ({ alpha: 0, beta: 1 })],
        [
          'strides-ignored',
          'beta=1;batch=3',
          ({ a, b }) => ({ a: { ...a, stride: 0 }, b: { ...b, stride: 0 } }),
        ],
        ['c-of-other-product', 'batch=3', ({ a, b }) => ({ a: { ...a, stride: 0 }, b: { ...b, stride: 0 } })],
      ],
      3,
    ),
  )('%s: %s', async (cause, text, change) => {
    const all = ['integers', 'uniform'].map((input) => `input=${input};${ODD};${text}`);
    for (const result of await judged(whole(change), ...all)) expect(looks(result)?.cause).toBe(cause);
  });
});

describe('nothing is claimed of', () => {
  test.each(
    inShort<readonly [what: string, mistake: Mistake]>(
      [
        [
          'one entry that is off by a power of two',
          ({ right }) =>
            (i, j) =>
              right(i, j) + Number(i + j === 0) * 64,
        ],
        [
          'one entry that is off by anything',
          ({ right }) =>
            (i, j) =>
              right(i, j) + Number(i + j === 0) * 1229,
        ],
        [
          'two mistakes at once',
          (one) => (i, j) => one.right(j % one.m, i % one.n) - one.a(i, one.k - 1) * one.b(one.k - 1, j),
        ],
        [
          'two mistakes in two places',
          ({ right }) =>
            (i, j) =>
              i < 4 ? 0 : j < 4 ? right(j % 13, i % 11) : right(i, j),
        ],
        [
          'noise',
          ({ right }) => {
            let state = 1;
            return (i, j) => {
              state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
              return right(i, j) + (state >>> 22);
            };
          },
        ],
        [
          'a constant beside',
          ({ right }) =>
            (i, j) =>
              right(i, j) + 1000,
        ],
      ],
      3,
    ),
  )('%s', async (_, mistake) => {
    for (const input of ['integers', 'uniform']) {
      for (const seed of [1, 2, 3]) {
        const [result] = await judged(making(mistake), `input=${input};seed=${seed};${ODD}`);
        expect(result.verdict).toBe('fail');
        expect(looks(result)).toBe(undefined);
      }
    }
  });

  test('entries that differ from run to run', async () => {
    let state = 1;
    const races: Mistake =
      ({ right }) =>
      (i, j) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state >>> 31 === 1 ? right(i, j) : right(i, j) * (1 + (state >>> 20) / 2 ** 12);
      };
    const [result] = await judged(making(races), `input=uniform;${ODD}`);
    expect(result.verdict).toBe('fail');
    expect(looks(result)).toBe(undefined);
  });
});

test('where two mistakes give the same, both are said', async () => {
  const [result] = await judged(
    making(
      ({ right }) =>
        (i, j) =>
          right(j, i),
    ),
    `input=identity;${SQUARE}`,
  );
  expect(looks(result)?.says).toBe('C was written as its transpose, or A was read as its transpose');
});

test('of a product of ones and zeros nothing is claimed that many mistakes give', async () => {
  // In a product with the identity, repeated first rows and swapped quadrants look the same.
  const again: Mistake =
    ({ right }) =>
    (i, j) =>
      right(i % 16, j);
  const [result] = await judged(making(again), 'input=inverse-pair;m=32;k=32;n=32');
  expect(result.verdict).toBe('fail');
  expect(looks(result)).toBe(undefined);
});

test('of a product that is compared in part, a mistake is named by its entries there', () => {
  const [m, n] = [24, 20];
  const random = (rows: number, cols: number, by: number) =>
    matrix(
      rows,
      cols,
      Float32Array.from({ length: rows * cols }, (_, at) => Math.sin(by * (at + 1))),
    );
  const [a, b] = [random(m, 30, 1.7), random(30, n, 2.3)];
  const { product } = exactProduct(a, b);
  const c = matrix(
    m,
    n,
    Float32Array.from(product.data, (_, at) => product.data[(m - 1 - Math.floor(at / n)) * n + (at % n)]),
  );
  const { evidence } = judgeProduct(c, a, b);
  const wrong = new Uint8Array(m * n).fill(1, 0, 60);
  const part = {
    ...evidence,
    reference: { ...evidence.reference, value: new Float64Array(60), checked: 60 / (m * n) },
  };
  expect(recognize(part, wrong)?.says).toBe('the rows of C are in reverse order');
});

test('NaN is said to be from outside of the operands only where these have none', async () => {
  const nan = making(() => () => Number.NaN);
  const texts = ['uniform', 'special-values'].map((input) => `m=9;k=8;n=7;input=${input}`);
  const [plain, special] = await judged(nan, ...texts);
  expect(plain.reason).toContain('NaN was read, which lies outside the operands');
  expect(special.verdict).toBe('fail');
  expect(special.reason).not.toContain('outside of the operands');
});
