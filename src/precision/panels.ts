import type { Shape } from '../matrix/dense.ts';

/** The inner loops of a product, which add to whole rows of the result. */
export interface RowLoops {
  /** Adds steps p to p + 3 to rows i and i + 1. */
  fourStepsOfTwoRows(i: number, p: number): void;
  /** Adds step p to row i. */
  oneStep(i: number, p: number): void;
}

/** The entries of y in a panel of its rows, which all rows of x read from cache. */
const PANEL = 2 ** 16;

/**
 * Walks a product x·y (m×k by k×n) in an order that keeps every entry's sum sequential over k. It takes two rows and four steps at a
 * time on a panel of y that stays in cache, which saves most of the loads.
 */
export function walkPanels({ m, k, n }: Shape, loops: RowLoops): void {
  const panel = Math.max(4, 4 * Math.floor(PANEL / 4 / Math.max(n, 1)));
  for (let from = 0; from < k; from += panel) {
    const end = Math.min(from + panel, k);
    for (let i = 0; i < m; i += 2) rowPair(i, i + 1 < m, from, end, loops);
  }
}

function rowPair(i: number, isPair: boolean, from: number, end: number, loops: RowLoops): void {
  const fours = isPair ? end - ((end - from) % 4) : from;
  for (let p = from; p < fours; p += 4) loops.fourStepsOfTwoRows(i, p);
  for (let p = fours; p < end; p++) {
    loops.oneStep(i, p);
    if (isPair) loops.oneStep(i + 1, p);
  }
}
