import { extent } from 'd3-array';
import type { Cells } from '../../figure.ts';
import { exponent } from '../../numbers.ts';
import { html, type Markup } from '../markup.ts';
import { dataUrl, png } from './png.ts';

// From dark to light in even steps of lightness, blue to yellow; first the colour of 0, last that of what is not finite.
const COLOURS = [
  '#ffffff',
  ...['#0b1f4b', '#15306a', '#1f4283', '#2f5590', '#456896', '#5a7a99', '#6f8d9a', '#869f98'],
  ...['#9fb192', '#b9c287', '#d3d279', '#ebe06b', '#f8ea7f', '#fdf3b0'],
  '#d4006a',
];
const CLASSES = COLOURS.length - 2;

const hasLogarithm = (value: number): boolean => value > 0 && Number.isFinite(value);

/** Classes of equal ratio between the smallest and the largest value that have a logarithm. */
function classesOf(values: readonly number[]) {
  const [low = 1, high = 1] = extent(values.filter(hasLogarithm));
  const width = Math.log2(high / low) / CLASSES || 1;
  const of = (value: number) => {
    if (value === 0) return 0;
    if (!hasLogarithm(value)) return COLOURS.length - 1;
    return 1 + Math.min(CLASSES - 1, Math.floor(Math.log2(value / low) / width));
  };
  return { low, high, of };
}

/** A heat map as an image at a place. */
export function drawCells(
  { rows, cols, values }: Cells,
  box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
): Markup {
  const image = dataUrl(png(cols, rows, values.map(classesOf(values).of), COLOURS));
  return html`<image href="${image}" x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}" preserveAspectRatio="none"/>`;
}

const SIDE = 264;

/** What the colours of a heat map mean. */
export function colourScale({ values, of }: Cells): Markup {
  const { low, high } = classesOf(values);
  const every = COLOURS.map((_, at) => at).slice(1, -1);
  const extra = [
    values.some((value) => value === 0) ? 'white: 0' : '',
    values.every(Number.isFinite) ? '' : 'magenta: not finite',
  ].filter((text) => text !== '');
  const bar = values.some(hasLogarithm)
    ? html`<svg viewBox="0 0 ${SIDE} 24" class="scale" aria-hidden="true"><image href="${dataUrl(png(CLASSES, 1, every, COLOURS))}" width="${SIDE}" height="9" preserveAspectRatio="none"/><text class="start" x="0" y="21">${exponent(low)}</text><text x="${SIDE / 2}" y="21">${of}, log scale</text><text class="end" x="${SIDE}" y="21">${exponent(high)}</text></svg>`
    : undefined;
  return html`${bar}${extra.length === 0 ? undefined : html`<p class="note">${extra.join('; ')}</p>`}`;
}
