import type { Item } from '../base/registry.ts';
import type { Accuracy } from './accuracies.ts';
import type { EpilogueArithmetic, Interval, Reals } from './interval.ts';
import type { ParameterRecord, Settings } from './parameters.ts';

import type { Target } from './target.ts';

/** The numbers of a step's parameters at one entry, by name. */
export type StepNumbers<T> = (parameter: string) => Interval<T>;

/** The arithmetic in which a step's own error is bounded. */
export interface StepContext {
  readonly arithmetic: EpilogueArithmetic;
  readonly accuracy: Accuracy;
  readonly reals: Reals<number>;
}

/** The function of a step with its settings. */
export interface StepFunction {
  /**
   * Encloses the exact values of an entry.
   * @param x the entry before the step; for a gate, the one that gates.
   */
  at<T>(x: Interval<T>, by: StepNumbers<T>, reals: Reals<T>): Interval<T>;
  /**
   * The way in which the values of an interval are enclosed: `at` does so for `arithmetic` functions; for `monotonic` ones, `at` of the
   * ends. Else the function decreases up to `from`, increases from `to` on, and is nowhere less than `least`.
   */
  readonly shape:
    | 'arithmetic'
    | 'monotonic'
    | { readonly from: number; readonly to: number; readonly least: number };
  /** True if the result is rounded to the format of the arithmetic, and all other errors are 0 or in {@link StepFunction.error}. */
  readonly rounds: boolean;
  /**
   * Bounds the absolute error of an implementation, roundings of `rounds` apart.
   * @param x the entry before the step. @param y the exact values.
   * @defaultValue 0
   */
  error?(x: Interval, y: Interval, by: StepNumbers<number>, context: StepContext): number;
  /**
   * Encloses the values of another formula that is right too, before its last rounding.
   * @defaultValue none
   */
  other?(x: Interval, by: StepNumbers<number>, context: StepContext): Interval;
  /** Rounds the activated half of a gate before it is multiplied by the other. @defaultValue not rounded */
  readonly stored?: (x: number) => number;
  /** The further results that are right for NaN, beside NaN. @defaultValue none */
  readonly ofNaN?: Interval;
  /** The rule by which results are judged after the last step, if the step decides it. */
  readonly target?: Target;
}

/** A step of an epilogue: a function of an entry of the product. */
export interface EpilogueStep extends Item {
  readonly source: string;
  readonly parameters: Readonly<Record<string, ParameterRecord>>;
  /** The parameter that a text names after a colon: `scale:0.5`. */
  readonly main?: string;
  /** True for a gate: a function of one half of the columns times the other half, which leaves half as many. @defaultValue false */
  readonly isGate?: boolean;
  /** True for addends: kernels may add them at the start of sums, if the step is the first. @defaultValue false */
  readonly isAddend?: boolean;
  /** True for factors: those that follow one another may be multiplied together first. @defaultValue false */
  readonly isFactor?: boolean;
  /** True for activations: nonlinear functions of an entry. @defaultValue false */
  readonly isActivation?: boolean;
  /** Explains why settings do not fit each other, as a clause; undefined where they do. */
  whyWrong?(settings: Settings): string | undefined;
  /** Returns the function of some settings. */
  of(settings: Settings): StepFunction;
}
