import type { Algorithm, BlockGrid } from '../algorithms/algorithm.ts';
import type { Role } from '../algorithms/notation.ts';
import { badNumber } from '../base/messages.ts';
import { alignUp } from '../base/numbers.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Fringe } from '../problem/method.ts';
import { type BlockLayout, leafLayout, splitLayout } from './layout.ts';

/** The depth of recursion: a number of levels, or the thresholds of the 2011 paper. */
export type Depth = { readonly levels: number } | { readonly tau1: number; readonly tau2: number };

/**
 * Returns the levels of recursion for a shape. With thresholds, n being the smallest dimension: none for n ≤ τ₁, one for τ₁ < n ≤ τ₂, else
 * one more than for the blocks of a level (Li, Ranka, Sahni 2011, Figures 16 and 23).
 * @param base the blocks of a level.
 * @throws ParanoiaError `bad-number` for levels that are not a whole number ≥ 0, or thresholds without 1 ≤ τ₁ ≤ τ₂.
 */
export function levelsFor(shape: Shape, depth: Depth, base: BlockGrid): number {
  if ('levels' in depth) {
    if (!Number.isInteger(depth.levels) || depth.levels < 0) {
      throw badNumber({
        what: 'levels',
        given: depth.levels,
        need: 'a whole number of at least 0',
      });
    }
    return depth.levels;
  }
  const { tau1, tau2 } = depth;
  if (!(Number.isInteger(tau1) && tau1 >= 1)) {
    throw badNumber({ what: 'tau1', given: tau1, need: 'a whole number of at least 1' });
  }
  if (!(Number.isInteger(tau2) && tau2 >= tau1)) {
    throw badNumber({
      what: 'tau2',
      given: tau2,
      need: `a whole number of at least tau1 (${tau1})`,
    });
  }
  if (smallest(shape) <= tau1) return 0;
  let levels = 1;
  for (let here = shape; smallest(here) > tau2; levels++) {
    const below = {
      m: Math.ceil(here.m / base.m),
      k: Math.ceil(here.k / base.k),
      n: Math.ceil(here.n / base.n),
    };
    // A dimension that is not split does not get smaller.
    if (smallest(below) === smallest(here)) break;
    here = below;
  }
  return levels;
}

const smallest = ({ m, k, n }: Shape): number => Math.min(m, k, n);

/** Returns the shape of a block product at each level, from the whole (padded) product to the leaf. */
export function levelSizes({ base }: Algorithm, shape: Shape, levels: number, fringe: Fringe): Shape[] {
  const up = (size: number, parts: number) => alignUp(size, parts ** levels);
  let here =
    fringe === 'pad'
      ? { m: up(shape.m, base.m), k: up(shape.k, base.k), n: up(shape.n, base.n) }
      : { ...shape };
  const sizes: Shape[] = [here];
  for (let level = 0; level < levels; level++) {
    if (here.m < base.m || here.k < base.k || here.n < base.n) break;
    here = {
      m: Math.floor(here.m / base.m),
      k: Math.floor(here.k / base.k),
      n: Math.floor(here.n / base.n),
    };
    sizes.push(here);
  }
  return sizes;
}

/** The memory layouts of the blocks of a level. */
export type RoleLayouts = Record<Role, BlockLayout>;

/** Returns the layouts of each level, with leaf blocks padded to a tile. */
export function levelLayouts({ base }: Algorithm, sizes: readonly Shape[], tile: Shape): RoleLayouts[] {
  const leaf = sizes[sizes.length - 1];
  const layouts: RoleLayouts[] = [
    {
      A: leafLayout(leaf.m, leaf.k, tile.m, tile.k),
      B: leafLayout(leaf.k, leaf.n, tile.k, tile.n),
      C: leafLayout(leaf.m, leaf.n, tile.m, tile.n),
    },
  ];
  for (let level = sizes.length - 2; level >= 0; level--) {
    const { m, k, n } = sizes[level];
    const part = layouts[0];
    layouts.unshift({
      A: splitLayout(m, k, base.m, base.k, part.A),
      B: splitLayout(k, n, base.k, base.n, part.B),
      C: splitLayout(m, n, base.m, base.n, part.C),
    });
  }
  return layouts;
}
