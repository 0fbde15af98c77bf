import type { Item } from '../../base/registry.ts';
import type { CodedFormat, Format } from '../format.ts';

/** An operand of a product. */
export type Operand = 'a' | 'b';

/**
 * The factors of blocks: one for each run of `lines` lines and `entries` entries along k. A line is a row of op(A), or a column of
 * op(B). `Infinity` stands for all: the factor of a whole tensor has Infinity lines and Infinity entries.
 */
export interface BlockScale {
  readonly lines: number;
  readonly entries: number;
  readonly format: Format;
  /** True if a factor may be negative. @defaultValue false */
  readonly signed?: boolean | undefined;
  /** True for a factor of the minimum of blocks, which is subtracted from their numbers. @defaultValue false */
  readonly subtracted?: boolean | undefined;
}

/**
 * A coding of a matrix as elements of few bits and factors of blocks. Each of its numbers is (element − zero point) · the product of the
 * factors of its blocks, less the product of those that are subtracted.
 */
export interface Coding {
  readonly element: CodedFormat;
  /** The factors, from the smallest blocks to the largest. */
  readonly scales: readonly BlockScale[];
  /** The format of zero points, one for each block of the first of the scales. @defaultValue no zero points: all are 0 */
  readonly zero?: Format | undefined;
}

/** True if elements lie beside numbers by an offset: a zero point, or a minimum. */
export const hasOffsets = ({ zero, scales }: Pick<Coding, 'zero' | 'scales'>): boolean =>
  zero !== undefined || hasMinima({ scales });

/** True if the factors of blocks are whole numbers, times a factor of a larger block. */
export const hasWholeScales = ({ scales: [{ format }] }: Pick<Coding, 'scales'>): boolean =>
  format.minSubnormal === 1;

/** True if minima of blocks are subtracted. */
export const hasMinima = ({ scales }: Pick<Coding, 'scales'>): boolean =>
  scales.some(({ subtracted }) => subtracted === true);

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
