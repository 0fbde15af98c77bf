import type { Product } from '../../gpu/runner/product.ts';
import { type Check, defaultThresholds } from '../checks/check.ts';
import { complete } from '../checks/complete.ts';
import { exceptions } from '../checks/exceptions.ts';
import { projections } from '../checks/projections.ts';
import { runningBound } from '../checks/running-bound.ts';
import type { Weighable } from '../evidence.ts';
import { isLarge } from '../is-large.ts';
import { weighLarge } from '../large.ts';
import { analysisOf, weigh } from '../weigh.ts';

/** What holds of every product, whatever its operands are. */
const CHECKS: readonly Check[] = [complete, exceptions, runningBound, projections];

/** Multiplications from which entries are added up instead of compared one by one: there are many products. */
const EFFORT = { projected: 2 ** 17 };

/** What is wrong with a product, in a sentence; undefined where nothing is. */
export function wrongIn(job: Weighable, product: Product): string | undefined {
  const evidence = isLarge(job, EFFORT)
    ? weighLarge(job, [product])
    : weigh(job, [product], { analysis: analysisOf(job) });
  for (const check of CHECKS) {
    const { status, message } = check.judge(evidence, defaultThresholds);
    if (status === 'fail') return message;
  }
  return undefined;
}
