import { lookUp } from '../base/look-up.ts';
import type { Flags } from '../config/flags.ts';
import { deviceOf, parseChoice, parseNumber, parseShape, parseText } from '../config/flags.ts';
import type { ExactProduct } from '../exact/exact.ts';
import { type HowComputed, openExactPool } from '../exact/node/pool.ts';
import { exactProductOnGpu, type GpuExactReport } from '../gpu/exact/exact-on-gpu.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { findInput } from '../inputs/inputs.ts';
import type { Matrix } from '../matrix/dense.ts';
import { precisions } from '../precision/precisions.ts';
import { ranges } from '../problem/ranges.ts';
import { counted, duration } from '../report/numbers.ts';
import { requireExactRoom } from '../run/node/host-room.ts';
import { vainOption } from './messages.ts';

/** Where and how fast an exact product was computed. */
export interface Computed {
  readonly on: 'cpu' | 'gpu';
  /** Of wall-clock time, transfers and comparisons included. */
  readonly seconds: number;
  /** With what the CPU computed. */
  readonly cpu?: HowComputed;
  readonly adapter?: string;
  readonly gpu?: GpuExactReport;
}

/** An exact product, and how it was computed. */
export interface ComputedProduct extends ExactProduct {
  readonly computed: Computed;
}

/** Options that say more of another one, and what that is. */
const depending: Readonly<Record<string, readonly string[]>> = {
  '--size': ['input', 'precision'],
  '--on gpu': ['by', 'adapter', 'toggle'],
};

/** Refuses options that are given in vain. @throws ParanoiaError `vain-option` */
export function refuseVain(flags: Flags): void {
  const without = (of: string) => (of === '--size' ? flags.size === undefined : flags.on !== 'gpu');
  for (const [of, names] of Object.entries(depending).filter(([of]) => without(of))) {
    const vain = names.find((name) => lookUp(flags, name) !== undefined);
    if (vain !== undefined) throw vainOption({ option: `--${vain}`, without: of });
  }
}

/** The operands that `--size`, `--input`, `--precision` and `--seed` ask for, and what they are called; none without a size. */
export function madeOperands(flags: Flags): { a: Matrix; b: Matrix; name: string } | undefined {
  if (flags.size === undefined) return undefined;
  const input = flags.input === undefined ? 'uniform' : parseText('--input', flags.input);
  const precision = precisions.find(
    flags.precision === undefined ? 'f32' : parseText('--precision', flags.precision),
  );
  const seed = flags.seed === undefined ? 1 : parseNumber('--seed', flags.seed, ranges.seed);
  const shape = parseShape('--size', flags.size);
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
 * The exact product where `--on` says: on the CPU's cores, or on the adapter of `--adapter`, which the CPU then checks.
 * @throws ParanoiaError of the options, the device or the exact product.
 */
export async function computeExactly(flags: Flags, a: Matrix, b: Matrix): Promise<ComputedProduct> {
  const on = flags.on === undefined ? 'cpu' : parseChoice('--on', flags.on, ['cpu', 'gpu']);
  const pool = openExactPool();
  try {
    const begun = performance.now();
    const since = () => (performance.now() - begun) / 1000;
    if (on === 'cpu') {
      const product = await pool.product(a, b);
      return { ...product, computed: { on, seconds: since(), cpu: pool.how() } };
    }
    return await onGpu(flags, a, b, pool.product);
  } finally {
    await pool.close();
  }
}

async function onGpu(
  flags: Flags,
  a: Matrix,
  b: Matrix,
  cpu: (a: Matrix, b: Matrix) => Promise<ExactProduct>,
): Promise<ComputedProduct> {
  const open = await openNodeDevice(deviceOf(flags));
  try {
    const begun = performance.now();
    const by = flags.by === undefined ? {} : { by: parseText('--by', flags.by) };
    const seed = flags.seed === undefined ? 1 : parseNumber('--seed', flags.seed, ranges.seed);
    const { gpu, ...product } = await exactProductOnGpu(open, a, b, { cpu, seed, ...by });
    const seconds = (performance.now() - begun) / 1000;
    return { ...product, computed: { on: 'gpu', seconds, adapter: open.fingerprint.name, gpu } };
  } finally {
    open.close();
  }
}

function byWhat({ engine, threads, why }: HowComputed): string {
  const arithmetic = engine === 'simd' ? 'with WebAssembly vectors' : 'in TypeScript';
  return ` by ${counted(threads, 'thread')} ${arithmetic}${why === undefined ? '' : ` (${why})`}`;
}

/** How a product was computed, for a person: a line each. */
export function describeComputed({ on, seconds, cpu, adapter, gpu }: Computed, work: number): string[] {
  const rate = (time: number) => `${(work / time / 1e9).toPrecision(3)} G products of entries a second`;
  if (on === 'cpu' || gpu === undefined)
    return [
      `Computed on the CPU${cpu === undefined ? '' : byWhat(cpu)} in ${duration(seconds)}: ${rate(seconds)}.`,
    ];
  const left = [
    ...(gpu.cpuRows > 0 ? [`${gpu.cpuRows} rows`] : []),
    ...(gpu.cpuCols > 0 ? [`${gpu.cpuCols} columns`] : []),
  ].join(' and ');
  return [
    `Computed on ${adapter} by ${gpu.by}: ${gpu.slices[0]} slices of A, ${gpu.slices[1]} of B, ${gpu.panels} ${gpu.panels === 1 ? 'part' : 'parts'}.`,
    gpu.seconds === undefined
      ? 'Its own time is not known: it has no timestamps.'
      : `Of its own time it took ${gpu.seconds.toPrecision(3)} s: ${rate(gpu.seconds)}.`,
    `With transfers and the CPU's part ${duration(seconds)}.`,
    `The CPU computed ${gpu.checkedRows.length} rows as well, equal to the last bit${left === '' ? '' : `, and ${left} alone, for their exponents or special values`}.`,
  ];
}
