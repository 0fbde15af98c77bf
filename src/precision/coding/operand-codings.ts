import type { Item } from '../../base/registry.ts';
import type { Format } from '../format.ts';
import type { BlockScale, Coding, Operand } from './coding.ts';

/** How the operands of a product are coded; one that is absent is given as numbers. */
export interface OperandCodings extends Item {
  readonly source: string;
  readonly coded: { readonly [of in Operand]?: Coding | undefined };
}

/** All lines, or all of k. */
export const ALL = Number.POSITIVE_INFINITY;

/** A factor for each block of so many lines and entries along k. */
export const scaleOf = (lines: number, entries: number, format: Format): BlockScale => ({
  lines,
  entries,
  format,
});

/** Both operands alike. */
export const both = (coding: Coding): OperandCodings['coded'] => ({ a: coding, b: coding });
