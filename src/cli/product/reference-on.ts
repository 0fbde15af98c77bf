import type { ExactProduct } from '../../exact/exact.ts';
import { type ExactPool, type HowComputed, openExactPool } from '../../exact/node/pool.ts';
import { exactProductOnGpu, type GpuExactReport } from '../../gpu/exact/exact-on-gpu.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { findInput } from '../../inputs/inputs.ts';
import type { Matrix, Shape } from '../../matrix/dense.ts';
import { precisions } from '../../precision/precisions.ts';
import { formatCount, formatDuration } from '../../report/numbers.ts';
import { requireExactRoom } from '../../run/node/host-room.ts';
import type { ReferenceRequest } from './options.ts';

/** The device that computed an exact product, and its time. */
export interface ComputationRecord {
  readonly on: 'cpu' | 'gpu';
  /** Seconds of wall-clock time, with transfers and comparisons. */
  readonly seconds: number;
  /** The CPU's method. */
  readonly cpu?: HowComputed;
  readonly adapter?: string;
  readonly gpu?: GpuExactReport;
}

/** An exact product, and the record of its computation. */
export interface ComputedProduct extends ExactProduct {
  readonly computed: ComputationRecord;
}

/** Makes the operands that `--size`, `--input`, `--precision` and `--seed` describe, with their name; none without a size. */
export function makeNamedOperands(
  request: ReferenceRequest,
): { a: Matrix; b: Matrix; name: string } | undefined {
  const { size: shape, input = 'uniform', seed = 1 } = request;
  if (shape === undefined) return undefined;
  const precision = precisions.find(request.precision ?? 'f32');
  requireExactRoom(shape);
  const { a, b } = findInput(input).generate({
    ...shape,
    seed,
    levels: 0,
    precision,
  });
  return { a, b, name: `${input}, seed ${seed}` };
}

/**
 * Computes the exact product on the device of `--on`: on the CPU's cores, or on the adapter of `--adapter`, whose result the CPU
 * then checks.
 * @throws ParanoiaError of the options, the device or the exact product
 */
export async function computeExactly(
  request: ReferenceRequest,
  a: Matrix,
  b: Matrix,
): Promise<ComputedProduct> {
  const { on = 'cpu' } = request;
  const pool = openExactPool();
  try {
    const begun = performance.now();
    const since = () => (performance.now() - begun) / 1000;
    if (on === 'cpu') {
      const product = await pool.product(a, b);
      return { ...product, computed: { on, seconds: since(), cpu: pool.how() } };
    }
    return await onGpu(request, a, b, pool);
  } finally {
    await pool.close();
  }
}

async function onGpu(
  { adapter, toggles, by, seed = 1 }: ReferenceRequest,
  a: Matrix,
  b: Matrix,
  pool: ExactPool,
): Promise<ComputedProduct> {
  const open = await openNodeDevice({ adapter, toggles });
  try {
    const begun = performance.now();
    const { gpu, ...product } = await exactProductOnGpu(open, a, b, {
      ...{ cpu: pool.product, threads: pool, seed },
      ...(by && { by }),
    });
    const seconds = (performance.now() - begun) / 1000;
    return { ...product, computed: { on: 'gpu', seconds, adapter: open.fingerprint.name, gpu } };
  } finally {
    open.close();
  }
}

function byWhat({ engine, threads, why }: HowComputed): string {
  const arithmetic = engine === 'simd' ? 'with WebAssembly vectors' : 'in TypeScript';
  return ` by ${formatCount(threads, 'thread')} ${arithmetic}${why === undefined ? '' : ` (${why})`}`;
}

/** Describes how a product was computed, in lines for a person. */
export function describeComputed(
  { on, seconds, cpu, adapter, gpu }: ComputationRecord,
  { m, k, n }: Shape,
): string[] {
  const work = m * k * n;
  const rate = (time: number) => `${(work / time / 1e9).toPrecision(3)} G multiplications/s`;
  if (on === 'cpu' || gpu === undefined)
    return [
      `Computed on the CPU${cpu === undefined ? '' : byWhat(cpu)} in ${formatDuration(seconds)}: ${rate(seconds)}.`,
    ];
  const left = [
    ...(gpu.cpuRows > 0 ? [formatCount(gpu.cpuRows, 'row')] : []),
    ...(gpu.cpuCols > 0 ? [formatCount(gpu.cpuCols, 'column')] : []),
  ].join(' and ');
  return [
    `Computed on ${adapter} by ${gpu.by}: ${gpu.slices[0]} slices of A, ${gpu.slices[1]} of B, ${formatCount(gpu.panels, 'part')}.`,
    gpu.seconds === undefined
      ? 'GPU time: unknown, because the adapter has no timestamps.'
      : `GPU time: ${gpu.seconds.toPrecision(3)} s, ${rate(gpu.seconds)}.`,
    `Time with transfers and CPU checks: ${formatDuration(seconds)}.`,
    `The CPU checked ${gpu.checked.rows.length * gpu.checked.cols.length} of ${m * n} entries: equal to the last bit.${left === '' ? '' : ` Only the CPU computed ${left}, because of exponents or special values.`}`,
  ];
}
