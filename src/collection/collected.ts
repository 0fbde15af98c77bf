import type { Grid } from '../algorithms/algorithm.ts';
import type { Surd } from './surd.ts';

/** How a table came about, and what a reader should think of when it is counted. */
export const origins = {
  classical: 'the product by definition, to compare with',
  published: 'as its source has it, or with the roles of A, B and C exchanged',
  'other basis': 'a published one in other bases of rows, columns and the inner dimension',
  flips: 'found here: reached from a published one by flips',
  split: 'found here: a product split along a dimension, each part by a published table',
  composed: 'two published ones, one inside the other',
} as const;
export type Origin = keyof typeof origins;

/** A block and its factor. */
export interface ExactTerm {
  readonly factor: Surd;
  /** The block, counted from 0 row by row of its grid. */
  readonly at: number;
}

/** One product: the sums of blocks that are multiplied, and where the product goes. */
export interface ExactProduct {
  readonly u: readonly ExactTerm[];
  readonly v: readonly ExactTerm[];
  readonly w: readonly ExactTerm[];
}

/** A table of the collection, its coefficients exact. */
export interface Collected {
  readonly name: string;
  readonly title: string;
  readonly origin: Origin;
  /** Paper, and the file that coefficients were read from, or the table that it was made of and how. */
  readonly source: string;
  /** Of the file that coefficients were read from. */
  readonly licence: string;
  readonly base: Grid;
  readonly products: readonly ExactProduct[];
}

/** Block products that the classical algorithm needs for the same blocks. */
export const classicalRank = ({ base: { m, k, n } }: Pick<Collected, 'base'>): number => m * k * n;

/** `⟨3,3,6;40⟩`. */
export const formOf = ({ base: { m, k, n }, products }: Pick<Collected, 'base' | 'products'>): string =>
  `⟨${m},${k},${n};${products.length}⟩`;
