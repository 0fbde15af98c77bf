import type { Line, Mark, Points } from '../../report/figure.ts';
import { formatExponent } from '../../report/numbers.ts';
import type { ReplicatePoint } from './points.ts';

/** The functions that make marks from points. */
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
