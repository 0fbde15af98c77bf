import type { CaseResult } from '../../evidence/case-result.ts';
import type { Line, Mark, Points } from '../../report/figure.ts';
import { formatExponent } from '../../report/numbers.ts';
import type { GrowthResult } from '../../run/results.ts';
import { growthSentence } from '../sections/growth.ts';
import type { CaseFamily, MeasureName, ReplicatePoint, SeriesName } from './series.ts';

/** The selection of fits that a figure shows. */
interface FitSelection {
  readonly measure: MeasureName;
  readonly over: GrowthResult['over'];
  /** The levels, for fits over size; n, for fits over levels. */
  readonly fixed: number;
}

/** Draws the fitted power laws of a family as lines, and compares each slope with theory. */
export function growthLines(
  growth: readonly GrowthResult[],
  { input, precision, cases }: Pick<CaseFamily, 'input' | 'precision' | 'cases'>,
  seriesOf: SeriesName,
  { measure, over, fixed }: FitSelection,
): { lines: Line[]; sentences: string[] } {
  const own = growth.filter(
    (fit) =>
      fit.slope !== undefined &&
      // A file may hold a slope without the points of its fit.
      new Set(drawable(fit).map(({ x }) => x)).size > 1 &&
      fit.input === input &&
      fit.precision === precision &&
      fit.measure === measure &&
      fit.over === over &&
      fit.fixed === fixed,
  );
  const found = own.flatMap((fit) => {
    const example = cases.find(({ kernel }) => kernel === fit.kernel);
    return example === undefined ? [] : [{ fit, example }];
  });
  return {
    lines: found.map(({ fit, example }) => lineOf(fit, seriesOf(example))),
    sentences: found.flatMap(({ fit, example }) => sentenceOf(fit, example) ?? []),
  };
}

const sentenceOf = (fit: GrowthResult, { algorithm }: CaseResult): string | undefined =>
  growthSentence(fit, fit.kernel, algorithm);

/** Returns the points that have a logarithm. */
const drawable = ({ points }: GrowthResult) => points.filter(({ error }) => error > 0);

/** Draws a fit from its first place to its last, through the means of the logarithms. */
function lineOf(fit: GrowthResult, hue: string): Line {
  const { slope = 0, over } = fit;
  const used = drawable(fit);
  const abscissa = over === 'size' ? Math.log2 : (x: number) => x;
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const center = mean(used.map(({ x }) => abscissa(x)));
  const level = mean(used.map(({ error }) => Math.log2(error)));
  const ends = [Math.min(...used.map(({ x }) => x)), Math.max(...used.map(({ x }) => x))];
  return {
    draw: 'line',
    stroke: 'thin',
    hue,
    name: 'fitted power law',
    points: ends.map((x) => [x, 2 ** (level + slope * (abscissa(x) - center))] as const),
  };
}

export interface MarkFunctions {
  readonly across: (point: ReplicatePoint) => number;
  /** Returns the label of a mark under the pointer, which stands before its value. */
  readonly describe: (point: ReplicatePoint) => string;
}

/** Draws replicates of one hue: a line through the means, a bar from the smallest to the largest, and marks in lanes. */
export function replicates(
  points: readonly ReplicatePoint[],
  hue: string,
  { across, describe }: MarkFunctions,
): [Line, Points] {
  const means = points.flatMap((point) =>
    point.spread === undefined ? [] : [[across(point), point.spread.mean] as const],
  );
  const marks = points.flatMap((point) =>
    marksOf(point).map(
      (mark): Mark => ({ ...mark, x: across(point), says: `${describe(point)}: ${mark.says}` }),
    ),
  );
  return [
    { draw: 'line', stroke: 'solid', hue, points: means },
    { draw: 'points', shape: 'own', hue, marks },
  ];
}

function marksOf({ spread, zeros, beyond, count }: ReplicatePoint): Omit<Mark, 'x'>[] {
  const of = (some: number) => (count > 1 ? ` in ${some} of ${count}` : '');
  return [
    ...(spread === undefined ? [] : [spreadMark(spread, count)]),
    ...(zeros === 0 ? [] : [{ y: 0, says: `0${of(zeros)}` }]),
    ...(beyond === 0 ? [] : [{ y: Number.POSITIVE_INFINITY, says: `not finite${of(beyond)}` }]),
  ];
}

function spreadMark(
  { mean, min, max }: NonNullable<ReplicatePoint['spread']>,
  count: number,
): Omit<Mark, 'x'> {
  if (count === 1) return { y: mean, says: formatExponent(mean) };
  if (max === min) return { y: mean, says: `${formatExponent(mean)} (mean of ${count})` };
  const says = `${formatExponent(mean)} (mean of ${count}, ${formatExponent(min)} to ${formatExponent(max)})`;
  return { y: mean, bar: [min, max], says };
}

/** Returns the values that an axis must include. */
export const axisValuesOf = (points: readonly ReplicatePoint[]): number[] =>
  points.flatMap(({ spread, zeros, beyond }) => [
    ...(spread === undefined ? [] : [spread.min, spread.max]),
    ...(zeros > 0 ? [0] : []),
    ...(beyond > 0 ? [Number.POSITIVE_INFINITY] : []),
  ]);
