import { expect, test } from 'vitest';
import { exactProduct } from '../exact/exact.ts';
import type { Machine } from '../gpu/device.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { eachEntry } from '../kernels/whole-gemm.testing.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { applyClaims } from '../precision/precision.ts';
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
  const kernel = externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
  const value = parseCase(`kernel=mine;m=6;k=6;n=6;${text}`);
  const found = await new Evaluator(exactProduct).attempt({ case: value, kernel }, {} as Machine);
  return (await resultOf(value, kernel, found, defaultThresholds)).reason;
}

test.each<[string, (gemm: Gemm) => Partial<Gemm>, RegExp]>([
  ['a=n', ({ a }) => ({ a: { ...a, op: 't' } }), /A was read as its transpose/],
  ['b=t+2', ({ b }) => ({ b: { ...b, op: 'n' } }), /B was read as its transpose/],
  ['a=n+2@20', ({ a }) => ({ a: { ...a, ld: 6 } }), /the leading dimension of A was ignored/],
  ['beta=1;c=n+3@20;d=n', ({ c }) => ({ c: { ...c, ld: 6 } }), /the leading dimension of C was ignored/],
  ['b=n@9*9', ({ b }) => ({ b: { ...b, offset: 0 } }), /the offset of B was ignored/],
  ['batch=3', ({ b }) => ({ b: { ...b, stride: 0 } }), /every product of the batch used the first B/],
  ['batch=2;a=n*4', ({ a }) => ({ a: { ...a, stride: 36 } }), /the batch stride of A was ignored/],
  [
    'beta=1;c=nf;d=n',
    ({ c }) => ({ c: { ...c, order: 'row' } }),
    /row-major and column-major order were mixed up for C/,
  ],
  ['beta=0.5', () => ({ beta: 0 }), /beta·C was not added/],
  ['beta=0.5', () => ({ beta: 1 }), /C was added without beta/],
  [
    'beta=0.5',
    () => ({ beta: 1 / 4 }),
    /all 6×6 entries; (the worst error is \S+ times its bound; )?worst at \(\d, \d\): found/,
  ],
  ['alpha=2', () => ({ alpha: 1 }), /alpha was ignored/],
  ['alpha=2', () => ({ alpha: 4 }), /alpha was applied twice/],
  ['alpha=2;beta=4', () => ({ beta: 8 }), /beta·C was added twice/],
  ['alpha=4;beta=0.5', () => ({ beta: 2 }), /alpha was applied to C too/],
  ['alpha=4;beta=0.5', () => ({ alpha: 2 }), /beta was applied to A·B too/],
  ['alpha=0;beta=1', () => ({ alpha: 2 }), /A and B were read although alpha = 0/],
  [
    'beta=0',
    () => ({ beta: 1 }),
    /never written|NaN was read, which lies outside the operands and in C where beta = 0/,
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
