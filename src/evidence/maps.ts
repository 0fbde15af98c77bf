import type { Matrix } from '../matrix/dense.ts';
import type { EvidenceQuery } from './checks/check.ts';
import { resultIndexOf } from './compared.ts';
import { BASE, CELL, CLASSES, type HeatMap, MOST_CELLS, NEGATIVE, type ProductMaps } from './heat-map.ts';

/** Pictures of a product; the matrices of a batch lie one below the other. */
export const maps: EvidenceQuery<ProductMaps> = {
  name: 'maps',
  what: 'heat maps of A, B, C and the errors, which reports show for failures',
  ask({ operands: { a, b }, outcomes, reference }) {
    const [{ c }] = outcomes;
    const errors = new Map<number, number>();
    for (let t = 0; t < reference.value.length; t++) {
      const e = resultIndexOf(reference, t);
      const [value, low] = [reference.value[t], reference.low[t]];
      errors.set(e, worst(outcomes.map((found) => difference(found?.c.data[e], value, low))));
    }
    return present({
      a: heatMapOf(a, (e) => a.data[e]),
      b: heatMapOf(b, (e) => b.data[e]),
      c: heatMapOf(c, (e) => c.data[e]),
      error: heatMapOf(c, (e) => errors.get(e)),
    });
  },
};

/** Returns found − exact; equal infinities, and two NaN, have no error. */
const difference = (found = 0, value: number, low: number): number =>
  Object.is(found, value) ? -low : found - value - low;

/** Returns the error farthest from 0; NaN is farther than any number. */
const worst = (errors: readonly number[]): number =>
  errors.reduce((one, other) => (Math.abs(other) <= Math.abs(one) || Number.isNaN(one) ? one : other));

const present = (all: Record<keyof ProductMaps, HeatMap | undefined>): ProductMaps =>
  Object.fromEntries(Object.entries(all).filter(([, map]) => map !== undefined));

/**
 * Draws the picture of a matrix with the entries that `entryOf` returns. NaN is not finite; undefined leaves a cell as it is.
 * @returns undefined where the matrix has no entries.
 */
export function heatMapOf(
  { rows: m, cols: n }: Pick<Matrix, 'rows' | 'cols'>,
  entryOf: (entry: number) => number | undefined,
): HeatMap | undefined {
  if (m === 0 || n === 0) return undefined;
  const [rows, cols] = [Math.min(m, MOST_CELLS), Math.min(n, MOST_CELLS)];
  const largest = new Array<number | undefined>(rows * cols).fill(undefined);
  for (let i = 0; i < m; i++) {
    const row = Math.floor((i * rows) / m);
    for (let j = 0; j < n; j++) {
      const at = row * cols + Math.floor((j * cols) / n);
      const entry = entryOf(i * n + j);
      if (entry === undefined || Math.abs(entry) <= Math.abs(largest[at] ?? -0)) largest[at] ??= entry;
      else largest[at] = Number.isNaN(entry) ? Infinity : entry;
    }
  }
  const sizes = largest.map((entry) => Math.abs(entry ?? 0));
  const between = range(sizes.filter((size) => size > 0 && size < Infinity));
  const cells = largest.map((entry) => digit(entry, between)).join('');
  return { of: [m, n], rows, cols, ...(between === undefined ? {} : { between }), cells };
}

/** Returns the smallest and the largest, rounded to three digits. */
function range(sizes: readonly number[]): [number, number] | undefined {
  if (sizes.length === 0) return undefined;
  const rounded = (x: number) => {
    const short = Number(x.toPrecision(3));
    return Number.isFinite(short) ? short : x;
  };
  return [rounded(Math.min(...sizes)), rounded(Math.max(...sizes))];
}

function digit(entry: number | undefined, [low, high]: readonly [number, number] = [1, 1]): string {
  if (entry === undefined) return CELL.unknown;
  if (entry === 0) return CELL.zero;
  const size = Math.abs(entry);
  if (size === Infinity) return CELL.notFinite;
  const share = high > low ? Math.log2(size / low) / Math.log2(high / low) : 1;
  const kind = Math.min(CLASSES, Math.max(1, 1 + Math.floor(share * CLASSES)));
  return (entry < 0 ? NEGATIVE + kind : kind).toString(BASE);
}
