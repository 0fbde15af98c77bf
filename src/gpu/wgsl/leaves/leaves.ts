import { unknownName } from '../../../base/messages.ts';
import type { Shape } from '../../../matrix/dense.ts';
import { countStoredEntries, fastestLeaf, type Tuning } from '../../tuning/tuning.ts';
import { type Tiling, tileShapeOf } from '../tiling.ts';
import { leafTilings, registerTilings } from '../tilings.ts';
import { column } from './column.ts';
import { entriesShader } from './entries-shader.ts';
import { entry } from './entry.ts';
import { type Leaf, type LeafCapabilities, type LeafGenerator, whyExceeded } from './leaf.ts';
import { register } from './register.ts';
import { staged } from './staged.ts';
import { subgroup } from './subgroup.ts';
import { tiled } from './tiled.ts';

/** The sides of the family `tiled`, with the least of m and n from which each is used. */
const tiledFrom = [
  { side: 16, from: 64 },
  { side: 8, from: 8 },
  { side: 4, from: 1 },
];

const generators: {
  readonly [F in Exclude<Tiling['family'], 'fused'>]: LeafGenerator<Tiling & { family: F }>;
} = {
  entry,
  tiled,
  register,
  staged,
  subgroup,
  column,
};

/** Returns the leaf kernel that is generated from a tiling. */
export function leafOf(tiling: Exclude<Tiling, { family: 'fused' }>): Leaf {
  const generator = generators[tiling.family as keyof typeof generators] as LeafGenerator<Tiling>;
  const tile = tileShapeOf(tiling);
  const needs = generator.needs?.(tiling);
  return {
    name: tiling.name,
    what: generator.what(tiling),
    tile,
    tiling,
    ...(needs === undefined ? {} : { needs }),
    ...(tiling.family === 'column' && tiling.loads === 'texture' ? { texture: true } : {}),
    variant: (shape) => generator.variant(tiling, shape),
    workgroups: (rows, n) => [Math.ceil(n / tile.n), Math.ceil(rows / tile.m)],
    shader: (step, numeric) =>
      generator.lanes && !numeric.lanes
        ? entriesShader(tiling, step, numeric)
        : generator.shader(tiling, step, numeric),
  };
}

/** All leaf kernels, which have unique full names. */
export const leaves: readonly Leaf[] = leafTilings.map(leafOf);

/** The families, which may be requested instead of a full name: a family chooses its tile by the shape. */
export const leafFamilies: readonly string[] = ['naive', 'tiled', 'register'];

/**
 * Finds a leaf kernel by name. `tiled` chooses its tile by the smaller of m and n. `register` is the kernel that the device's tuning says
 * is fastest. Without a tuning it is the block shape with the least waste in its last blocks for the shape; if two waste about the same,
 * the larger.
 * @throws ParanoiaError `unknown-name`
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
 * Returns the leaf kernel whose block shape fused products take: the tuning's, or the fastest of those whose workgroups leave registers for
 * the terms of sums. Undefined without a tuning.
 */
export function leafOfSums(shape: Shape, tuning?: Tuning): Leaf | undefined {
  const { sums } = tuning ?? {};
  if (sums !== undefined && Math.sqrt(shape.m * shape.n) >= sums.from) return byName(sums.leaf);
  const roomy = leaves.filter(({ tile }) => tile.m * tile.n <= MOST_WITH_SUMS);
  return tuning && fastestLeaf(tuning, shape, roomy);
}

/**
 * Returns the leaf kernel for sums in runs. Only kernels that stage their operands can do that. It is the fastest of these by the tuning,
 * otherwise one whose workgroups every device accepts.
 */
export function leafOfRuns(shape: Shape, able: LeafCapabilities, tuning?: Tuning): Leaf {
  const known = leaves.filter(
    (leaf) => leaf.tiling.family === 'staged' && whyExceeded(leaf, able) === undefined,
  );
  return (tuning && fastestLeaf(tuning, shape, known)) ?? byName('staged-64x64-8x8-columns');
}

/** The most entries of a workgroup that leave registers for the terms of sums. */
const MOST_WITH_SUMS = 8192;

function leastWasteful(shape: Shape): Leaf {
  const candidates = registerTilings.map(({ name }) => byName(name));
  return candidates.reduce((best, leaf) =>
    countStoredEntries(shape, leaf.tile) < 0.8 * countStoredEntries(shape, best.tile) ? leaf : best,
  );
}

function byName(name: string): Leaf {
  const found = leaves.find((leaf) => leaf.name === name);
  if (found !== undefined) return found;
  const known = [...new Set([...leafFamilies, ...leaves.map((leaf) => leaf.name)])];
  throw unknownName({ what: 'leaf kernel', given: name, known });
}
