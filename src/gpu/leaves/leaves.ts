import type { Shape } from '../../matrix/dense.ts';
import { problem } from '../../problems.ts';
import type { Leaf } from './leaf.ts';
import { naive } from './naive.ts';
import { type RegisterBlock, register } from './register.ts';
import { staged } from './staged.ts';
import { stagedBlocks } from './staged-blocks.ts';
import { tiled } from './tiled.ts';

/**
 * The tile sides `tiled` is offered in, and from what rows and columns on `tiled` takes them; 16×16 is the 256
 * invocations every WebGPU device allows.
 */
const tileSides = [
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

/** Every leaf kernel by its full name. */
export const leaves: readonly Leaf[] = [
  naive,
  ...tileSides.map(({ side }) => tiled(side, `tiled-${side}`)),
  ...registerBlocks.map((block) => register(block, `register-${block.name}`)),
  ...stagedBlocks.map((block) => staged(block, block.name)),
];

/** The names to ask for: a full name, or a family, which then picks its tile for the shape. */
export const leafFamilies: readonly string[] = ['naive', 'tiled', 'register'];

/**
 * The leaf kernel of a name. `tiled` takes its tile by the smaller of m and n; `register` the block shape that
 * wastes least of its last blocks on a product of that shape, the larger where two waste about the same.
 * @throws Problem `unknown-name`
 */
export function findLeaf(name: string, shape: Shape): Leaf {
  if (name === 'tiled') {
    const { side } = tileSides.find(({ from }) => Math.min(shape.m, shape.n) >= from) ?? tileSides[0];
    return byName(`tiled-${side}`);
  }
  if (name !== 'register') return byName(name);
  const candidates = leaves.filter((leaf) => leaf.name.startsWith('register-'));
  const waste = ({ tile }: Leaf) =>
    (Math.ceil(shape.m / tile.m) * tile.m * Math.ceil(shape.n / tile.n) * tile.n) / (shape.m * shape.n);
  return candidates.reduce((best, leaf) => (waste(leaf) < 0.8 * waste(best) ? leaf : best));
}

function byName(name: string): Leaf {
  const found = leaves.find((leaf) => leaf.name === name);
  if (found !== undefined) return found;
  const known = [...new Set([...leafFamilies, ...leaves.map((leaf) => leaf.name)])];
  throw problem('unknown-name', { what: 'leaf kernel', given: name, known });
}
