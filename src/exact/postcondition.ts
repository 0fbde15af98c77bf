import { type Matrix, productShape } from '../matrix/dense.ts';
import { computeEntry } from './alone.ts';
import type { ExactProduct } from './exact-product.ts';
import { ReferenceFault, requireCounted, requireRounded } from './rounded.ts';
import { createUniform, pickOneOfEach } from './sampled.ts';

/** The number of entries for each one that is recomputed. */
const ENTRIES_EACH = 2 ** 17;
/** The fewest and the most entries that are recomputed. */
const FEWEST = 2;
const MOST = 64;

/** The entries of small products that accumulate before one product is checked: 2 of 16384 entries cost at most 3 % of the product. */
const TOGETHER = 2 ** 14;
let unseen = TOGETHER;
let turns = 0;

/**
 * Checks a product of any size: see {@link requireExact}. Of a product with fewer than 16384 entries only the certificate is checked.
 * Its entries are checked too if it is the first of its thread, or if the products since the last check have that many entries in all.
 * The recomputed entries change from product to product. A fault in every product of a run is thus found in its first ones, and a fault
 * in some of them in proportion.
 * @throws ReferenceFault
 */
export function requireExactInTurn(a: Matrix, b: Matrix, computed: ExactProduct): void {
  unseen += computed.product.data.length;
  if (unseen < TOGETHER) requireCertified(a, b, computed);
  else {
    unseen = 0;
    requireExact(a, b, computed, ++turns);
  }
}

/**
 * Checks a product of any engine: its certificate must count all entries, and a few entries must equal {@link computeEntry} of the
 * operands, one at random from each of several equal ranges. Conditions on all entries are checked when they are computed, or by {@link
 * requireAllRounded}.
 * @param seed chooses the recomputed entries.
 * @throws ReferenceFault
 */
export function requireExact(a: Matrix, b: Matrix, computed: ExactProduct, seed = 1): void {
  requireCertified(a, b, computed);
  const count = computed.product.data.length;
  const parts = Math.min(MOST, Math.max(FEWEST, Math.floor(count / ENTRIES_EACH)));
  for (const e of pickOneOfEach(count, parts, createUniform(seed))) requireEntry(a, b, computed, e);
}

function requireCertified(a: Matrix, b: Matrix, { product, certificate }: ExactProduct): void {
  const { byExactSum, byDoubleDouble, byExpansion, byBigInt, nonFinite } = certificate;
  const count = product.data.length;
  const decided = byExactSum + byDoubleDouble + byExpansion + byBigInt + nonFinite;
  if (certificate.entries === count && decided === count) return;
  throw new ReferenceFault(
    productShape(a, b),
    `it has ${count} entries, but certifies ${certificate.entries} and decided ${decided}`,
  );
}

/** The number of entries of a block, whose rounding one thread checks. */
const BLOCK = 2 ** 16;

/** The values and remainders of a product. */
export interface RoundedEntries {
  readonly value: Float64Array;
  readonly low: Float64Array;
}

/**
 * Returns the numbers of blocks with an entry that its remainder would change, or that is not finite, from the block `first` on in steps of
 * `step`. {@link requireAllRounded} checks the entries of these blocks one by one.
 */
export function findUnroundedBlocks({ value, low }: RoundedEntries, first = 0, step = 1): number[] {
  const found: number[] = [];
  for (let block = first; block * BLOCK < value.length; block += step) {
    const end = Math.min((block + 1) * BLOCK, value.length);
    for (let e = block * BLOCK; e < end; e++) {
      if (value[e] + low[e] - value[e] === 0) continue;
      found.push(block);
      break;
    }
  }
  return found;
}

/**
 * Checks the rounding of every entry: see {@link requireRounded}. It reads no operand as long as all entries are finite.
 * @param blocks what {@link findUnroundedBlocks} has found, by several threads perhaps.
 * @throws ReferenceFault
 */
export function requireAllRounded(
  a: Matrix,
  b: Matrix,
  { product, low, certificate }: ExactProduct,
  blocks: readonly number[] = findUnroundedBlocks({ value: product.data, low }),
): void {
  const shape = productShape(a, b);
  const { data } = product;
  let special: SpecialLines | undefined;
  const isSpecial = (i: number, j: number) => {
    special ??= specialLines(a, b);
    return special.rows[i] === 1 || special.cols[j] === 1;
  };
  let overflowed = 0;
  for (const block of blocks) {
    const end = Math.min((block + 1) * BLOCK, data.length);
    for (let e = block * BLOCK; e < end; e++) {
      if (data[e] + low[e] - data[e] === 0) continue;
      const [i, j] = [Math.floor(e / shape.n), e % shape.n];
      if (requireRounded(shape, i, j, data[e], low[e], isSpecial)) overflowed++;
    }
  }
  requireCounted(shape, overflowed, certificate);
}

function requireEntry(a: Matrix, b: Matrix, { product, low, certificate }: ExactProduct, e: number): void {
  const k = a.cols;
  const n = b.cols;
  const i = Math.floor(e / n);
  const row = new Float64Array(a.data.subarray(i * k, (i + 1) * k));
  const column = new Float64Array(k);
  for (let t = 0, at = e % n; t < k; t++, at += n) column[t] = b.data[at];
  const alone = computeEntry(row, column);
  const apart = Math.abs(low[e] - alone.low);
  const isSame =
    Object.is(product.data[e], alone.value) &&
    apart <= certificate.worstAbsolute + 2 ** -52 * Math.abs(alone.low);
  if (isSame) return;
  throw new ReferenceFault(
    productShape(a, b),
    `entry (${i}, ${e % n}) is ${product.data[e]} with the remainder ${low[e]}, but computed alone ${alone.value} with ${alone.low}`,
  );
}

/** Marks of lines: 1 for each row of A and column of B with an entry that is not finite. */
interface SpecialLines {
  readonly rows: Uint8Array;
  readonly cols: Uint8Array;
}

function specialLines(a: Matrix, b: Matrix): SpecialLines {
  const lines = { rows: new Uint8Array(a.rows), cols: new Uint8Array(b.cols) };
  const each = ({ rows, cols, data }: Matrix, mark: (i: number, j: number) => void) => {
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++) if (!Number.isFinite(data[i * cols + j])) mark(i, j);
    }
  };
  each(a, (i) => {
    lines.rows[i] = 1;
  });
  each(b, (_, j) => {
    lines.cols[j] = 1;
  });
  return lines;
}
