import { eachOf, requireLength, type ScaleData, type ScaleLayout } from './scale-layouts.ts';

/** Restores the order of `toScaleLayout`, ignoring entries of tiles that hold no factors. */
export function fromScaleLayout<T extends ScaleData>(
  data: T,
  rows: number,
  cols: number,
  { name, size, at }: ScaleLayout,
): T {
  requireLength(data.length, size(rows, cols), name, rows, cols);
  const out = new (data.constructor as new (length: number) => T)(rows * cols);
  eachOf(rows, cols, (row, col) => {
    out[row * cols + col] = data[at(row, col, cols)];
  });
  return out;
}
