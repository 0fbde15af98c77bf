import { z } from 'zod';
import { formatCase } from '../gate/case.ts';
import type { Measurement, Yardstick } from '../gate/measure.ts';
import { type CaseResult, caseResult, real, toReal } from '../gate/results.ts';
import { measuresOf, rms } from '../gate/run-case.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { isVacuous } from '../readers/a-priori.ts';
import type { StudyProduct } from './study.ts';

/** A finished product: what was measured, without what is thought of it. */
export const measuredProduct = z.object({
  /** A result of the gate, verdict and replay aside. */
  facts: caseResult.omit({ verdict: true, reason: true, replay: true, checks: true }),
  /** What cells read. */
  readings: z.object({ max: real, mean: real }),
  /** Entries of C that were never written. */
  unwritten: z.int().min(0),
});
export type MeasuredProduct = z.infer<typeof measuredProduct>;

/** What a measurement says of a product of a study. */
export function measuredProductOf(
  { case: value, against, series }: StudyProduct,
  kernel: Kernel,
  measured: Measurement,
  yardstick: Yardstick,
): MeasuredProduct {
  const { plan, exact, ideal, unwritten } = measured;
  const { border, edge, input, m, k, n, seed, levels } = value;
  const compared = against === 'exact' || against === 'fused' ? exact : (ideal ?? exact);
  const [max, mean] =
    against === 'ideal' ? [compared.max, compared.mean] : [compared.normalisedMax, compared.normalisedMean];
  return {
    facts: {
      ...{ case: formatCase(value), kernel: kernel.name, algorithm: kernel.algorithm, leaf: kernel.leaf },
      ...{ levels, levelsUsed: plan.levels, border, edge, precision: kernel.arithmetic.precision },
      ...{ input, m, k, n, seed, series },
      exact: measuresOf(exact, plan),
      ...(against === 'ideal' && ideal !== undefined ? { ideal: measuresOf(ideal, plan) } : {}),
      ...readersOf(kernel, measured),
      aPriori: {
        bound: toReal(measured.aPriori),
        vacuous: isVacuous(measured.aPriori, rms(yardstick.sample.rowValues.data)),
      },
      ...(measured.seconds === undefined ? {} : { seconds: measured.seconds }),
      ...(measured.checked === 1 ? {} : { checked: measured.checked }),
    },
    readings: { max: toReal(max), mean: toReal(mean) },
    unwritten,
  };
}

/** What is known where every entry was computed on the CPU too. */
function readersOf(
  { arithmetic }: Kernel,
  { readers }: Measurement,
): Pick<CaseResult, 'sigma' | 'runningBound' | 'mirrorEqual'> {
  if (readers === undefined) return {};
  return {
    sigma: { worst: toReal(readers.sigmas), largest: toReal(readers.sigma) },
    runningBound: {
      largest: toReal(readers.runningBound),
      used: toReal(readers.boundUsed),
      vacuous: readers.boundIsVacuous,
    },
    ...(arithmetic.mirrored ? { mirrorEqual: readers.mirrorEqual } : {}),
  };
}
