import { line } from 'd3-shape';
import { html, type Markup } from '../markup.ts';
import { scientific } from '../text.ts';
import type { Axis } from './axis.ts';
import { rounded, tenth } from './palette.ts';
import type { Point } from './points.ts';

/** How a series is drawn. */
export interface SeriesLook {
  /** The number of the algorithm's colour and shape. */
  readonly number: number;
  /** What a mark is called when it is pointed at, before its value. */
  readonly describe: (point: Point) => string;
  readonly across: (point: Point) => number;
}

/** The marks of a series: a line through the means, a bar from the smallest to the largest replicate, and lanes. */
export function seriesMarks(points: readonly Point[], x: Axis, y: Axis, look: SeriesLook): Markup {
  const place = (point: Point) => x.at(look.across(point));
  const measured = points.filter(({ spread }) => spread !== undefined);
  const path = polyline(measured.map((point) => [place(point), y.at(point.spread!.mean)]));
  const bars = measured
    .filter(({ spread }) => spread!.max > spread!.min)
    .map((point) => errorBar(place(point), y.at(point.spread!.min), y.at(point.spread!.max)))
    .join('');
  return html`<g class="a${look.number}">${optionalPath('line', path)}${optionalPath('bar', bars)}${points.map(
    (point) =>
      marksOf(point, y).map(
        ({ at, text }) =>
          html`<use href="#s${look.number}" x="${tenth(place(point))}" y="${tenth(at)}"><title>${look.describe(point)}: ${text}</title></use>`,
      ),
  )}</g>`;
}

function marksOf({ spread, zeros, beyond, count }: Point, y: Axis): { at: number; text: string }[] {
  const of = count > 1 ? ` of ${count}` : '';
  return [
    ...(spread === undefined ? [] : [{ at: y.at(spread.mean), text: describeSpread(spread, count) }]),
    ...(zeros === 0 ? [] : [{ at: y.at(0), text: `0${of === '' ? '' : ` in ${zeros}${of}`}` }]),
    ...(beyond === 0
      ? []
      : [{ at: y.at(Number.POSITIVE_INFINITY), text: `not finite${of === '' ? '' : ` in ${beyond}${of}`}` }]),
  ];
}

function describeSpread({ mean, min, max }: NonNullable<Point['spread']>, count: number): string {
  if (count === 1) return scientific(mean);
  const range = max > min ? `, ${scientific(min)} to ${scientific(max)}` : '';
  return `${scientific(mean)} (mean of ${count}${range})`;
}

/** A line of a class through the largest values of the points: a bound or a prediction. */
export function referenceLine(
  points: readonly Point[],
  x: Axis,
  y: Axis,
  look: { name: string; number: number; across: (point: Point) => number },
): Markup {
  const finite = points.filter(({ spread }) => spread !== undefined);
  const path = polyline(finite.map((point) => [x.at(look.across(point)), y.at(point.spread!.max)]));
  return html`<g class="a${look.number}">${optionalPath(look.name, path)}</g>`;
}

/** A cross for a published value. */
export function publishedMark(at: readonly [x: number, y: number], number: number, text: string): Markup {
  return html`<use class="pub a${number}" href="#px" x="${tenth(at[0])}" y="${tenth(at[1])}"><title>${text}</title></use>`;
}

function polyline(places: readonly (readonly [number, number])[]): string {
  return places.length < 2 ? '' : rounded(line()(places.map(([x, y]): [number, number] => [x, y])) ?? '');
}

const CAP = 2.5;

function errorBar(x: number, low: number, high: number): string {
  const [left, at] = [tenth(x - CAP), tenth(x)];
  return `M${left} ${tenth(low)}h${2 * CAP}M${left} ${tenth(high)}h${2 * CAP}M${at} ${tenth(low)}V${tenth(high)}`;
}

function optionalPath(name: string, path: string): Markup | undefined {
  return path === '' ? undefined : html`<path class="${name}" d="${path}"/>`;
}
