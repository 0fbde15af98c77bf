import { mean } from 'd3-array';
import { type CaseResult, fromReal, type Study } from '../../../gate/results.ts';

/** The measures that figures show. */
export type MeasureName = 'maxError' | 'meanError';

/** What a panel's values have in common. */
export interface Family {
  readonly input: string;
  readonly precision: string;
  /** Whether errors are against the product that the input means, and not against that of the stored inputs. */
  readonly ideal: boolean;
  readonly cases: readonly CaseResult[];
}

/**
 * The cases that show how errors grow, by input and precision: those of the growth series and of a study, or, where
 * there are none, all with square matrices. Families of one size and one number of levels show nothing and are left
 * out.
 */
export function families(cases: readonly CaseResult[], study?: Study): Family[] {
  const studied = new Set(study?.cells.map((cell) => cell.case));
  const square = cases.filter(({ exact, m, k, n }) => exact !== undefined && m === k && k === n);
  const meant = square.filter((result) => result.series || studied.has(result.case));
  const groups = new Map<string, CaseResult[]>();
  for (const result of meant.length > 0 ? meant : square) {
    const key = JSON.stringify([result.input, result.precision]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else group.push(result);
  }
  return [...groups.values()]
    .filter(([first, ...others]) => others.some(({ n, levels }) => n !== first.n || levels !== first.levels))
    .map((group) => {
      const { input, precision, ideal } = group[0];
      return { input, precision, ideal: ideal !== undefined, cases: group };
    });
}

/** The error of a case as the literature prints it: against the ideal product where there is one. */
export function errorOf(result: CaseResult, measure: MeasureName): number {
  const measures = result.ideal ?? result.exact;
  return measures === undefined ? Number.NaN : fromReal(measures[measure]);
}

/** Replicates at one place: what a mark and its error bar show. */
export interface Point {
  readonly algorithm: string;
  readonly levels: number;
  readonly n: number;
  /** Arithmetic mean, smallest and largest of the values that have a logarithm; absent where there are none. */
  readonly spread: { readonly mean: number; readonly min: number; readonly max: number } | undefined;
  readonly zeros: number;
  /** Infinities and NaN. */
  readonly beyond: number;
  readonly count: number;
}

/** Above so many sizes a figure shows classes of similar sizes. */
const MOST_SIZES = 12;

/** The values of cases gathered by algorithm, levels and size. */
export function gather(
  cases: readonly CaseResult[],
  value: (result: CaseResult) => number | undefined,
): Point[] {
  const sizes = new Set(cases.map(({ n }) => n));
  const size =
    sizes.size > MOST_SIZES ? (n: number) => Math.round(2 ** Math.round(Math.log2(n))) : (n: number) => n;
  const groups = new Map<string, { algorithm: string; levels: number; n: number; values: number[] }>();
  for (const result of cases) {
    const x = value(result);
    if (x === undefined) continue;
    const { algorithm, levels } = result;
    const n = size(result.n);
    const key = JSON.stringify([algorithm, levels, n]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { algorithm, levels, n, values: [x] });
    else group.values.push(x);
  }
  return [...groups.values()]
    .map(({ values, ...place }) => ({ ...place, ...summary(values) }))
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

/** Every value that an axis must have a place for. */
export function* valuesOf(points: readonly Point[]): Generator<number> {
  for (const { spread, zeros, beyond } of points) {
    if (spread !== undefined) yield* [spread.min, spread.max];
    if (zeros > 0) yield 0;
    if (beyond > 0) yield Number.POSITIVE_INFINITY;
  }
}
