import type { Format } from '../../src/precision/format.ts';
import type { Precision } from '../../src/precision/precision.ts';

/** A product beside what a grader expects: entries by rows, the matrices of a batch one after the other. */
export interface Compared {
  readonly found: Float64Array;
  readonly expected: Float64Array;
  /** |alpha|·|A||B| + |beta·C| of each entry, computed when it is first asked for. */
  readonly sizes: () => Float64Array;
  readonly k: number;
  readonly precision: Precision;
  /** The format of results: that of the operands where a grader rounds to it. */
  readonly format: Format;
}
