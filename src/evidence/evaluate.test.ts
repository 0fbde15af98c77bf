import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { ParanoiaError } from '../base/errors.ts';
import { inShort } from '../base/in-short.testing.ts';
import { exactProduct } from '../exact/exact.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { builtinPlan } from '../kernels/builtin-plan.ts';
import { whyNotComputed } from '../kernels/check-kernel.ts';
import type { Claims } from '../kernels/claims.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { modelKernel } from '../kernels/model-kernel.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { emulated } from '../precision/arithmetic.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { singleComputation, singlePrecision } from '../precision/single.ts';
import { type Case, changeCase, parseCase } from '../problem/case.ts';
import { fieldOf } from '../problem/fields.ts';
import { type Kind, readKind } from '../problem/kinds.ts';
import type { FieldKey } from '../problem/problem.ts';
import { Evaluator } from './evaluate.ts';
import { thorough } from './reference.ts';

const arithmetic = { ...emulated, fma: 'once' } as const;
const open = { arithmetic, fingerprint: { id: 'cpu' } } as OpenDevice;

/** A built-in kernel's plan, computed on the CPU. */
const kernel = (leaf: string, algorithm = 'strassen'): Kernel => ({
  ...modelKernel(algorithm, singleComputation(arithmetic)),
  leaf,
  plan: (shape, manner, scaling) => builtinPlan(`${algorithm}:${leaf}`, shape, manner, undefined, scaling),
});

/** Evaluates a case with an evaluator that may know some parts already. */
const evaluated = async (evaluator: Evaluator, value: Case, of: Kernel) =>
  evaluator.evaluate(await evaluator.prepare(value, of), open);

const START = 'kernel=strassen:any;levels=1;input=uniform;m=30;k=30;n=30';

/** Another value for every field of the case that is judged first. */
const others: Readonly<Record<FieldKey, string>> = {
  ...{ kernel: 'winograd:register', levels: '2', fringe: 'peel', tail: 'mask', fault: 'dropped-last-k' },
  ...{ input: 'special-values', m: '28', k: '30', n: '26', seed: '2', edit: 'powers', precision: 'f64' },
  ...{ init: 'f64', batch: '2', alpha: '2', beta: '1', a: 't', b: 't', c: 'n+3', d: 'n', group: '3' },
  epilogue: 'bias:row,relu',
  ...{ structure: 'symm-left-lower', repeats: '3', program: '5', sweep: '7' },
};

/** Returns an evaluator's result of a case, without the time it took. */
async function judged(evaluator: Evaluator, value: Case) {
  const [algorithm, leaf] = value.kernel.split(':');
  const precision = precisions.find(value.problem.precision);
  const of = { ...kernel(leaf, algorithm), precision } as const;
  const found = await evaluator.attempt({ case: value, kernel: of }, open);
  if (found instanceof ParanoiaError) return found;
  const { operands, reference, analysis, errors } = found;
  return { a: operands.a, b: operands.b, reference, analysis, errors };
}

it.each(inShort([...Object.entries(others), ['kernel', 'strassen:naive']], 12))(
  'a case that differs in %s=%s is judged as if it were the first',
  async (key, text) => {
    let differs = false;
    // Integers are as large as levels and algorithm leave exact, and inverses are computed in init.
    for (const input of ['uniform-2-5', 'integers', 'inverse-pair']) {
      const first = parseCase(`kernel=strassen:register;levels=1;tail=pad;input=${input};m=29;k=29;n=29`);
      const kind = fieldOf(key as FieldKey).kind as Kind<unknown>;
      const other = changeCase(first, { [key]: readKind(kind, text, { field: key, where: key }) });
      const alone = await judged(new Evaluator(exactProduct), other);
      const shared = new Evaluator(exactProduct);
      const known = await judged(shared, first);
      expect(await judged(shared, other)).toEqual(alone);
      differs ||= !isDeepStrictEqual(alone, known);
    }
    // These fields decide the layout of matrices, the products computed beside, and the fault of a kernel.
    expect(differs).toBe(
      !['a', 'b', 'c', 'd', 'group', 'repeats', 'program', 'sweep', 'fault'].includes(key),
    );
  },
);

it('judges two kernels of one name by what each claims', async () => {
  const shared = new Evaluator(exactProduct);
  const value = parseCase('kernel=strassen:mine;levels=1;input=uniform;m=8;k=8;n=8');
  const mine = { ...kernel('naive'), leaf: '', followsPlan: false } as const;
  const boundOf = async (claims: Claims) =>
    (await evaluated(shared, value, { ...mine, claims })).analysis?.bound.data[0] ?? 0;
  const any = await boundOf({ algorithm: 'strassen' });
  expect(any).toBeGreaterThan(0);
  expect(await boundOf({ algorithm: 'strassen', recursion: { fringe: 'static-pad' } })).not.toBe(any);
});

it('computes the exact product of an input once', async () => {
  const exact = vi.fn(exactProduct);
  const evaluator = new Evaluator(exact);
  for (const [leaf, seed] of [
    ['naive', 1],
    ['register', 1],
    ['naive', 2],
  ] as const) {
    await evaluated(evaluator, parseCase(`${START};seed=${seed}`), kernel(leaf));
  }
  expect(exact).toHaveBeenCalledTimes(2);
});

describe('many products at once', () => {
  const requestOf = (text: string, of: Kernel = kernel('naive')) => ({ case: parseCase(text), kernel: of });

  it('give the evidence that each gives alone, or its problem', async () => {
    const requests = [
      requestOf(`${START};edit=zero-rows:0-3`),
      requestOf(`${START};a=t;b=n`, { ...kernel('naive'), refuses: () => 'it is plain' }),
      requestOf('kernel=strassen:any;input=inverse-pair;m=2;k=3;n=4'),
      requestOf(`${START};seed=9`),
    ];
    const many = await new Evaluator(exactProduct).evaluateMany(requests, open);
    expect(many.map((one) => (one instanceof ParanoiaError ? one.code : one.errors.exact.entries))).toEqual([
      900,
      'kernel-refuses',
      'input-refused',
      900,
    ]);
    const alone = await evaluated(new Evaluator(exactProduct), requests[0].case, requests[0].kernel);
    expect(many[0]).toMatchObject({ errors: alone.errors, operands: { family: { hasIdeal: false } } });
  });
});

describe('a large product of a kernel of others', () => {
  const evaluator = () => new Evaluator(exactProduct, { effort: { ...thorough, projected: 1000 } });
  const value = parseCase(START);
  const mine = (wrong: number): Kernel => {
    const own = kernel('naive', 'classical');
    const run: Kernel['session']['run'] = async (jobs, meanwhile) => {
      const products = await own.session.run(jobs, meanwhile);
      for (const one of products) if (!(one instanceof ParanoiaError)) one.c.data[77] += wrong;
      return products;
    };
    return { ...own, leaf: '', followsPlan: false, session: { run } };
  };

  it('is judged by projections and a sample', async () => {
    const alone = await evaluated(evaluator(), value, mine(0));
    const [many] = await evaluator().evaluateMany([{ case: value, kernel: mine(0) }], open);
    for (const found of [alone, many]) {
      expect(found).toMatchObject({ judgedBy: { projections: 16 }, projection: { vectors: 8 } });
    }
    expect((await evaluated(evaluator(), value, kernel('naive'))).judgedBy).toBeUndefined();
  });

  it('is compared entry by entry where that fails', async () => {
    const alone = await evaluated(evaluator(), value, mine(1));
    const [many] = await evaluator().evaluateMany([{ case: value, kernel: mine(1) }], open);
    for (const found of [alone, many]) {
      expect(found).toMatchObject({ reference: { checked: 1 }, projection: { vectors: 8 } });
      expect(found).not.toHaveProperty('judgedBy');
    }
    expect(alone.errors.exact.worst).toMatchObject({ i: 2, j: 17 });
  });
});

describe('a layout', () => {
  it('is handed to a kernel that takes it', async () => {
    const run = vi.fn(kernel('naive').session.run);
    const laid = { ...kernel('naive'), session: { run } };
    await evaluated(new Evaluator(exactProduct), parseCase(`${START};a=n+3;b=t+3`), laid);
    expect(run.mock.lastCall?.[0][0].gemm).toMatchObject({ a: { op: 'n', ld: 33 }, b: { op: 't', ld: 33 } });
  });

  it('is refused for one that does not, unless it is the plain one', async () => {
    const plain = {
      ...kernel('naive'),
      refuses: (gemm: Shape | Gemm) => whyNotComputed({ name: 'plain' }, gemm),
    };
    const gather = (a: string) =>
      evaluated(new Evaluator(exactProduct), parseCase(`${START};a=${a};b=n`), plain);
    await expect(gather('t')).rejects.toThrow(
      /does not support 30×30×30, A transposed .*, because it does not accept transposed/,
    );
    await expect(gather('n')).resolves.toBeDefined();
  });
});

it.each(['rises', 'falls'])(
  'compares a product with another one where the error of answers %s',
  async (how) => {
    let calls = 0;
    const spec: FunctionKernel = {
      name: 'mine',
      claims: { deterministic: false },
      multiply: ([x = 0], [y = 0]) => {
        calls++;
        return Float32Array.of(Math.fround(x * y) * (1 + (how === 'rises' ? calls : 99 - calls) * 2 ** -23));
      },
    };
    const mine = externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
    const value = parseCase('kernel=mine;input=uniform;m=1;k=1;n=1;repeats=2');
    const found = await new Evaluator(exactProduct).attempt({ case: value, kernel: mine }, open);
    if (found instanceof ParanoiaError) throw found;
    const [worst, other] = found.outcomes;
    expect(other?.c.data[0]).toBeDefined();
    expect(other?.c.data[0]).not.toBe(worst.c.data[0]);
  },
);

it('names the repeated product where another one between its repetitions throws', async () => {
  const spec: FunctionKernel = {
    name: 'mine',
    multiply(_a, _b, { m, n, k }) {
      if (n !== 9 || k !== 2) throw new Error('no luck');
      return new Float32Array(m * n);
    },
  };
  const mine = externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
  const value = parseCase('kernel=mine;input=uniform;m=1;k=2;n=9;repeats=3');
  const found = await new Evaluator(exactProduct).attempt({ case: value, kernel: mine }, open);
  expect(found).toMatchObject({
    code: 'kernel-threw',
    blames: 'kernel',
    message: expect.stringMatching(
      /^mine threw an error for \d+×\d+×\d+: no luck\. This product is one of those between the repetitions of 1×2×9\.$/,
    ),
  });
});
