import type { Algorithm } from '../algorithms/algorithm.ts';
import type { Random } from '../base/random.ts';
import type { Registry } from '../base/registry.ts';
import type { Clock } from '../base/time.ts';
import type { InspectionFinding, InspectionMeasures } from './inspection.ts';
import type { InspectionSession } from './session.ts';
import type { SummationTree } from './summation-tree.ts';

/** The measured bits of entries that reach the products. */
export interface OperandBits {
  readonly a: number;
  readonly b: number;
  /** True if entries from 2^-40 to 2^40 are multiplied. */
  readonly wide: boolean;
  /** True if these bits are kept at every exponent; undefined where few exponents can be tried. */
  readonly everywhere?: boolean | undefined;
}

/** The width of sums, as three terms show it. */
export interface SumBits {
  /** Significant bits that a sum keeps. */
  readonly bits: number;
  /** True if the sum may keep more bits than could be tested. */
  readonly atLeast: boolean;
  /** True if 1 + 2^-t is kept for any t, but not every number of so many bits: the sum is two words of fewer bits each. */
  readonly words: boolean;
}

/** The context of a question: the kernel to test, and the findings of earlier questions. */
export interface InspectionContext {
  readonly session: InspectionSession;
  /** Algorithms that outputs may show. */
  readonly algorithms: Registry<Algorithm>;
  readonly random: Random;
  readonly quick: boolean;
  /** Sizes n of n×n×n at which the algorithm is tested. */
  readonly sizes: readonly number[];
  /** True if all these sizes are tested, however long it takes. */
  readonly allSizes: boolean;
  readonly measures: InspectionMeasures;
  /** Facts that questions leave to later ones. */
  readonly known: {
    /** True if the product is wrong in the shape that most questions use, so that no answer would mean anything. */
    isWrong?: boolean;
    /** The bits of entries, before the sums are known. */
    operands?: OperandBits;
    /** The width of the sum of three terms. */
    sums?: SumBits;
    /** True if terms are sorted before they are added. */
    isSorted?: boolean;
    /** True if terms of a part of the sum are sorted before they are added, or aligned to more bits than three terms show. */
    isSortedWithin?: boolean;
    /** The longest sum whose tree was found. */
    tree?: { readonly k: number; readonly tree: SummationTree } | undefined;
    /** The bits of all sums of this tree but the last. */
    levels?: readonly { readonly node: SummationTree; readonly bits: number }[] | undefined;
  };
  /** The clock of all time limits. */
  readonly clock: Clock;
  /** True if no further question may be asked. */
  readonly stop: () => boolean;
}

/** A finding. Without an id and question of its own it takes those of its {@link InspectionQuestion}. */
export type QuestionAnswer = Omit<InspectionFinding, 'id' | 'question'> &
  Partial<Pick<InspectionFinding, 'id' | 'question'>>;

/** A question, or a few related ones. */
export interface InspectionQuestion {
  readonly id: string;
  readonly question: string;
  /**
   * The treatment of a product that neither the claims nor the findings explain. By default it ends the question. With `subject` such
   * errors are what the question measures. With `own` the question compares its products itself.
   */
  readonly wrongProducts?: 'subject' | 'own';
  /** @throws ParanoiaError of the kernel, and {@link Unasked}: then the answer is that the question could not be asked. */
  ask(context: InspectionContext): Promise<QuestionAnswer[]>;
}

/** Makes an answer that a single counterexample disproves: measured where it holds, proved where it does not. */
export const makeRefutableAnswer = (value: boolean, answer: string, evidence: string): QuestionAnswer => ({
  answer,
  value,
  confidence: value ? 'measured' : 'proved',
  evidence,
});
