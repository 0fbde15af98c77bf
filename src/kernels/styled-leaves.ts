import { type Algorithm, rank } from '../algorithms/algorithm.ts';
import { fusedTilings } from '../gpu/wgsl/tilings.ts';
import { type Style, styles } from '../plan/plan.ts';

/** A kernel of a certain style, named like a leaf: `strassen:fused`. */
export interface StyledLeaf {
  readonly name: string;
  /** The style: the place where sums of blocks are computed, and whether products have an order. */
  readonly style: Style;
  /** Terms in each separate sum of its leaf products: see `PlanOptions.run`. */
  readonly run?: number;
  /** The blocking of its fused products. @defaultValue chosen by shape */
  readonly blocking?: string;
}

/**
 * Terms in each separate sum. The rounding errors of k random terms one after the other add up to about u·√(k²/2), those of runs of r
 * terms to u·√(k·r/2 + k²/2r): at k = 2048, 1448 u and 520 u. Half as many would leave 384 u, and took an H100 4 % longer.
 */
const RUN = 256;

/** Styled leaves: one for each style, then one for each blocking of fused products. */
export const styledLeaves: readonly StyledLeaf[] = [
  { name: 'fused', style: 'fused' },
  { name: 'fused-hybrid', style: 'hybrid' },
  { name: 'fused-atomic', style: 'atomic' },
  { name: 'wide', style: 'wide' },
  { name: 'runs', style: 'scheduled', run: RUN },
  { name: 'wide-runs', style: 'wide', run: RUN },
  ...fusedTilings.map(({ name }): StyledLeaf => ({ name: `fused-${name}`, style: 'fused', blocking: name })),
];

/** Finds the styled leaf of a name. */
export const findStyled = (leaf: string): StyledLeaf | undefined =>
  styledLeaves.find(({ name }) => name === leaf);

/** True if products of a kernel sum blocks themselves. */
export const isFusedLeaf = ({ style }: StyledLeaf): boolean => styles[style].levels > 0;

/** Returns the styled leaves of an algorithm; one that saves no product, and so has no sums of blocks, has two. */
export function styledLeavesOf(algorithm: Algorithm): readonly StyledLeaf[] {
  const { m, k, n } = algorithm.base;
  return rank(algorithm) < m * k * n
    ? styledLeaves
    : styledLeaves.filter(({ name }) => name === 'fused' || name === 'runs');
}
