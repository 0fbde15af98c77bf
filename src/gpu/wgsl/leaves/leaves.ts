import { unknownName } from '../../../base/messages.ts';
import type { Shape } from '../../../matrix/dense.ts';
import { countStoredEntries, fastestLeaf, type Tuning } from '../../tuning/tuning.ts';
import { leafTilings, registerTilings, type Tiling, tileShapeOf } from '../tilings.ts';
import { type Leaf, type LeafCapabilities, type LeafNeeds, whyExceeded } from './leaf.ts';
import { needsOf } from './staged-block.ts';

/** The sides of the family `tiled`, with the least of m and n from which each is used. */
const tiledFrom = [
  { side: 16, from: 64 },
  { side: 8, from: 8 },
  { side: 4, from: 1 },
];

export type LeafFamily = Exclude<Tiling['family'], 'fused'>;

/** A family of leaf kernels, without its shaders: a page loads those only with a device. */
interface Family<T extends Tiling> {
  what(tiling: T): string;
  needs?(tiling: T): LeafNeeds;
}

const families: { readonly [F in LeafFamily]: Family<Tiling & { family: F }> } = {
  entry: {
    what: ({ across }) => `one entry per invocation, ${across}×${across} per workgroup, global memory`,
  },
  tiled: {
    what: ({ depth }) => `${depth}×${depth} tiles in workgroup memory`,
    // Each invocation stores two operands of at most 16 bytes.
    needs: ({ depth }) => ({ invocations: depth * depth, bytes: depth <= 16 ? 8192 : 8 * depth * depth }),
  },
  register: {
    what(tiling) {
      const { m, n } = tileShapeOf(tiling);
      return `${tiling.rows}×${tiling.cols} entries per invocation, ${m}×${n} per workgroup`;
    },
  },
  staged: {
    what(tiling) {
      const { rows, cols, depth } = tiling;
      const { m, n } = tileShapeOf(tiling);
      return `${rows}×${cols} entries per invocation, ${m}×${n} per workgroup, ${depth} steps in workgroup memory`;
    },
    needs: needsOf,
  },
  subgroup: {
    what: (tiling) =>
      `${tiling.rows}×${tileShapeOf(tiling).n} entries per subgroup of ${tiling.across}, each row loaded by one lane`,
    needs: ({ across }) => ({ invocations: across, bytes: 0, subgroup: across }),
  },
  column: {
    what: ({ rows, across, loads }) =>
      `${rows} entries of a column per invocation, ${rows}×${across} per workgroup${loads === 'texture' ? ', first operand through a texture' : ''}`,
  },
};

export function leafOf(tiling: Exclude<Tiling, { family: 'fused' }>): Leaf {
  const family = families[tiling.family as LeafFamily] as Family<Tiling>;
  const tile = tileShapeOf(tiling);
  const needs = family.needs?.(tiling);
  return {
    name: tiling.name,
    what: family.what(tiling),
    tile,
    tiling,
    ...(needs === undefined ? {} : { needs }),
    ...(tiling.family === 'column' && tiling.loads === 'texture' ? { texture: true } : {}),
    workgroups: (rows, n) => [Math.ceil(n / tile.n), Math.ceil(rows / tile.m)],
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
 * the terms of sums, and were timed with them. Undefined without a tuning.
 */
export function leafOfSums(shape: Shape, tuning?: Tuning): Leaf | undefined {
  const { sums } = tuning ?? {};
  if (sums !== undefined && Math.sqrt(shape.m * shape.n) >= sums.from) return byName(sums.leaf);
  const isTurned = ({ tiling }: Leaf) => tiling.family === 'staged' && tiling.stage === 'turned';
  const roomy = leaves.filter((leaf) => leaf.tile.m * leaf.tile.n <= MOST_WITH_SUMS && !isTurned(leaf));
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
