import type { Matrix, RealArray } from '../../matrix/dense.ts';
import type { BlockLayout } from '../../plan/layout.ts';
import { packBlocks, unpackBlocks } from '../../plan/pack.ts';
import type { BufferName } from '../../plan/plan.ts';
import { GUARD, POISON, TRAP } from '../../precision/entries.ts';
import type { Numeric } from '../../precision/wgsl/numeric.ts';
import type { DeviceJob } from './device-job.ts';
import { countChanged, type GuardedRange, READ_BACK, type StoredMatrices } from './stored.ts';

/** Stores the matrices of a plan in its layouts and precision, with C and the workspace poisoned. */
export function storedPlan({ plan, made: { numeric }, a, b, c: before }: DeviceJob): StoredMatrices {
  const { words } = numeric;
  const { sizes, layouts, shape } = plan;
  const operands = { A: a, B: b };
  const isRead = sizes.A + sizes.B <= READ_BACK;
  const packed = (from: Matrix, layout: BlockLayout, to: Uint32Array) =>
    packBlocks(encodeMatrix(from, numeric), layout, viewNumbers(to, numeric));
  const range = (
    name: BufferName,
    rest: Pick<GuardedRange, 'guard' | 'before' | 'isRead'>,
  ): GuardedRange => ({
    bytes: 4 * words * sizes[name],
    words,
    ...rest,
  });
  const operand = (name: 'A' | 'B') =>
    range(name, { guard: TRAP, isRead, before: (to) => packed(operands[name], layouts[name], to) });
  const poisoned = (to: Uint32Array) => {
    to.fill(POISON);
    packed(before as Matrix, layouts.C, to);
  };
  return {
    ranges: {
      A: operand('A'),
      B: operand('B'),
      C: range('C', { guard: GUARD, isRead: true, before: before === undefined ? POISON : poisoned }),
      W: range('W', { guard: GUARD, isRead: false, before: POISON }),
    },
    result(left) {
      const { m, n } = shape;
      const data = words === 2 ? new Float64Array(m * n) : new Float32Array(m * n);
      const stored = { rows: m, cols: n, data };
      unpackBlocks(viewNumbers(left, numeric), layouts.C, stored);
      const unwritten = countUnwritten(words, new Uint32Array(data.buffer));
      return { c: decodeMatrix(stored, numeric), unwritten };
    },
    changed(name: 'A' | 'B', after) {
      const plain = wordsAsStored(operands[name], layouts[name], numeric);
      if (plain !== undefined) return countChanged(words, plain, after);
      const expected = new Uint32Array(after.length);
      packed(operands[name], layouts[name], expected);
      return countChanged(words, expected, after);
    },
  };
}

/** Returns the numbers in the words of a buffer, as a view. */
export function viewNumbers({ buffer, byteOffset, length }: Uint32Array, { words }: Numeric): RealArray {
  return words === 2
    ? new Float64Array(buffer, byteOffset, length / 2)
    : new Float32Array(buffer, byteOffset, length);
}

/** Encodes a matrix as the device stores it. */
export function encodeMatrix(matrix: Matrix, { encode }: Numeric): Matrix {
  return encode === undefined ? matrix : { ...matrix, data: Float64Array.from(matrix.data, encode) };
}

/** Decodes a matrix that the device stored. */
export function decodeMatrix(stored: Matrix, { decode }: Numeric): Matrix {
  return decode === undefined ? stored : { ...stored, data: stored.data.map(decode) };
}

/** Returns the words of a matrix as a view, if the device stores the same words in the same order; otherwise undefined. */
function wordsAsStored(
  { data, cols }: Matrix,
  layout: BlockLayout,
  { words, encode }: Numeric,
): Uint32Array | undefined {
  const inOrder = layout.kind === 'leaf' && layout.ld === cols && layout.size === data.length;
  const sameNumbers = encode === undefined && data.BYTES_PER_ELEMENT === 4 * words;
  if (!inOrder || !sameNumbers) return undefined;
  return new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
}

/**
 * Counts the entries that still hold the poison. The lower word of a binary64 number may be anything. A plain loop, without a call for
 * every word: it reads all memory that a product leaves.
 */
function countUnwritten(words: 1 | 2, all: Uint32Array): number {
  let found = 0;
  for (let at = words - 1; at < all.length; at += words) if (all[at] === POISON) found++;
  return found;
}
