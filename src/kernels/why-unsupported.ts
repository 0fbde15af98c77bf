import type { Shape } from '../matrix/dense.ts';
import { everythingGrouped, type Features, whyNotAccepted, withComplex } from '../matrix/features.ts';
import type { Gemm } from '../matrix/gemm.ts';

/** Returns the features that built-in kernels accept. */
export const featuresOfBuiltins = (isComplex = false): Features => withComplex(everythingGrouped, isComplex);

/** Explains why built-in kernels do not compute a product, as a clause; undefined where they do. */
export const whyUnsupported = (asked: Shape | Gemm, isComplex?: boolean): string | undefined =>
  'batch' in asked
    ? asked.chain === undefined
      ? whyNotAccepted(featuresOfBuiltins(isComplex), asked)
      : 'it computes no epilogue; name one of your kernels'
    : undefined;
