import { group as groupedBy } from 'd3-array';
import type { CaseResult } from '../evidence/case-result.ts';
import { formatCount, type MeasuredNumber, worstNumber } from '../report/numbers.ts';
import type { GrowthResult } from '../run/results.ts';
import { type CaseStanding, standingOf } from './standing.ts';

/** The cases of a kernel in one precision, at a number of levels. */
export interface SummaryRow {
  /** The kernel, with the precision where that is not binary32: "strassen:register f64". */
  readonly kernel: string;
  readonly levels: number;
  readonly cases: number;
  readonly pass: number;
  /** Failing cases without the waived ones. */
  readonly fail: number;
  readonly waived: number;
  readonly inconclusive: number;
  /** Largest error in units of the expected one, over the cases that the sigma check judges. */
  readonly sigmas: MeasuredNumber;
  /** Largest used part of the running bound. */
  readonly used: MeasuredNumber;
  /** Fewest significant bits, of the cases in which bits have a meaning: see {@link showsBits}. */
  readonly bits: MeasuredNumber;
  readonly comparedWithModel: number;
  readonly equalToModel: number;
}

/** Returns a row for each kernel, precision and number of levels, by name and levels. */
export function summarizeKernels(cases: readonly CaseResult[]): SummaryRow[] {
  const groups = [...groupedBy(cases, (result) => `${result.levels} ${titleOfKernel(result)}`).values()];
  const rows = groups.map((group) => {
    const count = (keep: (result: CaseResult) => boolean) => group.filter(keep).length;
    const standing = (wanted: CaseStanding) => count((result) => standingOf(result) === wanted);
    return {
      kernel: titleOfKernel(group[0]),
      levels: group[0].levels,
      cases: group.length,
      pass: standing('pass'),
      fail: standing('fail'),
      waived: standing('waived'),
      inconclusive: standing('inconclusive'),
      sigmas: worstNumber(
        group.map(({ checks }) => checks.find(({ name }) => name === 'sigma')?.found),
        'largest',
      ),
      used: worstNumber(
        group.map(({ runningBound }) => runningBound?.used),
        'largest',
      ),
      bits: worstNumber(
        group.filter(showsBits).map(({ exact }) => exact?.bits),
        'smallest',
      ),
      comparedWithModel: count(({ equalsModel }) => equalsModel !== undefined),
      equalToModel: count(({ equalsModel }) => equalsModel === true),
    };
  });
  return rows.sort((x, y) => (x.kernel === y.kernel ? x.levels - y.levels : x.kernel < y.kernel ? -1 : 1));
}

/**
 * True if the error relative to |A||B|, entry by entry, characterizes the kernel. Fast algorithms rightly lose all bits of small entries
 * beside large ones (Higham, ASNA, section 23.2.2). For them the error counts only where entries are of similar size.
 */
export const showsBits = ({ algorithm, levels, input, case: text }: CaseResult): boolean =>
  levels === 0 || algorithm === 'classical' || (input.startsWith('uniform') && !EDITED.test(text));

/** Edits change the sizes of entries. */
const EDITED = /;edit=/;

const titleOfKernel = ({ kernel, precision }: CaseResult): string =>
  precision === 'f32' ? kernel : `${kernel} ${precision}`;

/** The growth of one kernel's errors in one series: the fits of the largest and of the mean error. */
export interface GrowthRow {
  readonly kernel: string;
  readonly input: string;
  /** The variable and the fixed quantity of the series: "size, 2 levels". */
  readonly series: string;
  readonly maxError: GrowthResult | undefined;
  readonly meanError: GrowthResult | undefined;
}

const SERIES: Readonly<Record<GrowthResult['over'], (fixed: number) => string>> = {
  size: (levels) => `size, at ${formatCount(levels, 'level')}`,
  levels: (n) => `levels, at n = ${n}`,
};

/** Describes the variable and the fixed quantity of a series: "size, at 2 levels". */
export const describeSeries = ({ over, fixed }: GrowthResult): string => SERIES[over](fixed);

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

/** Returns the input, with the precision where that is not binary32. */
const titleOfInput = ({ input, precision }: GrowthResult): string =>
  precision === 'f32' ? input : `${input} ${precision}`;

/** Writes the slope of a fit and the larger side of its interval: "1.02 ± 0.08"; "no fit" where there is none. */
export function describeSlope(fit: GrowthResult | undefined): string {
  if (fit === undefined) return '–';
  if (fit.slope === undefined) return 'no fit';
  const slope = fit.slope.toFixed(2);
  if (fit.interval === undefined) return slope;
  const [low, high] = fit.interval;
  return `${slope} ± ${Math.max(fit.slope - low, high - fit.slope).toFixed(2)}`;
}

/** Items that share a reason. */
export interface ReasonGroup<T> {
  readonly reason: string;
  readonly count: number;
  /** The first of them. */
  readonly example: T;
}

/** Groups items by reason, the most frequent first. */
export function groupByReason<T extends { reason: string }>(items: readonly T[]): ReasonGroup<T>[] {
  return [...groupedBy(items, ({ reason }) => reason).values()]
    .map((group) => ({ reason: group[0].reason, count: group.length, example: group[0] }))
    .sort((x, y) => y.count - x.count);
}

/** Returns the reasons why series have no fit. */
export function missingFits(growth: readonly GrowthResult[]): ReasonGroup<GrowthResult>[] {
  const missing = growth.filter(({ slope }) => slope === undefined);
  return groupByReason(missing.map((fit) => ({ ...fit, reason: fit.reason ?? 'no reason is given' })));
}
