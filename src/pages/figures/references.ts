import { fromJsonNumber } from '../../base/real.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Line } from '../../report/figure.ts';
import type { MeasuredNumber } from '../../report/numbers.ts';
import type { ReplicatePoint } from './points.ts';

/** A reference line beside measured values. */
export interface ReferenceSeries extends Pick<Line, 'stroke'> {
  readonly name: string;
  readonly value: (result: CaseResult) => number | undefined;
}

/** The expected largest error, and the bound on it. */
export const REFERENCES: readonly ReferenceSeries[] = [
  { name: 'largest sigma expected', stroke: 'dotted', value: ({ sigma }) => drawable(sigma?.largest) },
  {
    name: 'largest running bound',
    stroke: 'dashed',
    value: ({ runningBound }) => drawable(runningBound?.largest),
  },
];

function drawable(value: MeasuredNumber): number | undefined {
  const x = value === undefined ? 0 : fromJsonNumber(value);
  return x > 0 && Number.isFinite(x) ? x : undefined;
}

/** The points of one series. */
interface Own {
  readonly series: string;
  readonly points: readonly ReplicatePoint[];
}

/** Returns a line for each series through its largest values. Where all agree, as for kernels of equal claims, it returns one line. */
export function referenceLines(
  { name, stroke }: ReferenceSeries,
  all: readonly Own[],
  across: (point: ReplicatePoint) => number,
): Line[] {
  const lines = all
    .map(({ series, points }): Line => {
      const largest = points.flatMap((point) =>
        point.spread === undefined ? [] : [[across(point), point.spread.max] as const],
      );
      return { draw: 'line', stroke, hue: series, name, points: largest };
    })
    .filter(({ points }) => points.length > 0);
  const joined = lines.length > 1 ? inOne(lines.flatMap(({ points }) => points)) : undefined;
  return joined === undefined ? lines : [{ draw: 'line', stroke, name, points: joined }];
}

/** Largest ratio of values that look equal. */
const ALIKE = 1.02;

/** Merges the points of several lines into one; undefined where they differ. */
function inOne(points: Line['points']): Line['points'] | undefined {
  const places = new Map<number, number>();
  for (const [x, y] of points) {
    const other = places.get(x) ?? y;
    if (Math.max(y / other, other / y) > ALIKE) return undefined;
    places.set(x, other);
  }
  return [...places].sort(([one], [other]) => one - other);
}
