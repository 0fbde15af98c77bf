import type { Shape } from '../../matrix/dense.ts';

/** What every tiling says. */
interface Sizes {
  readonly name: string;
  /** Rows and columns of C that an invocation computes. */
  readonly rows: number;
  readonly cols: number;
  /** Invocations of a workgroup: across times down. */
  readonly across: number;
  readonly down: number;
  /** Steps of k that it takes at a time. */
  readonly depth: number;
}

/**
 * `entry`: one entry an invocation, from global memory; `tiled`: the same, with square tiles of both operands in
 * workgroup memory; `register`: vec4s in registers, from global memory; `column`: 16 entries of a column, see `gpu8`;
 * `fused`: of products of sums of blocks, whose operands are summed on their way to workgroup memory.
 */
export interface PlainTiling extends Sizes {
  readonly family: 'entry' | 'tiled' | 'register' | 'fused';
}

/** Vec4s in registers, operands staged in workgroup memory: rows, cols and depth are multiples of 4. */
export interface StagedTiling extends Sizes {
  readonly family: 'staged';
  /**
   * How x gets to workgroup memory: as vec4s of a row, as they are read; or transposed, as vec4s of a column, each
   * gathered from four rows (`columns`), or turned in registers four by four (`blocks`).
   */
  readonly stage: 'columns' | 'blocks' | 'rows';
  /** Of the 32 invocations that read workgroup memory together, how many are side by side; the others are below. */
  readonly abreast: 4 | 8;
  /** With two, the next part of k is stored while the last is still read, two parts a trip: one barrier a part instead of two. */
  readonly buffers: 1 | 2;
  /**
   * In what order an invocation goes through its sums at a step of k: row by row, vec4 by vec4; or down a column and up the next
   * (`turning`), so that each product has an operand of the one before, which NVIDIA's GPUs then need not read again, with the
   * next part of k brought without a branch. @defaultValue by rows
   */
  readonly path?: 'turning';
}

/** Vec4s in registers, rows handed around within a subgroup, which is a workgroup: rows are a multiple of it. */
export interface SubgroupTiling extends Sizes {
  readonly family: 'subgroup';
  /** How lanes hand one another their rows; swaps take subgroups of 4. */
  readonly hands: 'broadcasts' | 'swaps';
}

/** Entries of a column an invocation, rows of x in workgroup memory. */
export interface ColumnTiling extends Sizes {
  readonly family: 'column';
  /** Where x is read from. */
  readonly loads: 'buffer' | 'texture';
}

/** What a leaf kernel, or a fused product, is generated from. */
export type Tiling = PlainTiling | StagedTiling | SubgroupTiling | ColumnTiling;

/** The rows, depth and columns that a workgroup multiplies at a time. */
export const tileOf = ({ rows, cols, across, down, depth }: Sizes): Shape => ({
  m: rows * down,
  k: depth,
  n: cols * across,
});

/** The steps of k of a trip of the loop: a part for each buffer. */
export const tripOf = ({ depth, buffers }: Pick<StagedTiling, 'depth' | 'buffers'>): number =>
  depth * buffers;
