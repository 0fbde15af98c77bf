import type { Item } from '../base/registry.ts';
import type { Case } from '../problem/case.ts';
import type { Table } from '../report/table.ts';
import type { Study as StudyResults } from '../run/results.ts';
import type { ModelMachine } from './bench/model/model.ts';
import type { Outcome, Round } from './bench/sweep.ts';
import type { ComputedCell } from './computed-cells.ts';
import type { Scaling } from './scaled-sizes.ts';

/** What a paper measured, to be measured again: its errors, its speeds, or both. */
export interface Study extends Item {
  /** The paper. */
  readonly source: string;
  readonly errors?: ErrorStudy;
  readonly speeds?: SpeedStudy;
}

/** The parts that a study may have. */
export const studyParts = ['errors', 'speeds'] as const;
export type StudyPart = (typeof studyParts)[number];

/** Published errors: each is a cell, measured on its own and judged. */
export interface ErrorStudy {
  /** What is done and what the ratios are judged by, a sentence each. */
  readonly notes: readonly string[];
  /** The random pairs that were published. @defaultValue 1 */
  readonly pairs?: number;
  cells(options: CellOptions): readonly CellPlan[];
  /** Numbers that need no device. @defaultValue none */
  computed?(): readonly ComputedCell[];
  /** The cells that follow from the plan. @defaultValue none */
  counts?(): StudyResults['counts'];
  /** Why cells depart, in a sentence each, by {@link cellKey}. @defaultValue none */
  readonly reasons?: Readonly<Record<string, string>>;
}

/** How the products of published errors are to be made. */
export interface CellOptions {
  /** Random pairs, where a table is over several. */
  readonly pairs: number;
  /** What sizes are divided by, to see the machinery work: nothing published is then comparable. Default 1. */
  readonly shrink?: number;
}

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

/** The number of a cell's figure or table: 44 of "Figure 44, elements in [0, 1]". */
export const figureOf = ({ figure }: Pick<CellPlan, 'figure'>): string =>
  figure.replace(/^\w+ (\d+).*/, '$1');

/** The name of a cell among the reasons: "Figure 44/average/dgemm". */
export const cellKey = ({ figure, row, column }: Pick<CellPlan, 'figure' | 'row' | 'column'>): string =>
  `${figure}/${row}/${column}`;

/** Published speeds: kernels timed in rounds, and tables of what comes out beside what is printed. */
export interface SpeedStudy {
  /** What differs from the paper, and why. */
  readonly notes: readonly string[];
  /** Whether its tables need the rates of the machine. */
  readonly model?: boolean;
  rounds(options: SpeedOptions): readonly Round[];
  tables(outcome: Outcome, options: SpeedOptions, machine: ModelMachine | undefined): readonly Table[];
}

/** What a run of published speeds may change. */
export interface SpeedOptions extends Scaling {
  /** Kernels that take the parts of vendors' libraries, such as `torch:cuda-f32`, or join ours. */
  readonly beside: readonly string[];
  /** The leaf kernel of ours that plays the paper's fast one. */
  readonly leaf: string;
}
