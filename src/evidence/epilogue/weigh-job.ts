import { readEpilogue } from '../../epilogue/chain.ts';
import { type Gemm, readsAddend } from '../../matrix/gemm.ts';
import type { Evidence, ProductJob } from '../evidence.ts';
import type { ComparisonEffort, ExactMultiply } from '../reference.ts';
import { judgeEpilogue } from './judge-epilogue.ts';
import { withoutAddend } from './product-with-epilogue.ts';
import { sumsWithBounds, weighResults } from './weigh-epilogue.ts';

/**
 * Computes the exact sums of a job with an epilogue.
 * @returns the function that weighs and judges D, to be called before the next exact product
 * @throws ParanoiaError of the exact product
 */
export async function epilogueWeigher(
  job: ProductJob & { readonly gemm: Gemm },
  exact: ExactMultiply,
  effort: ComparisonEffort,
): Promise<(outcomes: Evidence['outcomes']) => Evidence> {
  const { kernel, gemm } = job;
  // What formulas and codings mean is known of the product alone.
  const { ideal: _, uncoded: __, ...operands } = job.operands;
  const { m, n, batch } = gemm;
  const whole = readEpilogue(operands.epilogue, { m, n, batch });
  // A kernel whose order is known adds nothing before its sums are complete.
  const isLast = readsAddend(gemm) || kernel.followsPlan !== false;
  const { rest, addend } = withoutAddend(whole, isLast, kernel.precision.accumulated);
  const product =
    addend === undefined
      ? { ...job, operands }
      : { ...job, operands: { ...operands, c: addend }, gemm: { ...gemm, beta: 1 } };
  const sums = await sumsWithBounds(whole, product, exact, effort);
  const split = { rest, whole, isFolded: addend !== undefined, product: { c: addend } };
  return (outcomes) => {
    const weighed = weighResults({ d: outcomes[0].c, seed: operands.seed }, split, product, sums, undefined);
    return { ...weighed.evidence, outcomes, epilogue: judgeEpilogue(weighed) };
  };
}
