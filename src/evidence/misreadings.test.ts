import { expect, test } from 'vitest';
import { exactProduct } from '../exact/exact.ts';
import type { Machine } from '../gpu/device.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { eachEntry } from '../kernels/whole-gemm.testing.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { claimedIn } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { parseCase } from '../problem/case.ts';
import { defaultThresholds } from './checks/check.ts';
import { Evaluator } from './evaluate.ts';
import { resultOf } from './result-of.ts';

/** Returns a kernel that reads memory by other parameters than requested. */
const misread =
  (change: (gemm: Gemm) => Partial<Gemm>): FunctionKernel<Float32Array>['multiply'] =>
  (a, b, gemm, c, d) => {
    eachEntry(a, b, { ...gemm, ...change(gemm) }, c.slice(), (entry, place) => {
      d[place(gemm.d)] = entry;
    });
    return d;
  };

async function reasonOf(text: string, change: (gemm: Gemm) => Partial<Gemm>): Promise<string> {
  const spec = { name: 'mine', accepts: 'everything', multiply: misread(change) } as const;
  const kernel = externalKernel(spec, openFunctionKernel(spec), claimedIn(singlePrecision));
  const value = parseCase(`kernel=mine;m=6;k=6;n=6;${text}`);
  const found = await new Evaluator(exactProduct).attempt({ case: value, kernel }, {} as Machine);
  return (await resultOf(value, kernel, found, defaultThresholds)).reason;
}

test.each<[string, (gemm: Gemm) => Partial<Gemm>, RegExp]>([
  ['a=n', ({ a }) => ({ a: { ...a, op: 't' } }), /as if A were read as its transpose/],
  ['b=t+2', ({ b }) => ({ b: { ...b, op: 'n' } }), /as if B were read as its transpose/],
  [
    'a=n+2@20',
    ({ a }) => ({ a: { ...a, ld: 6 } }),
    /as if the lines of A were as far apart as they are long/,
  ],
  [
    'beta=1;c=n+3@20;d=n',
    ({ c }) => ({ c: { ...c, ld: 6 } }),
    /as if the lines of C were as far apart as they are long/,
  ],
  ['b=n@9*9', ({ b }) => ({ b: { ...b, offset: 0 } }), /as if the entries before B were a part of it/],
  ['batch=3', ({ b }) => ({ b: { ...b, stride: 0 } }), /as if all products of the batch used the first B/],
  ['batch=2;a=n*4', ({ a }) => ({ a: { ...a, stride: 36 } }), /as if the A of a batch lay without gaps/],
  ['beta=1;c=nf;d=n', ({ c }) => ({ c: { ...c, order: 'row' } }), /as if C were stored in the other order/],
  ['beta=0.5', () => ({ beta: 0 }), /as if beta·C were not added/],
  ['beta=0.5', () => ({ beta: 1 }), /as if C were added without beta/],
  ['beta=0.5', () => ({ beta: 1 / 4 }), /all 6×6 entries; worst at \(\d, \d\): found/],
  ['alpha=2', () => ({ alpha: 1 }), /as if alpha were left out/],
  ['alpha=2', () => ({ alpha: 4 }), /as if alpha were multiplied twice/],
  ['alpha=2;beta=4', () => ({ beta: 8 }), /as if beta·C were added twice/],
  ['alpha=4;beta=0.5', () => ({ beta: 2 }), /as if alpha multiplied C too/],
  ['alpha=4;beta=0.5', () => ({ alpha: 2 }), /as if beta multiplied all of it/],
  ['alpha=0;beta=1', () => ({ alpha: 2 }), /NaN, which lies in A and B where alpha = 0/],
  [
    'beta=0',
    () => ({ beta: 1 }),
    /never written|NaN, which lies outside of the operands, and in C where beta = 0/,
  ],
])('of whole and of random numbers: %s, %s', async (text, change, says) => {
  expect(await reasonOf(`${text};input=integers`, change)).toMatch(says);
  expect(await reasonOf(text, change)).toMatch(says);
});

test('of a batch it is said which products are wrong', async () => {
  const reason = await reasonOf('batch=3;input=integers', ({ b }) => ({ b: { ...b, stride: 0 } }));
  expect(reason).toMatch(
    /products 1, 2 of the batch of 3: .*in product 1; worst at \(\d, \d\) of product [12]/,
  );
});
