import type { CaseResult } from '../evidence/case-result.ts';

/** A violation that a campaign found, after shrinking. */
export interface CampaignFinding {
  /** The smallest case that fails the same check. */
  readonly case: string;
  /** Cases after which it fails, where it passes alone. */
  readonly after?: string[] | undefined;
  /** The drawn case, before shrinking. */
  readonly drawnCase: string;
  readonly check: string;
  readonly message: string;
  /** The seed and the fast-check path that reproduce it. Without a path, the case was not drawn. */
  readonly seed: number;
  readonly path?: string | undefined;
  /** Number of smaller failing cases on the way: how often the case shrank. */
  readonly shrinks: number;
  /** Failures among the reruns of the drawn case. Absent where every rerun failed. */
  readonly unsteady?: { readonly failed: number; readonly runs: number } | undefined;
  /** The result of the smallest case. */
  readonly result: CaseResult;
}
