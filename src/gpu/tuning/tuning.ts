import { lookUp } from '../../base/objects.ts';
import type { Shape } from '../../matrix/dense.ts';
import type { Leaf } from '../wgsl/leaves/leaf.ts';

/** The rates of leaf kernels on square products of one size. */
export interface SizedRates {
  readonly size: number;
  /** 10¹² operations a second, by leaf kernel. */
  readonly teraflops: Readonly<Record<string, number>>;
}

/** The rates that decide which leaf kernel the family `register` stands for on an adapter. */
export interface Tuning {
  /** The source of the rates, as a noun phrase after "by": "measurements on this adapter of 2026-11-21". */
  readonly because: string;
  readonly rates: readonly SizedRates[];
  /**
   * The leaf whose block shape fused products take, from this size on. The terms of their sums take registers, so that the times of leaf
   * kernels say little about theirs.
   */
  readonly sums?: { readonly from: number; readonly leaf: string };
  /** True if the tuning comes from the user's cache, not from this package. */
  readonly cached?: boolean;
  /** The factor by which the adapter is at least as fast as the rates: below 1 if they were measured on another adapter. @defaultValue 1 */
  readonly scale?: number;
}

/**
 * Returns the leaf kernel that should be fastest for a product, by the rates at the nearest size and by the waste in each kernel's last
 * blocks. Undefined if the tuning has no rates of these kernels at that size.
 */
export function fastestLeaf({ rates }: Tuning, shape: Shape, leaves: readonly Leaf[]): Leaf | undefined {
  const size = Math.sqrt(shape.m * shape.n);
  const apart = (other: SizedRates) => Math.abs(Math.log(other.size / size));
  const [nearest] = [...rates].sort((a, b) => apart(a) - apart(b));
  const known = leaves.filter(({ name }) => lookUp(nearest?.teraflops, name) !== undefined);
  if (known.length === 0) return undefined;
  const cost = ({ name, tile }: Leaf) =>
    countStoredEntries(shape, tile) / (lookUp(nearest.teraflops, name) as number);
  return known.reduce((best, leaf) => (cost(leaf) < cost(best) ? leaf : best));
}

/** Describes the tuning in use, in sentences; empty if leaf kernels are chosen without one. */
export function tuningSentences(open: {
  readonly tuning?: Tuning | undefined;
  readonly tuningNote?: string | undefined;
}): string[] {
  const { tuning, tuningNote } = open;
  const says = tuning && `The leaf "register" stands for the fastest kernels, by ${tuning.because}.`;
  return [tuningNote, says].filter((text) => text !== undefined);
}

/** Returns the entries that tiles compute for a product, including those beyond its edges. */
export function countStoredEntries({ m, n }: Shape, tile: Shape): number {
  return Math.ceil(m / tile.m) * tile.m * Math.ceil(n / tile.n) * tile.n;
}

/** The most operations of a dispatch on a device of unknown speed: half a second at 10¹¹ a second. */
export const OPERATIONS_AT_ONCE = 2 ** 36;

/** The most seconds of one dispatch: desktop drivers reset a device after about two. */
const SECONDS_AT_ONCE = 0.25;

/**
 * Returns the most operations for one dispatch of a leaf kernel, and for one submission: few enough to end soon, and enough to keep the
 * whole device busy.
 */
export function operationsAtOnce(tuning: Tuning | undefined, leaf: Leaf): number {
  const { rates = [], scale = 1 } = tuning ?? {};
  const fastest = Math.max(0, ...rates.map(({ teraflops }) => lookUp(teraflops, leaf.name) ?? 0));
  return Math.max(OPERATIONS_AT_ONCE, scale * fastest * 1e12 * SECONDS_AT_ONCE);
}
