import type { Line, Mark, Points } from '../../report/figure.ts';
import { exponent } from '../../report/numbers.ts';
import type { Point } from './points.ts';

/** The functions that make marks from points. */
export interface Marking {
  readonly across: (point: Point) => number;
  /** Returns the label of a mark under the pointer, which stands before its value. */
  readonly describe: (point: Point) => string;
}

/** Draws replicates of one hue: a line through the means, a bar from the smallest to the largest, and marks in lanes. */
export function replicates(
  points: readonly Point[],
  hue: string,
  { across, describe }: Marking,
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

function marksOf({ spread, zeros, beyond, count }: Point): Omit<Mark, 'x'>[] {
  const of = (some: number) => (count > 1 ? ` in ${some} of ${count}` : '');
  return [
    ...(spread === undefined ? [] : [spreadMark(spread, count)]),
    ...(zeros === 0 ? [] : [{ y: 0, says: `0${of(zeros)}` }]),
    ...(beyond === 0 ? [] : [{ y: Number.POSITIVE_INFINITY, says: `not finite${of(beyond)}` }]),
  ];
}

function spreadMark({ mean, min, max }: NonNullable<Point['spread']>, count: number): Omit<Mark, 'x'> {
  if (count === 1) return { y: mean, says: exponent(mean) };
  if (max === min) return { y: mean, says: `${exponent(mean)} (mean of ${count})` };
  const says = `${exponent(mean)} (mean of ${count}, ${exponent(min)} to ${exponent(max)})`;
  return { y: mean, bar: [min, max], says };
}

/** Returns the values that an axis must include. */
export const valuesOf = (points: readonly Point[]): number[] =>
  points.flatMap(({ spread, zeros, beyond }) => [
    ...(spread === undefined ? [] : [spread.min, spread.max]),
    ...(zeros > 0 ? [0] : []),
    ...(beyond > 0 ? [Number.POSITIVE_INFINITY] : []),
  ]);
