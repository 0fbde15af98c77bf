import type { PlainTiling, StagedTiling, SubgroupTiling, Tiling } from './tiling.ts';

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
    Partial<Pick<StagedTiling, 'abreast' | 'buffers' | 'depth' | 'path'>>,
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
  staged({ rows: 8, cols: 8, across: 16, down: 16, stage: 'columns', buffers: 2, depth: 8, path: 'turning' }),
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
