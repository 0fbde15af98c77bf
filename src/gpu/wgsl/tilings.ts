import type { Shape } from '../../matrix/dense.ts';
import type { Numeric } from '../../precision/wgsl/numeric.ts';

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
   * rows (`columns`), transposed in registers four by four (`blocks`), or read as a vec4 of a row whose entries are stored apart
   * (`turned`, of two buffers).
   */
  readonly stage: 'columns' | 'blocks' | 'rows' | 'turned';
  /** The invocations that lie side by side, of the 32 that read workgroup memory together; the others lie below. */
  readonly abreast: 4 | 8;
  /**
   * The buffers of workgroup memory. With two, the next part of k is stored while the previous one is still read: one barrier a part
   * instead of two.
   */
  readonly buffers: 1 | 2;
  /** The parts of k that a trip of the loop takes, a multiple of the buffers. @defaultValue as many as buffers */
  readonly parts?: number;
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

/** Returns the steps of k in a trip of the loop. */
export const tripOf = ({
  depth,
  buffers,
  parts = buffers,
}: Pick<StagedTiling, 'depth' | 'buffers' | 'parts'>): number => depth * parts;

/** Returns a tiling with one invocation an entry, side×side of them a workgroup. */
const square = (family: 'entry' | 'tiled', side: number, name: string): Tiling => ({
  ...{ name, family, rows: 1, cols: 1, across: side, down: side },
  depth: family === 'tiled' ? side : 1,
});

type Block = Pick<Tiling, 'rows' | 'cols' | 'across' | 'down'>;

const register = (name: string, block: Block): PlainTiling => ({
  ...{ name: `register-${name}`, family: 'register', ...block, depth: 4 },
});

/**
 * Returns a staged tiling, named like `staged-128x128-8x16-blocks`: the entries of a workgroup and of an invocation, the path of x, and
 * unusual properties.
 */
function staged(
  block: Block &
    Pick<StagedTiling, 'stage'> &
    Partial<Pick<StagedTiling, 'abreast' | 'buffers' | 'depth' | 'parts'>>,
): StagedTiling {
  const { rows, cols, across, down, stage, abreast = 8, buffers = 1, depth = 16 } = block;
  const size = `${rows * down}x${cols * across}`;
  const rest = [...(buffers === 2 ? ['double'] : []), ...(abreast === 4 ? ['narrow'] : [])];
  const name = ['staged', size, `${rows}x${cols}`, stage, ...rest].join('-');
  return { name, family: 'staged', ...block, depth, abreast, buffers };
}

/** Returns a subgroup tiling, named like `broadcast8-16x32` or `swap4-32x32`: the subgroup's size and the entries of a workgroup. */
function handed(
  subgroup: number,
  { rows, cols, hands }: Pick<SubgroupTiling, 'rows' | 'cols' | 'hands'>,
): SubgroupTiling {
  const name = `${hands === 'swaps' ? 'swap' : 'broadcast'}${subgroup}-${rows}x${cols * subgroup}`;
  return { name, family: 'subgroup', rows, cols, across: subgroup, down: 1, depth: 4, hands };
}

/** The block shapes of the family `register`: for large, medium, small, thin and fat products. */
export const registerTilings: readonly PlainTiling[] = [
  register('64x64', { rows: 8, cols: 4, across: 16, down: 8 }),
  register('32x32', { rows: 4, cols: 4, across: 8, down: 8 }),
  register('8x16', { rows: 2, cols: 4, across: 4, down: 4 }),
  register('4x128', { rows: 4, cols: 4, across: 32, down: 1 }),
  register('128x4', { rows: 4, cols: 4, across: 1, down: 32 }),
];

/** The column tiling: 16 entries of a column an invocation, 128 invocations a workgroup. GPU8 of Li, Ranka and Sahni (2011). */
const column = { family: 'column', rows: 16, cols: 1, across: 128, down: 1, depth: 64 } as const;

/** The tilings of leaf kernels, one line each. */
export const leafTilings: readonly Tiling[] = [
  square('entry', 8, 'naive'),
  ...[1, 2, 4, 16].map((side) => square('entry', side, `naive-${side}`)),
  // Sides up to the 256 invocations that every WebGPU device allows, and beyond.
  ...[32, 16, 8, 4, 2, 1].map((side) => square('tiled', side, `tiled-${side}`)),
  ...registerTilings,
  // For software adapters, where operands are gathered entry by entry, which many entries an invocation amortize, and registers are memory.
  register('64x64-16x16', { rows: 16, cols: 16, across: 4, down: 4 }),
  // Large blocks read least from memory, and need large products to fill a GPU. More entries an invocation read less from workgroup memory,
  // and leave fewer invocations at a time.
  staged({ rows: 8, cols: 16, across: 8, down: 16, stage: 'blocks' }),
  staged({ rows: 8, cols: 16, across: 8, down: 16, stage: 'blocks', abreast: 4 }),
  staged({ rows: 8, cols: 16, across: 8, down: 16, stage: 'columns' }),
  staged({ rows: 8, cols: 16, across: 16, down: 16, stage: 'columns' }),
  staged({ rows: 8, cols: 16, across: 16, down: 8, stage: 'columns' }),
  staged({ rows: 8, cols: 8, across: 32, down: 16, stage: 'columns' }),
  staged({ rows: 8, cols: 16, across: 8, down: 8, stage: 'blocks' }),
  staged({ rows: 16, cols: 8, across: 16, down: 8, stage: 'blocks' }),
  staged({ rows: 16, cols: 8, across: 16, down: 16, stage: 'blocks' }),
  staged({ rows: 8, cols: 8, across: 16, down: 16, stage: 'columns' }),
  staged({ rows: 8, cols: 8, across: 16, down: 16, stage: 'rows' }),
  staged({ rows: 8, cols: 8, across: 8, down: 16, stage: 'blocks' }),
  staged({ rows: 8, cols: 8, across: 16, down: 8, stage: 'columns' }),
  staged({ rows: 8, cols: 8, across: 8, down: 8, stage: 'columns' }),
  // Half as deep, so that two buffers take no more memory than one.
  staged({ rows: 8, cols: 8, across: 16, down: 16, stage: 'turned', buffers: 2, depth: 8, parts: 4 }),
  staged({ rows: 8, cols: 8, across: 8, down: 8, stage: 'columns', buffers: 2, depth: 8 }),
  staged({ rows: 4, cols: 4, across: 16, down: 16, stage: 'columns', buffers: 2 }),
  staged({ rows: 4, cols: 4, across: 8, down: 8, stage: 'columns', buffers: 2 }),
  // For lavapipe's subgroups of 8 and SwiftShader's of 4.
  handed(8, { rows: 8, cols: 4, hands: 'broadcasts' }),
  handed(8, { rows: 16, cols: 4, hands: 'broadcasts' }),
  handed(8, { rows: 32, cols: 4, hands: 'broadcasts' }),
  handed(4, { rows: 16, cols: 16, hands: 'swaps' }),
  handed(4, { rows: 32, cols: 8, hands: 'swaps' }),
  { ...column, name: 'gpu8', loads: 'buffer' },
  { ...column, name: 'texture', loads: 'texture' },
];

const fused = (name: string, block: Block & Pick<Tiling, 'depth'>): PlainTiling => ({
  ...{ name, family: 'fused', ...block },
});

/**
 * The tilings of fused products: the six strategies of CUTLASS (Huang, Yu, van de Geijn 2020, Figure 3), without the arrangement in warps.
 */
export const fusedTilings: readonly PlainTiling[] = [
  fused('small', { rows: 2, cols: 2, across: 8, down: 8, depth: 16 }),
  fused('medium', { rows: 4, cols: 4, across: 8, down: 8, depth: 8 }),
  fused('large', { rows: 8, cols: 8, across: 8, down: 8, depth: 8 }),
  fused('tall', { rows: 8, cols: 4, across: 8, down: 16, depth: 8 }),
  fused('wide', { rows: 4, cols: 8, across: 16, down: 8, depth: 8 }),
  fused('huge', { rows: 8, cols: 8, across: 16, down: 16, depth: 8 }),
];

/** The workgroups that keep a large device busy: NVIDIA's have 80 to 132 multiprocessors. */
const BUSY = 128;

/**
 * Chooses the tiling for a batch of m×n products, unless a name is given: the one of least cost. The cost of an entry counts the reads of
 * its workgroup (one by its rows, one by its columns, and a share for the rest), the waste in the last blocks, and the idle part of a
 * device with too few workgroups. Precisions without lanes take the smallest tiling, since their long code compiles slowly.
 */
export function fusedTiling(
  m: number,
  n: number,
  batch: number,
  { lanes }: Numeric,
  name?: string,
): PlainTiling {
  const named = fusedTilings.find((tiling) => tiling.name === name);
  if (named !== undefined) return named;
  if (!lanes) return fusedTilings[0];
  const cost = (tiling: PlainTiling) => {
    const tile = tileShapeOf(tiling);
    const [down, across] = [Math.ceil(m / tile.m), Math.ceil(n / tile.n)];
    const waste = (down * tile.m * across * tile.n) / (m * n);
    return waste * (1 / tile.m + 1 / tile.n + 1 / 64) * Math.max(1, BUSY / (down * across * batch));
  };
  return fusedTilings.reduce((best, tiling) => (cost(tiling) <= cost(best) ? tiling : best));
}
