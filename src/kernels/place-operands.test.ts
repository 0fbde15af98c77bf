import { expect, it } from 'vitest';
import { type Matrix, matrix } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import type { Entries } from '../matrix/operands.ts';
import { parseCase } from '../problem/case.ts';
import { toGemm } from '../problem/gemm-of.ts';
import { openFunctionKernel } from './function-kernel.ts';
import type { MemoryPlacement } from './kernel.ts';
import { rememberMemory } from './place-operands.ts';
import { productFrom } from './tampered.testing.ts';

const square = (...entries: number[]): Matrix => matrix(2, 2, Float32Array.from(entries));
const A = square(1, 2, 3, 4);
const B = square(5, 6, 7, 8);
const AB = Float32Array.of(19, 22, 43, 50);
const ONES = square(1, 0, 0, 1);

interface Seen {
  readonly a: Entries;
  readonly b: Entries;
  readonly d: Entries;
  readonly gemm: Gemm;
}

/** Opens a session of an honest kernel that records its operands. */
function opened(after: (all: readonly Seen[]) => void = () => {}) {
  const seen: Seen[] = [];
  const session = openFunctionKernel({
    name: 'seen',
    accepts: 'everything',
    multiply(a, b, gemm, _, d) {
      const [m, n] = [gemm.m, gemm.n];
      for (let e = 0; e < m * n; e++) {
        d[e] = 0;
        for (let p = 0; p < gemm.k; p++) d[e] += a[Math.floor(e / n) * gemm.k + p] * b[p * n + (e % n)];
      }
      seen.push({ a, b, d, gemm });
      after(seen);
      return d;
    },
  });
  const ask = async (a: Matrix, b: Matrix, memory?: MemoryPlacement) =>
    (await productFrom(session, { operands: { a, b }, memory })).c.data;
  return { seen, ask };
}

it('a product lies in memory of its own, described anew', async () => {
  const { seen, ask } = opened();
  for (let time = 0; time < 2; time++) expect(await ask(A, B)).toEqual(AB);
  const [one, two] = seen;
  for (const key of ['a', 'b', 'd', 'gemm'] as const) expect(two[key]).not.toBe(one[key]);
  expect(two.gemm).toEqual(one.gemm);
});

it('again: where the product before lay, described by the same object, where it has the same lengths', async () => {
  const { seen, ask } = opened();
  await ask(B, A);
  expect(await ask(A, B, 'again')).toEqual(AB);
  const [one, two] = seen;
  for (const key of ['a', 'b', 'd', 'gemm'] as const) expect(two[key]).toBe(one[key]);
  await ask(matrix(1, 2, A.data.slice(0, 2)), B, 'again');
  expect(seen[2].a).not.toBe(two.a);
  expect(seen[2].gemm).not.toBe(two.gemm);
});

it('a large product is not remembered', () => {
  const told = toGemm(parseCase('kernel=seen;m=1;k=1;n=1').problem);
  const given = (entries: number) => {
    const [a, b, c] = [new Float32Array(entries), new Float32Array(1), new Float32Array(1)];
    return { a, b, c, d: c, factors: {} };
  };
  expect(rememberMemory({ given: given(2 ** 23), told })).toBeUndefined();
  const small = given(1);
  expect(rememberMemory({ given: small, told })).toEqual({ given: small, told });
});

it('same-b: B alone where it lay before', async () => {
  const { seen, ask } = opened();
  await ask(ONES, B);
  expect(await ask(A, B, 'same-b')).toEqual(AB);
  const [one, two] = seen;
  expect([two.a === one.a, two.b === one.b, two.d === one.d]).toEqual([false, true, false]);
});

it('chained: A in the memory of the D before', async () => {
  const { seen, ask } = opened();
  expect(await ask(A, ONES)).toEqual(A.data);
  expect(await ask(A, B, 'chained')).toEqual(AB);
  expect(seen[1].a).toBe(seen[0].d);
});

it('heap: all in parts of one memory, nothing but NaN between them', async () => {
  const { seen, ask } = opened();
  expect(await ask(A, B, 'heap')).toEqual(AB);
  const [{ a, b, d }] = seen;
  expect(new Set([a.buffer, b.buffer, d.buffer]).size).toBe(1);
  const all = new Float32Array(a.buffer);
  expect(all.length).toBeGreaterThan(12);
  expect([...all].filter((x) => !Number.isNaN(x)).sort()).toEqual([...A.data, ...B.data, ...AB].sort());
});

it('strewn: in views of larger memory, with numbers where nothing is to be read', async () => {
  const gemm = toGemm(parseCase('kernel=seen;m=2;k=2;n=2;a=n+1;b=n;d=n').problem);
  const given: Entries[] = [];
  const session = openFunctionKernel({
    name: 'seen',
    accepts: { leadingDimensions: true, outOfPlace: true },
    multiply(a, b, _, c, d) {
      given.push(a, b, c, d.slice() as Entries);
      return d;
    },
  });
  const one = await productFrom(session, { operands: { a: A, b: B }, gemm, memory: 'strewn' });
  const [a, b, c, d] = given;
  for (const { byteOffset, byteLength, buffer } of [a, b, c]) {
    expect(byteOffset).toBeGreaterThan(0);
    expect(buffer.byteLength).toBeGreaterThan(byteOffset + byteLength);
  }
  expect([...a.subarray(0, 2), ...a.subarray(3, 5)]).toEqual([...A.data]);
  expect([...b]).toEqual([...B.data]);
  for (const x of [...a, ...c, ...d]) expect(Number.isFinite(x)).toBe(true);
  // Unwritten memory keeps its content, and is compared as the answer.
  expect(one.c.data).toEqual(d);
});

it('a D that is changed after it was answered is told of, and how long after', async () => {
  const late = opened((all) => {
    if (all.length === 4) all[0].d[3] += 1;
  });
  for (let time = 0; time < 3; time++) await late.ask(A, B);
  await expect(late.ask(A, B)).rejects.toThrow(
    'seen modified an earlier result (3 products before 2×2×2). Do not write',
  );
  expect(await late.ask(A, B)).toEqual(AB);
});

it('memory that is used for another product is no answer any more', async () => {
  const { ask } = opened();
  await ask(A, ONES);
  await ask(B, B, 'chained');
  await ask(ONES, B, 'again');
  expect(await ask(A, B)).toEqual(AB);
});

it.each(['again', 'same-b', 'chained'] as const)(
  '%s: in memory of its own where none is remembered',
  async (memory) => {
    const { seen, ask } = opened();
    expect(await ask(A, B, memory)).toEqual(AB);
    expect(seen[0].a).not.toBe(seen[0].d);
  },
);
