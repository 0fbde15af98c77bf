import { type Gemm, type Laid, linesOf } from '../../src/matrix/gemm.ts';
import type { Fill } from './fills.ts';

/** How a grader wants a matrix stored: by rows and without gaps where nothing is said. */
export interface Stored {
  readonly op?: 'n' | 't';
  readonly order?: 'row' | 'column';
  /** Entries of a line beyond the least. */
  readonly pad?: number;
  readonly offset?: number;
  /** Whether all products of a batch take the same one. */
  readonly shared?: boolean;
}

/** What a grader wants of a product. */
export interface Wanted {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly batch?: number;
  readonly alpha?: number;
  readonly beta?: number;
  readonly a?: Stored;
  readonly b?: Stored;
  readonly c?: Stored;
  /** Whether D lies apart from C. */
  readonly apart?: boolean;
}

/** One product that a grader asks for, and with what. */
export interface Ask {
  readonly wanted: Wanted;
  readonly fill: Fill;
  /** What lies in D before; C's entries where D is C and C is read. */
  readonly before: 'zeros' | 'nan' | 'data';
  /** Whether C holds NaN where beta is 0. */
  readonly poisonsC?: boolean;
  /** Where in op(A) a special value lies instead: the row, the column and what. */
  readonly special?: readonly [row: number, col: number, value: number];
  /** How often it is asked in a row; every answer is compared. @defaultValue 1 */
  readonly times?: number;
}

const laid = (
  rows: number,
  cols: number,
  { op = 'n', order = 'row', pad = 0, offset = 0, shared }: Stored = {},
): Laid => {
  const { lines, entries } = linesOf({ op, order }, { rows, cols });
  const ld = Math.max(1, entries) + pad;
  return { op, order, ld, offset, stride: shared === true ? 0 : lines * ld };
};

/** A product in the words of kernels. */
export function gemmOf({ m, k, n, batch = 1, alpha = 1, beta = 0, a, b, c, apart }: Wanted): Gemm {
  const out = laid(m, n, c);
  const d = apart === true ? { ...out } : out;
  return { m, k, n, batch, alpha, beta, a: laid(m, k, a), b: laid(k, n, b), c: out, d };
}

/** Multiplications of a product. */
export const workOf = ({ m, k, n, batch = 1 }: Wanted): number => m * k * n * batch;

/**
 * A product whose sizes are halved, the largest first, until it takes no more than `most` multiplications: the size of its
 * batch counts as the others do.
 */
export function shrunk(wanted: Wanted, most: number): Wanted {
  let found = wanted;
  while (workOf(found) > most) {
    const sizes = { m: found.m, k: found.k, n: found.n, batch: found.batch ?? 1 };
    const [largest] = Object.entries(sizes).sort(([, one], [, other]) => other - one)[0];
    found = { ...found, [largest]: Math.ceil(sizes[largest as keyof typeof sizes] / 2) };
  }
  return found;
}
