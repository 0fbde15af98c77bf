import { group, rollup } from 'd3-array';
import jStat from 'jstat';
import { fromJsonNumber } from '../base/numbers.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { inputRegistry } from '../inputs/inputs.ts';
import type { GrowthResult, Results } from '../run/results.ts';
import { type CaseStanding, standingOf } from './standing.ts';

/** The results of a case in two runs. */
export interface CasePair {
  readonly before: CaseResult;
  readonly after: CaseResult;
}

/** A case whose verdict changed, or whose failure is waived in one run alone. */
type VerdictChange = CasePair;

/** A case whose mean error changed by more than the factor. */
interface ErrorChange {
  readonly result: CaseResult;
  readonly before: number;
  readonly after: number;
  /** after / before: above 1 is worse. */
  readonly ratio: number;
}

/** A series whose new slope is outside its old interval, or whose old slope is outside its new interval. */
interface GrowthChange {
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

/** The verdict on a change of mean errors, in criterion's words for times; `too few` where no interval can be given. */
export type ErrorChangeWord = 'no change' | 'improved' | 'worse' | 'too few';

/** The change of mean errors over the cases of random inputs that both runs have. */
interface MeanErrorChange {
  readonly pairs: number;
  /** The geometric mean of new / old; absent without pairs. */
  readonly ratio?: number;
  /** Its 95 % interval, from the logarithms of the ratios. */
  readonly interval?: readonly [number, number];
  readonly says: ErrorChangeWord;
}

/** The change of a kernel from one run to another. */
export interface KernelComparison {
  readonly kernel: string;
  /** Number of cases that both runs have. */
  readonly common: number;
  readonly newFailures: readonly CaseResult[];
  readonly fixed: readonly CaseResult[];
  /** Other changes of verdicts: to or from inconclusive and waived. */
  readonly others: readonly VerdictChange[];
  /** Number of cases that only the new run has; `missing` counts those of the old run alone. */
  readonly added: number;
  readonly missing: number;
  readonly meanError: MeanErrorChange;
  /** Claims that outputs disprove now but did not disprove before, a sentence each. */
  readonly disproved: readonly string[];
}

/** Least notable change. Geometric means closer to 1 count as no change, however narrow their interval. */
const NOISE = 1.01;

/** The rule for these verdicts, as a sentence for readers. */
export const RULE = `Mean errors are worse or improved where the 95 % interval of the geometric mean of new / old, over the common cases of random inputs, lies beyond ${((NOISE - 1) * 100).toFixed(0)} % of 1; else there is no change.`;

/** Compares each kernel, in the order of the new run, then of the old one. */
export function compareKernels(after: Results, before: Results): KernelComparison[] {
  const { verdicts, added, missing } = compareRuns(after, before);
  const names = [...new Set([...after.cases, ...before.cases].map(({ kernel }) => kernel))];
  const old = new Map(before.cases.map((result) => [result.case, result]));
  const changesOf = group(verdicts, (change) => change.after.kernel);
  const [ofAdded, ofMissing, ofAfter] = [added, missing, after.cases].map((results) =>
    group(results, ({ kernel }) => kernel),
  );
  const [claimsNow, claimsThen] = [after, before].map(disprovedIn);
  return names.map((kernel) => {
    const changes = changesOf.get(kernel) ?? [];
    const to = (standing: CaseStanding) => changes.filter((change) => standingOf(change.after) === standing);
    const fixed = to('pass').filter((change) => standingOf(change.before) === 'fail');
    const newly = to('fail');
    const alone = ofAdded.get(kernel) ?? [];
    const then = claimsThen.get(kernel);
    const pairs = (ofAfter.get(kernel) ?? []).flatMap((result) => {
      const earlier = old.get(result.case);
      return earlier === undefined ? [] : [{ before: earlier, after: result }];
    });
    return {
      ...{ kernel, common: pairs.length, added: alone.length, missing: ofMissing.get(kernel)?.length ?? 0 },
      newFailures: [
        ...newly.map((change) => change.after),
        ...alone.filter((result) => standingOf(result) === 'fail'),
      ],
      fixed: fixed.map((change) => change.after),
      others: changes.filter((change) => !newly.includes(change) && !fixed.includes(change)),
      meanError: meanErrorChange(pairs),
      disproved: [...(claimsNow.get(kernel) ?? [])].filter((one) => then?.has(one) !== true),
    };
  });
}

/** Returns the contradictions of each kernel's claims. */
const disprovedIn = ({ inspections = [] }: Results): ReadonlyMap<string, ReadonlySet<string>> =>
  rollup(
    inspections,
    (same) => new Set(same.flatMap(({ contradictions = [] }) => contradictions)),
    ({ kernel }) => kernel,
  );

/** Returns the paired change of mean errors. Cases without a logarithm do not count. */
function meanErrorChange(changes: readonly VerdictChange[]): MeanErrorChange {
  const logs = changes
    .filter(({ after: { input } }) => isRandom(input))
    .map(({ before, after }) => Math.log(meanErrorOf(after) / meanErrorOf(before)))
    .filter(Number.isFinite);
  const pairs = logs.length;
  if (pairs === 0) return { pairs, says: 'too few' };
  const mean = logs.reduce((sum, log) => sum + log, 0) / pairs;
  if (pairs === 1) return { pairs, ratio: Math.exp(mean), says: 'too few' };
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const half = jStat.studentt.inv(0.975, pairs - 1) * Math.sqrt(squares / (pairs - 1) / pairs);
  const interval = [Math.exp(mean - half), Math.exp(mean + half)] as const;
  return { pairs, ratio: Math.exp(mean), interval, says: wordOf(interval) };
}

const meanErrorOf = ({ exact }: CaseResult): number =>
  exact === undefined ? Number.NaN : fromJsonNumber(exact.meanError);

/** True if the family is known to be random. Families of a config that is not loaded are unknown. */
const isRandom = (input: string): boolean => inputRegistry.get(input)?.statistics === 'random';

const wordOf = ([low, high]: readonly [number, number]): ErrorChangeWord =>
  low > NOISE ? 'worse' : high < 1 / NOISE ? 'improved' : 'no change';

/** Lists kernels that computed in other precisions in the new run than in the old one, a sentence each. */
export function describePrecisions(after: Results, before: Results): string[] {
  const [now, then] = [precisionsOf(after), precisionsOf(before)];
  return [...now].flatMap(([kernel, names]) => {
    const old = then.get(kernel);
    if (old === undefined || [...names].some((name) => old.has(name))) return [];
    return [`${kernel} computed in ${[...old].join(', ')} before, and in ${[...names].join(', ')} now.`];
  });
}

function precisionsOf({ cases }: Results): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { kernel, precision } of cases)
    found.set(kernel, (found.get(kernel) ?? new Set()).add(precision));
  return found;
}
