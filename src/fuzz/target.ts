import { leaves } from '../gpu/wgsl/leaves/leaves.ts';
import { tileOf } from '../gpu/wgsl/tiling.ts';
import { fusedTilings } from '../gpu/wgsl/tilings.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { findStyled, isFusedLeaf } from '../kernels/styled-leaves.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Features } from '../matrix/features.ts';
import type { Gemm } from '../matrix/gemm.ts';
import type { Precision } from '../precision/precision.ts';
import type { Around } from '../problem/draws.ts';
import type { LevelGrowth } from '../problem/method.ts';

/** What one campaign is about: a kernel in a precision. */
export interface Target {
  readonly kernel: string;
  readonly precision: string;
  /** The precision, and the growth that operands allow for. */
  readonly limits: { readonly precision: Precision; readonly growth: LevelGrowth };
  /** A fault planted on trial, to see the campaign find it. */
  readonly fault?: string | undefined;
  /** Levels of recursion that are drawn, the simplest first, each as often as it is listed. */
  readonly levels: readonly number[];
  /** The levels of a kernel that is not ours for a shape, in place of drawn ones. */
  readonly claimed?: (shape: Shape) => number;
  /** Sizes of its tiles. */
  readonly tiles: readonly number[];
  /** Sizes beside which more is drawn: where another path begins, as far as is known. */
  readonly around?: Around | undefined;
  /** Whether fringes and tails are drawn: kernels that are not ours have neither. */
  readonly manners: boolean;
  /** What is drawn beyond A·B of dense matrices. */
  readonly features: Features;
  /** Whether the device keeps subnormal numbers: where it does not, no check can judge a product of them alone. */
  readonly subnormals: boolean;
  /** Why a product is not computed. */
  readonly refuses: (asked: Shape | Gemm) => string | undefined;
}

/**
 * How often each level is drawn. A level takes seven or eight times the steps of the one before, so that three levels,
 * drawn once in fifty, still take as long as all the cases of none.
 */
const LEVELS = [27, 16, 6, 1].flatMap((times, level) => Array.from({ length: times }, () => level));

/** What is asked of a kernel beside its name. */
type Asked = { readonly [K in 'fault' | 'levels' | 'around']?: Target[K] | undefined };

/** The target that a kernel makes. */
export function targetOf(kernel: Kernel, { fault, levels = LEVELS, around }: Asked = {}): Target {
  const own = kernel.leaf !== '';
  return {
    kernel: kernel.name,
    precision: kernel.precision.name,
    limits: { precision: kernel.precision, growth: kernel.growth },
    fault,
    levels: own ? levels : [0],
    tiles: own ? tilesOf(kernel.leaf) : USUAL_TILES,
    around,
    manners: own,
    features: kernel.takes ?? {},
    ...(own ? {} : { claimed: (shape: Shape) => kernel.plan(shape, ONE_MANNER).levels }),
    subnormals: kernel.arithmetic.subnormals === 'kept',
    refuses: (asked) => kernel.refuses?.(asked),
  };
}

const ONE_MANNER = { levels: 0, fringe: 'pad', tail: 'mask' } as const;

/** Tiles that kernels we know nothing of are likely to have. */
const USUAL_TILES = [4, 8, 16, 32, 64];

/** Sides of the tiles of a leaf kernel, or of all that a family chooses from. */
function tilesOf(leaf: string): number[] {
  const styled = findStyled(leaf);
  if (styled !== undefined && !isFusedLeaf(styled)) return tilesOf('register');
  if (styled !== undefined) {
    return [...new Set(fusedTilings.flatMap((tiling) => Object.values(tileOf(tiling))))];
  }
  const own = leaves.filter(({ name }) => name === leaf || name.startsWith(`${leaf}-`));
  return [...new Set(own.flatMap(({ tile }) => [tile.m, tile.k, tile.n]))].filter((side) => side > 1);
}
