import type { Matrix } from './dense.ts';

/** A coded matrix, or the coded matrices of a batch one below the other. All parts are numbers, which their formats hold exactly. */
export interface CodedMatrix {
  /** The elements in the order of the matrix after op: rows×cols, in binary32. */
  readonly elements: Matrix;
  /**
   * One matrix for each scale of the coding: ⌈lines / block⌉ rows and ⌈k / block⌉ columns, for A and B alike. Factors of blocks that are
   * neighbors along k lie side by side.
   */
  readonly scales: readonly Matrix[];
  /** The zero points of the same blocks as the first scales. */
  readonly zeros?: Matrix | undefined;
}

/** A coded matrix, and the numbers that its codes stand for. The codes are valid for this decoded matrix only. */
export interface QuantizedMatrix {
  readonly coded: CodedMatrix;
  readonly decoded: Matrix;
}

/** The coded operands of a product. Kernels receive an absent one as numbers. */
export interface CodedOperands {
  readonly a?: QuantizedMatrix | undefined;
  readonly b?: QuantizedMatrix | undefined;
}
