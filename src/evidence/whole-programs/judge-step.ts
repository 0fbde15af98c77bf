import type { Product } from '../../gpu/runner/product.ts';
import { type Check, defaultThresholds } from '../checks/check.ts';
import { complete } from '../checks/complete.ts';
import { exceptions } from '../checks/exceptions.ts';
import { projections } from '../checks/projections.ts';
import { runningBound } from '../checks/running-bound.ts';
import type { WeighingInput } from '../evidence.ts';
import { isLarge } from '../is-large.ts';
import { weighLarge } from '../large.ts';
import { analysisOf, weigh } from '../weigh.ts';

/** Checks that apply to every product, whatever its operands. */
const CHECKS: readonly Check[] = [complete, exceptions, runningBound, projections];

/** The number of multiplications from which entries are added up instead of compared one by one, since there are many products. */
const EFFORT = { projected: 2 ** 17 };

/** Describes a fault of a product in a sentence; undefined where no check fails. */
export function describeStepFault(job: WeighingInput, product: Product): string | undefined {
  const evidence = isLarge(job, EFFORT)
    ? weighLarge(job, [product])
    : weigh(job, [product], { analysis: analysisOf(job) });
  for (const check of CHECKS) {
    const { status, message } = check.judge(evidence, defaultThresholds);
    if (status === 'fail') return message;
  }
  return undefined;
}
