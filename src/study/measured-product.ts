import * as z from 'zod/mini';
import { toJsonNumber } from '../base/real.ts';
import { caseResult } from '../evidence/case-result.ts';
import { real } from '../evidence/check-result.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { measureAgainst } from '../evidence/measures.ts';
import { numbers } from '../evidence/numbers.ts';
import type { CaseFacts } from '../evidence/result-of.ts';
import { comparisonOf } from '../evidence/weigh.ts';
import type { Matrix } from '../matrix/dense.ts';
import { measureFusedDistance } from './apart-from-fused.ts';
import { meanInSingle } from './mean-in-single.ts';
import type { StudyProduct } from './study.ts';

/** A finished product: its measurements, without a judgment. */
export const measuredProduct = z.object({
  /** A result of the gate, without verdict and replay. */
  facts: z.omit(caseResult, { verdict: true, reason: true, replay: true, checks: true }),
  /** The values that cells use. */
  readings: z.object({ max: real, mean: real }),
  /** Entries of C that were never written. */
  unwritten: z.int().check(z.gte(0)),
});
export type MeasuredProduct = z.infer<typeof measuredProduct>;

/**
 * Makes the record of a study's product from its evidence.
 * @param classical the classical product of the same operands, where the readings are against that.
 */
export function measuredProductOf(
  product: StudyProduct,
  facts: CaseFacts,
  evidence: Evidence,
  classical?: Matrix,
): MeasuredProduct {
  const { ideal, ...measured } = numbers.ask(evidence);
  const [max, mean] = readingsOf(product, evidence, classical);
  return {
    facts: {
      ...{ ...facts, ...measured },
      ...(product.against === 'ideal' && ideal !== undefined ? { ideal } : {}),
    },
    readings: { max: toJsonNumber(max), mean: toJsonNumber(mean) },
    unwritten: evidence.outcomes[0].unwritten,
  };
}

function readingsOf(
  { against, sums }: StudyProduct,
  evidence: Evidence,
  classical: Matrix | undefined,
): [max: number, mean: number] {
  const { operands, outcomes, errors } = evidence;
  const [{ c }] = outcomes;
  if (against === 'fused') {
    const { max, mean } = measureFusedDistance(c, operands.a, operands.b);
    return [max, mean];
  }
  if (against === 'ideal') {
    const { max, mean } = errors.ideal ?? errors.exact;
    return [max, sums === 'f32' && operands.ideal !== undefined ? meanInSingle(c, operands.ideal) : mean];
  }
  const found =
    classical === undefined ? errors.exact : measureAgainst(comparisonOf(evidence), entriesOf(classical));
  return [found.normalizedMax, found.normalizedMean];
}

function entriesOf({ cols, data }: Matrix): (i: number, j: number) => number {
  return (i, j) => data[i * cols + j];
}
