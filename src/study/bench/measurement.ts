import type { DeviceClock } from '../../gpu/runner/time.ts';
import type { Shape } from '../../matrix/dense.ts';
import type { Fringe, Tail } from '../../problem/method.ts';
import type { ConfidenceInterval } from './statistics.ts';

/**
 * The clock of a measurement. Beside the device's own clocks there are three. `own` is the time that an external kernel reports for its
 * product, operands in place. `call` is the wall clock around such a kernel's product, for programs with A, B and C sent and received.
 * `whole` is the wall clock around everything, packing, upload and read-back included.
 */
export type BenchClock = DeviceClock | 'own' | 'call' | 'whole';

export const clockWords: Readonly<Record<BenchClock, string>> = {
  timestamps: 'device timestamps, operands in place',
  submission: 'wall clock from submission to completion, operands in place',
  own: 'the kernel’s own clock, operands in place',
  call: 'wall clock around the call of the kernel',
  whole: 'wall clock, including packing, upload and read-back',
};

/** One kernel with its method, which runs against others. */
export interface Entrant {
  readonly kernel: string;
  /** @defaultValue 0 */
  readonly levels?: number;
  /** @defaultValue 'pad' */
  readonly fringe?: Fringe;
  /** @defaultValue 'mask' */
  readonly tail?: Tail;
  /** @defaultValue 'f32' */
  readonly precision?: string;
  /** Its name in a study, such as `GPU8`. @defaultValue kernel and levels */
  readonly label?: string;
}

/** A product that was timed and compared with the exact one. */
export interface Measurement extends Shape {
  readonly label: string;
  readonly kernel: string;
  readonly algorithm: string;
  /** The leaf kernel, if it is one of ours. */
  readonly leaf?: string | undefined;
  readonly levels: number;
  readonly fringe: Fringe;
  readonly tail: Tail;
  readonly precision: string;
  readonly input: string;
  readonly clock: BenchClock;
  /** True if it computed on a GPU, whose absolute times may be quoted. */
  readonly absolute: boolean;
  /** Products in a trial. */
  readonly repeats: number;
  /** Seconds a product, one number a trial. */
  readonly seconds: readonly number[];
  readonly median: number;
  /** Bootstrap 95 % interval of the median. */
  readonly interval: ConfidenceInterval;
  /** Seconds of one product with packing, upload and read-back. With the clock `whole`, `seconds` has them. */
  readonly whole?: number;
  /** Number of panels, where the product does not fit the device as a whole. Its times are the sums over the panels. */
  readonly panels?: number;
  /** Significand bits of the worst compared entry: −log2 of max |Ĉ − C|ᵢⱼ / (|A||B|)ᵢⱼ, at most 53. */
  readonly bits: number;
  /** The share of the entries that were compared. */
  readonly checked: number;
}

/** A product that was not timed, with the reason. */
export interface UntimedProduct extends Shape {
  readonly label: string;
  readonly why: string;
}

export function labelOf({ label, kernel, levels = 0, fringe, tail, precision = 'f32' }: Entrant): string {
  if (label !== undefined) return label;
  const recursion = levels > 0 && `${levels} ${levels === 1 ? 'level' : 'levels'}`;
  const unsaid = precision !== 'f32' && !kernel.includes(precision) && precision;
  const manner = [recursion, fringe, tail, unsaid];
  return [kernel, ...manner.filter((word) => word !== undefined && word !== false)].join(', ');
}

/** Returns the operations a second of a classical product of the same shape: 2mnk/t (Huang, Yu, van de Geijn, (7)). */
export function effectiveRate({ m, k, n }: Shape, seconds: number): number {
  return (2 * m * k * n) / seconds;
}

/** Returns the operations a second of a classical N×N product, 2N³ − N² (Davis 2025, section 2.2). */
export function flops(size: number, seconds: number): number {
  return (2 * size ** 3 - size ** 2) / seconds;
}

export function isSquare({ m, k, n }: Shape): boolean {
  return m === k && k === n;
}

/** Returns the bits that one product has fewer than another. */
export function countBitsLost(base: { readonly bits: number }, one: { readonly bits: number }): string {
  return ((Math.round(10 * (base.bits - one.bits)) || 0) / 10).toFixed(1);
}
