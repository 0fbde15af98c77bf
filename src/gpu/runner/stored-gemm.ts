import type { Matrix, RealArray } from '../../matrix/dense.ts';
import { batchLengthOf, eachStored, extentsOf, isDense, storedCount } from '../../matrix/gemm.ts';
import { readsFactors } from '../../matrix/members.ts';
import type { BlockLayout } from '../../plan/layout.ts';
import { packBlocks, unpackBlocks } from '../../plan/pack.ts';
import type { BufferName, Step } from '../../plan/plan.ts';
import { GUARD, POISON, TRAP } from '../../precision/entries.ts';
import { readRealResult } from '../../precision/operand-memory.ts';
import type { Numeric } from '../../precision/wgsl/numeric.ts';
import type { DeviceJob, LayoutJob } from './device-job.ts';
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

function viewNumbers({ buffer, byteOffset, length }: Uint32Array, { words }: Numeric): RealArray {
  return words === 2
    ? new Float64Array(buffer, byteOffset, length / 2)
    : new Float32Array(buffer, byteOffset, length);
}

function encodeMatrix(matrix: Matrix, { encode }: Numeric): Matrix {
  return encode === undefined ? matrix : { ...matrix, data: Float64Array.from(matrix.data, encode) };
}

function decodeMatrix(stored: Matrix, { decode }: Numeric): Matrix {
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

/** The matrix that each range holds. */
export const laying = { A: 'a', B: 'b', C: 'c', D: 'd' } as const;
export type LayoutTransfer = typeof laying;

/** Returns the entries that a matrix takes in memory. */
export const countMemoryEntries = ({ gemm }: Pick<LayoutJob, 'gemm'>, name: keyof LayoutTransfer): number =>
  batchLengthOf(gemm[laying[name]], extentsOf(gemm)[laying[name]], gemm.batch);

/** True if a job has nothing to compute. */
export const isEmpty = ({ plan, gemm }: LayoutJob): boolean => gemm.batch === 0 || plan.steps.length === 0;

/** Returns the only step of a plan if it can be computed entry by entry; otherwise undefined. */
export function onlyStep({ isByEntry, plan, made }: LayoutJob): Step | undefined {
  const { levels, style, steps } = plan;
  // Results that are rounded once more are rounded in the workspace.
  return isByEntry === true && made.numeric.result === undefined && levels === 0 && style === 'scheduled'
    ? steps[0]
    : undefined;
}

/** The plan's buffers within the workspace: each exists once for every product, once for all products, or not at all. */
export type WorkspaceRegions = Readonly<Record<BufferName, Region>>;

interface Region {
  readonly at: number;
  /** The entries of one buffer. */
  readonly size: number;
  readonly count: number;
}

/** Returns the places of a plan's buffers in a job's workspace, A and B first, if they are read. */
export function regionsOf({ plan, gemm }: LayoutJob): WorkspaceRegions {
  const extents = extentsOf(gemm);
  const factors = (name: 'a' | 'b') =>
    readsFactors(gemm) ? storedCount(gemm[name], gemm.batch, extents[name]) : 0;
  const counts = { A: factors('a'), B: factors('b'), C: gemm.batch, W: gemm.batch };
  let at = 0;
  const region = (name: BufferName): Region => {
    const found = { at, size: plan.sizes[name], count: counts[name] };
    at += found.size * found.count;
    return found;
  };
  return { A: region('A'), B: region('B'), C: region('C'), W: region('W') };
}

/**
 * Stores the matrices of a job in its layouts, with NaN between lines and in a C that must not be read. Unless the job is a single step
 * computed entry by entry, a workspace holds the plan's buffers: zeros in A and B, poison in the rest.
 */
export function storedGemm(job: LayoutJob): StoredMatrices {
  const { gemm, a, b, c } = job;
  const { numeric } = job.made;
  const { words } = numeric;
  const extents = extentsOf(gemm);
  const isRead = countMemoryEntries(job, 'A') + countMemoryEntries(job, 'B') <= READ_BACK;
  const operands = { A: a, B: b, C: gemm.beta === 0 ? undefined : c };
  const fill = (name: 'A' | 'B' | 'C', gaps: number, to: Uint32Array) => {
    to.fill(gaps);
    const from = operands[name];
    if (from === undefined) return;
    const [numbers, { data }] = [viewNumbers(to, numeric), encodeMatrix(from, numeric)];
    const [laid, extent] = [gemm[laying[name]], extents[laying[name]]];
    if (isDense(laid, extent, gemm.batch) && data.length === numbers.length) numbers.set(data);
    else
      eachStored(laid, extent, gemm.batch, (at, stored) => {
        numbers[stored] = data[at];
      });
  };
  const range = (
    name: keyof LayoutTransfer,
    rest: Pick<GuardedRange, 'guard' | 'before' | 'isRead'>,
  ): GuardedRange => {
    return { bytes: 4 * words * countMemoryEntries(job, name), words, ...rest };
  };
  const operand = (name: 'A' | 'B') =>
    range(name, { guard: TRAP, isRead, before: (to) => fill(name, TRAP, to) });
  const result = { guard: GUARD, isRead: true };
  const D = gemm.c === gemm.d ? {} : { D: range('D', { ...result, before: POISON }) };
  return {
    ranges: {
      ...{ A: operand('A'), B: operand('B') },
      C: range('C', { ...result, before: (to) => fill('C', POISON, to) }),
      ...D,
      ...(isEmpty(job) || onlyStep(job) !== undefined ? {} : { W: workspace(job) }),
    },
    result(left) {
      const { entries, ...counts } = readRealResult(viewNumbers(left, numeric), gemm, true);
      return {
        ...counts,
        c: decodeMatrix({ rows: gemm.batch * gemm.m, cols: gemm.n, data: entries }, numeric),
      };
    },
    changed(name, after) {
      const expected = new Uint32Array(after.length);
      fill(name, name === 'C' ? POISON : TRAP, expected);
      return countChanged(words, expected, after);
    },
  };
}

function workspace(job: LayoutJob): GuardedRange {
  const { words } = job.made.numeric;
  const { C, W } = regionsOf(job);
  return {
    bytes: 4 * words * (W.at + W.size * W.count),
    words,
    guard: GUARD,
    before: (to) => to.fill(POISON, words * C.at),
    isRead: false,
  };
}
