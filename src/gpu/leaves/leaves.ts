import type { Shape } from '../../matrix/dense.ts';
import { problem } from '../../problems.ts';
import { fastestLeaf, stored, type Tuning } from '../tuning/tuning.ts';
import { type BroadcastBlock, broadcast } from './broadcast.ts';
import { gpu8 } from './gpu8.ts';
import type { Leaf } from './leaf.ts';
import { naive } from './naive.ts';
import { type RegisterBlock, register } from './register.ts';
import { staged } from './staged.ts';
import { stagedBlocks } from './staged-blocks.ts';
import { tiled } from './tiled.ts';

/** The sides of workgroups that `naive` is offered in: 1 to 256 invocations. */
const naiveSides = [1, 2, 4, 16];

/** The tile sides `tiled` is offered in: up to the 256 invocations every WebGPU device allows, and beyond. */
const tileSides = [32, 16, 8, 4, 2, 1];

/** From what rows and columns on the family `tiled` takes a side. */
const tiledFrom = [
  { side: 16, from: 64 },
  { side: 8, from: 8 },
  { side: 4, from: 1 },
];

/** The block shapes of `register`: for large, middling, small, thin and fat products. */
const registerBlocks: readonly (RegisterBlock & { readonly name: string })[] = [
  { name: '64x64', rows: 8, vectors: 1, across: 16, down: 8 },
  { name: '32x32', rows: 4, vectors: 1, across: 8, down: 8 },
  { name: '8x16', rows: 2, vectors: 1, across: 4, down: 4 },
  { name: '4x128', rows: 4, vectors: 1, across: 32, down: 1 },
  { name: '128x4', rows: 4, vectors: 1, across: 1, down: 32 },
];

/**
 * A block shape for software adapters: operands are gathered entry by entry there, which many entries an invocation make
 * up for, and registers are memory.
 */
const manyEntries = { name: '64x64-16x16', rows: 16, vectors: 4, across: 4, down: 4 };

/** The block shapes of `broadcast`, for lavapipe's subgroups of 8 and SwiftShader's of 4. */
const broadcastBlocks: readonly BroadcastBlock[] = [
  { subgroup: 8, rows: 8, vectors: 1, by: 'broadcasts' },
  { subgroup: 8, rows: 16, vectors: 1, by: 'broadcasts' },
  { subgroup: 8, rows: 32, vectors: 1, by: 'broadcasts' },
  { subgroup: 4, rows: 16, vectors: 4, by: 'swaps' },
  { subgroup: 4, rows: 32, vectors: 2, by: 'swaps' },
];

/** `broadcast8-16x32`, `swap4-32x32`: the subgroup and the entries of a workgroup. */
const nameOf = ({ subgroup, rows, vectors, by }: BroadcastBlock) =>
  `${by === 'swaps' ? 'swap' : 'broadcast'}${subgroup}-${rows}x${4 * vectors * subgroup}`;

/** Every leaf kernel by its full name. */
export const leaves: readonly Leaf[] = [
  naive(8, 'naive'),
  ...naiveSides.map((side) => naive(side, `naive-${side}`)),
  ...tileSides.map((side) => tiled(side, `tiled-${side}`)),
  ...registerBlocks.map((block) => register(block, `register-${block.name}`)),
  register(manyEntries, `register-${manyEntries.name}`),
  ...stagedBlocks.map((block) => staged(block, block.name)),
  ...broadcastBlocks.map((block) => broadcast(block, nameOf(block))),
  gpu8('buffer', 'gpu8'),
  gpu8('texture', 'texture'),
];

/** The names to ask for: a full name, or a family, which then picks its tile for the shape. */
export const leafFamilies: readonly string[] = ['naive', 'tiled', 'register'];

/**
 * The leaf kernel of a name. `tiled` takes its tile by the smaller of m and n; `register` is the kernel that the tuning
 * of the device says is fastest, else the block shape of its own that wastes least of its last blocks on a product of
 * that shape, the larger where two waste about the same.
 * @throws Problem `unknown-name`
 */
export function findLeaf(name: string, shape: Shape, tuning?: Tuning): Leaf {
  if (name === 'tiled') {
    const { side } = tiledFrom.find(({ from }) => Math.min(shape.m, shape.n) >= from) ?? tiledFrom[0];
    return byName(`tiled-${side}`);
  }
  if (name !== 'register') return byName(name);
  return (tuning && fastestLeaf(tuning, shape, leaves)) ?? leastWasteful(shape);
}

/**
 * The leaf kernel whose block shape fused products take: the tuning's, or the fastest of those whose workgroups leave
 * registers for the terms of sums; undefined without a tuning.
 */
export function leafOfSums(shape: Shape, tuning?: Tuning): Leaf | undefined {
  const { sums } = tuning ?? {};
  if (sums !== undefined && Math.sqrt(shape.m * shape.n) >= sums.from) return byName(sums.leaf);
  const roomy = leaves.filter(({ tile }) => tile.m * tile.n <= MOST_WITH_SUMS);
  return tuning && fastestLeaf(tuning, shape, roomy);
}

/** Entries of a workgroup. */
const MOST_WITH_SUMS = 8192;

function leastWasteful(shape: Shape): Leaf {
  const candidates = registerBlocks.map(({ name }) => byName(`register-${name}`));
  return candidates.reduce((best, leaf) =>
    stored(shape, leaf.tile) < 0.8 * stored(shape, best.tile) ? leaf : best,
  );
}

function byName(name: string): Leaf {
  const found = leaves.find((leaf) => leaf.name === name);
  if (found !== undefined) return found;
  const known = [...new Set([...leafFamilies, ...leaves.map((leaf) => leaf.name)])];
  throw problem('unknown-name', { what: 'leaf kernel', given: name, known });
}
