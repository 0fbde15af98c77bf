import type { Matrix, Shape } from '../matrix/dense.ts';
import { matrix } from '../matrix/dense.ts';
import { ALIGNMENT, alignUp } from '../plan/layout.ts';
import type { Plan } from '../plan/plan.ts';
import { Problem, problem } from '../problems.ts';
import type { OpenDevice } from './device.ts';
import type { Execution } from './execution.ts';
import { GUARDS } from './guards.ts';
import { checkLimits, largestBuffer } from './limits.ts';
import type { Numeric } from './numerics/numeric.ts';

/**
 * Products whose matrices are too large for a device are multiplied in panels: rows of A and C times columns of B, with
 * all of k, so that every entry is summed as in the whole product and has its bits.
 */
export interface Panels {
  /** Rows and columns of C in a panel; the last of each may have fewer. */
  readonly rows: number;
  readonly cols: number;
}

/** Panels are not made smaller than this where the device runs out of memory. */
const LEAST_BYTES = 2 ** 24;

/** Computes one panel: rows of A times columns of B. */
export type MultiplyPanel = (a: Matrix, b: Matrix, meanwhile?: () => void) => Promise<Execution>;

/**
 * The panels of a product of no levels whose matrices exceed `bytes` each; undefined where even one row of A or one
 * column of B does.
 * @param tile that panels are multiples of where they are large enough.
 */
export function panelsFor({ m, k, n }: Shape, tile: Shape, words: number, bytes: number): Panels | undefined {
  const entries = Math.floor(bytes / (4 * words)) - 2 * GUARDS - ALIGNMENT;
  const fitting = Math.floor(entries / alignUp(k, tile.k));
  if (fitting < 1) return undefined;
  const rows = evenly(m, fitting, tile.m);
  return { rows, cols: evenly(n, Math.min(fitting, Math.floor(entries / alignUp(rows, tile.m))), tile.n) };
}

/** A part of a size, at most so large, of which few are needed and all are about as large. */
function evenly(size: number, most: number, tile: number): number {
  const unit = most >= tile ? tile : 1;
  const parts = Math.ceil(size / (Math.floor(most / unit) * unit));
  return Math.min(size, alignUp(Math.ceil(size / parts), unit));
}

/** Whether a plan's product may be cut: recursion adds blocks of the whole, which panels do not have. */
export const mayBeCut = ({ levels, style }: Plan): boolean => levels === 0 && style === 'scheduled';

/**
 * Sees that a product fits the device, whole or in panels.
 * @throws Problem too-large
 */
export function checkRoom(open: OpenDevice, plan: Plan, numeric: Numeric, kernel: string): void {
  if (!mayBeCut(plan)) {
    checkLimits(open, plan, numeric, kernel);
    return;
  }
  const largest = largestBuffer(open);
  const one = { m: 1, k: 1, n: 1 };
  if (panelsFor(plan.shape, one, numeric.words, largest) !== undefined) return;
  const bytes = 4 * numeric.words * (plan.shape.k + 2 * GUARDS + ALIGNMENT);
  const size = Math.floor(largest / (4 * numeric.words)) - 2 * GUARDS - ALIGNMENT;
  throw problem('too-large', { kernel, buffer: 'a row of A', bytes, largest, size });
}

/**
 * Multiplies as a whole where that fits, else in panels, in ever smaller ones where the device runs out of memory.
 * @param whole multiplies A and B as they are.
 * @param panel multiplies a panel.
 * @throws Problem too-large, and what `whole` and `panel` throw.
 */
export async function multiplyInPanels(
  open: OpenDevice,
  { plan, numeric, tile, kernel }: { plan: Plan; numeric: Numeric; tile: Shape; kernel: string },
  [a, b]: readonly [Matrix, Matrix],
  whole: () => Promise<Execution>,
  panel: MultiplyPanel,
  meanwhile?: () => void,
): Promise<Execution> {
  checkRoom(open, plan, numeric, kernel);
  let bytes = largestBuffer(open);
  const needed = 4 * numeric.words * (Math.max(...sizesOf(plan)) + 2 * GUARDS);
  if (needed <= bytes || !mayBeCut(plan)) {
    try {
      return await whole();
    } catch (error) {
      if (!mayBeCut(plan) || !isShort(error) || needed < LEAST_BYTES) throw error;
      bytes = needed / 2;
    }
  }
  for (;;) {
    const panels = panelsFor(plan.shape, tile, numeric.words, bytes);
    try {
      return await inPanels(plan.shape, panels ?? { rows: 1, cols: 1 }, [a, b], panel, meanwhile);
    } catch (error) {
      if (!isShort(error) || bytes < LEAST_BYTES) throw error;
      bytes /= 2;
    }
  }
}

const sizesOf = ({ sizes }: Plan) => [sizes.A, sizes.B, sizes.C, sizes.W];
const isShort = (error: unknown) => error instanceof Problem && error.code === 'out-of-gpu-memory';

async function inPanels(
  { m, k, n }: Shape,
  { rows, cols }: Panels,
  [a, b]: readonly [Matrix, Matrix],
  panel: MultiplyPanel,
  meanwhile?: () => void,
): Promise<Execution> {
  let c: Matrix | undefined;
  let [unwritten, guardsTouched, seconds] = [0, 0, 0];
  let changed: number | undefined = 0;
  for (let left = 0; left < n; left += cols) {
    const right = columnsOf(b, left, Math.min(cols, n - left));
    for (let top = 0; top < m; top += rows) {
      const height = Math.min(rows, m - top);
      const part = { rows: height, cols: k, data: a.data.subarray(top * k, (top + height) * k) };
      const first = left === 0 && top === 0;
      const found = await panel(part, right, first ? meanwhile : undefined);
      c ??= matrix(
        m,
        n,
        found.c.data instanceof Float64Array ? new Float64Array(m * n) : new Float32Array(m * n),
      );
      for (let i = 0; i < height; i++) {
        c.data.set(found.c.data.subarray(i * right.cols, (i + 1) * right.cols), (top + i) * n + left);
      }
      unwritten += found.unwritten;
      guardsTouched += found.guardsTouched;
      changed =
        changed === undefined || found.operandsChanged === undefined
          ? undefined
          : changed + found.operandsChanged;
      seconds += found.seconds ?? Number.NaN;
    }
  }
  return {
    c: c as Matrix,
    unwritten,
    guardsTouched,
    operandsChanged: changed,
    seconds: Number.isNaN(seconds) ? undefined : seconds,
  };
}

/** Neighbouring columns of a matrix, copied unless they are all. */
function columnsOf(from: Matrix, left: number, cols: number): Matrix {
  if (cols === from.cols) return from;
  const data = from.data.slice(0, from.rows * cols);
  for (let i = 0; i < from.rows; i++) {
    const start = i * from.cols + left;
    data.set(from.data.subarray(start, start + cols), i * cols);
  }
  return { rows: from.rows, cols, data };
}
