import { type Chain, NO_EPILOGUE, readChain } from '../epilogue/chain-text.ts';
import { leaves } from '../gpu/wgsl/leaves/leaves.ts';
import { fusedTilings, tileShapeOf } from '../gpu/wgsl/tilings.ts';
import { findStyled, isFusedLeaf } from '../kernels/builtin-plan.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { ownEpilogues } from '../kernels/own-epilogues.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Features } from '../matrix/features.ts';
import type { Gemm } from '../matrix/gemm.ts';
import type { Precision } from '../precision/precision.ts';
import type { NearbySizes } from '../problem/draws.ts';
import type { LevelGrowth } from '../problem/method.ts';

/** The subject of a campaign: a kernel in a precision. */
export interface Target {
  readonly kernel: string;
  readonly precision: string;
  /** The precision, and the growth for which operands leave room. */
  readonly limits: { readonly precision: Precision; readonly growth: LevelGrowth };
  /** A fault planted on trial, which the campaign should find. */
  readonly fault?: string | undefined;
  /** Drawn levels of recursion, the simplest first, each as often as it is listed. */
  readonly levels: readonly number[];
  /** Returns the levels of an external kernel for a shape, in place of drawn ones. */
  readonly claimed?: (shape: Shape) => number;
  /** Sizes of its tiles. */
  readonly tiles: readonly number[];
  /** Sizes where another code path is known to begin. More cases are drawn around them. */
  readonly around?: NearbySizes | undefined;
  /** True if fringes and tails are drawn. External kernels have neither. */
  readonly manners: boolean;
  /** Features beyond A·B of dense matrices. */
  readonly features: Features;
  /** Epilogues, `none` included where it accepts products without one. */
  readonly epilogues: readonly Chain[];
  /** True if the device keeps subnormal numbers. Otherwise no check can judge a product of only subnormal numbers. */
  readonly subnormals: boolean;
  /** Returns the reason why a product is refused. */
  readonly refuses: (asked: Shape | Gemm) => string | undefined;
}

/**
 * Levels with their frequencies. A level takes seven or eight times the steps of the one before. So three levels, drawn once in fifty,
 * still take as long as all cases of zero levels.
 */
const LEVELS = [27, 16, 6, 1].flatMap((times, level) => Array.from({ length: times }, () => level));

/** Products of built-in kernels without an epilogue, for each with one: sigmas and drift judge only those without. */
const PLAIN = 3;

/** Returns the epilogues of built-in kernels, and none in three of four draws. */
function withOwnEpilogues(): Chain[] {
  const chains = ownEpilogues.map(readChain);
  return [...Array.from({ length: PLAIN * chains.length }, () => readChain(NO_EPILOGUE)), ...chains];
}

/** Options of a target besides the kernel. */
type Asked = { readonly [K in 'fault' | 'levels' | 'around']?: Target[K] | undefined };

/** Returns the target of a kernel. */
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
    epilogues: own ? withOwnEpilogues() : (kernel.epilogues ?? []),
    ...(own ? {} : { claimed: (shape: Shape) => kernel.plan(shape, ONE_MANNER).levels }),
    subnormals: kernel.arithmetic.subnormals === 'kept',
    refuses: (asked) => kernel.refuses?.(asked),
  };
}

const ONE_MANNER = { levels: 0, fringe: 'pad', tail: 'mask' } as const;

/** Likely tile sizes of unknown kernels. */
const USUAL_TILES = [4, 8, 16, 32, 64];

/** Returns the tile sides of a leaf kernel, or those of all kernels of a family. */
function tilesOf(leaf: string): number[] {
  const styled = findStyled(leaf);
  if (styled !== undefined && !isFusedLeaf(styled)) return tilesOf('register');
  if (styled !== undefined) {
    return [...new Set(fusedTilings.flatMap((tiling) => Object.values(tileShapeOf(tiling))))];
  }
  const own = leaves.filter(({ name }) => name === leaf || name.startsWith(`${leaf}-`));
  return [...new Set(own.flatMap(({ tile }) => [tile.m, tile.k, tile.n]))].filter((side) => side > 1);
}
