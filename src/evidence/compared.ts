import type { Certificate } from '../exact/exact-product.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';

/** Exact entries, and the sizes that their errors are measured by. */
export interface ExactEntries {
  /** The entries, each rounded to double. */
  readonly value: Float64Array;
  /** The rest of each entry: exact − value. */
  readonly low: Float64Array;
  /** The entries of |α||A||B| + |β||C|. */
  readonly size: Float64Array;
}

/** The exact product of operands, m×n and row-major unless sampled, for any kernel that computes it. */
export interface Reference extends ExactEntries {
  /** Places of sampled entries, each once, in m×n, row-major, the products of a batch one below the other. */
  readonly at?: Float64Array;
  /** The share of the m·n entries that are compared. */
  readonly checked: number;
  readonly certificate: Certificate;
  /** |α|‖A‖‖B‖ + |β|‖C‖, with the norms of the largest entry and of Frobenius. */
  readonly norms: { readonly maxProduct: number; readonly frobeniusProduct: number };
}

/** Returns the place in C of a compared entry. */
export const resultIndexOf = ({ at }: Pick<Reference, 'at'>, entry: number): number =>
  at === undefined ? entry : at[entry];

/** Marks the compared entries of C, m×n, for which a predicate holds. */
export function markEntries(
  {
    outcomes: [{ c }],
    reference,
  }: { outcomes: readonly [{ readonly c: Matrix }, ...unknown[]]; reference: Reference },
  holds: (entry: number) => boolean,
): Uint8Array {
  const marks = new Uint8Array(c.data.length);
  for (let t = 0; t < reference.value.length; t++) if (holds(t)) marks[resultIndexOf(reference, t)] = 1;
  return marks;
}

/** Operands of which a reference is computed. */
export interface ReferenceInput {
  readonly a: Matrix;
  readonly b: Matrix;
  /** Read where beta is not 0. */
  readonly c?: Matrix | undefined;
  readonly seed?: number | undefined;
}

/** Returns the text of an entry in messages; a complex entry with its part: "(2, 3)", "the imaginary part of (2, 3)". */
export function placeText({ m, complex }: Pick<Gemm, 'm' | 'complex'>, i: number, j: number): string {
  if (complex === undefined) return `(${i}, ${j})`;
  const half = m / 2;
  return `the ${i < half ? 'real' : 'imaginary'} part of (${i % half}, ${j})`;
}
