import { anchorWindow, takes } from './anchor-window.ts';
import { type Certificate, emptyTally, type Tally } from './certificate.ts';
import type { Engine } from './engine.ts';
import { type Operands, productsAreExact } from './operands.ts';
import type { Block, Sums } from './sums.ts';
import { tiersOf } from './tiers.ts';
import { typescriptSums } from './typescript-sums.ts';
import { simdSums } from './wasm/simd-sums.ts';

/** Where a solver writes: entry (i, j) at (i − firstRow)·n + j. */
export interface Destination {
  readonly value: Float64Array;
  readonly low: Float64Array;
  readonly firstRow: number;
}

/** Computes a block of the product, and returns how its entries were decided. */
export type BlockSolver = (block: Block, to: Destination) => Certificate;

/** Prepares the exact product of operands; the solver keeps scratch, so it serves one caller at a time. */
export function blockSolver(operands: Operands, engine: Engine): BlockSolver {
  const { n } = operands.shape;
  const summer =
    engine === 'simd'
      ? simdSums(operands, productsAreExact(operands) ? anchorWindow(operands) : undefined)
      : typescriptSums(operands);
  const tiers = tiersOf(operands);

  const finish = ({ i0, i1, j0, j1 }: Block, sums: Sums, to: Destination, tally: Tally) => {
    const { stride, hi, lo, magnitude, window } = sums;
    for (let i = i0; i < i1; i++) {
      for (let j = j0; j < j1; j++) {
        const at = (i - i0) * stride + j - j0;
        const out = (i - to.firstRow) * n + j;
        if (window !== undefined && takes(window, i, j)) {
          const value = hi[at] + lo[at];
          const z = value - hi[at];
          to.value[out] = value;
          to.low[out] = hi[at] - (value - z) + (lo[at] - z);
          tally.byExactSum++;
          continue;
        }
        const entry =
          window === undefined
            ? tiers.decide(i, j, hi[at], lo[at], magnitude[at], tally)
            : tiers.decideAlone(i, j, tally);
        to.value[out] = entry.value;
        to.low[out] = entry.low;
      }
    }
  };

  return ({ i0, i1, j0, j1 }, to) => {
    const tally = emptyTally();
    tally.entries = (i1 - i0) * (j1 - j0);
    for (let i = i0; i < i1; i += summer.rows) {
      for (let j = j0; j < j1; j += summer.cols) {
        const block = { i0: i, i1: Math.min(i + summer.rows, i1), j0: j, j1: Math.min(j + summer.cols, j1) };
        finish(block, summer.sum(block), to, tally);
      }
    }
    return tally;
  };
}
