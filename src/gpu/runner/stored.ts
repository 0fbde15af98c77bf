import { ALIGNMENT } from '../../plan/layout.ts';
import type { RangeName } from '../wgsl/dispatch.ts';
import type { Product } from './product.ts';

/** Guard entries on either side of every range: one alignment unit, so that blocks stay aligned. */
export const GUARDS = ALIGNMENT;

/** Operands up to this many entries, of A and B together, are read back to see that they are unchanged. */
export const READ_BACK = 2 ** 24;

/** A matrix of a product on the device, between guards. */
export interface Range {
  /** Between the guards: a multiple of 4. */
  readonly bytes: number;
  /** Words of what guards are counted by. */
  readonly words: 1 | 2;
  /** What every word of its guards holds: NaN. */
  readonly guard: number;
  /** What it holds before the product: one word everywhere, or what is written to words that are 0. */
  readonly before: number | ((words: Uint32Array) => void);
  /** Whether all of it is read back, and not its guards alone. */
  readonly isRead: boolean;
  /** Its words that are not what they were, where these are counted: of codes and factors. Else the product's matrices are asked. */
  readonly changed?: (after: Uint32Array) => number;
}

/** How a product's matrices are stored on the device, and how what is left there is understood. */
export interface Stored {
  readonly ranges: Readonly<Record<'A' | 'B' | 'C', Range>> &
    Readonly<Partial<Record<Exclude<RangeName, 'A' | 'B' | 'C'>, Range>>>;
  /**
   * What the words of D say, or of C where there is no D.
   * @returns `overwritten`: entries between the lines of the result that are not what they were.
   */
  result(words: Uint32Array): Pick<Product, 'c' | 'unwritten'> & Partial<Pick<Product, 'overwritten'>>;
  /** Entries of an operand that are not what they were: of C where there is a D. */
  changed(name: 'A' | 'B' | 'C', after: Uint32Array): number;
}

const rangeNames: readonly RangeName[] = ['A', 'SA', 'B', 'SB', 'C', 'D', 'W'];

/** The ranges of a product that it has, in order. */
export function rangesOf({ ranges }: Stored): [RangeName, Range][] {
  const all = rangeNames.map((name): [RangeName, Range | undefined] => [name, ranges[name]]);
  return all.filter((one): one is [RangeName, Range] => one[1] !== undefined);
}

/** The entries of which some word is not what it was. A loop, without a function called for every word: it goes through all that a product leaves. */
export function countChanged(words: 1 | 2, before: Uint32Array, after: Uint32Array): number {
  let found = 0;
  for (let at = 0; at < before.length; at += words) {
    if (before[at] !== after[at] || before[at + words - 1] !== after[at + words - 1]) found++;
  }
  return found;
}
