import { group as groupedBy } from 'd3-array';
import type { CaseResult } from '../evidence/case-result.ts';
import { counted, type Measured, worst } from '../report/numbers.ts';
import type { GrowthResult } from '../run/results.ts';
import { type Standing, standingOf } from './standing.ts';

/** The cases of a kernel in one precision, at a number of levels. */
export interface SummaryRow {
  /** With the precision where that is not binary32: "strassen:register f64". */
  readonly kernel: string;
  readonly levels: number;
  readonly cases: number;
  readonly pass: number;
  /** Failing cases, but for those that are waived. */
  readonly fail: number;
  readonly waived: number;
  readonly inconclusive: number;
  /** Largest error in units of the expected one, over the cases that are judged by it. */
  readonly sigmas: Measured;
  /** Largest part of the running bound that an error used up. */
  readonly used: Measured;
  /** Fewest significant bits, of the cases in which they say something: see {@link showsBits}. */
  readonly bits: Measured;
  readonly mirrored: number;
  readonly mirrorEqual: number;
}

/** A row for each kernel, precision and number of levels, by name and levels. */
export function summarise(cases: readonly CaseResult[]): SummaryRow[] {
  const groups = [...groupedBy(cases, (result) => `${result.levels} ${titleOfKernel(result)}`).values()];
  const rows = groups.map((group) => {
    const count = (keep: (result: CaseResult) => boolean) => group.filter(keep).length;
    const standing = (wanted: Standing) => count((result) => standingOf(result) === wanted);
    return {
      kernel: titleOfKernel(group[0]),
      levels: group[0].levels,
      cases: group.length,
      pass: standing('pass'),
      fail: standing('fail'),
      waived: standing('waived'),
      inconclusive: standing('inconclusive'),
      sigmas: worst(
        group.map(({ checks }) => checks.find(({ name }) => name === 'sigma')?.found),
        'largest',
      ),
      used: worst(
        group.map(({ runningBound }) => runningBound?.used),
        'largest',
      ),
      bits: worst(
        group.filter(showsBits).map(({ exact }) => exact?.bits),
        'smallest',
      ),
      mirrored: count(({ mirrorEqual }) => mirrorEqual !== undefined),
      mirrorEqual: count(({ mirrorEqual }) => mirrorEqual === true),
    };
  });
  return rows.sort((x, y) => (x.kernel === y.kernel ? x.levels - y.levels : x.kernel < y.kernel ? -1 : 1));
}

/**
 * Whether the error beside |A||B|, entry by entry, tells of the kernel. Fast algorithms lose all bits of small entries
 * beside large ones and are right to (Higham, ASNA, section 23.2.2): there, only where entries are of like size.
 */
export const showsBits = ({ algorithm, levels, input, case: text }: CaseResult): boolean =>
  levels === 0 || algorithm === 'classical' || (input.startsWith('uniform') && !EDITED.test(text));

/** Edits make entries of other sizes. */
const EDITED = /;edit=/;

const titleOfKernel = ({ kernel, precision }: CaseResult): string =>
  precision === 'f32' ? kernel : `${kernel} ${precision}`;

/** The growth of one kernel's errors in one series: the fits of the largest and of the mean error. */
export interface GrowthRow {
  readonly kernel: string;
  readonly input: string;
  /** What changes along the series and what stays: "size, 2 levels". */
  readonly series: string;
  readonly maxError: GrowthResult | undefined;
  readonly meanError: GrowthResult | undefined;
}

const SERIES: Readonly<Record<GrowthResult['over'], (fixed: number) => string>> = {
  size: (levels) => `size, at ${counted(levels, 'level')}`,
  levels: (n) => `levels, at n = ${n}`,
};

/** What changes along a series and what stays: "size, at 2 levels". */
export const describeSeries = ({ over, fixed }: GrowthResult): string => SERIES[over](fixed);

/** A row for each series. */
export function growthRows(growth: readonly GrowthResult[]): GrowthRow[] {
  const key = ({ kernel, precision, input, over, fixed }: GrowthResult) =>
    `${over} ${fixed} ${precision} ${input} ${kernel}`;
  return [...groupedBy(growth, key).values()].map((group) => ({
    kernel: group[0].kernel,
    input: titleOfInput(group[0]),
    series: describeSeries(group[0]),
    maxError: group.find(({ measure }) => measure === 'maxError'),
    meanError: group.find(({ measure }) => measure === 'meanError'),
  }));
}

/** The input, with the precision where that is not binary32. */
const titleOfInput = ({ input, precision }: GrowthResult): string =>
  precision === 'f32' ? input : `${input} ${precision}`;

/** The slope of a fit and the larger side of its interval: "1.02 ± 0.08"; "no fit" where there is none. */
export function describeSlope(fit: GrowthResult | undefined): string {
  if (fit === undefined) return '–';
  if (fit.slope === undefined) return 'no fit';
  const slope = fit.slope.toFixed(2);
  if (fit.interval === undefined) return slope;
  const [low, high] = fit.interval;
  return `${slope} ± ${Math.max(fit.slope - low, high - fit.slope).toFixed(2)}`;
}

/** Things that have one reason in common. */
export interface SameReason<T> {
  readonly reason: string;
  readonly count: number;
  /** The first of them. */
  readonly example: T;
}

/** The reasons, the most frequent first. */
export function byReason<T extends { reason: string }>(items: readonly T[]): SameReason<T>[] {
  return [...groupedBy(items, ({ reason }) => reason).values()]
    .map((group) => ({ reason: group[0].reason, count: group.length, example: group[0] }))
    .sort((x, y) => y.count - x.count);
}

/** Why there are series without a fit. */
export function missingFits(growth: readonly GrowthResult[]): SameReason<GrowthResult>[] {
  const missing = growth.filter(({ slope }) => slope === undefined);
  return byReason(missing.map((fit) => ({ ...fit, reason: fit.reason ?? 'no reason is given' })));
}
