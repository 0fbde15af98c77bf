import type { Format } from '../../src/precision/format.ts';
import type { Precision } from '../../src/precision/precision.ts';

/** A product and the result that a grader expects: row-major entries, the matrices of a batch one after the other. */
export interface ExpectedComparison {
  readonly found: Float64Array;
  readonly expected: Float64Array;
  /** |alpha|·|A||B| + |beta·C| of each entry, computed on demand. */
  readonly sizes: () => Float64Array;
  readonly k: number;
  readonly precision: Precision;
  /** The format of results: that of the operands if the grader rounds to it. */
  readonly format: Format;
}
