import { line } from 'd3-shape';
import type { Bars, Line, Mark, Points } from '../../figure.ts';
import { html, type Markup } from '../markup.ts';
import type { PlacedAxis } from './axis.ts';
import { roundPath, roundToTenth } from './palette.ts';

/** Draws a line, if it has at least two points. */
export function drawLine({ points, stroke, weight }: Line, x: PlacedAxis, y: PlacedAxis): Markup | undefined {
  const path = line<readonly [number, number]>()
    .defined(([a, b]) => !Number.isNaN(a) && !Number.isNaN(b))
    .x(([a]) => x.at(a))
    .y(([, b]) => y.at(b));
  if (points.length < 2) return undefined;
  const d = roundPath(path(points) ?? '');
  // A light line with dark sides stands out from any color.
  const width = (more: number) =>
    weight === undefined ? undefined : html` stroke-width="${roundToTenth(weight + more)}"`;
  const under = stroke === 'cut' ? html`<path class="cut under"${width(1.6)} d="${d}"/>` : undefined;
  return html`${under}<path class="${stroke}"${width(0)} d="${d}"/>`;
}

const SHAPES: Readonly<Record<Exclude<Points['shape'], 'own'>, string>> = { cross: 'px', ring: 'po' };

/** Draws marks with their error bars and tags. */
export function drawPoints({ marks, shape }: Points, x: PlacedAxis, y: PlacedAxis, hue: number): Markup {
  const href = shape === 'own' ? `s${hue}` : SHAPES[shape];
  const bars = marks.flatMap(({ x: at, bar }) =>
    bar === undefined ? [] : [errorBar(x.at(at), y.at(bar[0]), y.at(bar[1]))],
  );
  const kind = shape === 'own' ? undefined : html` class="${shape}"`;
  const drawn = marks.map((mark) => {
    const [left, top] = [roundToTenth(x.at(mark.x)), roundToTenth(y.at(mark.y))];
    return html`<use${kind} href="#${href}" x="${left}" y="${top}">${titleOf(mark)}</use>${tagOf(mark, left, top)}`;
  });
  return html`${bars.length === 0 ? undefined : html`<path class="bar" d="${bars.join('')}"/>`}${drawn}`;
}

const titleOf = ({ says }: Mark) => html`<title>${says}</title>`;

const tagOf = ({ tag }: Mark, left: number, top: number) =>
  tag === undefined ? undefined : html`<text class="tag" x="${left + 6}" y="${top - 4}">${tag}</text>`;

const CAP = 2.5;

function errorBar(x: number, low: number, high: number): string {
  const cap = `h${2 * CAP}`;
  return `M${roundToTenth(x - CAP)} ${roundToTenth(low)}${cap}m${-CAP} 0V${roundToTenth(high)}m${-CAP} 0${cap}`;
}

/** Draws bars, without those of height 0. */
export function drawBars({ marks, width }: Bars, x: PlacedAxis, y: PlacedAxis): Markup {
  const wide = Math.max(0.4, x.at(width) - x.at(0) - 0.4);
  const base = roundToTenth(y.at(0));
  const drawn = marks
    .filter(({ y: height }) => height > 0)
    .map(
      (mark) =>
        html`<path d="M${roundToTenth(x.at(mark.x))} ${base}V${roundToTenth(y.at(mark.y))}">${titleOf(mark)}</path>`,
    );
  return html`<g class="bins" stroke-width="${roundToTenth(wide)}">${drawn}</g>`;
}
