import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import type { KernelJob } from '../kernels/kernel.ts';
import { matrix, type Shape } from '../matrix/dense.ts';
import { singlePrecision } from '../precision/single.ts';
import type { ProductJob } from './evidence.ts';
import { type CallSequence, chainProduct, drawCallSequence } from './programs.ts';

const entries = (rows: number, cols: number, first: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, (_, at) => first + at),
  );

const product = ({ m, k, n }: Shape, first: number, isCalled = true) =>
  ({
    operands: { a: entries(m, k, first), b: entries(k, n, first) },
    kernel: { session: { isCalled }, precision: singlePrecision },
  }) as unknown as ProductJob;

const shape = { m: 5, k: 7, n: 3 };
const job = product(shape, 1);
const programs = Array.from({ length: 400 }, (_, seed) => {
  const random = createRandom(seed + 1, 1);
  return drawCallSequence({ job, shape, random, other: (one) => product(one, random.int(100, 10_000)) });
});
const sizesOf = ({ operands: { a, b } }: KernelJob) => [a.rows, a.cols, b.cols].join();
const share = (holds: (one: CallSequence) => boolean) => programs.filter(holds).length / programs.length;

it('ends with the product itself, which any number of others came before, in any memory', () => {
  expect(programs.every((one) => one.job.operands === job.operands)).toBe(true);
  expect(new Set(programs.map(({ before }) => before.length)).size).toBeGreaterThan(8);
  expect(new Set(programs.map((one) => one.job.memory)).size).toBe(6);
  const atOnce = programs.map((one) => one.job.inFlight?.before.length ?? 0);
  expect(Math.max(...atOnce)).toBe(5);
});

it('meets what programs do, each a few times in a hundred', () => {
  const { a, b } = job.operands;
  const any = (holds: (one: KernelJob) => boolean) => share(({ before }) => before.some(holds));
  expect(any((one) => one.operands.a === a && one.operands.b !== b)).toBeGreaterThan(0.05);
  expect(any((one) => one.operands.b === b && one.operands.a !== a)).toBeGreaterThan(0.05);
  expect(any((one) => one.operands.b === b && one.operands.a === a)).toBeGreaterThan(0.05);
  const fewOthers = (one: KernelJob) => one.operands.a.data.filter((x, at) => x !== a.data[at]).length;
  expect(any((one) => sizesOf(one) === '5,7,3' && fewOthers(one) === 1)).toBeGreaterThan(0.03);
  expect(any((one) => ['7,5,3', '5,3,7'].includes(sizesOf(one)))).toBeGreaterThan(0.03);
  expect(any((one) => one.operands.a.rows === 5 && one.operands.a.cols === 3)).toBeGreaterThan(0.03);
});

it('lets nothing lie anywhere, nor fly, where no function is called', () => {
  const random = createRandom(1, 1);
  const own = product(shape, 1, false);
  for (let times = 0; times < 50; times++) {
    const { before, job: last } = drawCallSequence({
      job: own,
      shape,
      random,
      other: (one) => product(one, 2, false),
    });
    for (const one of [...before, last]) expect([one.memory, one.inFlight]).toEqual([undefined, undefined]);
  }
});

it('computes A by a product of others, exactly', () => {
  const { operands } = chainProduct({ job, shape, other: (one) => product(one, 2) }) as KernelJob;
  const { a, b } = operands;
  const found = Array.from({ length: 35 }, (_, e) => {
    let sum = 0;
    for (let p = 0; p < 7; p++) sum += a.data[Math.floor(e / 7) * 7 + p] * b.data[p * 7 + (e % 7)];
    return sum;
  });
  expect(found).toEqual([...job.operands.a.data]);
  expect(a.data).not.toEqual(job.operands.a.data);
  expect(
    share(({ before }) => before.some((one) => sizesOf(one) === '5,7,7' && one.operands.b.data[0] === 0)),
  ).toBeGreaterThan(0.05);
});
