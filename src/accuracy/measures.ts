import { f32, f64 } from '../formats/format.ts';
import type { Matrix } from '../matrix/dense.ts';
import { problem } from '../problems.ts';
import type { OperandSize } from './operand-size.ts';
import { type ErrorMeasures, Tally } from './tally.ts';

/** The exact product of the stored inputs, m·n entries row-major: `value` + `low`. */
export interface ExactEntries {
  /** The exact entry, rounded to double. */
  readonly value: Float64Array;
  /** What rounding left: exact − value. Zeros when not given. */
  readonly low?: Float64Array | undefined;
}

export interface Comparison {
  /** Ĉ, m×n. */
  readonly computed: Matrix;
  readonly exact: ExactEntries;
  /** The product that the formula of the inputs means, if it is known. */
  readonly ideal?: ((i: number, j: number) => number) | Matrix<Float64Array> | undefined;
  /** |A||B|, m·n entries row-major, as `absoluteProduct` gives it. */
  readonly absProduct: Float64Array;
  readonly sizeA: OperandSize;
  readonly sizeB: OperandSize;
  /** Unit roundoff that ratios are counted in: 2^-24 for binary32 rounded to nearest. */
  readonly u: number;
  /** Rounds to the format of Ĉ; by default that of its typed array. */
  readonly round?: (x: number) => number;
}

/**
 * The two errors, never mixed: against the exact product of the stored inputs (what the kernel did) and against the
 * ideal product (which includes what rounding the inputs did).
 */
export interface Measures {
  readonly exact: ErrorMeasures;
  readonly ideal?: ErrorMeasures;
}

/**
 * Measures a computed product in one pass.
 * @throws Problem `shapes-differ` when an array has not the m·n entries of the computed product; `bad-number` unless
 * u is above 0 and below 1.
 */
export function measure(comparison: Comparison): Measures {
  const { computed, exact, absProduct, sizeA, sizeB, u } = comparison;
  const { rows, cols, data } = computed;
  checkSizes(comparison);
  const scales = {
    u,
    maxProduct: sizeA.maxAbs * sizeB.maxAbs,
    frobeniusProduct: sizeA.frobenius * sizeB.frobenius,
  };
  const { round = data instanceof Float32Array ? f32.round : f64.round } = comparison;
  const ofExact = new Tally(scales, round);
  const ofIdeal = new Tally(scales, round);
  const ideal = idealEntry(comparison);
  let at = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++, at++) {
      const size = absProduct[at];
      ofExact.add(i, j, data[at], exact.value[at], exact.low === undefined ? 0 : exact.low[at], size);
      if (ideal !== undefined) ofIdeal.add(i, j, data[at], ideal(i, j), 0, size);
    }
  }
  return {
    exact: ofExact.measures(),
    ...(ideal === undefined ? {} : { ideal: ofIdeal.measures() }),
  };
}

function idealEntry({ ideal }: Comparison): ((i: number, j: number) => number) | undefined {
  if (ideal === undefined || typeof ideal === 'function') return ideal;
  return (i, j) => ideal.data[i * ideal.cols + j];
}

function checkSizes({ computed, exact, ideal, absProduct, u }: Comparison): void {
  if (!(u > 0 && u < 1)) {
    throw problem('bad-number', { what: 'The unit roundoff', given: u, need: 'above 0 and below 1' });
  }
  const entries = computed.rows * computed.cols;
  const lengths: [string, number | undefined][] = [
    ['the exact product', exact.value.length],
    ['its low part', exact.low?.length],
    ['|A||B|', absProduct.length],
    ['the ideal product', typeof ideal === 'object' ? ideal.data.length : undefined],
  ];
  for (const [what, length] of lengths) {
    if (length !== undefined && length !== entries) {
      throw problem('shapes-differ', {
        a: `the result is ${computed.rows}×${computed.cols}`,
        b: `${what} has ${length} entries`,
        why: `it must have ${entries}`,
      });
    }
  }
}
