import { fromJsonNumber } from '../base/numbers.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { GrowthResult, Results } from '../run/results.ts';
import { standingOf } from './standing.ts';

/** The results of a case in two runs. */
export interface CasePair {
  readonly before: CaseResult;
  readonly after: CaseResult;
}

/** A case whose verdict changed, or whose failure is waived in one run alone. */
export type VerdictChange = CasePair;

/** A case whose mean error changed by more than the factor. */
export interface ErrorChange {
  readonly result: CaseResult;
  readonly before: number;
  readonly after: number;
  /** after / before: above 1 is worse. */
  readonly ratio: number;
}

/** A series whose new slope is outside its old interval, or whose old slope is outside its new interval. */
export interface GrowthChange {
  readonly before: GrowthResult;
  readonly after: GrowthResult;
}

/** The differences between two runs. */
export interface RunComparison {
  readonly common: number;
  readonly verdicts: readonly VerdictChange[];
  /** The largest changes first. */
  readonly errors: readonly ErrorChange[];
  readonly added: readonly CaseResult[];
  readonly missing: readonly CaseResult[];
  readonly growth: readonly GrowthChange[];
}

/** Least notable factor. Mean errors that differ by less count as unchanged. */
export const NOTABLE_FACTOR = 1.1;

/** Pairs the results of the cases that both runs have, in the order of the new run. */
export function pairCases(after: Results, before: Results): CasePair[] {
  const earlier = new Map(before.cases.map((result) => [result.case, result]));
  return after.cases.flatMap((result) => {
    const old = earlier.get(result.case);
    return old === undefined ? [] : [{ before: old, after: result }];
  });
}

/** Compares a run with an earlier one, case by case. */
export function compareRuns(after: Results, before: Results): RunComparison {
  const pairs = pairCases(after, before);
  const [earlier, names] = [before, after].map(({ cases }) => new Set(cases.map((result) => result.case)));
  return {
    common: pairs.length,
    verdicts: pairs.filter((pair) => standingOf(pair.before) !== standingOf(pair.after)),
    errors: pairs.flatMap(errorChange).sort((a, b) => distance(b.ratio) - distance(a.ratio)),
    added: after.cases.filter((result) => !earlier.has(result.case)),
    missing: before.cases.filter((result) => !names.has(result.case)),
    growth: growthChanges(after.growth, before.growth),
  };
}

function errorChange(pair: VerdictChange): ErrorChange[] {
  const [before, after] = [pair.before, pair.after].map(({ exact }) =>
    exact === undefined ? undefined : fromJsonNumber(exact.meanError),
  );
  // If both errors are 0, infinite or NaN, neither is worse.
  if (before === undefined || after === undefined || Object.is(before, after)) return [];
  const ratio = after / before;
  const same = ratio <= NOTABLE_FACTOR && ratio >= 1 / NOTABLE_FACTOR;
  return same ? [] : [{ result: pair.after, before, after, ratio }];
}

/** Returns the distance of a ratio from 1 in either direction; NaN is farthest. */
function distance(ratio: number): number {
  return Number.isNaN(ratio)
    ? Number.POSITIVE_INFINITY
    : Math.min(Number.MAX_VALUE, Math.abs(Math.log(ratio)));
}

function growthChanges(after: readonly GrowthResult[], before: readonly GrowthResult[]): GrowthChange[] {
  const earlier = new Map(before.map((fit) => [keyOf(fit), fit]));
  return after.flatMap((fit) => {
    const old = earlier.get(keyOf(fit));
    return old !== undefined && leaves(fit, old) ? [{ before: old, after: fit }] : [];
  });
}

function keyOf({ kernel, precision, input, measure, over, fixed }: GrowthResult): string {
  return JSON.stringify([kernel, precision, input, measure, over, fixed]);
}

/** True if neither interval contains the other's slope. */
function leaves(a: GrowthResult, b: GrowthResult): boolean {
  if (a.slope === undefined || b.slope === undefined) return a.slope !== b.slope;
  return !holds(a, b.slope) && !holds(b, a.slope);
}

function holds({ slope, interval }: GrowthResult, value: number): boolean {
  return interval === undefined ? value === slope : value >= interval[0] && value <= interval[1];
}
