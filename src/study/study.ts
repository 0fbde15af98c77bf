import type { Case } from '../gate/case.ts';
import type { Study } from '../gate/results.ts';

/** A product that cells of a published table are read from. */
export interface StudyProduct {
  readonly case: Case;
  /**
   * What its readings are against: the `ideal` product of a formula, absolute; or, over the mean size of the reference's
   * entries, the `exact` product of the stored operands, the `classical` product of the same operands, or some rows of
   * that with one rounding a term, `fused`.
   */
  readonly against: 'ideal' | 'exact' | 'classical' | 'fused';
  /** What the sum of the mean is kept in; not what is best, but what the printed mean was evidently summed in. */
  readonly sums: 'f32' | 'f64';
  /** Whether the growth of its error is fitted with the others'. */
  readonly series: boolean;
}

/** What is read from a product: the largest error, or the mean of all. */
export type Reading = 'max' | 'mean';

/** A cell of a published table, and how it is measured. */
export interface CellPlan {
  /** "Figure 30". */
  readonly figure: string;
  /** What the table shows: "Maximum error, f32". */
  readonly title: string;
  readonly row: string;
  readonly column: string;
  readonly published: number;
  /** Where the print is known to be wrong: what it is judged by instead, and how that is known. */
  readonly misprint?: { readonly meant: number; readonly note: string };
  readonly reading: Reading;
  /** Of several products, the largest maximum or the mean of the means. */
  readonly products: readonly StudyProduct[];
}

/** How the products of a study are to be made. */
export interface CellOptions {
  /** Random pairs, where a table is over several. */
  readonly pairs: number;
  /** What sizes are divided by, to see the machinery work: nothing published is then comparable. Default 1. */
  readonly shrink?: number;
}

/** A published study that can be measured again. */
export interface StudyRecord {
  readonly name: string;
  readonly source: string;
  /** What is done and what the ratios are judged by, in a few sentences. */
  readonly method: string;
  /** The figures that have cells, by number. */
  readonly figures: readonly string[];
  /** The random pairs that were published. */
  readonly pairs: number;
  cells(options: CellOptions): readonly CellPlan[];
  /** The cells that follow from the plan. */
  counts(): Study['counts'];
  /** Why cells depart, in a sentence each, by {@link cellKey}. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** The name of a cell among the reasons: "Figure 44/average/dgemm". */
export const cellKey = ({ figure, row, column }: Pick<CellPlan, 'figure' | 'row' | 'column'>): string =>
  `${figure}/${row}/${column}`;
