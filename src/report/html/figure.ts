import type { Figure, Line, Points, Series } from '../figure.ts';
import { type Placed, placeAxis } from './figures/axis.ts';
import { colourScale, drawCells } from './figures/cells.ts';
import { drawBars, drawLine, drawPoints } from './figures/marks.ts';
import { hueNumbers, tenth } from './figures/palette.ts';
import { html, type Markup } from './markup.ts';

/** Figures beside one another, with one legend; rows of them begin on lines of their own. */
export function htmlFigures(rows: readonly (readonly Figure[])[]): Markup {
  const figures = rows.flat();
  const found = new Set(
    figures.flatMap(({ series }) => series.flatMap((one) => ('hue' in one && one.hue ? [one.hue] : []))),
  );
  const hues = hueNumbers(found);
  const left = found.size - hues.size;
  const more =
    left === 0
      ? undefined
      : html`<p class="note">${left} more are not drawn: colours tell no more apart.</p>`;
  const panels = rows.map(
    (row) => html`<div class="panels">${row.map((figure) => panel(figure, hues))}</div>`,
  );
  return html`<div class="figure">${legend(figures, hues)}${more}${panels}</div>`;
}

/** Lines and marks of a kind: those that the legend lists, and what draws them. */
const kindOf = (series: Line | Points): string => (series.draw === 'line' ? series.stroke : series.shape);

/** A legend of figures, where they need one. With script, its keys show and hide what they stand for. */
function legend(figures: readonly Figure[], hues: ReadonlyMap<string, number>): Markup | undefined {
  const drawn = figures.flatMap(({ series }) =>
    series.filter((one): one is Line | Points => one.draw === 'line' || one.draw === 'points'),
  );
  const kinds = new Map<string, Line | Points>();
  for (const one of drawn) if (one.name !== undefined) kinds.set(kindOf(one), one);
  if (hues.size === 0 && kinds.size === 0) return undefined;
  const colours = [...hues].map(([hue, number]) =>
    key(
      `a${number}`,
      html`<g class="a${number}"><path class="solid" d="M0 7H26"/><use href="#s${number}" x="13" y="7"/></g>`,
      hue,
    ),
  );
  const others = [...kinds].map(([kind, one]) => key(kind, sampleOf(one), one.name ?? ''));
  return html`<div class="legend">${colours}${others}</div>`;
}

function sampleOf(series: Line | Points): Markup {
  if (series.draw === 'line') return html`<path class="${series.stroke}" d="M0 7H26"/>`;
  return html`<use class="${series.shape}" href="#${series.shape === 'ring' ? 'po' : 'px'}" x="13" y="7"/>`;
}

const key = (hides: string, sample: Markup, text: string): Markup =>
  html`<button type="button" aria-pressed="true" data-hides="${hides}"><svg width="26" height="14" aria-hidden="true">${sample}</svg>${text}</button>`;

// The drawing has units of its own, which are about CSS pixels.
const [WIDTH, HEIGHT] = [264, 236];
const [LEFT, RIGHT, TOP, BOTTOM] = [46, WIDTH - 13, 8, HEIGHT - 36];

/** A figure as a small drawing; hues without a number are not drawn. */
function panel({ title, x, y, series, note }: Figure, hues: ReadonlyMap<string, number>): Markup {
  const shown = series.filter((one) => !('hue' in one) || one.hue === undefined || hues.has(one.hue));
  const across = placeAxis(x, shown.flatMap(valuesAcross), [LEFT, RIGHT]);
  const upwards = placeAxis(y, shown.flatMap(valuesUpwards), [BOTTOM, TOP]);
  const body = shown.map((one) => drawn(one, across, upwards, hues));
  const cells = shown.find((one) => one.draw === 'cells');
  const below = cells === undefined ? undefined : colourScale(cells);
  const said = note === undefined ? undefined : html`<p class="note">${note}</p>`;
  return html`<figure class="panel"><figcaption>${title}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}: ${y.label} against ${x.label}">${frame(across, upwards, cells === undefined)}${body}</svg>${below}${said}</figure>`;
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

function drawn(one: Series, x: Placed, y: Placed, hues: ReadonlyMap<string, number>): Markup | undefined {
  if (one.draw === 'cells') {
    return drawCells(one, { left: LEFT, top: TOP, width: RIGHT - LEFT, height: BOTTOM - TOP });
  }
  if (one.draw === 'rule') return html`<path class="rule" d="M${LEFT} ${tenth(y.at(one.y))}H${RIGHT}"/>`;
  if (one.draw === 'bars') return drawBars(one, x, y);
  const hue = one.hue === undefined ? undefined : (hues.get(one.hue) ?? 0);
  const marks = one.draw === 'line' ? drawLine(one, x, y) : drawPoints(one, x, y, hue ?? 0);
  return hue === undefined ? marks : html`<g class="a${hue}">${marks}</g>`;
}

/** Axes with their ticks and names, and grid lines unless something covers them. */
function frame(x: Placed, y: Placed, grid: boolean): Markup {
  const across = y.ticks.map(({ at }) => `M${LEFT} ${tenth(at)}H${RIGHT}`);
  const upwards = x.ticks.map(({ at }) => `M${tenth(at)} ${BOTTOM}V${TOP}`);
  const lanes = y.lanes.map(
    ({ at, text }) =>
      html`<rect class="lane" x="${LEFT}" y="${at - 6}" width="${RIGHT - LEFT}" height="12"/><text class="lane-name" x="${LEFT - 5}" y="${at + 3.5}">${text}</text>`,
  );
  const left = y.ticks.map(
    ({ at, text }) => html`<text x="${LEFT - 5}" y="${tenth(at + 3.5)}">${text}</text>`,
  );
  const below = x.ticks.map(({ at, text }) => html`<text x="${tenth(at)}" y="${BOTTOM + 13}">${text}</text>`);
  const names = html`<text class="label" x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 5}">${x.label}</text><text class="label" transform="translate(9 ${(TOP + BOTTOM) / 2})rotate(-90)">${y.label}</text>`;
  const lines = grid ? html`<path class="grid" d="${[...across, ...upwards].join('')}"/>` : undefined;
  return html`${lines}${lanes}<path class="axis" d="M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}"/><g class="y">${left}</g><g class="x">${below}${names}</g>`;
}
