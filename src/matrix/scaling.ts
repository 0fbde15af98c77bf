/** What a product is scaled by: C = alpha·A·B + beta·C. With beta = 0, C is not read. */
export interface Scaling {
  readonly alpha: number;
  readonly beta: number;
}
