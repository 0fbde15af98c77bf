import type { Shape } from '../matrix/dense.ts';

/** How sizes of a paper are made to fit a machine. */
export interface Scaling {
  /** Sizes instead of the paper's. */
  readonly sizes?: readonly number[] | undefined;
  /** No size is larger. */
  readonly maxSize: number;
  /** The paper's sizes are divided by this. */
  readonly shrink: number;
}

/** A size that is run, and the size of the paper that it stands for. */
export interface ScaledSize {
  readonly n: number;
  /** Undefined where the paper has none. */
  readonly paper: number | undefined;
}

/** The paper's sizes as they are run: given ones, or all that the machine is allowed, divided; at least the smallest. */
export function scaledSizes(paper: readonly number[], { sizes, maxSize, shrink }: Scaling): ScaledSize[] {
  if (sizes !== undefined) return sizes.map((n) => ({ n, paper: paper.find((p) => p === n) }));
  const scaled = paper.map((p) => ({ n: Math.max(1, Math.round(p / shrink)), paper: p }));
  const fitting = scaled.filter(({ n }) => n <= maxSize);
  return fitting.length > 0 ? fitting : [{ n: maxSize, paper: undefined }];
}

/** A size with the paper's in brackets, where it stands for another. */
export function sizeText({ n, paper }: ScaledSize): string {
  return paper === undefined || paper === n ? String(n) : `${n} (for ${paper})`;
}

/** A cube. */
export const cube = (n: number): Shape => ({ m: n, k: n, n });
