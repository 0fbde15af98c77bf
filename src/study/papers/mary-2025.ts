import { createRandom } from '../../base/random.ts';
import { f16 } from '../../precision/format.ts';
import { e4m3, e5m2 } from '../../precision/formats/floats.ts';
import type { ComputedCell, RecomputedNumber } from '../computed-cells.ts';
import published from '../published/mary-2025.json' with { type: 'json' };
import type { Study } from '../study.ts';

/** The formats of operands, by their names in the paper's files. */
const narrowFormats = { e4m3, e5m2, f16 } as const;
type NarrowFormat = keyof typeof narrowFormats;

/** Number of rows of A and of columns of B. */
const SIDE = 10;
/** Entries are ±10^x, x uniform on [−RANGE, RANGE]. */
const RANGE = 10;
/** Number of draws. A further draw lies beyond the least and the largest of 39 with probability 2 in 40, 1 in 20. */
const REPEATS = 39;

/**
 * Repeats the experiment of Mary and Mikaitis (2025), Section 5. A (10×n) and B (n×10) have entries ±10^x, x uniform on [−10, 10]. Rows of
 * A and columns of B are scaled by powers of two that bring their largest entries just below the largest number of the format. They are
 * rounded to the format, to nearest with subnormal numbers. Products and sequential sums are rounded to binary32, and then scaled back. The
 * result is the median of ‖Ĉ − C‖∞ / (‖A‖∞‖B‖∞) over 39 draws and, as the interval, the least and the largest.
 */
export function narrowRangeError(name: NarrowFormat, n: number): RecomputedNumber {
  const errors = Array.from({ length: REPEATS }, (_, at) => errorOf(name, n, at + 1)).sort((x, y) => x - y);
  return { value: errors[(REPEATS - 1) / 2], interval: [errors[0], errors[REPEATS - 1]] };
}

function errorOf(name: NarrowFormat, n: number, seed: number): number {
  const random = createRandom(seed, n, 'fine');
  const entry = () => random.sign() * 10 ** random.uniform(-RANGE, RANGE);
  const lines = () => Array.from({ length: SIDE }, () => Float64Array.from({ length: n }, entry));
  const [rows, cols] = [lines(), lines()];
  const [a, b] = [rows, cols].map((all) => all.map((line) => narrowed(line, name)));
  const largestRow = (sums: readonly number[]) => Math.max(...sums);
  const off = a.map((row, i) =>
    b.reduce((sum, col, j) => sum + Math.abs(summed(row, col) - exactly(rows[i], cols[j])), 0),
  );
  const normA = largestRow(rows.map((row) => row.reduce((sum, x) => sum + Math.abs(x), 0)));
  // A row of B has an entry of each column.
  let normB = 0;
  for (let k = 0; k < n; k++)
    normB = Math.max(
      normB,
      cols.reduce((sum, col) => sum + Math.abs(col[k]), 0),
    );
  return largestRow(off) / normA / normB;
}

/** A line of entries in a format, and the factor that restores their size. */
interface Narrowed {
  readonly values: Float64Array;
  readonly scale: number;
}

function narrowed(line: Float64Array, name: NarrowFormat): Narrowed {
  const { maxFinite, round } = narrowFormats[name];
  const largest = line.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const factor = 2 ** Math.floor(Math.log2(maxFinite / largest));
  return { values: line.map((x) => round(x * factor)), scale: 1 / factor };
}

function summed(x: Narrowed, y: Narrowed): number {
  let sum = 0;
  for (let k = 0; k < x.values.length; k++) sum = Math.fround(sum + Math.fround(x.values[k] * y.values[k]));
  return sum * x.scale * y.scale;
}

/** Computes the dot product in binary64, as the paper does. */
function exactly(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < x.length; k++) sum += x[k] * y[k];
  return sum;
}

const NAMES: Readonly<Record<NarrowFormat, string>> = {
  e4m3: 'fp8-e4m3',
  e5m2: 'fp8-e5m2',
  f16: 'binary16',
};

/** Products in formats of a narrow range, summed in binary32. */
export const mary2025: Study = {
  name: 'mary-2025',
  what: 'Products of FP8 and binary16 entries over a wide range, scaled and summed in binary32 (2025)',
  source:
    'Mary, Mikaitis: Error Analysis of Matrix Multiplication with Narrow Range Floating-Point Arithmetic (2025), Section 5',
  errors: {
    notes: [
      'The paper plots one draw per size. Published numbers come from the authors’ data files: one word per operand, with subnormal numbers, accumulated in binary32.',
      'Computed on this CPU: the median of 39 draws. A published number is close if it lies between the least and the largest draw. A further draw does so with probability 95 %.',
      'Differences: the random numbers; logarithms of entries are drawn from 2^53 values here. Both use an exact product in binary64.',
      'Of the 40 published sizes up to 10^6, those up to 28942 are compared.',
    ],
    cells: () => [],
    computed: () => (Object.keys(narrowFormats) as NarrowFormat[]).flatMap(cellsOf),
  },
};

const cellsOf = (format: NarrowFormat): ComputedCell[] =>
  published.errors[format].map((error, at) => {
    const n = published.sizes[at];
    return {
      figure: 'Section 5',
      title: 'Error in ∞-norms over those of A and B, median of 39 draws',
      ...{ row: `n = ${n}`, column: NAMES[format], published: error, n },
      compute: () => narrowRangeError(format, n),
    };
  });
