import { toJsonNumber } from '../base/real.ts';
import type { Axis, Bars, Figure, Line, Points, Series } from './figure.ts';
import { columnsOf, digitsCell, type Table, type TableCell } from './table.ts';

/** A column of a figure's numbers: values at some places. */
interface Numbers {
  readonly heading: string;
  readonly at: ReadonlyMap<number, number>;
}

/** Axes along which series share their places. */
export const SHARED_PLACES: readonly Axis['scale'][] = ['sizes', 'steps'];

/**
 * Tabulates the numbers that a figure draws, as an alternative to the drawing. It has a column for each series where they share their
 * places along x, else a row for each mark; undefined for a heat map.
 */
export function figureTable({ title, x, y, series }: Figure): Table | undefined {
  if (series.some((one) => one.draw === 'cells')) return undefined;
  const bars = series.find((one) => one.draw === 'bars');
  if (bars === undefined && !SHARED_PLACES.includes(x.scale)) return markTable({ title, x, y, series });
  const columns = series.flatMap((one) => numbersOf(one) ?? []);
  const places = [
    ...new Set((bars === undefined ? columns : [barsOf(bars)]).flatMap(({ at }) => [...at.keys()])),
  ];
  const rows = places
    .sort((a, b) => a - b)
    .map((place) => [number(place, 6), ...columns.map(({ at }) => number(at.get(place)))]);
  const headings = columns.map(({ heading }) => heading || y.label);
  return { title: `${title}: ${y.label}`, columns: columnsOf('number', x.label, ...headings), rows };
}

function number(value: number | undefined, count = 3): TableCell {
  return value === undefined ? '' : digitsCell(toJsonNumber(value), count);
}

function numbersOf(series: Series): Numbers | undefined {
  if (series.draw === 'bars') return barsOf(series);
  if (series.draw === 'points')
    return { heading: headingOf(series), at: new Map(series.marks.map((mark) => [mark.x, mark.y])) };
  // A solid line joins marks that are listed.
  if (series.draw !== 'line' || series.stroke === 'solid' || series.stroke === 'cut') return undefined;
  return { heading: headingOf(series), at: new Map(series.points.map(([at, value]) => [at, value])) };
}

const barsOf = ({ marks }: Bars): Numbers => ({
  heading: '',
  at: new Map(marks.filter(({ y }) => y > 0).map((mark) => [mark.x, mark.y])),
});

const headingOf = ({ hue, name }: Line | Points): string =>
  [hue, name].filter((text) => text !== undefined).join(', ');

function markTable({ title, x, y, series }: Figure): Table {
  const rows = series.flatMap((one) =>
    one.draw === 'points'
      ? one.marks.map((mark): TableCell[] => [
          `${headingOf(one)}${mark.tag === undefined ? '' : ` (${mark.tag})`}`,
          number(mark.x),
          number(mark.y),
        ])
      : [],
  );
  return { title, columns: [...columnsOf('text', 'of'), ...columnsOf('number', x.label, y.label)], rows };
}
