import { ParanoiaError } from '../../base/errors.ts';
import { alignUp } from '../../base/numbers.ts';
import { type Matrix, matrix, type Shape } from '../../matrix/dense.ts';
import { ALIGNMENT } from '../../plan/layout.ts';
import type { Plan } from '../../plan/plan.ts';
import type { OpenDevice } from '../device.ts';
import { checkLimits, isWithinLimits, largestBuffer, largestSize } from '../limits.ts';
import { tooLarge, tooManyColumns } from '../messages.ts';
import { MAX_WORKGROUPS } from '../wgsl/dispatch.ts';
import { type DeviceJob, type Executable, isLaid, type PartPlans } from './device-job.ts';
import type { Product } from './product.ts';
import { GUARDS } from './stored.ts';

/**
 * The sizes of panels. A product too large for the device is computed in panels, rows of A and C times columns of B, each with all of k.
 * Every entry is thus summed as in the whole product, and has its bits.
 */
export interface Panels {
  /** The rows and columns of C in a panel; the last panels may have fewer. */
  readonly rows: number;
  readonly cols: number;
}

/** The smallest size of panels, in bytes, that is tried when the device runs out of memory. */
const LEAST_BYTES = 2 ** 24;

/** Computes a job: the whole product, or one panel. */
export type ComputeJob<T extends Product> = (job: DeviceJob, meanwhile?: () => void) => Promise<T>;

/** A product, with the results of each of its parts. A product computed as a whole has one part. */
export interface JoinedProduct<T extends Product> {
  readonly product: Product;
  readonly parts: readonly Omit<T, 'c'>[];
}

/**
 * Chooses the panels of a product without levels whose matrices exceed `bytes` each, or that is wider than a dispatch allows.
 * @param tile panels are multiples of this tile if they are large enough.
 * @returns undefined if even one row of A or one column of B exceeds `bytes`.
 */
export function panelsFor({ m, k, n }: Shape, tile: Shape, words: number, bytes: number): Panels | undefined {
  const wide = Math.min(n, MAX_WORKGROUPS * tile.n);
  const entries = Math.floor(bytes / (4 * words)) - 2 * GUARDS - ALIGNMENT;
  const fitting = Math.floor(entries / alignUp(k, tile.k));
  if (fitting < 1) return undefined;
  const rows = evenly(m, fitting, tile.m);
  return {
    rows,
    cols: evenly(n, Math.min(wide, fitting, Math.floor(entries / alignUp(rows, tile.m))), tile.n),
  };
}

/** Returns the size of parts of at most `most`: few parts, all of about the same size. */
function evenly(size: number, most: number, tile: number): number {
  const unit = most >= tile ? tile : 1;
  const parts = Math.ceil(size / (Math.floor(most / unit) * unit));
  return Math.min(size, alignUp(Math.ceil(size / parts), unit));
}

/** True if a plan's product may be computed in panels. Recursion adds blocks of the whole product, which panels lack. */
const mayBeCut = ({ levels, style }: Plan): boolean => levels === 0 && style === 'scheduled';

/**
 * Checks that a product fits the device, as a whole or in panels if it has parts.
 * @throws ParanoiaError too-large
 */
export function checkRoom(open: Pick<OpenDevice, 'limits'>, executable: Executable): void {
  const { plan, made, kernel, parts } = executable;
  const { numeric } = made;
  if (parts === undefined || !mayBeCut(plan)) {
    checkLimits(open, plan, numeric, kernel, parts?.planFor);
    return;
  }
  const { planFor } = parts;
  // The smallest part is one row of A times one column of B; with padded tails, a tile of each.
  const least = (k: number) => planFor({ m: 1, k, n: 1 });
  const fits = (k: number) => isWithinLimits(open, least(k), numeric);
  const { k } = plan.shape;
  if (fits(k)) return;
  const { A, B } = least(k).sizes;
  const bytes = 4 * numeric.words * (Math.max(A, B) + 2 * GUARDS);
  const [one, line, matrix] = A >= B ? ['a row', 'rows', 'A'] : ['a column', 'columns', 'B'];
  const buffer = `${plan.tail === 'pad' ? `a tile of ${line}` : one} of ${matrix}`;
  const size = largestSize(1, k, fits);
  throw tooLarge({ kernel, buffer, bytes, largest: largestBuffer(open), size });
}

/**
 * Computes a job as a whole if it fits, otherwise in panels. Panels become smaller each time the device runs out of memory.
 * @throws ParanoiaError too-large, and the errors of `compute`.
 */
export async function inPanels<T extends Product>(
  open: Pick<OpenDevice, 'limits'>,
  job: DeviceJob,
  compute: ComputeJob<T>,
  meanwhile?: () => void,
): Promise<JoinedProduct<T>> {
  const { plan, parts } = job;
  const { numeric } = job.made;
  const whole = async (): Promise<JoinedProduct<T>> => {
    const product = await compute(job, meanwhile);
    return { product, parts: [product] };
  };
  const most = widest(job);
  const tooWide = () => tooManyColumns({ kernel: job.kernel, n: plan.shape.n, most: most as number });
  if (parts === undefined || isLaid(job)) {
    if (most !== undefined) throw tooWide();
    return whole();
  }
  checkRoom(open, job);
  if (!mayBeCut(plan)) {
    if (most !== undefined) throw tooWide();
    return whole();
  }
  let bytes = largestBuffer(open);
  const needed = 4 * numeric.words * (Math.max(...Object.values(plan.sizes)) + 2 * GUARDS);
  if (needed <= bytes && most === undefined) {
    try {
      return await whole();
    } catch (error) {
      if (!isShort(error) || needed < LEAST_BYTES) throw error;
      bytes = needed / 2;
    }
  }
  for (;;) {
    const panels = panelsFor(plan.shape, parts.tile, numeric.words, bytes) ?? { rows: 1, cols: 1 };
    try {
      return await joined(job, panels, parts, compute, meanwhile);
    } catch (error) {
      if (!isShort(error) || bytes < LEAST_BYTES) throw error;
      bytes /= 2;
    }
  }
}

/** Returns the most columns a product may have, if some dispatch exceeds the limit of a dimension; otherwise undefined. */
function widest({ made: { dispatches }, plan: { shape } }: DeviceJob): number | undefined {
  const across = dispatches.reduce((most, { workgroups: [x] }) => Math.max(most, x), 0);
  return across <= MAX_WORKGROUPS ? undefined : Math.floor(shape.n / across) * MAX_WORKGROUPS;
}

const isShort = (error: unknown) => error instanceof ParanoiaError && error.code === 'out-of-gpu-memory';

async function joined<T extends Product>(
  { a, b, c: before, plan: { shape } }: DeviceJob,
  { rows, cols }: Panels,
  { executableFor }: PartPlans,
  compute: ComputeJob<T>,
  meanwhile?: () => void,
): Promise<JoinedProduct<T>> {
  const { m, k, n } = shape;
  let c: Matrix | undefined;
  const parts: Omit<T, 'c'>[] = [];
  for (let left = 0; left < n; left += cols) {
    const right = columnsOf(b, left, Math.min(cols, n - left));
    for (let top = 0; top < m; top += rows) {
      const height = Math.min(rows, m - top);
      const part = { rows: height, cols: k, data: a.data.subarray(top * k, (top + height) * k) };
      // With many panels, all of C is allocated once.
      const { c: found, ...rest } = await compute(
        {
          ...executableFor({ m: height, k, n: right.cols }),
          ...{ a: part, b: right, c: before && partOf(before, top, height, left, right.cols) },
        },
        parts.length === 0 ? meanwhile : undefined,
      );
      c ??= matrix(
        m,
        n,
        found.data instanceof Float64Array ? new Float64Array(m * n) : new Float32Array(m * n),
      );
      for (let i = 0; i < height; i++) {
        c.data.set(found.data.subarray(i * right.cols, (i + 1) * right.cols), (top + i) * n + left);
      }
      parts.push(rest);
    }
  }
  return { product: { c: c as Matrix, ...summed(parts) }, parts };
}

function summed(parts: readonly Omit<Product, 'c'>[]): Omit<Product, 'c'> {
  const sum = (of: (part: Omit<Product, 'c'>) => number | undefined): number | undefined => {
    const all = parts.map(of);
    return all.every((one) => one !== undefined) ? all.reduce((a, b) => a + b, 0) : undefined;
  };
  return {
    unwritten: sum(({ unwritten }) => unwritten) as number,
    overwritten: sum(({ overwritten }) => overwritten) as number,
    changed: sum(({ changed }) => changed),
    seconds: sum(({ seconds }) => seconds),
  };
}

function partOf(from: Matrix, top: number, rows: number, left: number, cols: number): Matrix {
  const data = from.data.subarray(top * from.cols, (top + rows) * from.cols);
  return columnsOf({ rows, cols: from.cols, data }, left, cols);
}

/** Returns adjacent columns of a matrix, as a copy unless they are all of its columns. */
function columnsOf(from: Matrix, left: number, cols: number): Matrix {
  if (cols === from.cols) return from;
  const data = from.data.slice(0, from.rows * cols);
  for (let i = 0; i < from.rows; i++) {
    const start = i * from.cols + left;
    data.set(from.data.subarray(start, start + cols), i * cols);
  }
  return { rows: from.rows, cols, data };
}
