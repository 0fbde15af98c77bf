import { type Algorithm, rank } from '../algorithms/algorithm.ts';
import { fusedTilings } from '../gpu/wgsl/tilings.ts';
import { type Style, styles } from '../plan/plan.ts';

/** A kernel of a style of its own, named like a leaf: `strassen:fused`. */
export interface StyledLeaf {
  readonly name: string;
  /** Where sums of blocks are computed, and whether products have an order. */
  readonly style: Style;
  /** The blocking that its fused products are held to; by default chosen by shape. */
  readonly blocking?: string;
}

/** One row a style, then one a blocking of fused products. */
export const styledLeaves: readonly StyledLeaf[] = [
  { name: 'fused', style: 'fused' },
  { name: 'fused-hybrid', style: 'hybrid' },
  { name: 'fused-atomic', style: 'atomic' },
  { name: 'wide', style: 'wide' },
  ...fusedTilings.map(({ name }): StyledLeaf => ({ name: `fused-${name}`, style: 'fused', blocking: name })),
];

/** The kernel of a leaf's name, if it has a style of its own. */
export const findStyled = (leaf: string): StyledLeaf | undefined =>
  styledLeaves.find(({ name }) => name === leaf);

/** Whether products of a kernel sum blocks themselves. */
export const isFusedLeaf = ({ style }: StyledLeaf): boolean => styles[style].levels > 0;

/** Those of an algorithm: of one that saves no product, which has no sums, but the first. */
export function styledLeavesOf(algorithm: Algorithm): readonly StyledLeaf[] {
  const { m, k, n } = algorithm.base;
  return rank(algorithm) < m * k * n ? styledLeaves : styledLeaves.slice(0, 1);
}
