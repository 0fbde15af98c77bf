import type { Item } from '../../base/registry.ts';
import type { CheckResult } from '../case-result.ts';
import type { Evidence } from '../evidence.ts';

/** Limits for the checks of a gate. */
export interface Thresholds {
  /** The largest error allowed, in sigmas; `allowedSigmas` gives the chance of a false alarm. Default 6. */
  readonly sigmas: number;
  /** The factor by which the mean error may exceed its baseline; the check `drift` states the risk. Default 2. */
  readonly drift: number;
}

export const defaultThresholds: Thresholds = { sigmas: 6, drift: 2 };

/** The errors of a case against the exact product when its baseline was recorded. */
export interface Baseline {
  readonly maxError: number;
  readonly meanError: number;
}

export interface CaseLimits extends Thresholds {
  /** The recorded errors of this case on this adapter. */
  readonly baseline?: Baseline | undefined;
}

/** Functions that name mistakes; loaded only when a check fails, which is rare. */
export type DiagnosisFunctions = Pick<
  typeof import('../diagnose.ts'),
  'describeWrong' | 'diagnose' | 'recognize'
>;

export interface CheckAnswer extends Omit<CheckResult, 'name'> {
  /** For a failing check: its message with a description of the wrong entries. */
  readonly explain?: (by: DiagnosisFunctions) => Pick<CheckResult, 'message' | 'looksLike'>;
}

/** A check: it answers a question about each product, and its answer counts for the verdict. */
export interface Check extends Item {
  /**
   * True if a pass of this check makes the case pass. A check that only looks for signs of trouble is not decisive: a case that no other
   * check judges stays inconclusive.
   */
  readonly decisive: boolean;
  /** The check's subject: single entries, which reports of a failure show, or the product as a whole. */
  readonly judges: 'entries' | 'product';
  /** True if it reads no exact product, and so judges D behind an epilogue too. @defaultValue false */
  readonly judgesEpilogues?: boolean;
  judge(evidence: Evidence, limits: CaseLimits): CheckAnswer;
}

/** A question to evidence, answered where the evidence is made; the answer can be written as JSON. */
export interface EvidenceQuery<T> extends Item {
  ask(evidence: Evidence): T;
}

/** Returns the answer of a check that does not apply to a case. */
export const notApplicable = (why: string): CheckAnswer => ({ status: 'not-applicable', message: why });

/** Asks a check about a product, unless an epilogue follows that it does not judge. */
export const answerOf = (check: Check, evidence: Evidence, limits: CaseLimits): CheckAnswer =>
  evidence.epilogue === undefined || check.judgesEpilogues === true
    ? check.judge(evidence, limits)
    : notApplicable(BEHIND_EPILOGUE);

const BEHIND_EPILOGUE =
  'An epilogue follows the product: the check epilogue judges D, by bounds and not by sigmas.';

/** The reason for which a check that reads bounds does not apply to a very large product. */
export const NOT_ANALYSED = 'The product is too large to compute its bounds.';

/**
 * Returns a failing answer that says where the wrong entries are and what they look like.
 * @param message without a full stop
 * @param wrong marks the wrong entries
 */
export function failWithDiagnosis(
  message: string,
  evidence: Evidence,
  wrong: Uint8Array,
  further: readonly string[] = [],
): CheckAnswer {
  return {
    status: 'fail',
    message: `${[message, ...further].join('; ')}.`,
    explain({ diagnose }) {
      const { where, clauses, looksLike } = diagnose(evidence, wrong);
      const first = where === undefined ? message : `${message}: ${where}`;
      return { message: `${[first, ...further, ...clauses].join('; ')}.`, looksLike };
    },
  };
}
