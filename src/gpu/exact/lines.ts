import { significantBitsOf, slicesFor } from '../../exact/slices.ts';

/** The device's findings about the lines (rows of A, columns of B) of a panel: see `sizeShader`. */
export interface FoundLines {
  readonly top: Int32Array;
  readonly grid: Int32Array;
  /** For each line, a value other than 0 if an entry is NaN or infinite. */
  readonly special: Uint32Array;
}

/** The lines of a panel in the order in which they are cut. Lines of few slices come first, so that more blocks have few slices. */
export interface OrderedLines {
  /** For each place, its line; {@link NOBODY} for places after the last line. */
  readonly order: Uint32Array<ArrayBuffer>;
  /** For each place, the exponent of the line's unit. */
  readonly grid: Int32Array<ArrayBuffer>;
  /** For each block of places, the slices of its widest line. */
  readonly slices: Uint32Array<ArrayBuffer>;
  /** The number of places that hold a line. */
  readonly used: number;
  /** The most slices and the most bits of any line. */
  readonly mostSlices: number;
  readonly mostBits: number;
  /** Lines that the CPU must compute. */
  readonly unfit: readonly number[];
}

/** Mark of a place that holds no line. */
export const NOBODY = 0xffffffff;
/** The initial values of `top` and `grid`, which the device leaves for a line of zeros. */
export const NO_TOP = -0x7fffffff;
export const NO_GRID = 0x7fffffff;

/** Orders the lines of a panel by their slices, in blocks of `block` lines. */
export function orderLines({ top, grid, special }: FoundLines, block: number): OrderedLines {
  const bits = Array.from(top, (highest, line) => {
    if (special[line] !== 0) return undefined;
    return highest === NO_TOP ? 0 : significantBitsOf({ top: highest, grid: grid[line] });
  });
  const fit: number[] = [];
  const unfit: number[] = [];
  for (const [line, width] of bits.entries()) (width === undefined ? unfit : fit).push(line);
  const slicesOf = (line: number) => slicesFor(bits[line] ?? 0);
  fit.sort((x, y) => slicesOf(x) - slicesOf(y) || x - y);
  const places = Math.ceil(fit.length / block) * block;
  const order = new Uint32Array(places).fill(NOBODY);
  order.set(fit);
  const slices = new Uint32Array(places / block);
  const grids = new Int32Array(places);
  for (const [place, line] of fit.entries()) {
    const at = Math.floor(place / block);
    slices[at] = Math.max(slices[at], slicesOf(line));
    grids[place] = grid[line] === NO_GRID ? 0 : grid[line];
  }
  const mostBits = fit.reduce((most, line) => Math.max(most, bits[line] ?? 0), 0);
  return { order, grid: grids, slices, used: fit.length, mostSlices: slices.at(-1) ?? 1, mostBits, unfit };
}
