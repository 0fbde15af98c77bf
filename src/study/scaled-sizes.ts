import type { Shape } from '../matrix/dense.ts';

/** The scaling of a paper's sizes to a machine. */
export interface SizeScaling {
  /** Sizes instead of the paper's. */
  readonly sizes?: readonly number[] | undefined;
  /** The largest size. */
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

/** Returns the shape of a cube. */
export const cube = (n: number): Shape => ({ m: n, k: n, n });
