import { pairsFor, sumExactProducts, sumSplitProducts, upperHalf } from './double-double.ts';
import { type ExactOperands, productsAreExact } from './operands.ts';
import type { BlockSummer } from './sums.ts';

/** The doubles of B in a block of columns (256 KiB), which a group of rows reads from cache. */
const BLOCK = 2 ** 15;
/** The rows that pass over a block of columns before the next block. */
const ROW_GROUP = 128;

/** Sums in double-double in plain TypeScript, for runtimes without WebAssembly SIMD. */
export function typescriptSums(operands: ExactOperands): BlockSummer {
  const { shape, a, b } = operands;
  const { k, n } = shape;
  const cols = Math.min(Math.max(2, 2 * Math.floor(BLOCK / 2 / Math.max(k, 1))), Math.max(n, 1));
  const rows = Math.min(ROW_GROUP, Math.max(shape.m, 1));
  const isExact = productsAreExact(operands);
  const row = new Float64Array(k);
  const rowUpper = new Float64Array(isExact ? 0 : k);
  const columns = new Float64Array(cols * k);
  const columnsUpper = new Float64Array(isExact ? 0 : cols * k);
  const pairs = pairsFor(cols);
  const stride = cols;
  const hi = new Float64Array(rows * stride);
  const lo = new Float64Array(rows * stride);
  const magnitude = new Float64Array(rows * stride);

  return {
    rows,
    cols,
    sum({ i0, i1, j0, j1 }) {
      const count = j1 - j0;
      for (let t = 0; t < k; t++) {
        for (let j = 0; j < count; j++) columns[j * k + t] = b[t * n + j0 + j];
      }
      if (!isExact) fillUpper(columns, columnsUpper);
      for (let i = i0; i < i1; i++) {
        row.set(a.subarray(i * k, (i + 1) * k));
        if (isExact) {
          sumExactProducts(row, 0, columns, k, 0, count, pairs);
        } else {
          fillUpper(row, rowUpper);
          sumSplitProducts(row, 0, rowUpper, columns, columnsUpper, k, 0, count, pairs);
        }
        const at = (i - i0) * stride;
        for (let j = 0; j < count; j++) {
          hi[at + j] = pairs.hi[j];
          lo[at + j] = pairs.lo[j];
          magnitude[at + j] = pairs.magnitude[j];
        }
      }
      return { stride, hi, lo, magnitude, window: undefined };
    },
  };
}

/** Fills the upper halves of the entries of a line. */
function fillUpper(line: Float64Array, upper: Float64Array): void {
  for (let t = 0; t < line.length; t++) upper[t] = upperHalf(line[t]);
}
