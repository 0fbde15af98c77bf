import { ALIGNMENT } from '../../plan/layout.ts';
import type { RangeName } from '../wgsl/dispatch.ts';
import type { Product } from './product.ts';

/** The guard entries on either side of every range: one alignment unit, so that blocks stay aligned. */
export const GUARDS = ALIGNMENT;

/** The most entries of operands, A and B together, that are read back to check that they are unchanged. */
export const READ_BACK = 2 ** 24;

/** A range of device memory for a matrix of a product, between guards. */
export interface GuardedRange {
  /** The bytes between the guards: a multiple of 4. */
  readonly bytes: number;
  /** The words of an entry, by which guards are counted. */
  readonly words: 1 | 2;
  /** The value of every guard word: NaN. */
  readonly guard: number;
  /** The contents before the product: one word everywhere, or a function that writes to words that are 0. */
  readonly before: number | ((words: Uint32Array) => void);
  /** True if all of it is read back, not only its guards. */
  readonly isRead: boolean;
  /** Counts the changed words of codes and factors. Absent for ranges whose changes {@link StoredMatrices.changed} counts. */
  readonly changed?: (after: Uint32Array) => number;
}

/** The ranges of a product's matrices on the device, and the decoding of the memory that it leaves. */
export interface StoredMatrices {
  readonly ranges: Readonly<Record<'A' | 'B' | 'C', GuardedRange>> &
    Readonly<Partial<Record<Exclude<RangeName, 'A' | 'B' | 'C'>, GuardedRange>>>;
  /**
   * Decodes the words of D, or of C if there is no D.
   * @returns `overwritten`: the number of changed entries between the lines of the result.
   */
  result(words: Uint32Array): Pick<Product, 'c' | 'unwritten'> & Partial<Pick<Product, 'overwritten'>>;
  /** Counts the changed entries of an operand; of C only if there is a D. */
  changed(name: 'A' | 'B' | 'C', after: Uint32Array): number;
}

const rangeNames: readonly RangeName[] = ['A', 'SA', 'B', 'SB', 'E', 'C', 'D', 'W'];

/** Returns the ranges that a product has, in order. */
export function listRanges({ ranges }: StoredMatrices): [RangeName, GuardedRange][] {
  const all = rangeNames.map((name): [RangeName, GuardedRange | undefined] => [name, ranges[name]]);
  return all.filter((one): one is [RangeName, GuardedRange] => one[1] !== undefined);
}

/** Counts the entries with a changed word. A plain loop, without a call for every word: it reads all memory that a product leaves. */
export function countChanged(words: 1 | 2, before: Uint32Array, after: Uint32Array): number {
  let found = 0;
  for (let at = 0; at < before.length; at += words) {
    if (before[at] !== after[at] || before[at + words - 1] !== after[at + words - 1]) found++;
  }
  return found;
}
