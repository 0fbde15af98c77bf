import { readEpilogue } from '../../epilogue/chain.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { type Gemm, readsAddend } from '../../matrix/gemm.ts';
import type { Evidence, ProductJob } from '../evidence.ts';
import type { ComparisonEffort, ExactMultiply } from '../reference.ts';
import { judgeEpilogue } from './judge-epilogue.ts';
import { withoutAddend } from './product-with-epilogue.ts';
import { sumsWithBounds, type WeighedEpilogue, weighResults, wholeSums } from './weigh-epilogue.ts';

type JobBehind = ProductJob & { readonly gemm: Gemm };

/**
 * Computes the exact sums of a job with an epilogue.
 * @returns the function that weighs and judges D, to be called before the next exact product
 * @throws ParanoiaError of the exact product
 */
export async function epilogueWeigher(
  job: JobBehind,
  exact: ExactMultiply,
  effort: ComparisonEffort,
): Promise<(outcomes: Evidence['outcomes']) => Evidence> {
  const { split, product, seed } = splitJob(job);
  const sums = await sumsWithBounds(split.whole, product, exact, effort);
  return (outcomes) => {
    const weighed = weighResults({ d: outcomes[0].c, seed }, split, product, sums, undefined);
    return { ...weighed.evidence, outcomes, epilogue: judgeEpilogue(weighed) };
  };
}

/** Weighs D of a job with an epilogue in this thread, every entry. */
export function weighWholeJob(job: JobBehind, d: Matrix): WeighedEpilogue {
  const { split, product, seed } = splitJob(job);
  return weighResults({ d, seed }, split, product, wholeSums(product), undefined);
}

/** Splits a job into the sums and the steps that follow. */
function splitJob(job: JobBehind) {
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
  const split = { rest, whole, isFolded: addend !== undefined, product: { c: addend } };
  return { split, product, seed: operands.seed };
}
