import type { Shape } from '../../matrix/dense.ts';
import type { BlockLayout } from '../../plan/layout.ts';
import type { BufferName } from '../../plan/plan.ts';
import type { ShaderRequest } from '../queue/pipelines.ts';
import { OPERATIONS_AT_ONCE } from '../tuning/tuning.ts';
import type { Leaf } from './leaves/leaf.ts';

/** The ranges of a product on the device: the buffers of a plan, D if it is apart from C, factors of coded A and B, an epilogue's numbers. */
export type RangeName = BufferName | 'D' | 'SA' | 'SB' | 'E';

/** A part of a range as a dispatch binds it, `offset` entries from the start of the range. */
export interface BoundRange {
  readonly buffer: RangeName;
  readonly offset: number;
  readonly layout: Pick<BlockLayout, 'size'>;
  /** The words of the units that offset and size count, if these are not entries of the program's precision. */
  readonly words?: 1 | undefined;
}

/** One dispatch of a plan, ready to be encoded. */
export interface Dispatch {
  /** The step in words: "step 9 of 17, product 3: mulIncInc(C12, C21, C11, C22)". */
  readonly label: string;
  readonly shader: string;
  /** The words of the uniform at binding 0. */
  readonly params: readonly number[];
  /** True if the plan's layout words are bound at binding 1. */
  readonly layouts: boolean;
  /** A range that is copied to a texture and bound after the layouts. */
  readonly texture?: BoundRange;
  /** The ranges bound after that, in order. */
  readonly blocks: readonly BoundRange[];
  /** The workgroups in x and y, and in z if a batch of products is dispatched at once. */
  readonly workgroups: readonly [x: number, y: number, z?: number];
  /** Arithmetic operations, by which long work is split. */
  readonly operations: number;
}

/** The most workgroups along a dimension of a dispatch, on every device. */
export const MAX_WORKGROUPS = 65535;

/** Splits the rows of a product at tile boundaries, so that no dispatch has too many operations or workgroups. */
export function rowRanges(
  { m, k, n }: Shape,
  { tile }: Pick<Leaf, 'tile'>,
  operationsAtOnce = OPERATIONS_AT_ONCE,
): [number, number][] {
  const fitting = Math.floor(operationsAtOnce / (2 * k * n));
  const rows = Math.min(MAX_WORKGROUPS, Math.max(1, Math.floor(fitting / tile.m))) * tile.m;
  const ranges: [number, number][] = [];
  for (let first = 0; first < m; first += rows) ranges.push([first, Math.min(first + rows, m)]);
  return ranges;
}

/** Returns a two-dimensional grid for a linear pass: a dimension holds at most 65 535 workgroups. */
export function linearGrid(
  invocations: number,
  workgroup: number,
): { workgroups: [number, number]; width: number } {
  const groups = Math.ceil(invocations / workgroup);
  const across = Math.min(groups, MAX_WORKGROUPS);
  return { workgroups: [across, Math.ceil(groups / across)], width: across * workgroup };
}

/** Returns the shader that a dispatch needs compiled. Shaders with a texture have no dynamic offsets. */
export const shaderRequestOf = ({ shader, label, texture, layouts, blocks }: Dispatch): ShaderRequest => ({
  shader,
  label,
  bindings: texture === undefined ? `${layouts ? 'ur' : 'u'}${'s'.repeat(blocks.length)}` : undefined,
});
