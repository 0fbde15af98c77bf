import { readChain } from '../epilogue/chain-text.ts';
import { whyNotOnDevice } from '../epilogue/device-steps.ts';
import type { Shape } from '../matrix/dense.ts';
import { everythingGrouped, type Features, whyNotAccepted, withComplex } from '../matrix/features.ts';
import type { Gemm, GemmChain } from '../matrix/gemm.ts';
import { f32 } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';

/** Returns the features that built-in kernels accept. */
export const featuresOfBuiltins = (isComplex = false): Features => withComplex(everythingGrouped, isComplex);

/** Explains why built-in kernels do not compute a product, as a clause; undefined where they do. */
export const whyUnsupported = (asked: Shape | Gemm, precision: Precision): string | undefined =>
  'batch' in asked
    ? (whyNotAccepted(featuresOfBuiltins(precision.complex), asked) ??
      (asked.chain && whyNoEpilogue(asked.chain, precision)))
    : undefined;

function whyNoEpilogue({ text }: GemmChain, { name, accumulated }: Precision): string | undefined {
  return accumulated === f32
    ? whyNotOnDevice(readChain(text))
    : `it computes epilogues of sums in binary32, and ${name} has others`;
}
