import type { Item } from '../../base/registry.ts';
import type { Format } from '../format.ts';
import type { BlockScale, Coding, Operand } from './coding.ts';

/** The codings of a product's operands. Kernels receive an operand without a coding as numbers. */
export interface OperandCodings extends Item {
  readonly source: string;
  readonly coded: { readonly [of in Operand]?: Coding | undefined };
}

/** A size that stands for all lines, or all of k. */
export const ALL = Number.POSITIVE_INFINITY;

/** Returns a scale with a factor for each block of `lines` lines and `entries` entries along k. */
export const scaleOf = (lines: number, entries: number, format: Format): BlockScale => ({
  lines,
  entries,
  format,
});

/** Returns the same coding for both operands. */
export const both = (coding: Coding): OperandCodings['coded'] => ({ a: coding, b: coding });
