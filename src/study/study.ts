import { badItem } from '../base/messages.ts';
import { isFunction, isText } from '../base/objects.ts';
import type { Item } from '../base/registry.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Case } from '../problem/case.ts';
import type { Table } from '../report/table.ts';
import type { StudyResult } from '../run/results.ts';
import type { ModelMachine } from './bench/model/model.ts';
import type { BenchOutcome, BenchRound } from './bench/sweep.ts';
import type { ComputedCell } from './computed-cells.ts';

/** A paper's measurements, to be repeated: its errors, its speeds, or both. */
export interface Study extends Item {
  /** The paper. */
  readonly source: string;
  readonly errors?: ErrorStudy;
  readonly speeds?: SpeedStudy;
}

export const studyParts = ['errors', 'speeds'] as const;
export type StudyPart = (typeof studyParts)[number];

/** Published errors. Each is a cell, measured on its own and judged. */
export interface ErrorStudy {
  /** The method, and the criteria of the ratios, a sentence each. */
  readonly notes: readonly string[];
  /** Number of published random pairs. @defaultValue 1 */
  readonly pairs?: number;
  cells(options: CellOptions): readonly CellPlan[];
  /** Returns numbers that need no device. @defaultValue none */
  computed?(): readonly ComputedCell[];
  /** Returns the cells that follow from the plan. @defaultValue none */
  counts?(): StudyResult['counts'];
  /** Reasons why cells depart, in a sentence each, by {@link cellKey}. @defaultValue none */
  readonly reasons?: Readonly<Record<string, string>>;
}

/** Options of the products of published errors. */
export interface CellOptions {
  /** Number of random pairs, where a table is over several. */
  readonly pairs: number;
  /** Divisor of sizes, to test the machinery. With another divisor than 1, no published number is comparable. Default 1. */
  readonly shrink?: number;
}

/** A product whose measurements give cells of a published table. */
export interface StudyProduct {
  readonly case: Case;
  /**
   * The reference of its readings. `ideal` is the product of a formula, with absolute errors. The others are relative to the mean size of
   * the reference's entries: `exact` is the product of the stored operands, and `classical` the classical product of the same operands.
   * `fused` is some rows of the latter with one rounding a term.
   */
  readonly against: 'ideal' | 'exact' | 'classical' | 'fused';
  /** The precision of the sum of the mean. It is not the best one, but the one in which the published mean was evidently summed. */
  readonly sums: 'f32' | 'f64';
  /** True if the fit of growth includes its error. */
  readonly series: boolean;
}

/** The value taken from a product: the largest error, or the mean of all. */
export type Reading = 'max' | 'mean';

/** A cell of a published table, with the plan of its measurement. */
export interface CellPlan {
  /** The published figure: "Figure 30". */
  readonly figure: string;
  /** The title of the table: "Maximum error, f32". */
  readonly title: string;
  readonly row: string;
  readonly column: string;
  readonly published: number;
  /** The correction of a misprint: the value to judge by, and the evidence for it. */
  readonly misprint?: { readonly meant: number; readonly note: string };
  readonly reading: Reading;
  /** Its products. For several products, the largest maximum or the mean of the means counts. */
  readonly products: readonly StudyProduct[];
}

/** Returns the number of a cell's figure or table: 44 of "Figure 44, elements in [0, 1]". */
export const figureOf = ({ figure }: Pick<CellPlan, 'figure'>): string =>
  figure.replace(/^\w+ (\d+).*/, '$1');

/** Returns the key of a cell among the reasons: "Figure 44/average/dgemm". */
export const cellKey = ({ figure, row, column }: Pick<CellPlan, 'figure' | 'row' | 'column'>): string =>
  `${figure}/${row}/${column}`;

/** Published speeds: kernels timed in rounds, and tables of results beside the published ones. */
export interface SpeedStudy {
  /** Differences from the paper, with reasons. */
  readonly notes: readonly string[];
  /** True if its tables need the rates of the machine. */
  readonly model?: boolean;
  rounds(options: SpeedOptions): readonly BenchRound[];
  tables(outcome: BenchOutcome, options: SpeedOptions, machine: ModelMachine | undefined): readonly Table[];
}

/** Options of a run of published speeds. */
export interface SpeedOptions extends SizeScaling {
  /** Kernels that take the place of vendors' libraries, such as `torch:cuda-f32`, or run beside ours. */
  readonly beside: readonly string[];
  /** Our leaf kernel that takes the place of the paper's fast one. */
  readonly leaf: string;
}

/** The scaling of a paper's sizes to a machine. */
export interface SizeScaling {
  /** Sizes instead of the paper's. */
  readonly sizes?: readonly number[] | undefined;
  readonly maxSize: number;
  /** The divisor of the paper's sizes. */
  readonly shrink: number;
}

/** A size that is run, with the paper's size that it stands for. */
export interface ScaledSize {
  readonly n: number;
  /** Undefined where the paper has no such size. */
  readonly paper: number | undefined;
}

/**
 * Returns the sizes to run: the given ones, or the paper's divided by `shrink`, up to the largest allowed. If all are larger, the largest
 * allowed size is run.
 */
export function scaledSizes(paper: readonly number[], { sizes, maxSize, shrink }: SizeScaling): ScaledSize[] {
  if (sizes !== undefined) return sizes.map((n) => ({ n, paper: paper.find((p) => p === n) }));
  const scaled = paper.map((p) => ({ n: Math.max(1, Math.round(p / shrink)), paper: p }));
  const fitting = scaled.filter(({ n }) => n <= maxSize);
  return fitting.length > 0 ? fitting : [{ n: maxSize, paper: undefined }];
}

/** Writes a size, with the paper's in brackets where it stands for another. */
export function sizeText({ n, paper }: ScaledSize): string {
  return paper === undefined || paper === n ? String(n) : `${n} (for ${paper})`;
}

export const cube = (n: number): Shape => ({ m: n, k: n, n });

const isList = (value: unknown) => Array.isArray(value);

/** The requirements of a study, each with its message. */
const rules: readonly (readonly [holds: (study: Study) => boolean, why: string])[] = [
  [({ what }) => isText(what), 'it needs a string `what`, a clause that describes it'],
  [({ source }) => isText(source), 'it needs a string `source`, the paper'],
  [({ errors, speeds }) => (errors ?? speeds) !== undefined, 'it needs `errors` or `speeds`'],
  [
    ({ errors }) => errors === undefined || (isList(errors.notes) && isFunction(errors.cells)),
    'its `errors` need a list `notes` and a function `cells`',
  ],
  [
    ({ errors }) => errors?.computed === undefined || isFunction(errors.computed),
    '`computed` in its `errors` must be a function',
  ],
  [
    ({ speeds }) =>
      speeds === undefined ||
      (isList(speeds.notes) && isFunction(speeds.rounds) && isFunction(speeds.tables)),
    'its `speeds` need a list `notes` and functions `rounds` and `tables`',
  ],
];

/**
 * Defines a study of your own, for the `studies` of a config. `gemm-paranoia study <name>` then measures it. The cases of its products are
 * those that `parseCase` reads: `kernel=strassen:register;levels=2;input=inverse-pair;m=64;k=64;n=64`.
 * @throws ParanoiaError `bad-item` if a requirement is not met.
 */
export function defineStudy(study: Study): Study {
  const broken = rules.find(([holds]) => !holds(study));
  if (broken !== undefined) throw badItem({ kind: 'study', name: study.name, why: broken[1] });
  return study;
}
