import type { Registry } from '../base/registry.ts';
import { type Check, defaultThresholds } from './checks/check.ts';
import type { Evidence } from './evidence.ts';
import { comparisonCostOf } from './reference.ts';

/** The cost, in multiplications, up to which a failing large product is compared entry by entry after all. */
export const WHOLE = 2 ** 30;

/**
 * True if a large product that was judged by projections and a sample deserves an exact comparison of every entry: it fails, and a
 * diagnosis of all its wrong entries tells more.
 */
export function isWholeWorth(evidence: Evidence, checks: Registry<Check>): boolean {
  if (comparisonCostOf(evidence.gemm) > WHOLE) return false;
  return checks.items.some((check) => check.judge(evidence, defaultThresholds).status === 'fail');
}
