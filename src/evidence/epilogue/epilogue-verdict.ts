import type { Verdict } from '../case-result.ts';
import type { CheckResult } from '../check-result.ts';

/** The verdict on D behind an epilogue. */
export interface EpilogueVerdict {
  readonly verdict: Verdict;
  /** One or two sentences. */
  readonly reason: string;
  /** Marks the wrong entries of D. */
  readonly wrong: Uint8Array;
  readonly count: number;
  /** The largest error as a share of what is allowed; infinite for a wrong entry without a finite error. */
  readonly used: number;
  /** Compared entries whose exact value is NaN or infinite. */
  readonly special: number;
  readonly looksLike?: CheckResult['looksLike'];
}
