import { group, mean } from 'd3-array';
import { fromJsonNumber } from '../../base/numbers.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { StudyResult } from '../../run/results.ts';
import type { SeriesName } from './series.ts';

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

/** Gathers the values of cases by series, levels and size. */
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

/** Returns the label of an axis of errors. */
export function errorLabel(measure: MeasureName, ideal: boolean): string {
  return `${measure === 'maxError' ? 'largest' : 'mean'} |Ĉ − ${ideal ? 'ideal' : 'C'}|`;
}
