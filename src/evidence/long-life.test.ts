import { expect, it } from 'vitest';
import { exactProduct } from '../exact/exact.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import { productsApart } from '../kernels/host/node/apart.ts';
import { type Kernel, type KernelSession, runInSequence } from '../kernels/kernel.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { applyClaims } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { parseCase } from '../problem/case.ts';
import { Evaluator } from './evaluate.ts';

const value = parseCase('kernel=mine;input=integers;m=2;k=3;n=4;repeats=1000');

/** Returns a kernel that is right for the first `products`, and takes many at a time. */
function rightFor(products: number): { kernel: Kernel; asked: () => number; renewed: () => number } {
  let [asked, renewed] = [0, 0];
  const spec: FunctionKernel = {
    name: 'mine',
    claims: { deterministic: false },
    multiply(a, b, { m, k, n }) {
      const c = new Float32Array(m * n);
      for (let i = 0; i < m; i++)
        for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
      if (asked++ >= products) c[5] = -c[5];
      return c;
    },
  };
  const open = openFunctionKernel(spec);
  const session: KernelSession = {
    ...open,
    asksApart: true,
    renew: async () => void renewed++,
    run: runInSequence(async (job) => {
      if (job.apart !== undefined) return productsApart(open, job, job.apart);
      const [product] = await open.run([job]);
      if (product instanceof Error) throw product;
      return product;
    }),
  };
  return {
    kernel: externalKernel(spec, session, applyClaims(singlePrecision)),
    ...{ asked: () => asked, renewed: () => renewed },
  };
}

const LIFE = { count: 300 };
const judged = ({ kernel }: { kernel: Kernel }) =>
  new Evaluator(exactProduct, { wary: true, life: LIFE }).attempt({ case: value, kernel }, {
    fingerprint: undefined,
  } as never);

it('a kernel is asked for as many products as a life has, beside the first and the last', async () => {
  const mine = rightFor(Number.POSITIVE_INFINITY);
  expect(await judged(mine)).toMatchObject({ outcomes: [{ overwritten: 0 }, expect.anything()] });
  expect(mine.asked()).toBe(LIFE.count + 2);
});

it('an entry that is wrong once is told with its number, and what the process counts is forgotten', async () => {
  const mine = rightFor(200);
  expect(await judged(mine)).toMatchObject({
    code: 'kernel-wears-out',
    blames: 'kernel',
    message: expect.stringMatching(
      / at \(1, 1\) of 2×3×4, expected .* exactly\. It was product 200 of many small/,
    ),
  });
  expect(mine.renewed()).toBe(1);
});

it('where nobody asks for products one after the other, its case is asked for a few times in company', async () => {
  const { kernel, asked } = rightFor(Number.POSITIVE_INFINITY);
  const own = { ...kernel, session: { ...kernel.session, asksApart: false } };
  const found = await new Evaluator(exactProduct, { wary: true }).attempt({ case: value, kernel: own }, {
    fingerprint: undefined,
  } as never);
  expect(found).not.toBeInstanceOf(Error);
  expect(asked()).toBeLessThan(40);
});
