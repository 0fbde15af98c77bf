import type { ModelMachine } from '../model/product-time.ts';
import type { Outcome, Round } from '../sweep.ts';
import type { Table } from '../table.ts';

/** What a run of a study may change. */
export interface StudyOptions {
  /** Sizes instead of the paper's. */
  readonly sizes?: readonly number[] | undefined;
  /** No size is larger. */
  readonly maxSize: number;
  /** The paper's sizes are divided by this. */
  readonly shrink: number;
  /** Kernels that take the parts of vendors' libraries, such as `torch:cuda-f32`, or join ours. */
  readonly beside: readonly string[];
  /** The leaf kernel of ours that plays the paper's fast one. */
  readonly leaf: string;
}

/** A speed study of a paper, to be run again. */
export interface BenchStudy {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  /** The paper's sizes. */
  readonly sizes: readonly number[];
  /** What differs from the paper, and why. */
  readonly notes: readonly string[];
  /** Whether its tables need the rates of the machine. */
  readonly model?: boolean;
  rounds(options: StudyOptions): readonly Round[];
  /** Tables beside the published figures. */
  tables(outcome: Outcome, options: StudyOptions, machine: ModelMachine | undefined): readonly Table[];
}

/** A size that is run, and the size of the paper that it stands for. */
export interface ScaledSize {
  readonly n: number;
  /** Undefined where the paper has none. */
  readonly paper: number | undefined;
}

/** The paper's sizes as they are run: given ones, or all that the machine is allowed, divided; at least the smallest. */
export function scaledSizes(
  paper: readonly number[],
  { sizes, maxSize, shrink }: StudyOptions,
): ScaledSize[] {
  if (sizes !== undefined) return sizes.map((n) => ({ n, paper: paper.find((p) => p === n) }));
  const scaled = paper.map((p) => ({ n: Math.max(1, Math.round(p / shrink)), paper: p }));
  const fitting = scaled.filter(({ n }) => n <= maxSize);
  return fitting.length > 0 ? fitting : [{ n: maxSize, paper: undefined }];
}

/** The precision that kernels of other libraries multiply in, by their names. */
export function precisionOf(kernel: string): 'f32' | 'f64' {
  return /f64$|^host:(?!double$)/.test(kernel) ? 'f64' : 'f32';
}

/** A cube. */
export const cube = (n: number) => ({ m: n, k: n, n });

/** A size with the paper's in brackets, where it stands for another. */
export function sizeText({ n, paper }: ScaledSize): string {
  return paper === undefined || paper === n ? String(n) : `${n} (for ${paper})`;
}
