import { html, type Markup } from '../markup.ts';
import { NEGATIVE, PIXEL, RAMPS, type Ramp, rampImage } from './cells.ts';
import { dataUrl, png } from './png.ts';

/** A matrix as a picture of at most some dozen cells a side. */
export interface HeatMapPicture {
  readonly title: string;
  /** The alternative text of the picture. */
  readonly says: string;
  /** The range of its values, in small print below the title. */
  readonly range: string;
  readonly rows: number;
  readonly cols: number;
  /** Row-major; see {@link PIXEL}. */
  readonly pixels: readonly number[];
  readonly ramp: keyof typeof RAMPS;
}

/** The longest side of a picture and the largest of a cell, in CSS pixels. */
const [SIDE, CELL, LEAST] = [152, 22, 12];

/** Renders a picture with its title. */
export function heatPicture({ title, says, range, rows, cols, pixels, ramp }: HeatMapPicture): Markup {
  const cell = Math.min(CELL, SIDE / Math.max(rows, cols));
  const [width, height] = [cols, rows].map((cells) => Math.round(Math.max(LEAST, cells * cell)));
  const image = dataUrl(png(cols, rows, pixels, RAMPS[ramp].colors));
  return html`<figure class="heat"><figcaption>${title}</figcaption><img src="${image}" width="${width}" height="${height}" alt="${says}"><small>${range}</small></figure>`;
}

/** Renders the legend of the pictures' colors. */
export function heatKey(): Markup {
  const bar = (label: string, ramp: Ramp, from = 0) =>
    html`<span><img src="${rampImage(ramp, from)}" width="78" height="10" alt=""> ${label}</span>`;
  const swatch = (color: string, label: string) =>
    html`<span><svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" fill="${color}"/></svg> ${label}</span>`;
  const { errors, values } = RAMPS;
  return html`<p class="heat-key note">${bar('values, small to large', values)}${bar('negative', values, NEGATIVE)}${bar('errors, small to large', errors)}${bar('negative: C is too small', errors, NEGATIVE)}${swatch('#fff', '0')}${swatch(errors.colors[PIXEL.unknown], 'not compared')}${swatch(values.colors[PIXEL.notFinite], 'value not finite')}${swatch(errors.colors[PIXEL.notFinite], 'error not finite')}</p>`;
}
