import type { CaseResult } from '../evidence/case-result.ts';

/** A violation that a campaign found, shrunk. */
export interface Finding {
  /** The smallest case that fails the same check. */
  readonly case: string;
  /** Those after which it fails, where it passes alone. */
  readonly after?: string[] | undefined;
  /** The case that was drawn. */
  readonly drawn: string;
  readonly check: string;
  readonly message: string;
  /** The seed and fast-check's path that lead to it again; without a path, it was not drawn. */
  readonly seed: number;
  readonly path?: string | undefined;
  /** Smaller cases that were tried and failed too: how often it got smaller. */
  readonly shrinks: number;
  /** How often the drawn case failed when it was run again; absent where it always did. */
  readonly unsteady?: { readonly failed: number; readonly runs: number } | undefined;
  /** The smallest case, judged. */
  readonly result: CaseResult;
}
