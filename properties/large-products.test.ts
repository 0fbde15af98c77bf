import { describe, expect, it } from 'vitest';
import { inShort, isWhole, itWhole } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { checks } from '../src/evidence/checks/checks.ts';
import { projections } from '../src/evidence/checks/projections.ts';
import type { Evidence, KnownOperands } from '../src/evidence/evidence.ts';
import { weighLarge } from '../src/evidence/large.ts';
import { verdictOfChecks } from '../src/evidence/result-of.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { inputOf } from '../src/inputs/edits/edited-family.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { claimedPlan } from '../src/kernels/external-kernel.ts';
import { type Matrix, matrix, type Shape } from '../src/matrix/dense.ts';
import { plainGemm } from '../src/matrix/gemm.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { caseOf } from '../src/problem/case.ts';
import { some } from './some.ts';

type Asked = Partial<{
  input: string;
  edit: string;
  alpha: number;
  beta: number;
  batch: number;
  precision: string;
  claims: Claims;
}>;

/** Makes the operands of a case, and the reference that judges a product of them. */
function asked(shape: Shape, seed: number, options: Asked = {}) {
  const {
    input = 'uniform',
    edit = 'none',
    alpha = 1,
    beta = 0,
    batch = 1,
    precision = 'f32',
    claims = {},
  } = options;
  const { problem } = caseOf({ kernel: 'mine', ...shape, input, edit, seed, precision });
  const family = inputOf(problem);
  const made = precisions.find(precision);
  const parts = Array.from({ length: batch }, (_, p) =>
    family.generate({
      ...shape,
      seed: seed + 99 * p,
      levels: 0,
      growth: { a: 1, b: 1, c: 1 } as never,
      precision: made,
    }),
  );
  const stack = (all: Matrix[]) =>
    matrix(all.length * all[0].rows, all[0].cols, Float64Array.from(all.flatMap(({ data }) => [...data])));
  const random = createRandom(seed, 8);
  const { m, n } = shape;
  const c = matrix(
    batch * m,
    n,
    Float64Array.from({ length: batch * m * n }, () => Math.fround(random.uniform(-1, 1))),
  );
  const operands: KnownOperands = {
    ...{
      a: stack(parts.map(({ a }) => a)),
      b: stack(parts.map(({ b }) => b)),
      c: beta === 0 ? undefined : c,
    },
    ...{ family, seed, hasSpecials: parts[0].hasSpecials, hasSubnormals: parts[0].hasSubnormals },
  };
  const plan = claimedPlan(claims, shape);
  const kernel = {
    ...{ claims, leaf: '', algorithm: plan.algorithm.name, followsPlan: false },
    ...applyClaims(made, claims),
  };
  return { kernel, plan, operands, gemm: { ...plainGemm(shape), alpha, beta, batch } };
}
type Job = ReturnType<typeof asked>;

/** Computes a product with sums in binary32, in a given order. */
function computed({ operands: { a, b, c }, gemm }: Job, order: keyof typeof orders = 'sequential'): Matrix {
  const { m, k, n, batch, alpha, beta } = gemm;
  const out = new Float32Array(batch * m * n);
  const terms = new Float32Array(k);
  for (let e = 0; e < out.length; e++) {
    const [row, j] = [Math.floor(e / n), e % n];
    const member = Math.floor(row / m);
    for (let p = 0; p < k; p++) terms[p] = a.data[row * k + p] * b.data[(member * k + p) * n + j];
    const sum = orders[order](terms);
    out[e] = alpha * sum + (beta === 0 ? 0 : beta * (c as Matrix).data[e]);
  }
  return matrix(batch * m, n, out);
}
const f = Math.fround;
const pairwise = (terms: Float32Array): number =>
  terms.length < 2
    ? (terms[0] ?? 0)
    : f(pairwise(terms.subarray(0, terms.length >> 1)) + pairwise(terms.subarray(terms.length >> 1)));
const orders = {
  sequential: (terms: Float32Array) => terms.reduce((sum, x) => f(sum + x), 0),
  pairwise,
  blocked: (terms: Float32Array) => {
    let sum = 0;
    for (let p = 0; p < terms.length; p += 16) sum = f(sum + orders.sequential(terms.subarray(p, p + 16)));
    return sum;
  },
  wide: (terms: Float32Array) => f(terms.reduce((sum, x) => sum + x, 0)),
};

const allOrders = Object.keys(orders) as (keyof typeof orders)[];

const judged = (job: Job, c: Matrix): Evidence => weighLarge(job, [{ c, unwritten: 0, overwritten: 0 }]);
const answers = (evidence: Evidence) =>
  checks.items.map((check) => ({ name: check.name, ...check.judge(evidence, defaultThresholds) }));
const failing = (evidence: Evidence) =>
  answers(evidence)
    .filter(({ status }) => status === 'fail')
    .map(({ name }) => name);

const shape = { m: 70, k: 90, n: 110 };

describe('an honest product', () => {
  const variants: Asked[] = [
    {},
    { input: 'uniform-0-1' },
    { input: 'wide-exponents' },
    { input: 'scaled-rows' },
    { input: 'ill-conditioned' },
    { edit: 'cancel:8' },
    { input: 'relu', alpha: -0.75, beta: 3 },
    { alpha: 0, beta: 2 },
    { batch: 3, beta: 1 },
    { claims: { algorithm: 'strassen', levels: 2 } },
    { claims: { order: 'data-dependent' } },
  ];
  itWhole.each(variants)('of %o raises no alarm, in any order', (options) => {
    let seed = 1;
    for (const order of some(allOrders, 2, variants.indexOf(options))) {
      const job = asked({ m: 24, k: 60, n: 30 }, seed++, options);
      const evidence = judged(job, computed(job, order));
      const found = answers(evidence);
      expect(found.filter(({ status }) => status === 'fail')).toEqual([]);
      expect(verdictOfChecks(found).verdict).toBe('pass');
      // Sums that cancel are smaller than their bounds.
      const isVacuous = options.input === 'ill-conditioned' || options.edit !== undefined;
      const said = found.find(({ name }) => name === 'projections')?.message;
      expect(said).toMatch(isVacuous ? /./ : /missed with a chance of at most 2\^-8/);
    }
  });

  itWhole('in binary64 is told from one whose last bits are wrong', () => {
    const job = asked(shape, 3, { precision: 'f64' });
    const { data } = exactProduct(job.operands.a, job.operands.b).product;
    expect(failing(judged(job, matrix(70, 110, data)))).toEqual([]);
    const off = data.map((x, e) => (e === 4321 ? x + 2 ** -40 : x));
    expect(failing(judged(job, matrix(70, 110, off)))).toContain('projections');
  });

  it('of whole numbers is exact in every sum', () => {
    const job = asked(isWhole ? shape : { m: 35, k: 45, n: 55 }, 2, { input: 'integers' });
    const c = computed(job);
    expect(answers(judged(job, c)).find(({ name }) => name === 'projections')).toMatchObject({
      status: 'pass',
      found: 0,
    });
    c.data[777]++;
    expect(failing(judged(job, c))).toContain('projections');
  });
});

describe('one wrong entry', () => {
  itWhole('is seen wherever it lies, once it is off by more than is said', () => {
    const job = asked(shape, 5);
    const c = computed(job);
    const said = projections.judge(judged(job, c), defaultThresholds).message;
    const more = Number(/more than (\S+) is missed with .* more than (\S+) with 2\^-16/.exec(said)?.[2]);
    expect(more).toBeGreaterThan(0);
    const random = createRandom(3, 1);
    let seen = 0;
    for (let trial = 0; trial < 12; trial++) {
      const e = random.int(0, 70 * 110 - 1);
      const wrong = matrix(70, 110, c.data.slice());
      wrong.data[e] += more * (trial % 2 === 0 ? 1.01 : -3);
      const { status, message } = projections.judge(judged(job, wrong), defaultThresholds);
      if (status === 'fail') seen++;
      if (status === 'fail')
        expect(message).toContain(`row ${Math.floor(e / 110)}`.replace(/row (0|69)$/, 'row'));
    }
    expect(seen).toBe(12);
  });
});

describe('a fault', () => {
  const faults: Record<string, (c: Matrix, job: Job) => void> = {
    'swapped quadrants': ({ data }) => {
      for (let i = 0; i < 35; i++)
        for (let j = 0; j < 55; j++) {
          const [x, y] = [i * 110 + j, (i + 35) * 110 + j + 55];
          [data[x], data[y]] = [data[y], data[x]];
        }
    },
    'a stale row': ({ data }) => data.copyWithin(41 * 110, 40 * 110, 41 * 110),
    'NaN in a row': ({ data }) => data.fill(Number.NaN, 33 * 110 + 20, 33 * 110 + 24),
    'k cut': (c, job) => {
      const { a, b } = job.operands;
      const cut = {
        ...job,
        operands: {
          ...job.operands,
          a: matrix(
            70,
            90,
            a.data.map((x, e) => (e % 90 === 89 ? 0 : x)),
          ),
          b,
        },
      };
      (c.data as Float32Array).set(computed(cut as Job).data as Float32Array);
    },
  };
  it.each(inShort(Object.keys(faults), 2))('%s fails', (name) => {
    const job = asked(shape, 11);
    const c = computed(job);
    faults[name](c, job);
    expect(failing(judged(job, c))).not.toEqual([]);
  });

  itWhole('among NaN and infinities that belong there is seen', () => {
    const job = asked(shape, 4, { edit: 'special:3' });
    expect(job.operands.hasSpecials).toBe(true);
    const c = computed(job);
    expect(failing(judged(job, c))).toEqual([]);
    const at = c.data.findIndex((x) => Number.isNaN(x));
    c.data[at] = 1;
    expect(failing(judged(job, c))).toContain('exceptions');
  });
});
