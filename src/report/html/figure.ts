import { toJsonNumber } from '../../base/numbers.ts';
import type { Axis, Bars, Figure, Line, Points, Series } from '../figure.ts';
import { columnsOf, digitsCell, type Table, type TableCell } from '../table.ts';
import { type PlacedAxis, placeAxis } from './figures/axis.ts';
import { colorScale, drawCells } from './figures/cells.ts';
import { drawBars, drawLine, drawPoints } from './figures/marks.ts';
import { type Hues, hueNumbers, roundToTenth } from './figures/palette.ts';
import { html, type Markup } from './markup.ts';
import { captionedTable } from './table.ts';

/** Renders figures side by side, with one legend, and their numbers folded below. Each row begins on a line of its own. */
export function htmlFigures(rows: readonly (readonly Figure[])[], given?: Hues): Markup {
  const figures = rows.flat();
  const found = new Set(
    figures.flatMap(({ series }) => series.flatMap((one) => ('hue' in one && one.hue ? [one.hue] : []))),
  );
  const hues = onlyOf(given ?? hueNumbers([...found].sort()), found);
  const left = found.size - hues.size;
  const more =
    left === 0
      ? undefined
      : html`<p class="note">${left} more ${left === 1 ? 'is' : 'are'} not drawn: no more colors can be distinguished.</p>`;
  const panels = rows.map((row) => {
    const frame = row.length <= FEW ? WIDE : NARROW;
    return html`<div class="panels ${frame.name}"${row.length <= FEW ? undefined : TABBABLE}>${row.map((figure) => panel(figure, hues, frame))}</div>`;
  });
  return html`<div class="figure">${legend(figures, hues)}${more}${panels}${numbersOf(figures)}</div>`;
}

// On narrow screens figures scroll sideways, and so must be reachable by keyboard.
const TABBABLE = html` tabindex="0"`;

const onlyOf = (hues: Hues, found: ReadonlySet<string>): Hues =>
  new Map([...hues].filter(([hue]) => found.has(hue)));

/** Renders the numbers of figures as tables. */
function numbersOf(figures: readonly Figure[]): Markup | undefined {
  const tables = figures.flatMap((figure) => figureTable(figure) ?? []).filter(({ rows }) => rows.length > 0);
  if (tables.length === 0) return undefined;
  return html`<details class="numbers"><summary>The numbers as ${tables.length === 1 ? 'a table' : 'tables'}</summary>${tables.map((table) => captionedTable(table))}</details>`;
}

/** Returns the kind of lines and marks, for the legend and for the renderer. */
const kindOf = (series: Line | Points): string => (series.draw === 'line' ? series.stroke : series.shape);

/** Renders a legend of figures, where they need one. With script, its keys show and hide their series. */
function legend(figures: readonly Figure[], hues: Hues): Markup | undefined {
  const drawn = figures.flatMap(({ series }) =>
    series.filter((one): one is Line | Points => one.draw === 'line' || one.draw === 'points'),
  );
  const kinds = new Map<string, Line | Points>();
  for (const one of drawn) if (one.name !== undefined) kinds.set(kindOf(one), one);
  if (hues.size === 0 && kinds.size === 0) return undefined;
  const colors = [...hues].map(([hue, number]) =>
    key(
      `a${number}`,
      html`<g class="a${number}"><path class="solid" d="M0 7H26"/><use href="#s${number}" x="13" y="7"/></g>`,
      hue,
    ),
  );
  const others = [...kinds].map(([kind, one]) => key(kind, sampleOf(one), one.name ?? ''));
  return html`<div class="legend">${colors}${others}</div>`;
}

function sampleOf(series: Line | Points): Markup {
  if (series.draw === 'line') return html`<path class="${series.stroke}" d="M0 7H26"/>`;
  return html`<use class="${series.shape}" href="#${series.shape === 'ring' ? 'po' : 'px'}" x="13" y="7"/>`;
}

const key = (hides: string, sample: Markup, text: string): Markup =>
  html`<button type="button" aria-pressed="true" data-hides="${hides}"><svg width="26" height="14" aria-hidden="true">${sample}</svg>${text}</button>`;

/** The frame of a drawing, in units of about CSS pixels. */
interface Frame {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const frameOf = (name: string, width: number, height: number): Frame => ({
  ...{ name, width, height },
  ...{ left: 54, right: width - 13, top: 8, bottom: height - 36 },
});

const NARROW = frameOf('narrow', 264, 236);
const WIDE = frameOf('wide', 460, 280);
/** Most figures in a row of wide ones. */
const FEW = 2;

/** Renders a figure as a small drawing. Hues without a number are not drawn. */
function panel({ title, x, y, series, note }: Figure, hues: Hues, frame: Frame): Markup {
  const { width, height, left, right, top, bottom } = frame;
  const shown = series.filter((one) => !('hue' in one) || one.hue === undefined || hues.has(one.hue));
  const across = placeAxis(x, shown.flatMap(valuesAcross), [left, right]);
  const upwards = placeAxis(y, shown.flatMap(valuesUpwards), [bottom, top]);
  const aside = dodge(x, shown);
  const body = shown.map((one) => drawn(one, aside(one, across), upwards, hues, frame));
  const cells = shown.find((one) => one.draw === 'cells');
  const below = cells === undefined ? undefined : colorScale(cells);
  const said = note === undefined ? undefined : html`<p class="note">${note}</p>`;
  return html`<figure class="panel"><figcaption>${title}</figcaption><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${descriptionOf({ title, x, y, series: shown })}">${axes(across, upwards, frame, cells === undefined)}${body}</svg>${below}${said}</figure>`;
}

/** Pixels between the marks of two series at one place, and the largest width of all of them. */
const [APART, WIDEST] = [7, 28];

/** Shifts marks of several series at the same places aside, so that equal values do not hide each other. */
function dodge({ scale }: Axis, series: readonly Series[]): (one: Series, across: PlacedAxis) => PlacedAxis {
  const hues = series.flatMap((one) => (one.draw === 'points' && one.shape === 'own' ? [one.hue] : []));
  const isShared = SHARED_PLACES.includes(scale) && hues.length > 1;
  const step = Math.min(APART, WIDEST / Math.max(1, hues.length - 1));
  return (one, across) => {
    const at = 'hue' in one && (one.draw === 'points' || one.stroke === 'solid') ? hues.indexOf(one.hue) : -1;
    if (!isShared || at < 0) return across;
    return { ...across, at: (value) => across.at(value) + step * (at - (hues.length - 1) / 2) };
  };
}

/** Describes the contents of a drawing, in a sentence. */
function descriptionOf({ title, x, y, series }: Figure): string {
  const names = new Set(series.flatMap((one) => ('hue' in one && one.hue ? [one.hue] : [])));
  const of = names.size === 0 ? '' : `, of ${[...names].join(', ')}`;
  return `${title}: ${y.label} against ${x.label}${of}`;
}

function valuesAcross(series: Series): number[] {
  if (series.draw === 'cells' || series.draw === 'rule') return [];
  return series.draw === 'line' ? series.points.map(([x]) => x) : series.marks.map(({ x }) => x);
}

function valuesUpwards(series: Series): number[] {
  if (series.draw === 'cells') return [];
  if (series.draw === 'rule') return [series.y];
  if (series.draw === 'line') return series.points.map(([, y]) => y);
  return series.marks.flatMap(({ y, bar = [] }) => [y, ...bar]);
}

function drawn(one: Series, x: PlacedAxis, y: PlacedAxis, hues: Hues, frame: Frame): Markup | undefined {
  const { left, right, top, bottom } = frame;
  if (one.draw === 'cells') {
    return drawCells(one, { left, top, width: right - left, height: bottom - top });
  }
  if (one.draw === 'rule')
    return html`<path class="rule" d="M${left} ${roundToTenth(y.at(one.y))}H${right}"/>`;
  if (one.draw === 'bars') return drawBars(one, x, y);
  const hue = one.hue === undefined ? undefined : (hues.get(one.hue) ?? 0);
  const marks = one.draw === 'line' ? drawLine(one, x, y) : drawPoints(one, x, y, hue ?? 0);
  return hue === undefined ? marks : html`<g class="a${hue}">${marks}</g>`;
}

/** Renders axes with their ticks and names, and grid lines unless something covers them. */
function axes(x: PlacedAxis, y: PlacedAxis, frame: Frame, grid: boolean): Markup {
  const { left, right, top, bottom, height } = frame;
  const across = y.ticks.map(({ at }) => `M${left} ${roundToTenth(at)}H${right}`);
  const upwards = x.ticks.map(({ at }) => `M${roundToTenth(at)} ${bottom}V${top}`);
  const lanes = y.lanes.map(
    ({ at, text }) =>
      html`<rect class="lane" x="${left}" y="${at - 6}" width="${right - left}" height="12"/><text class="lane-name" x="${left - 5}" y="${at + 3.5}">${text}</text>`,
  );
  const beside = y.ticks.map(({ at, text }) => html`<text y="${roundToTenth(at)}">${text}</text>`);
  const below = x.ticks.map(
    ({ at, text }) => html`<text x="${roundToTenth(at)}" y="${bottom + 13}">${text}</text>`,
  );
  const names = html`<text class="label" x="${(left + right) / 2}" y="${height - 5}">${x.label}</text><text class="label" transform="translate(9 ${(top + bottom) / 2})rotate(-90)">${y.label}</text>`;
  const lines = grid ? html`<path class="grid" d="${[...across, ...upwards].join('')}"/>` : undefined;
  return html`${lines}${lanes}<path class="axis" d="M${left} ${top}V${bottom}H${right}"/><g class="y" transform="translate(${left - 5} 3.5)">${beside}</g><g class="x">${below}${names}</g>`;
}

/** A column of a figure's numbers: values at some places. */
interface Numbers {
  readonly heading: string;
  readonly at: ReadonlyMap<number, number>;
}

/** Axes along which series share their places. */
const SHARED_PLACES: readonly Axis['scale'][] = ['sizes', 'steps'];

/**
 * Tabulates the numbers that a figure draws, as an alternative to the drawing. It has a column for each series where they share their
 * places along x, else a row for each mark; undefined for a heat map.
 */
function figureTable({ title, x, y, series }: Figure): Table | undefined {
  if (series.some((one) => one.draw === 'cells')) return undefined;
  const bars = series.find((one) => one.draw === 'bars');
  if (bars === undefined && !SHARED_PLACES.includes(x.scale)) return markTable({ title, x, y, series });
  const columns = series.flatMap((one) => numbersIn(one) ?? []);
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

function numbersIn(series: Series): Numbers | undefined {
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
