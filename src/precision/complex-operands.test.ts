import { describe, expect, test } from 'vitest';
import { embedLeft, embedRight, splitComplexParts } from '../matrix/complex.ts';
import { matrix } from '../matrix/dense.ts';
import { type ComplexEntries, type Gemm, requestedGemm } from '../matrix/gemm.ts';
import { caseOf } from '../problem/case.ts';
import { judgedGemm } from '../problem/gemm-of.ts';
import { readStorage, type Storage } from '../problem/problem.ts';
import { layOutOperands, readResult } from './complex-operands.ts';
import { precisions } from './precisions.ts';

const c32 = precisions.find('c32');
const numbers = (rows: number, cols: number, from: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, (_, e) => from + e),
  );
const storage = (text: string) => readStorage(text) as Storage;

function asked(entries: ComplexEntries, more: Record<string, unknown> = {}): Gemm {
  const value = caseOf({ kernel: 'any', m: 2, k: 3, n: 1, precision: 'c32', ...more });
  return requestedGemm(judgedGemm(value.problem, entries));
}

const [ar, ai] = [numbers(2, 3, 1), numbers(2, 3, 11)];
const [br, bi] = [numbers(3, 1, 21), numbers(3, 1, 31)];
const operands = { a: embedLeft(ar, ai), b: embedRight(br, bi) };

test('parts come back from the real matrices that stand for them', () => {
  expect(splitComplexParts('a', operands.a, { m: 2, k: 3 })).toEqual([ar, ai]);
  expect(splitComplexParts('b', operands.b, { m: 2, k: 3 })).toEqual([br, bi]);
});

describe('entries as a kernel gets them', () => {
  test('side by side, or one part after the other', () => {
    expect([...layOutOperands(operands, asked('interleaved'), c32).b]).toEqual([21, 31, 22, 32, 23, 33]);
    expect([...layOutOperands(operands, asked('planar'), c32).b]).toEqual([21, 22, 23, 31, 32, 33]);
  });

  test('of a conjugate transpose the conjugated columns, gaps in both parts', () => {
    const { a } = layOutOperands(operands, asked('interleaved', { a: storage('c+1@1') }), c32);
    const gap = [Number.NaN, Number.NaN];
    expect([...a]).toEqual([...gap, 1, -11, 4, -14, ...gap, 2, -12, 5, -15, ...gap, 3, -13, 6, -16, ...gap]);
  });
});

describe.each(['interleaved', 'planar'] as const)('a %s answer', (entries) => {
  const gemm = asked(entries, { m: 2, n: 2, c: storage('n+1') });

  test('is taken apart, and what was not written is counted part by part', () => {
    const { d } = layOutOperands(operands, gemm, c32);
    const place = (e: number, part: number) => (entries === 'planar' ? part * 6 + e : 2 * e + part);
    for (const [at, e] of [0, 1, 3, 4].entries()) {
      d[place(e, 0)] = at;
      if (at < 3) d[place(e, 1)] = 10 + at;
    }
    const { entries: found, ...left } = readResult(d, gemm, true);
    expect([...found].slice(0, 7)).toEqual([0, 1, 2, 3, 10, 11, 12]);
    expect(left).toEqual({ unwritten: 1, overwritten: 0 });
    d[place(2, 1)] = 0;
    expect(readResult(d, gemm, true).overwritten).toBe(1);
  });
});
