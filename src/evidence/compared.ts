import type { Certificate } from '../exact/certificate.ts';
import type { Matrix } from '../matrix/dense.ts';

/** Exact entries, and what errors of them are seen beside. */
export interface ExactEntries {
  /** Each rounded to double. */
  readonly value: Float64Array;
  /** What rounding left: exact − value. */
  readonly low: Float64Array;
  /** The entries of |α||A||B| + |β||C|. */
  readonly size: Float64Array;
}

/** What products of the same operands are compared with, whatever computes them: m×n, row-major, unless sampled. */
export interface Reference extends ExactEntries {
  /** Of a sample the places of its entries, each once, in m×n, row-major, the products of a batch one below the other. */
  readonly at?: Float64Array;
  /** The share of the m·n entries that are compared. */
  readonly checked: number;
  readonly certificate: Certificate;
  /** Of |α|‖A‖‖B‖ + |β|‖C‖: by the largest entries, and by the Frobenius norms. */
  readonly norms: { readonly maxProduct: number; readonly frobeniusProduct: number };
}

/** Where a compared entry lies. */
export const placeOf = ({ at }: Pick<Reference, 'at'>, entry: number): number =>
  at === undefined ? entry : at[entry];

/** Marks the entries of C, m×n, that are compared and for which something holds. */
export function marked(
  {
    outcomes: [{ c }],
    reference,
  }: { outcomes: readonly [{ readonly c: Matrix }, ...unknown[]]; reference: Reference },
  holds: (entry: number) => boolean,
): Uint8Array {
  const marks = new Uint8Array(c.data.length);
  for (let t = 0; t < reference.value.length; t++) if (holds(t)) marks[placeOf(reference, t)] = 1;
  return marks;
}

/** What a product's reference is made of. */
export interface Compared {
  readonly a: Matrix;
  readonly b: Matrix;
  /** Read where beta is not 0. */
  readonly c?: Matrix | undefined;
  readonly seed?: number | undefined;
}
