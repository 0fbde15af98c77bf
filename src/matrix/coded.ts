import type { Matrix } from './dense.ts';

/** A coded matrix, or those of a batch one below the other: all as numbers, which their formats hold exactly. */
export interface Coded {
  /** As the matrix after op: rows×cols, in binary32. */
  readonly elements: Matrix;
  /**
   * For each of the coding's scales a matrix of ⌈lines / block⌉ rows and ⌈k / block⌉ columns, of A and of B alike: factors of blocks
   * that follow each other along k lie side by side.
   */
  readonly scales: readonly Matrix[];
  /** Of the same blocks as the first scales. */
  readonly zeros?: Matrix | undefined;
}

/** A coded matrix, and the numbers that its codes stand for: of other matrices they say nothing. */
export interface Quantised {
  readonly coded: Coded;
  readonly decoded: Matrix;
}

/** The coded operands of a product; those that are absent reach kernels as numbers. */
export interface CodedOperands {
  readonly a?: Quantised | undefined;
  readonly b?: Quantised | undefined;
}
