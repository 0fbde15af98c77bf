import type { Baseline } from '../baselines.ts';
import type { Evidence } from '../evidence.ts';
import type { CheckResult } from '../results.ts';

/** The limits a gate holds results to. */
export interface Thresholds {
  /** The largest error allowed, in sigmas; see `allowedSigmas` for the chance of a false alarm. Default 6. */
  readonly sigmas: number;
  /** By what factor the mean error may exceed its baseline; see the check `drift` for what that risks. Default 2. */
  readonly drift: number;
}

export const defaultThresholds: Thresholds = { sigmas: 6, drift: 2 };

/** What a check may look at beside the evidence. */
export interface Context {
  readonly thresholds: Thresholds;
  /** What this case gave on this adapter before, if that was recorded. */
  readonly baseline: Baseline | undefined;
}

/** One question asked of every product. */
export interface Check {
  readonly name: string;
  /** The question in words, for listings. */
  readonly asks: string;
  /**
   * Whether a pass of this check makes the case pass. A check that only looks for signs of trouble
   * does not: a case nothing else can judge stays inconclusive.
   */
  readonly decisive: boolean;
  judge(evidence: Evidence, context: Context): Omit<CheckResult, 'name'>;
}

/** The answer of a check that has nothing to say about a case. */
export const notApplicable = (why: string): Omit<CheckResult, 'name'> => ({
  status: 'not-applicable',
  message: why,
});
