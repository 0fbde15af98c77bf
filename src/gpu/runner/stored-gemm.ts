import { batchLengthOf, eachStored, extentsOf, isDense, storedCount } from '../../matrix/gemm.ts';
import { readsFactors } from '../../matrix/members.ts';
import type { BufferName, Step } from '../../plan/plan.ts';
import { GUARD, POISON, TRAP } from '../../precision/entries.ts';
import { readRealResult } from '../../precision/operand-memory.ts';
import type { LayoutJob } from './device-job.ts';
import { countChanged, type GuardedRange, READ_BACK, type StoredMatrices } from './stored.ts';
import { decodeMatrix, encodeMatrix, viewNumbers } from './stored-plan.ts';

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
