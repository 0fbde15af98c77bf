import { group, mean } from 'd3-array';
import { fromJsonNumber } from '../../base/numbers.ts';
import { toOneLine } from '../../base/printable.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { MOST_HUES } from '../../report/html/figures/palette.ts';
import { formatExponent, formatShort, type MeasuredNumber } from '../../report/numbers.ts';
import type { StudyResult } from '../../run/results.ts';

/** Returns the series name of a case, the same in all figures of a report. */
export type SeriesName = (result: Pick<CaseResult, 'kernel' | 'algorithm' | 'leaf'>) => string;

/**
 * Makes a series for each kernel. If colors do not suffice, kernels of ours that share an algorithm share a series: they differ in their
 * tiling, and nearly always give the same bits.
 */
export function seriesOf(cases: readonly CaseResult[]): SeriesName {
  const kernels = new Set(cases.map(({ kernel }) => kernel));
  const byKernel: SeriesName = ({ kernel }) => shortName(kernel);
  if (kernels.size <= MOST_HUES) return byKernel;
  return (result) => (isOurs(result) ? shortName(result.algorithm) : byKernel(result));
}

/** True if a kernel is one of ours, which are compiled for one of our leaf kernels. The leaf of other kernels is unknown. */
export const isOurs = ({ leaf }: Pick<CaseResult, 'leaf'>): boolean => leaf !== '';

/** Lists the names of all series. Series of failing cases come first, so that these have a color. */
export function seriesNames(cases: readonly CaseResult[], of: SeriesName): string[] {
  const failing = cases.filter(({ verdict }) => verdict === 'fail');
  const first = [...new Set(failing.map(of))];
  return [...new Set([...(first.length <= MOST_HUES ? first : []), ...cases.map(of)])];
}

// The limit keeps names of a file from filling a page. Real names are far shorter.
const LONGEST_NAME = 120;

/** Returns a name from a file, on one line and of bounded length. */
export const shortName = (text: string): string => toOneLine(text, LONGEST_NAME);

/** Returns "2 levels", "1 level" or "no recursion". */
export const describeLevels = (levels: number): string =>
  levels === 0 ? 'no recursion' : `${levels} level${levels === 1 ? '' : 's'}`;

/** Writes a published number with its published digits. */
export function formatPublished(value: MeasuredNumber): string {
  const text = Number(value).toExponential();
  return Number.isFinite(Number(value)) && text.length <= 9 ? text : formatExponent(value);
}

/** Describes speed-up and lost bits: "1.2 times as fast, 3.1 bits lost". */
export const describeTrade = (speedUp: number, bitsLost: number): string =>
  `${formatShort(speedUp)} times as fast, ${formatShort(Math.round(10 * bitsLost) / 10)} bits lost`;

/** The measures that figures show. */
export type MeasureName = 'maxError' | 'meanError';

/** Cases that a panel shows together. */
export interface CaseFamily {
  readonly input: string;
  readonly precision: string;
  /** True if errors are against the product of the ideal inputs, not of the stored inputs. */
  readonly ideal: boolean;
  readonly cases: readonly CaseResult[];
}

/**
 * Returns the cases that show the growth of errors, by input and precision: those of the growth series and of a study. Without these, it
 * returns all with square matrices. Families of one size and one number of levels show nothing and are left out.
 */
export function listCaseFamilies(cases: readonly CaseResult[], study?: StudyResult): CaseFamily[] {
  const studied = new Set(study?.cells.map((cell) => cell.case));
  const square = cases.filter(({ exact, m, k, n }) => exact !== undefined && m === k && k === n);
  const meant = square.filter((result) => result.series || studied.has(result.case));
  const groups = group(meant.length > 0 ? meant : square, ({ input, precision }) =>
    JSON.stringify([input, precision]),
  );
  return [...groups.values()]
    .filter(([first, ...others]) => others.some(({ n, levels }) => n !== first.n || levels !== first.levels))
    .map((own) => {
      const { input, precision, ideal } = own[0];
      return { input, precision, ideal: ideal !== undefined, cases: own };
    });
}

/** Returns the error of a case as the literature prints it: against the ideal product where there is one. */
export function errorOf(result: CaseResult, measure: MeasureName): number {
  const measures = result.ideal ?? result.exact;
  return measures === undefined ? Number.NaN : fromJsonNumber(measures[measure]);
}

/** Replicates at one place, for a mark and its error bar. */
export interface ReplicatePoint {
  readonly series: string;
  readonly levels: number;
  readonly n: number;
  /** Arithmetic mean, smallest and largest of the values that have a logarithm; absent where there are none. */
  readonly spread: { readonly mean: number; readonly min: number; readonly max: number } | undefined;
  readonly zeros: number;
  /** Number of infinities and NaN. */
  readonly beyond: number;
  readonly count: number;
}

/** Most sizes that a figure shows one by one. More sizes are shown as classes of similar sizes. */
const MOST_SIZES = 12;

export function gatherPoints(
  cases: readonly CaseResult[],
  seriesOf: SeriesName,
  value: (result: CaseResult) => number | undefined,
): ReplicatePoint[] {
  const sizes = new Set(cases.map(({ n }) => n));
  const size =
    sizes.size > MOST_SIZES ? (n: number) => Math.round(2 ** Math.round(Math.log2(n))) : (n: number) => n;
  const valued = cases.flatMap((result) => {
    const x = value(result);
    return x === undefined ? [] : [{ series: seriesOf(result), levels: result.levels, n: size(result.n), x }];
  });
  const places = group(valued, ({ series, levels, n }) => JSON.stringify([series, levels, n]));
  return [...places.values()]
    .map((own) => {
      const { series, levels, n } = own[0];
      return { series, levels, n, ...summary(own.map(({ x }) => x)) };
    })
    .sort((a, b) => a.n - b.n || a.levels - b.levels);
}

function summary(values: readonly number[]) {
  const positive = values.filter((x) => x > 0 && Number.isFinite(x));
  const zeros = values.filter((x) => x === 0).length;
  const min = positive.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const max = positive.reduce((a, b) => Math.max(a, b), 0);
  const spread = positive.length === 0 ? undefined : { mean: mean(positive) ?? max, min, max };
  return { spread, zeros, beyond: values.length - positive.length - zeros, count: values.length };
}

export function errorLabel(measure: MeasureName, ideal: boolean): string {
  return `${measure === 'maxError' ? 'largest' : 'mean'} |Ĉ − ${ideal ? 'ideal' : 'C'}|`;
}
