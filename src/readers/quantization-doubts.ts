import { matrix } from '../matrix/dense.ts';
import type { Analysis } from './analysis.ts';

/** The errors of each entry of D that the claimed quantization of an operand leaves open: the most, and their standard deviation. */
export interface QuantizationDoubts {
  readonly bound: Float64Array;
  readonly sigma: Float64Array;
  /** The size of what is added, where offsets are subtracted from sums. @defaultValue |A||B| */
  readonly size?: Float64Array | undefined;
}

/** Adds what quantization leaves open to the errors that sums may have. */
export function withDoubts(analysis: Analysis, doubts: QuantizationDoubts | undefined): Analysis {
  if (doubts === undefined) return analysis;
  const { bound, sigma } = analysis;
  const more = 1 + 2 ** -40;
  return {
    ...analysis,
    bound: matrix(
      bound.rows,
      bound.cols,
      bound.data.map((own, e) => own + doubts.bound[e] * more),
    ),
    sigma: matrix(
      sigma.rows,
      sigma.cols,
      sigma.data.map((own, e) => Math.hypot(own, doubts.sigma[e])),
    ),
  };
}
