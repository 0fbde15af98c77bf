import { plainGemm } from '../matrix/gemm.ts';
import { membersOf } from '../matrix/members.ts';
import { resultUnitOf } from '../precision/device-errors.ts';
import { type Analysis, analyse, stacked } from '../readers/analysis.ts';
import { inAnyConvention } from '../readers/any-convention.ts';
import { analyseRecursion } from '../readers/recursion.ts';
import { inResults, upToSums } from '../readers/result-rounding.ts';
import type { Reference } from './compared.ts';
import type { Evidence, MachineFacts, Weighable } from './evidence.ts';
import { type Comparison, measure } from './measures.ts';
import { quantisationOf } from './quantisation.ts';
import { wholeReference } from './whole-reference.ts';

/** What is known before products are weighed; what is left out is computed here, but for the analysis. */
export interface Known {
  readonly reference?: Reference | undefined;
  /** Of {@link analysisOf}; left out, there is none. */
  readonly analysis?: Analysis | undefined;
  readonly fingerprint?: MachineFacts['fingerprint'];
}

/**
 * Makes the evidence of what a product left: its errors, beside what was expected of it.
 * @throws ParanoiaError `shapes-differ` for a product of another shape
 */
export function weigh(job: Weighable, outcomes: Evidence['outcomes'], known: Known = {}): Evidence {
  const { case: value, kernel, plan, operands } = job;
  const { precision, arithmetic, sums, operands: rounded, result, algorithm, claims } = kernel;
  const { gemm = plainGemm(plan.shape) } = job;
  const { reference = wholeReference(operands, gemm), analysis, fingerprint } = known;
  const about = {
    ...(value === undefined ? {} : { case: value }),
    claims: { ...claims, algorithm },
    machine: { fingerprint, precision, arithmetic, sums, operands: rounded, result },
    leaf: kernel.leaf === '' ? '' : (kernel.leafOf?.(plan) ?? kernel.leaf),
    ...{ plan, gemm, operands, outcomes, reference },
    ...(analysis === undefined ? {} : { analysis }),
  };
  const comparison = { ...comparisonOf(about), reference };
  const quantisation = quantisationOf(operands, gemm, comparison);
  return {
    ...about,
    errors: measure({ ...comparison, ideal: operands.ideal }),
    ...(quantisation === undefined ? {} : { quantisation }),
  };
}

/** What the errors of a product are measured by. */
export function comparisonOf({
  machine,
  outcomes: [product],
  reference,
}: Pick<Evidence, 'machine' | 'outcomes' | 'reference'>): Comparison {
  return { computed: product.c, reference, u: resultUnitOf(machine), round: machine.precision.d.round };
}

/**
 * What the plan of a product lets one expect, with what its kernel is allowed beyond: the products of a batch one below
 * the other.
 */
export function analysisOf({ kernel, plan, operands, gemm = plainGemm(plan.shape) }: Weighable): Analysis {
  const { alpha, beta } = gemm;
  const sums = upToSums(kernel);
  const isPlanned = plan.scaling.alpha === alpha && plan.scaling.beta === beta;
  const parts = [...membersOf(operands, gemm)].map((one) => {
    const analysis =
      kernel.followsPlan === false
        ? analyseRecursion(plan, kernel.claims?.recursion, one.a, one.b, sums)
        : analyse(plan, one.a, one.b, sums, one.c);
    return isPlanned ? analysis : inAnyConvention(analysis, one, gemm, sums, plan.levels, kernel.claims);
  });
  return inResults(stacked(parts, gemm), kernel);
}
