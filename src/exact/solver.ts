import { anchorWindow, fitsAnchors } from './anchors.ts';
import { digitsOf } from './digits.ts';
import type { Engine } from './engine.ts';
import { type Certificate, type CertificateTally, emptyTally } from './exact-product.ts';
import { type ExactOperands, productsAreExact } from './operands.ts';
import { requireCounted, requireRounded } from './rounded.ts';
import type { AnchorWindow, BlockSummer, ExactSums, PairSums, ResultBlock } from './sums.ts';
import { type RowPart, tiersOf } from './tiers.ts';
import { typescriptDigitSums, typescriptSums } from './typescript-sums.ts';

import { simdDigitSums } from './wasm/simd-digit-sums.ts';
import { simdSums } from './wasm/simd-sums.ts';

/** The memory that a solver writes: entry (i, j) is at (i − firstRow)·n + j. */
export interface Destination {
  readonly value: Float64Array;
  readonly low: Float64Array;
  readonly firstRow: number;
}

/** Computes a block of the product, and returns its certificate. @throws ReferenceFault */
export type BlockSolver = (block: ResultBlock, to: Destination) => Certificate;

/** Prepares the exact product of operands. The solver keeps scratch memory, so it serves one caller at a time. */
export function blockSolver(operands: ExactOperands, engine: Engine): BlockSolver {
  const { shape, rows, cols } = operands;
  const { n } = shape;
  const summer = summerOf(operands, engine);
  const tiers = tiersOf(operands);

  const isSpecial = (i: number, j: number) => rows.finite[i] === 0 || cols.finite[j] === 0;

  /** Rounds the entries of a row that fit the window, and decides the others alone. */
  const finishInWindow = (
    { i, j0, j1 }: RowPart,
    { hi, lo }: PairSums,
    window: AnchorWindow,
    from: number,
    to: Destination,
    first: number,
    tally: CertificateTally,
  ) => {
    for (let j = j0, at = from, out = first; j < j1; j++, at++, out++) {
      if (fitsAnchors(window, i, j)) {
        const value = hi[at] + lo[at];
        const z = value - hi[at];
        to.value[out] = value;
        to.low[out] = hi[at] - (value - z) + (lo[at] - z);
        tally.byExactSum++;
      } else {
        const { value, low } = tiers.decideAlone(i, j, tally);
        to.value[out] = value;
        to.low[out] = low;
      }
    }
  };

  /**
   * Rounds and certifies the entries of a block.
   * @returns the number of infinite entries of finite operands.
   */
  const finish = (
    { i0, i1, j0, j1 }: ResultBlock,
    sums: PairSums,
    to: Destination,
    tally: CertificateTally,
  ) => {
    let infinite = 0;
    for (let i = i0; i < i1; i++) {
      const from = (i - i0) * sums.stride;
      const at = (i - to.firstRow) * n + j0;
      if (sums.window === undefined) tiers.decide({ i, j0, j1 }, sums, from, to, at, tally);
      else finishInWindow({ i, j0, j1 }, sums, sums.window, from, to, at, tally);
      for (let e = at; e < at + j1 - j0; e++) {
        const [value, low] = [to.value[e], to.low[e]];
        if (value + low - value !== 0 && requireRounded(shape, i, j0 + e - at, value, low, isSpecial))
          infinite++;
      }
    }
    return infinite;
  };

  const finishExact = (
    { i0, i1, j0, j1 }: ResultBlock,
    sums: ExactSums,
    { value, low, firstRow }: Destination,
    tally: CertificateTally,
  ) => {
    for (let i = i0; i < i1; i++) {
      const at = (i - firstRow) * n + j0;
      if (!sums.write(i, value, low, at)) continue;
      for (let e = at; e < at + j1 - j0; e++) {
        if (value[e] + low[e] - value[e] !== 0)
          requireRounded(shape, i, j0 + e - at, value[e], low[e], isSpecial);
      }
    }
    tally.byExactSum += (i1 - i0) * (j1 - j0);
  };

  return ({ i0, i1, j0, j1 }, to) => {
    const tally = emptyTally();
    let infinite = 0;
    tally.entries = (i1 - i0) * (j1 - j0);
    for (let i = i0; i < i1; i += summer.rows) {
      for (let j = j0; j < j1; j += summer.cols) {
        const block = { i0: i, i1: Math.min(i + summer.rows, i1), j0: j, j1: Math.min(j + summer.cols, j1) };
        const sums = summer.sum(block);
        if ('write' in sums) finishExact(block, sums, to, tally);
        else infinite += finish(block, sums, to, tally);
      }
    }
    requireCounted(shape, infinite, tally);
    return tally;
  };
}

/** Returns the summer of blocks: by digits if all lines allow it, in TypeScript only if a double-double sum would have errors. */
function summerOf(operands: ExactOperands, engine: Engine): BlockSummer {
  const areExact = productsAreExact(operands);
  const digits = digitsOf(operands, areExact);
  if (engine === 'typescript')
    return digits === undefined || areExact ? typescriptSums(operands) : typescriptDigitSums(operands);
  if (digits !== undefined) return simdDigitSums(operands, digits);
  return simdSums(operands, areExact ? anchorWindow(operands) : undefined);
}
