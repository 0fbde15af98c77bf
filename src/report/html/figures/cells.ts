import { extent } from 'd3-array';
import type { Cells } from '../../figure.ts';
import { formatExponent } from '../../numbers.ts';
import { html, type Markup } from '../markup.ts';
import { dataUrl, png } from './png.ts';
import { CLASSES, PIXEL, RAMPS, type Ramp } from './ramps.ts';

const RAMP: Ramp = RAMPS.errors;

const hasLogarithm = (value: number): boolean => value > 0 && Number.isFinite(value);

/** Divides the range of values that have a logarithm into classes of equal ratio. */
function classesOf(values: readonly number[]) {
  const [low = 1, high = 1] = extent(values.filter(hasLogarithm));
  const width = Math.log2(high / low) / CLASSES || 1;
  const of = (value: number) => {
    if (value === 0) return PIXEL.zero;
    if (!hasLogarithm(value)) return PIXEL.notFinite;
    return 1 + Math.min(CLASSES - 1, Math.floor(Math.log2(value / low) / width));
  };
  return { low, high, of };
}

/** Draws a heat map as an image at a place. */
export function drawCells(
  { rows, cols, values }: Cells,
  box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
): Markup {
  const image = dataUrl(png(cols, rows, values.map(classesOf(values).of), RAMP.colors));
  return html`<image href="${image}" x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}" preserveAspectRatio="none"/>`;
}

/** Draws the colors of a ramp side by side, one pixel each, as the address of an image. */
export function rampImage({ colors }: Ramp, from = 0): string {
  const classes = Array.from({ length: CLASSES }, (_, at) => from + at + 1);
  return dataUrl(png(CLASSES, 1, classes, colors));
}

const SIDE = 264;

/** Renders the legend of a heat map's colors. */
export function colorScale({ values, of }: Cells): Markup {
  const { low, high } = classesOf(values);
  const extra = [
    values.some((value) => value === 0) ? 'white: 0' : '',
    values.every(Number.isFinite) ? '' : `${RAMP.notFinite}: not finite`,
  ].filter((text) => text !== '');
  const bar = values.some(hasLogarithm)
    ? html`<svg viewBox="0 0 ${SIDE} 24" class="scale" aria-hidden="true"><image href="${rampImage(RAMP)}" width="${SIDE}" height="9" preserveAspectRatio="none"/><text class="start" x="0" y="21">${formatExponent(low)}</text><text x="${SIDE / 2}" y="21">${of}, log scale</text><text class="end" x="${SIDE}" y="21">${formatExponent(high)}</text></svg>`
    : undefined;
  return html`${bar}${extra.length === 0 ? undefined : html`<p class="note">${extra.join('; ')}</p>`}`;
}
