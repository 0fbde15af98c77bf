import { expect, it } from 'vitest';
import type { ParanoiaError } from '../../base/errors.ts';
import { inShort, itWhole } from '../../base/in-short.testing.ts';
import { exactProduct } from '../../exact/exact.ts';
import { externalKernel } from '../../kernels/external-kernel.ts';
import { openFunctionKernel } from '../../kernels/function-kernel.ts';
import type { FunctionKernel } from '../../kernels/user-kernel.ts';
import type { Features } from '../../matrix/features.ts';
import { type Gemm, isPlain, stepsOf } from '../../matrix/gemm.ts';
import { applyClaims } from '../../precision/precision.ts';
import { precisions } from '../../precision/precisions.ts';
import { parseCase } from '../../problem/case.ts';
import { Evaluator } from '../evaluate.ts';

/** Judges a right kernel, or one that is wrong where `isWrong` says so: `before` is the number of earlier products of its process. */
async function judged(
  { program = 40, seed = 3, precision = 'f32' } = {},
  accepts: Features | 'everything' = 'everything',
  isWrong: (before: number) => boolean = () => false,
) {
  const asked: Gemm[] = [];
  let [before, renewed] = [0, 0];
  const spec: FunctionKernel<Float32Array> = {
    ...{ name: 'mine', accepts, precision },
    multiply(a, b, gemm, c, d) {
      const { m, k, n, batch, alpha, beta } = gemm;
      asked.push(gemm);
      const [ofA, ofB, ofC, ofD] = [gemm.a, gemm.b, gemm.c, gemm.d].map(stepsOf);
      for (let q = 0; q < batch; q++)
        for (let i = 0; i < m; i++)
          for (let j = 0; j < n; j++) {
            let sum = 0;
            const [fromA, fromB] = [gemm.a.offset + q * gemm.a.stride, gemm.b.offset + q * gemm.b.stride];
            for (let p = 0; p < k; p++)
              sum += a[fromA + i * ofA.row + p * ofA.col] * b[fromB + p * ofB.row + j * ofB.col];
            const old =
              beta === 0 ? 0 : beta * c[gemm.c.offset + q * gemm.c.stride + i * ofC.row + j * ofC.col];
            d[gemm.d.offset + q * gemm.d.stride + i * ofD.row + j * ofD.col] = alpha * sum + old;
          }
      if (isWrong(before++)) d[gemm.d.offset] += 1 + Math.abs(d[gemm.d.offset]);
      return d;
    },
  };
  const open = openFunctionKernel(spec as FunctionKernel);
  const renew = async () => {
    [before, renewed] = [0, renewed + 1];
  };
  const kernel = externalKernel(spec as never, { ...open, renew }, applyClaims(precisions.find(precision)));
  const text = `kernel=mine;m=5;k=6;n=7;seed=${seed};precision=${precision};program=${program}`;
  const found = await new Evaluator(exactProduct).attempt({ case: parseCase(text), kernel }, {
    fingerprint: undefined,
  } as never);
  return { found, asked, renewed: () => renewed };
}

const codeOf = (found: unknown) => (found as ParanoiaError).code;
const messageOf = (found: unknown) => (found as ParanoiaError).message;

it('asks a new process for a program and then for the product, and finds nothing wrong with a right kernel', async () => {
  const { found, asked, renewed } = await judged();
  expect(found).toMatchObject({ gemm: { m: 5, k: 6, n: 7 } });
  expect(renewed()).toBe(1);
  expect(asked.slice(40).every(({ m, k, n }) => [m, k, n].join() === '5,6,7')).toBe(true);
  expect(new Set(asked.slice(0, 40).map(({ m, k, n }) => [m, k, n].join())).size).toBeGreaterThan(2);
});

it('finds one entry of one answer, that of a wrong product wherever it is', async () => {
  const { found } = await judged({}, 'everything', (before) => before === 0);
  expect(codeOf(found)).toBe('kernel-errs-in-program');
  expect(messageOf(found)).toMatch(/number 1 of a call sequence \(.*\); it is wrong alone, too: /);
});

it('says after how many products an answer is wrong that is right alone, and leaves a new process', async () => {
  const { found, renewed } = await judged({}, 'everything', (before) => before === 25);
  expect(messageOf(found)).toMatch(
    /number 26 of a call sequence .*; it is right alone, but wrong after the 25 products/,
  );
  expect(renewed()).toBeGreaterThan(4);
});

itWhole('is the same again, and fails as a shorter one that ends with the wrong product', async () => {
  const wrong = (before: number) => before === 25;
  const messages = [40, 40, 26].map(async (program) =>
    messageOf((await judged({ program }, 'everything', wrong)).found),
  );
  const [first, again, shorter] = await Promise.all(messages);
  expect([again, shorter]).toEqual([first, first]);
  expect(
    codeOf((await judged({ program: 25 }, 'everything', (before) => before === 26)).found),
  ).toBeUndefined();
});

itWhole('asks what takes nothing but A·B for that alone, and goes on', async () => {
  const seeds = inShort([1, 2, 3, 4, 5, 6], 6);
  for (const seed of seeds) {
    const { found, asked } = await judged({ seed }, {});
    expect(codeOf(found)).toBeUndefined();
    expect(asked.every(isPlain)).toBe(true);
    expect(asked.length).toBeGreaterThanOrEqual(40);
  }
});

itWhole('lets programs transpose, scale, add and come in batches where that is taken', async () => {
  const all = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((at) => judged({ seed: 16 + at, program: 90 })));
  const asked = all.flatMap((one) => one.asked);
  const some = (holds: (gemm: Gemm) => boolean) => asked.filter(holds).length;
  expect(some(({ a, b }) => a.op === 't' || b.op === 't')).toBeGreaterThan(20);
  expect(some(({ alpha }) => alpha !== 1)).toBeGreaterThan(5);
  expect(some(({ beta }) => beta !== 0)).toBeGreaterThan(5);
  expect(some(({ batch }) => batch > 1)).toBeGreaterThan(0);
  expect(some(({ a }) => a.order === 'column')).toBeGreaterThan(5);
});

it('refuses precisions whose range its numbers would leave', async () => {
  const { found } = await judged({ precision: 'f16' });
  expect(codeOf(found)).toBe('not-served');
});
