import { describe, expect, test } from 'vitest';
import { ParanoiaError } from '../src/base/errors.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { Evaluator } from '../src/evidence/evaluate.ts';
import { resultOf } from '../src/evidence/result-of.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { defaultCampaign } from '../src/gate/campaign.ts';
import { planCampaign } from '../src/gate/plan-campaign.ts';
import type { Machine } from '../src/gpu/device.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import { makeKernelCatalog } from '../src/kernels/kernel-catalog.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import { eachEntry } from '../src/kernels/whole-gemm.testing.ts';
import { everything } from '../src/matrix/features.ts';
import type { Gemm, MatrixLayout } from '../src/matrix/gemm.ts';
import type { Entries } from '../src/matrix/operands.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { singlePrecision } from '../src/precision/single.ts';
import { formatCase } from '../src/problem/case.ts';
import { orderPlanned } from '../src/run/core.ts';

/**
 * The law: a kernel of general strides, or of batches by lists of addresses, is right wherever its matrices lie, and leaves the gaps alone.
 * One that mistakes a stride or an address of any matrix fails the default gate.
 */
type Multiply = (a: Entries, b: Entries, gemm: Gemm, c: Entries, d: Entries) => Entries;

const honest: Multiply = (a, b, gemm, c, d) => {
  eachEntry(a, b, gemm, c, (entry, place) => {
    d[place(gemm.d)] = entry;
  });
  return d;
};

/** Computes a product whose description is mistaken. */
const taking =
  (mistake: (gemm: Gemm) => Partial<Gemm>): Multiply =>
  (a, b, gemm, c, d) =>
    honest(a, b, { ...gemm, ...mistake(gemm) }, c, d);

const dense = (laid: MatrixLayout): MatrixLayout => ({ ...laid, inc: 1 });
const swapped = ({ ld, inc = 1, ...laid }: MatrixLayout): MatrixLayout => ({ ...laid, ld: inc, inc: ld });
const listed = (change: (addresses: readonly number[]) => Partial<MatrixLayout>) => (laid: MatrixLayout) =>
  laid.addresses === undefined ? laid : { ...laid, ...change(laid.addresses) };
const atOneDistance = listed(([first, second]) => ({
  ...{ addresses: undefined, offset: first, stride: second - first },
}));
const lastRepeated = listed((all) => ({ addresses: [...all.slice(0, -1), all[all.length - 2]] }));
const inOrder = listed((all) => ({ addresses: [...all].sort((x, y) => x - y) }));
const fewAddresses = listed((all) => ({ addresses: all.map((_, p) => all[p % 32]) }));

const strideFaults: Readonly<Record<string, Multiply>> = {
  'the increment of A is ignored': taking(({ a }) => ({ a: dense(a) })),
  'the increment of B is ignored': taking(({ b }) => ({ b: dense(b) })),
  'the increment of C is ignored': taking(({ c }) => ({ c: dense(c) })),
  'the increment of D is ignored': taking(({ d }) => ({ d: dense(d) })),
  'the increments of A and B are swapped': taking(({ a, b }) => ({
    ...{ a: { ...a, inc: b.inc }, b: { ...b, inc: a.inc } },
  })),
  'the strides of rows and columns of B are swapped': taking(({ b }) => ({ b: swapped(b) })),
  'D has the increment of C': taking(({ c, d }) => ({ d: { ...d, inc: c.inc } })),
  'an increment of 3 or more is taken for 2': taking(({ a }) => ({
    a: { ...a, inc: Math.min(a.inc ?? 1, 2) },
  })),
  'a gap of D is written': (a, b, gemm, c, d) => {
    eachEntry(a, b, gemm, c, (entry, place) => {
      d[place(gemm.d)] = entry;
      if ((gemm.d.inc ?? 1) > 1 && place(gemm.d) + 1 < d.length) d[place(gemm.d) + 1] = 0;
    });
    return d;
  },
  'a gap of A is read, times 0': (a, b, gemm, c, d) => {
    eachEntry(a, b, gemm, c, (entry, place) => {
      const gap = (gemm.a.inc ?? 1) > 1 ? 0 * (a[gemm.a.offset + 1] ?? 0) : 0;
      d[place(gemm.d)] = entry + gap;
    });
    return d;
  },
};

const addressFaults: Readonly<Record<string, Multiply>> = {
  'A lies at one distance': taking(({ a }) => ({ a: atOneDistance(a) })),
  'B lies at one distance': taking(({ b }) => ({ b: atOneDistance(b) })),
  'the last address of A is repeated': taking(({ a }) => ({ a: lastRepeated(a) })),
  'the last address of B is repeated': taking(({ b }) => ({ b: lastRepeated(b) })),
  'the addresses of B are sorted': taking(({ b }) => ({ b: inOrder(b) })),
  'the addresses of D are sorted': taking(({ d }) => ({ d: inOrder(d) })),
  'all products add the first C': taking(({ c }) => ({
    c: listed(([first, ...rest]) => ({ addresses: [first, ...rest.map(() => first)] }))(c),
  })),
  'addresses begin again after 32': taking(({ a }) => ({ a: fewAddresses(a) })),
};

const special = { strides: { strides: true }, addresses: { addresses: true } } as const;
/** Multiplications that a case of this test has fewer of. */
const MOST = 20_000;
const evaluator = new Evaluator(exactProduct, { kept: 100 });

/** Small cases of the default gate with a feature, none of them drawn, in the order of a run. */
const planned = Object.fromEntries(
  Object.entries(special).map(([key, more]) => {
    const spec = { name: 'mine', accepts: { ...everything, ...more }, multiply: honest } as FunctionKernel;
    const cases = planCampaign({ ...defaultCampaign, kernels: ['mine'] }, makeKernelCatalog([spec]));
    const asked = orderPlanned(cases).filter(({ problem: { m, k, n, batch, a, b, c, d } }) => {
      const all = [a, b, c, ...(d === undefined ? [] : [d])];
      const isAsked =
        key === 'strides' ? all.some(({ inc = 1 }) => inc > 1) : all.some(({ gap }) => gap === 'listed');
      return isAsked && (key === 'strides' || batch > 1) && m * k * n * batch < MOST;
    });
    return [key, asked];
  }),
) as Record<keyof typeof special, ReturnType<typeof planCampaign>>;

/** Judges cases until one fails. */
async function judged(key: keyof typeof special, multiply: Multiply) {
  const spec = { name: 'mine', accepts: { ...everything, ...special[key] }, multiply } as FunctionKernel;
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
  for (const value of planned[key]) {
    const found = await evaluator.attempt({ case: value, kernel }, {} as Machine);
    if (found instanceof ParanoiaError) expect(found.blames).toBe('kernel');
    const { verdict, reason } = await resultOf(value, kernel, found, defaultThresholds);
    if (verdict !== 'pass') return `${verdict} ${formatCase(value)}: ${reason}`;
  }
  return 'pass';
}

describe.each([
  ['strides', strideFaults],
  ['addresses', addressFaults],
] as const)('the default gate of a kernel of %s', (key, faults) => {
  test('asks for them in every matrix, and passes an honest kernel', async () => {
    expect(planned[key].length).toBeGreaterThan(key === 'strides' ? 30 : 8);
    expect(await judged(key, honest)).toBe('pass');
  });

  test.each(Object.entries(faults))('fails if %s', async (_, multiply) => {
    expect(await judged(key, multiply)).toMatch(/^fail /);
  });
});
