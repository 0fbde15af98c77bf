import { extent } from 'd3-array';
import type { Cells } from '../../figure.ts';
import { formatExponent } from '../../numbers.ts';
import { html, type Markup } from '../markup.ts';

/** Number of classes of size of a heat map, from the smallest to the largest. */
export const CLASSES = 13;

/** Pixels of cells without a class. Other pixels are 1 to {@link CLASSES}; those of negative entries are larger by {@link NEGATIVE}. */
export const PIXEL = { zero: 0, unknown: CLASSES + 1, notFinite: CLASSES + 2 } as const;
export const NEGATIVE = CLASSES + 3;

/** Colors of a heat map. */
interface Ramp {
  /** Every color by its pixel. */
  readonly colors: readonly string[];
  /** The name of the color of infinities and NaN. */
  readonly notFinite: string;
}

const [ZERO, UNKNOWN] = ['#ffffff', '#b8bec5'];

interface Shades {
  /** Colors from light to dark in even steps, so that large values stand out on white. */
  readonly positive: readonly string[];
  readonly negative: readonly string[];
  readonly notFinite: string;
  readonly called: string;
}

const ramp = ({ positive, negative, notFinite, called }: Shades): Ramp => ({
  colors: [ZERO, ...positive, UNKNOWN, notFinite, ZERO, ...negative],
  notFinite: called,
});

// Positive errors are warm and negative ones cold; for values it is the reverse.
export const RAMPS = {
  errors: ramp({
    positive: [
      ...['#fff0c9', '#ffe0a9', '#ffcf8a', '#fdbf6a', '#f6a155', '#ee8140', '#e4602c'],
      ...['#ce4a34', '#b93239', '#a3143c', '#80113a', '#5f0d38', '#3d0a36'],
    ],
    negative: [
      ...['#e6f3dd', '#d0e9c4', '#b8dfab', '#9dd394', '#80c57f', '#60b56c', '#41a25c'],
      ...['#2c8f50', '#1b7b45', '#0f683b', '#0a5531', '#064227', '#03301c'],
    ],
    notFinite: '#00a8c6',
    called: 'cyan',
  }),
  values: ramp({
    positive: [
      ...['#e3eef6', '#cee1ef', '#b9d5e9', '#a3c8e2', '#88b4d7', '#6b9fcd', '#4a8cc2'],
      ...['#3a77b0', '#2a639e', '#164f8c', '#123e74', '#0e2e5e', '#0a1f48'],
    ],
    negative: [
      ...['#f6ebdd', '#efddc5', '#e7cfad', '#dec095', '#d3b07e', '#c69d66', '#b88a4f'],
      ...['#a6763b', '#93632a', '#7f511c', '#6a4112', '#55320a', '#402405'],
    ],
    notFinite: '#d4006a',
    called: 'magenta',
  }),
} as const satisfies Record<string, Ramp>;

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
  const image = dataUrl(bitmap(cols, rows, values.map(classesOf(values).of), RAMP.colors));
  return html`<image href="${image}" x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}" preserveAspectRatio="none"/>`;
}

/** Draws the colors of a ramp side by side, one pixel each, as the address of an image. */
function rampImage({ colors }: Ramp, from = 0): string {
  const classes = Array.from({ length: CLASSES }, (_, at) => from + at + 1);
  return dataUrl(bitmap(CLASSES, 1, classes, colors));
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
const [CELL_SIDE, CELL, LEAST] = [152, 22, 12];

/** Renders a picture with its title. */
export function heatPicture({ title, says, range, rows, cols, pixels, ramp }: HeatMapPicture): Markup {
  const cell = Math.min(CELL, CELL_SIDE / Math.max(rows, cols));
  const [width, height] = [cols, rows].map((cells) => Math.round(Math.max(LEAST, cells * cell)));
  const image = dataUrl(bitmap(cols, rows, pixels, RAMPS[ramp].colors));
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

/**
 * Encodes a bitmap of at most 256 colors, without compression. A map of 64×64 cells of 16 colors takes 2 KB so, and would take 50 KB as
 * shapes.
 * @param pixels - row-major indices into the palette.
 * @param palette - colors as #rrggbb.
 */
export function bitmap(
  cols: number,
  rows: number,
  pixels: readonly number[],
  palette: readonly string[],
): Uint8Array {
  const isFew = Math.max(...pixels) < FEW;
  const colors = isFew ? palette.slice(0, FEW) : palette;
  const bits = isFew ? 4 : 8;
  // Rows end at multiples of 4 bytes.
  const stride = 4 * Math.ceil((cols * bits) / 32);
  const start = HEADER + 4 * colors.length;
  const image = new DataView(new ArrayBuffer(start + rows * stride));
  image.setUint16(0, 0x424d);
  const words = [image.byteLength, 0, start, 40, cols, -rows, 1 | (bits << 16), 0, 0, 0, 0, colors.length, 0];
  words.forEach((word, at) => {
    image.setInt32(2 + 4 * at, word, true);
  });
  colors.forEach((color, at) => {
    image.setUint32(HEADER + 4 * at, Number.parseInt(color.slice(1), 16), true);
  });
  for (const [at, pixel] of pixels.entries()) {
    const [row, col] = [Math.floor(at / cols), at % cols];
    const place = start + row * stride + (isFew ? col >> 1 : col);
    image.setUint8(place, image.getUint8(place) | (isFew && col % 2 === 0 ? pixel << 4 : pixel));
  }
  return new Uint8Array(image.buffer);
}

/** Most colors of an image with two pixels in a byte. */
const FEW = 16;
/** Bytes before the colors. */
const HEADER = 54;

/** Converts a bitmap to the address of an image. */
function dataUrl(image: Uint8Array): string {
  return `data:image/bmp;base64,${btoa(String.fromCharCode(...image))}`;
}
