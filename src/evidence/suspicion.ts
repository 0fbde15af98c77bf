import type { Registry } from '../base/registry.ts';
import { type Check, defaultThresholds } from './checks/check.ts';
import type { Evidence } from './evidence.ts';
import { workOf } from './reference.ts';

/** Products of two entries up to which a large product that fails is compared entry by entry after all. */
export const WHOLE = 2 ** 30;

/**
 * Whether a large product that was judged by projections and a sample is worth the exact product of every entry: where it fails, a
 * diagnosis tells more of all its wrong entries.
 */
export function isWholeWorth(evidence: Evidence, checks: Registry<Check>): boolean {
  if (workOf(evidence.gemm) > WHOLE) return false;
  return checks.items.some((check) => check.judge(evidence, defaultThresholds).status === 'fail');
}
