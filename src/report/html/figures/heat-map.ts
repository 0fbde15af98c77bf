import { extent } from 'd3-array';
import { type CaseResult, type ErrorMap, fromReal } from '../../../gate/results.ts';
import { html, type Markup } from '../markup.ts';
import { levelsInWords, name, scientific } from '../text.ts';
import { tenth } from './palette.ts';
import { dataUrl, png } from './png.ts';

// From dark to light in even steps of lightness, blue to yellow; first the colour of 0, last that of what is not finite.
const COLOURS = [
  '#ffffff',
  ...['#0b1f4b', '#15306a', '#1f4283', '#2f5590', '#456896', '#5a7a99', '#6f8d9a', '#869f98'],
  ...['#9fb192', '#b9c287', '#d3d279', '#ebe06b', '#f8ea7f', '#fdf3b0'],
  '#d4006a',
];
const CLASSES = COLOURS.length - 2;

interface Classes {
  readonly low: number;
  readonly high: number;
  readonly of: (value: number) => number;
}

/** Classes of equal ratio between the smallest and the largest error that have a logarithm. */
function classesOf(values: readonly number[]): Classes {
  const [low = 1, high = 1] = extent(values.filter((value) => value > 0 && Number.isFinite(value)));
  const width = Math.log2(high / low) / CLASSES || 1;
  const of = (value: number) => {
    if (value === 0) return 0;
    if (!(value > 0 && Number.isFinite(value))) return COLOURS.length - 1;
    return 1 + Math.min(CLASSES - 1, Math.floor(Math.log2(value / low) / width));
  };
  return { low, high, of };
}

const SIDE = 264;

/** Where the errors of a case lie: its map with the blocks of the recursion and the worst entry. */
export function heatMap(result: CaseResult, map: ErrorMap): Markup {
  const { kernel, levels, input, precision, m, n } = result;
  const values = map.cells.slice(0, map.rows * map.cols).map((cell) => Math.abs(fromReal(cell)));
  while (values.length < map.rows * map.cols) values.push(0);
  const classes = classesOf(values);
  const image = dataUrl(png(map.cols, map.rows, values.map(classes.of), COLOURS));
  // Very thin matrices are stretched, or nothing could be seen.
  const height = tenth(SIDE * Math.min(2, Math.max(0.25, m / n)));
  const title = `${name(kernel)}, ${levelsInWords(levels)}, ${name(input)}, ${name(precision)}, ${m}×${n}`;
  return html`<figure class="panel map"><figcaption>${title}</figcaption><svg viewBox="-1 -1 ${SIDE + 2} ${tenth(height + 2)}" role="img" aria-label="${title}: the largest error of each of ${map.rows}×${map.cols} cells"><image href="${image}" width="${SIDE}" height="${height}" preserveAspectRatio="none"/>${quadrantLines(result, height)}${worstEntry(result, height)}<rect class="frame" width="${SIDE}" height="${height}"/></svg>${scale(classes, values)}</figure>`;
}

/** The borders between blocks, the first level's the strongest. */
function quadrantLines({ levelsUsed, border, m, n }: CaseResult, height: number): Markup[] {
  const lines: Markup[] = [];
  for (let level = Math.min(levelsUsed, 5); level >= 1; level--) {
    const across = cuts(n, levelsUsed, level, border).map((at) => `M${tenth((at / n) * SIDE)} 0V${height}`);
    const down = cuts(m, levelsUsed, level, border).map((at) => `M0 ${tenth((at / m) * height)}H${SIDE}`);
    lines.push(cut([...across, ...down].join(''), 2 / level));
  }
  return lines;
}

/** A light line with dark edges, to be seen on any colour. */
function cut(path: string, width: number): Markup {
  const strokes = [width + 1.6, width].map(
    (stroke) => html`<path stroke-width="${tenth(stroke)}" d="${path}"/>`,
  );
  return html`<g class="cut">${strokes}</g>`;
}

/** Where a dimension is cut at a level: padding rounds its blocks up, peeling down. */
function cuts(size: number, levels: number, level: number, border: string): number[] {
  const leaf = border === 'peel' ? Math.floor(size / 2 ** levels) : Math.ceil(size / 2 ** levels);
  const block = leaf * 2 ** (levels - level);
  const last = border === 'peel' ? 2 ** level : 2 ** level - 1;
  return Array.from({ length: last }, (_, at) => (at + 1) * block).filter((at) => at > 0 && at < size);
}

function worstEntry({ exact, m, n }: CaseResult, height: number): Markup | undefined {
  const worst = exact?.worst;
  if (worst === undefined || worst.i >= m || worst.j >= n) return undefined;
  const [x, y] = [((worst.j + 0.5) / n) * SIDE, ((worst.i + 0.5) / m) * height];
  return html`<g class="worst" transform="translate(${tenth(x)} ${tenth(y)})"><circle r="7"/><circle r="7"/><title>worst entry (${worst.i}, ${worst.j})${worst.quadrant === '' ? '' : ` in ${name(worst.quadrant)}`}: found ${scientific(worst.computed)}, expected ${scientific(worst.expected)}, error ${scientific(worst.error)}</title></g>`;
}

/** What the colours mean. */
function scale({ low, high }: Classes, values: readonly number[]): Markup {
  const every = COLOURS.map((_, at) => at).slice(1, -1);
  const steps = html`<image href="${dataUrl(png(CLASSES, 1, every, COLOURS))}" width="${SIDE}" height="9" preserveAspectRatio="none"/>`;
  const extra = [
    values.some((value) => value === 0) ? 'white: 0' : '',
    values.every(Number.isFinite) ? '' : 'magenta: not finite',
  ].filter((text) => text !== '');
  const some = values.some((value) => value > 0 && Number.isFinite(value));
  const bar = some
    ? html`<svg viewBox="0 0 ${SIDE} 24" aria-hidden="true">${steps}<text class="start" x="0" y="21">${scientific(low)}</text><text x="${SIDE / 2}" y="21">error of the cell, log scale</text><text class="end" x="${SIDE}" y="21">${scientific(high)}</text></svg>`
    : undefined;
  return html`${bar}${extra.length === 0 ? undefined : html`<p class="note">${extra.join('; ')}</p>`}`;
}
