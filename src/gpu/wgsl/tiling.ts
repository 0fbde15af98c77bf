import type { Shape } from '../../matrix/dense.ts';

/** The sizes of every tiling. */
interface Sizes {
  readonly name: string;
  /** The rows and columns of C that an invocation computes. */
  readonly rows: number;
  readonly cols: number;
  /** The invocations of a workgroup: across times down. */
  readonly across: number;
  readonly down: number;
  /** The steps of k that are processed at a time. */
  readonly depth: number;
}

/**
 * A tiling of a simple family. `entry`: one entry an invocation, from global memory; `tiled`: the same, with square tiles of both operands
 * in workgroup memory; `register`: vec4s in registers, from global memory; `fused`: products of sums of blocks, whose operands are summed
 * on their way to workgroup memory.
 */
export interface PlainTiling extends Sizes {
  readonly family: 'entry' | 'tiled' | 'register' | 'fused';
}

/** A tiling with vec4s in registers and operands staged in workgroup memory. Rows, cols and depth are multiples of 4. */
export interface StagedTiling extends Sizes {
  readonly family: 'staged';
  /**
   * The path of x to workgroup memory: as vec4s of a row, as read (`rows`); or transposed, as vec4s of a column, each gathered from four
   * rows (`columns`) or transposed in registers four by four (`blocks`).
   */
  readonly stage: 'columns' | 'blocks' | 'rows';
  /** The invocations that lie side by side, of the 32 that read workgroup memory together; the others lie below. */
  readonly abreast: 4 | 8;
  /**
   * The buffers of workgroup memory. With two, the next part of k is stored while the previous one is still read, two parts a trip: one
   * barrier a part instead of two.
   */
  readonly buffers: 1 | 2;
  /**
   * The order in which an invocation processes its sums at a step of k: row by row, vec4 by vec4; or `turning`, down one column and up the
   * next. With `turning` each product shares an operand with the previous one, which NVIDIA's GPUs need not read again, and the next part
   * of k is loaded without a branch. @defaultValue by rows
   */
  readonly path?: 'turning';
}

/** A tiling with vec4s in registers, and rows shared within a subgroup, which is the workgroup. Rows are a multiple of its size. */
export interface SubgroupTiling extends Sizes {
  readonly family: 'subgroup';
  /** The way in which lanes share their rows; swaps need subgroups of 4. */
  readonly hands: 'broadcasts' | 'swaps';
}

/** A tiling with entries of a column for each invocation, and rows of x in workgroup memory, as in `gpu8`. */
export interface ColumnTiling extends Sizes {
  readonly family: 'column';
  /** The source of x. */
  readonly loads: 'buffer' | 'texture';
}

/** The parameters that a leaf kernel, or a fused product, is generated from. */
export type Tiling = PlainTiling | StagedTiling | SubgroupTiling | ColumnTiling;

/** Returns the rows, depth and columns that a workgroup multiplies at a time. */
export const tileShapeOf = ({ rows, cols, across, down, depth }: Sizes): Shape => ({
  m: rows * down,
  k: depth,
  n: cols * across,
});

/** Returns the steps of k in a trip of the loop: one part for each buffer. */
export const tripOf = ({ depth, buffers }: Pick<StagedTiling, 'depth' | 'buffers'>): number =>
  depth * buffers;
