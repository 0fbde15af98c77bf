import type { Algorithm } from '../algorithms/algorithm.ts';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Registry } from '../base/registry.ts';
import type { Finding, Measured } from './inspection.ts';
import type { Session } from './session.ts';
import type { Tree } from './summation-tree.ts';

/** Facts on the entries that reach the products. */
export interface OperandBits {
  readonly a: number;
  readonly b: number;
  /** Whether entries from 2^-40 to 2^40 are multiplied. */
  readonly wide: boolean;
  /** Whether so many bits are kept whatever the exponent; undefined where few exponents can be tried. */
  readonly everywhere?: boolean | undefined;
}

/** What three terms show of the sums. */
export interface SumBits {
  /** Significant bits a sum keeps. */
  readonly bits: number;
  /** Whether it would have kept more than could be asked. */
  readonly atLeast: boolean;
  /** Whether 1 + 2^-t is kept for any t, but not any number of so many bits: two words of fewer bits each. */
  readonly words: boolean;
}

/** What every question works with: the kernel to ask, and what earlier questions have found. */
export interface Context {
  readonly session: Session;
  /** Algorithms that outputs may show. */
  readonly algorithms: Registry<Algorithm>;
  readonly random: Random;
  readonly quick: boolean;
  /** Sizes n of n×n×n at which the algorithm is asked. */
  readonly sizes: readonly number[];
  /** Whether all of them are asked, however long it takes. */
  readonly allSizes: boolean;
  readonly measured: Measured;
  /** What questions leave to later ones. */
  readonly known: {
    /** True if the product is wrong in the shape that most questions are put into: no answer would mean anything. */
    isWrong?: boolean;
    /** What entries show before the sums are known. */
    operands?: OperandBits;
    /** What the sum of three terms shows. */
    sums?: SumBits;
    /** True if terms are sorted before they are added. */
    isSorted?: boolean;
    /** True if terms of a part of the sum are sorted before they are added, or aligned to more bits than three terms show. */
    isSortedWithin?: boolean;
    /** The longest sum whose tree was found. */
    tree?: { readonly k: number; readonly tree: Tree } | undefined;
  };
  /** The clock of all limits of time. */
  readonly clock: Clock;
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
