import type { BlockGrid } from '../algorithms/algorithm.ts';
import type { Surd } from './surd.ts';

/** The origins of tables, with a note for readers of counts. */
export const origins = {
  classical: 'the definition of the product, for comparison',
  published: 'as in its source, or with the roles of A, B and C exchanged',
  'other basis': 'a published table in other bases of rows, columns and inner dimension',
  flips: 'found here by flips from a published table',
  split: 'found here: split along a dimension, each part by a published table',
  composed: 'two published tables, one inside the other',
} as const;
export type Origin = keyof typeof origins;

/** A block and its factor. */
export interface ExactTerm {
  readonly factor: Surd;
  /** The block, counted from 0 row by row of its grid. */
  readonly at: number;
}

/** One product: the sums of blocks that are multiplied, and the targets of the product. */
export interface ExactTableProduct {
  readonly u: readonly ExactTerm[];
  readonly v: readonly ExactTerm[];
  readonly w: readonly ExactTerm[];
}

/** A table of the collection, with exact coefficients. */
export interface CollectionTable {
  readonly name: string;
  readonly title: string;
  readonly origin: Origin;
  /** Paper and file of the coefficients, or the parent table and the derivation. */
  readonly source: string;
  /** License of the file of the coefficients. */
  readonly licence: string;
  readonly base: BlockGrid;
  readonly products: readonly ExactTableProduct[];
}

/** Returns the number of block products of the classical algorithm for the same blocks. */
export const classicalRank = ({ base: { m, k, n } }: Pick<CollectionTable, 'base'>): number => m * k * n;

/** Formats the form of a table: `⟨3,3,6;40⟩`. */
export const formOf = ({ base: { m, k, n }, products }: Pick<CollectionTable, 'base' | 'products'>): string =>
  `⟨${m},${k},${n};${products.length}⟩`;
