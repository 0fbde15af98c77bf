import { badNumber } from '../base/messages.ts';
import type { Matrix } from '../matrix/dense.ts';
import { shapesDiffer } from '../matrix/messages.ts';
import { f32, f64 } from '../precision/format.ts';
import type { Reference } from './compared.ts';
import { type ErrorMeasures, ErrorTally } from './tally.ts';

export interface ProductComparison {
  /** Ĉ, m×n. */
  readonly computed: Matrix;
  readonly reference: Omit<Reference, 'checked' | 'certificate'>;
  /** Entry (i, j) of the product that the formula of the inputs means, if it is known. */
  readonly ideal?: ((i: number, j: number) => number) | undefined;
  /** Unit of the ratios, a unit roundoff: 2^-24 for binary32 rounded to nearest. */
  readonly u: number;
  /** Rounds to the format of Ĉ; by default that of its typed array. */
  readonly round?: (x: number) => number;
}

/**
 * Both errors of a product, never mixed. `exact` is against the exact product of the stored inputs, over the compared entries: the error
 * of the kernel. `ideal` is against the ideal product, over all entries, and includes the error of rounding the inputs.
 */
export interface Measures {
  readonly exact: ErrorMeasures;
  readonly ideal?: ErrorMeasures;
}

/** Receives entry (i, j): computed, exact value + low, and the size that its error is measured by. */
type Visit = (i: number, j: number, computed: number, value: number, low: number, size: number) => void;

/**
 * Measures a computed product.
 * @throws ParanoiaError `shapes-differ` when an array has not the entries of the computed product; `bad-number` unless u is above 0 and
 * below 1.
 */
export function measure(comparison: ProductComparison): Measures {
  const { computed, reference, ideal } = comparison;
  checkSizes(comparison);
  const tally = tallyFor(comparison);
  eachCompared(computed, reference, (i, j, found, value, low, size) =>
    tally.add(i, j, found, value, low, size),
  );
  if (ideal === undefined) return { exact: tally.measures() };
  return { exact: tally.measures(), ideal: measureAgainst(comparison, ideal) };
}

/** Measures all entries of a computed product against expected values other than the exact ones. */
export function measureAgainst(
  comparison: ProductComparison,
  expected: (i: number, j: number) => number,
): ErrorMeasures {
  const { computed, reference } = comparison;
  const { rows, cols, data } = computed;
  const tally = tallyFor(comparison);
  // For a sample, |A||B| is known only at its entries.
  const sizes = reference.at === undefined ? reference.size : undefined;
  for (let i = 0, e = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++, e++) {
      tally.add(
        i,
        j,
        data[e],
        expected(i, j),
        0,
        sizes === undefined ? reference.norms.maxProduct : sizes[e],
      );
    }
  }
  return tally.measures();
}

/** Visits the compared entries: all, or those of the sample. */
export function eachCompared(
  { cols, data }: Matrix,
  reference: ProductComparison['reference'],
  visit: Visit,
): void {
  const { at, value, low, size } = reference;
  for (let t = 0, i = 0, j = 0; t < value.length; t++, j++) {
    const e = at === undefined ? t : at[t];
    // Divisions are slower than all else here.
    if (at !== undefined) [i, j] = [Math.floor(e / cols), e % cols];
    else if (j === cols) [i, j] = [i + 1, 0];
    visit(i, j, data[e], value[t], low[t], size[t]);
  }
}

function tallyFor({ computed, reference: { norms }, u, round }: ProductComparison): ErrorTally {
  return new ErrorTally(
    { u, ...norms },
    round ?? (computed.data instanceof Float32Array ? f32.round : f64.round),
  );
}

function checkSizes({ computed, reference: { value, low, size, at }, u }: ProductComparison): void {
  if (!(u > 0 && u < 1)) {
    throw badNumber({ what: 'The unit roundoff', given: u, need: 'above 0 and below 1' });
  }
  const entries = at?.length ?? computed.rows * computed.cols;
  const lengths: [string, number][] = [
    ['the exact product', value.length],
    ['its low part', low.length],
    ['|A||B|', size.length],
  ];
  for (const [what, length] of lengths) {
    if (length === entries) continue;
    throw shapesDiffer({
      a: `the result is ${computed.rows}×${computed.cols}`,
      b: `${what} has ${length} entries`,
      why: `it must have ${entries}`,
    });
  }
}
