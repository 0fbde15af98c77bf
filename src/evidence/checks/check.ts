import type { Item } from '../../base/registry.ts';
import type { CheckResult } from '../check-result.ts';
import type { Evidence } from '../evidence.ts';

/** The limits a gate holds results to. */
export interface Thresholds {
  /** The largest error allowed, in sigmas; see `allowedSigmas` for the chance of a false alarm. Default 6. */
  readonly sigmas: number;
  /** By what factor the mean error may exceed its baseline; see the check `drift` for what that risks. Default 2. */
  readonly drift: number;
}

export const defaultThresholds: Thresholds = { sigmas: 6, drift: 2 };

/** What a case gave when its baseline was recorded: errors against the exact product. */
export interface Baseline {
  readonly maxError: number;
  readonly meanError: number;
}

/** What a case is held to. */
export interface Limits extends Thresholds {
  /** What this case gave on this adapter before, if that was recorded. */
  readonly baseline?: Baseline | undefined;
}

/** What names mistakes: read only where something fails, which few runs do. */
export type Diagnosing = Pick<typeof import('../diagnose.ts'), 'describeWrong' | 'diagnose' | 'recognise'>;

/** What a check says of a product. */
export interface Answer extends Omit<CheckResult, 'name'> {
  /** Of one that fails: its message with what the wrong entries look like. */
  readonly explain?: (by: Diagnosing) => Pick<CheckResult, 'message' | 'looksLike'>;
}

/** A question to every product, whose answer makes a verdict. */
export interface Check extends Item {
  /**
   * Whether a pass of this check makes the case pass. A check that only looks for signs of trouble
   * does not: a case nothing else can judge stays inconclusive.
   */
  readonly decisive: boolean;
  /** Its subject: single entries, which reports of a failure show, or the product as a whole. */
  readonly judges: 'entries' | 'product';
  judge(evidence: Evidence, limits: Limits): Answer;
}

/** A question to evidence, asked where it is made; the answer can be written as JSON. */
export interface Query<T> extends Item {
  ask(evidence: Evidence): T;
}

/** The answer of a check that has nothing to say about a case. */
export const notApplicable = (why: string): Answer => ({ status: 'not-applicable', message: why });

/** Why a check that reads bounds says nothing of a very large product. */
export const NOT_ANALYSED = 'The product is too large for its bounds to be computed.';

/**
 * The answer of a check that fails, explained by where its wrong entries are and what they look like.
 * @param message without a full stop
 * @param wrong marks the wrong entries
 */
export const diagnosed = (message: string, evidence: Evidence, wrong: Uint8Array): Answer => ({
  status: 'fail',
  message: `${message}.`,
  explain({ diagnose }) {
    const { text, looksLike } = diagnose(evidence, wrong);
    return { message: `${message}: ${text}.`, looksLike };
  },
});
