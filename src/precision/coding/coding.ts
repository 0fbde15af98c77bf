import type { CodedFormat, Format } from '../format.ts';

/** Which operand of a product. */
export type Operand = 'a' | 'b';

/**
 * Factors of blocks: one for each run of so many lines and so many entries along k. A line is a row of op(A), or a column of op(B);
 * `Infinity` means all of them, so that a factor of a whole tensor is one of Infinity lines and Infinity entries.
 */
export interface BlockScale {
  readonly lines: number;
  readonly entries: number;
  readonly format: Format;
  /** Whether a factor may be below zero. @defaultValue false */
  readonly signed?: boolean | undefined;
}

/**
 * How a matrix reaches a kernel as elements of few bits and factors of blocks of them. Each number of it is
 * (element − zero point) · the product of the factors of its blocks.
 */
export interface Coding {
  readonly element: CodedFormat;
  /** From the smallest blocks to the largest. */
  readonly scales: readonly BlockScale[];
  /** One for each block of the first of the scales. @defaultValue no zero points: all are 0 */
  readonly zero?: Format | undefined;
}
