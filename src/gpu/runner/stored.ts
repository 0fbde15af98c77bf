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
}

/** How a product's matrices are stored on the device, and how what is left there is understood. */
export interface Stored {
  readonly ranges: Readonly<Record<'A' | 'B' | 'C', Range>> & Readonly<Partial<Record<'D' | 'W', Range>>>;
  /**
   * What the words of D say, or of C where there is no D.
   * @returns `overwritten`: entries between the lines of the result that are not what they were.
   */
  result(words: Uint32Array): Pick<Product, 'c' | 'unwritten'> & Partial<Pick<Product, 'overwritten'>>;
  /** Entries of an operand that are not what they were: of C where there is a D. */
  changed(name: 'A' | 'B' | 'C', after: Uint32Array): number;
}

/** The ranges of a product that it has, in order. */
export function rangesOf({ ranges }: Stored): [RangeName, Range][] {
  const all = (['A', 'B', 'C', 'D', 'W'] as const).map((name) => [name, ranges[name]] as const);
  return all.filter((one): one is [RangeName, Range] => one[1] !== undefined);
}
