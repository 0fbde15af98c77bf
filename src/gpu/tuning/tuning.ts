import { lookUp } from '../../base/look-up.ts';
import type { Shape } from '../../matrix/dense.ts';
import type { Leaf } from '../wgsl/leaves/leaf.ts';

/** How fast leaf kernels are on square products of one size. */
export interface SizedRates {
  readonly size: number;
  /** 10¹² operations a second, by leaf kernel. */
  readonly teraflops: Readonly<Record<string, number>>;
}

/** Which leaf kernel the family `register` stands for on an adapter. */
export interface Tuning {
  /** Where it comes from, as a clause after "as": "was measured on this adapter on 2026-11-21". */
  readonly because: string;
  readonly rates: readonly SizedRates[];
  /**
   * Whose block shape fused products take from this size on: the terms of their sums take registers, so that times of
   * leaf kernels say little of theirs.
   */
  readonly sums?: { readonly from: number; readonly leaf: string };
  /** Whether it comes from the user's cache, rather than with this package. */
  readonly cached?: boolean;
  /** The adapter is at least this many times as fast as the rates say: below 1 where they are of another one. */
  readonly scale?: number;
}

/**
 * The leaf kernel that should be fastest for a product, by the rates at the size nearest to it and by how much of its
 * last blocks each would waste. Undefined where the tuning says nothing of that size.
 */
export function fastestLeaf({ rates }: Tuning, shape: Shape, leaves: readonly Leaf[]): Leaf | undefined {
  const size = Math.sqrt(shape.m * shape.n);
  const apart = (other: SizedRates) => Math.abs(Math.log(other.size / size));
  const [nearest] = [...rates].sort((a, b) => apart(a) - apart(b));
  const known = leaves.filter(({ name }) => lookUp(nearest?.teraflops, name) !== undefined);
  if (known.length === 0) return undefined;
  const cost = ({ name, tile }: Leaf) => stored(shape, tile) / (lookUp(nearest.teraflops, name) as number);
  return known.reduce((best, leaf) => (cost(leaf) < cost(best) ? leaf : best));
}

/** What a command says of the tuning it runs with, in sentences; nothing where leaf kernels are chosen without one. */
export function tuningSentences(open: {
  readonly tuning?: Tuning | undefined;
  readonly tuningNote?: string | undefined;
}): string[] {
  const { tuning, tuningNote } = open;
  const says = tuning && `The leaf "register" stands for the kernels that are fastest as ${tuning.because}.`;
  return [tuningNote, says].filter((text) => text !== undefined);
}

/** The entries that blocks of a tile compute for a product. */
export function stored({ m, n }: Shape, tile: Shape): number {
  return Math.ceil(m / tile.m) * tile.m * Math.ceil(n / tile.n) * tile.n;
}

/** Operations that may be dispatched at once where no more is known: half a second at 10¹¹ a second. */
export const OPERATIONS_AT_ONCE = 2 ** 36;

/** Seconds that one dispatch may take: desktop drivers reset a device after about two. */
const SECONDS_AT_ONCE = 0.25;

/**
 * Operations that one dispatch of a leaf kernel, and one submission, may take: few enough that it ends soon, and enough
 * to keep all of the device busy.
 */
export function operationsAtOnce(tuning: Tuning | undefined, leaf: Leaf): number {
  const { rates = [], scale = 1 } = tuning ?? {};
  const fastest = Math.max(0, ...rates.map(({ teraflops }) => lookUp(teraflops, leaf.name) ?? 0));
  return Math.max(OPERATIONS_AT_ONCE, scale * fastest * 1e12 * SECONDS_AT_ONCE);
}
