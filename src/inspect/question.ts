import type { Random } from '../base/random.ts';
import type { Finding, Measured } from './inspection.ts';
import type { Session } from './session.ts';

/** What every question works with: the kernel to ask, and what earlier questions have found. */
export interface Context {
  readonly session: Session;
  readonly random: Random;
  readonly quick: boolean;
  /** Sizes n of n×n×n at which the algorithm is asked. */
  readonly sizes: readonly number[];
  /** Whether all of them are asked, however long it takes. */
  readonly allSizes: boolean;
  readonly measured: Measured;
  /** Whether to ask no further. */
  readonly stop: () => boolean;
}

/** A finding; without an id and words of its own it has those of its question. */
export type Answer = Omit<Finding, 'id' | 'question'> & Partial<Pick<Finding, 'id' | 'question'>>;

/** A question, or a few that belong together. */
export interface Question {
  readonly id: string;
  readonly question: string;
  /**
   * What becomes of a product that neither the claims nor what was found explain: it ends the question (default), it may be
   * what is asked about (`subject`), or the question compares its products itself (`own`).
   */
  readonly wrongProducts?: 'subject' | 'own';
  /** @throws ParanoiaError of the kernel, and {@link Unasked}: then the answer is that it could not be asked. */
  ask(context: Context): Promise<Answer[]>;
}

/** An answer that a single case against it disproves: measured where it holds, proved where it does not. */
export const holding = (value: boolean, answer: string, evidence: string): Answer => ({
  answer,
  value,
  confidence: value ? 'measured' : 'proved',
  evidence,
});
