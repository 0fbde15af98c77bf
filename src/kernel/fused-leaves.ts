import { type Algorithm, rank } from '../algorithms/algorithm.ts';
import { blockings } from '../gpu/fused/blockings.ts';
import type { Style } from '../plan/plan.ts';

/** A kernel of fused products, named like a leaf: `strassen:fused`. */
export interface FusedLeaf {
  readonly name: string;
  /** Which levels are fused, and whether products have an order. */
  readonly style: Style;
  /** The blocking it is held to; by default chosen by shape. */
  readonly blocking?: string;
}

/** One row a style, then one a blocking. */
export const fusedLeaves: readonly FusedLeaf[] = [
  { name: 'fused', style: 'fused' },
  { name: 'fused-hybrid', style: 'hybrid' },
  { name: 'fused-atomic', style: 'atomic' },
  ...blockings.map(({ name }): FusedLeaf => ({ name: `fused-${name}`, style: 'fused', blocking: name })),
];

/** The fused kernel of a leaf's name, if it is one. */
export const findFused = (leaf: string): FusedLeaf | undefined =>
  fusedLeaves.find(({ name }) => name === leaf);

/** Those of an algorithm: of one that saves no product, which has no sums to fuse, but the first. */
export function fusedLeavesOf(algorithm: Algorithm): readonly FusedLeaf[] {
  const { m, k, n } = algorithm.base;
  return rank(algorithm) < m * k * n ? fusedLeaves : fusedLeaves.slice(0, 1);
}
