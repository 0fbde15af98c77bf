import { alignUp } from '../../base/numbers.ts';
import { type Item, type Registry, registryOf } from '../../base/registry.ts';
import { badLayout } from '../messages.ts';

/** A layout of factors in memory. */
export interface ScaleLayout extends Item {
  readonly source: string;
  /** Returns the entries of memory that a matrix of factors takes. */
  size(rows: number, cols: number): number;
  /** Returns the index of the factor of a row and column. @param cols the columns of the matrix. */
  at(row: number, col: number, cols: number): number;
}

/** The rows and columns of a tile, and the rows of a part of it. */
const [ROWS, COLS, PART] = [128, 4, 32];

const plain: ScaleLayout = {
  name: 'plain',
  what: 'row-major: factors of one line are adjacent, block after block along k',
  source: 'OCP Microscaling Formats (MX) 1.0 leaves it to implementations',
  size: (rows, cols) => rows * cols,
  at: (row, col, cols) => row * cols + col,
};

const swizzled: ScaleLayout = {
  name: 'swizzled',
  what: 'row-major tiles of 128 lines by 4 blocks along k; in a tile, factors of lines 32 apart are adjacent',
  source: 'NVIDIA, cuBLAS documentation, 1D block scaling factors layout',
  size: (rows, cols) => alignUp(rows, ROWS) * alignUp(cols, COLS),
  at(row, col, cols) {
    const tile = Math.floor(row / ROWS) * (alignUp(cols, COLS) / COLS) + Math.floor(col / COLS);
    const [outer, inner] = [row % ROWS, col % COLS];
    return (
      tile * ROWS * COLS + (outer % PART) * (COLS * (ROWS / PART)) + Math.floor(outer / PART) * COLS + inner
    );
  },
};

/** The names of the layouts. */
export type ScaleLayoutName = 'plain' | 'swizzled';

export const scaleLayouts: Registry<ScaleLayout> = registryOf('layout of scales', [plain, swizzled]);

/** Factors, or their patterns. */
export type ScaleData = Float32Array | Float64Array | Uint8Array;

/** Arranges factors, or their patterns, in the order of a layout; zeros fill the rest of its tiles. */
export function toScaleLayout<T extends ScaleData>(
  data: T,
  rows: number,
  cols: number,
  { size, at }: ScaleLayout,
): T {
  requireLength(data.length, rows * cols, 'plain', rows, cols);
  const out = new (data.constructor as new (length: number) => T)(size(rows, cols));
  eachOf(rows, cols, (row, col) => {
    out[at(row, col, cols)] = data[row * cols + col];
  });
  return out;
}

/** Requires as many factors as a layout holds. @throws ParanoiaError `bad-layout` */
export function requireLength(found: number, need: number, name: string, rows: number, cols: number): void {
  if (found !== need)
    throw badLayout({ what: `${rows}×${cols} scales in the layout "${name}"`, need, unit: 'entries', found });
}

/** Visits the blocks of a matrix, row by row. */
export function eachOf(rows: number, cols: number, visit: (row: number, col: number) => void): void {
  for (let row = 0; row < rows; row++) for (let col = 0; col < cols; col++) visit(row, col);
}
