import type { Gemm } from '../matrix/gemm.ts';

/** Returns the text of an entry in messages; a complex entry with its part: "(2, 3)", "the imaginary part of (2, 3)". */
export function placeText({ m, complex }: Pick<Gemm, 'm' | 'complex'>, i: number, j: number): string {
  if (complex === undefined) return `(${i}, ${j})`;
  const half = m / 2;
  return `the ${i < half ? 'real' : 'imaginary'} part of (${i % half}, ${j})`;
}
