import * as z from 'zod/mini';
import { toJsonNumber } from '../base/numbers.ts';
import { caseResult, real } from '../evidence/case-result.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { measureAgainst } from '../evidence/measures.ts';
import { numbers } from '../evidence/numbers.ts';
import type { CaseFacts } from '../evidence/result-of.ts';
import { comparisonOf } from '../evidence/weigh.ts';
import type { Matrix } from '../matrix/dense.ts';
import { meanInSingle } from './mean-in-single.ts';
import type { StudyProduct } from './study.ts';

/** A finished product: its measurements, without a judgment. */
export const measuredProduct = z.object({
  /** A result of the gate, without verdict and replay. */
  facts: z.omit(caseResult, { verdict: true, reason: true, replay: true, checks: true }),
  /** The values that cells use. */
  readings: z.object({ max: real, mean: real }),
  /** Entries of C that were never written. */
  unwritten: z.int().check(z.gte(0)),
});
export type MeasuredProduct = z.infer<typeof measuredProduct>;

/**
 * Makes the record of a study's product from its evidence.
 * @param classical the classical product of the same operands, where the readings are against that.
 */
export function measuredProductOf(
  product: StudyProduct,
  facts: CaseFacts,
  evidence: Evidence,
  classical?: Matrix,
): MeasuredProduct {
  const { ideal, ...measured } = numbers.ask(evidence);
  const [max, mean] = readingsOf(product, evidence, classical);
  return {
    facts: {
      ...{ ...facts, ...measured },
      ...(product.against === 'ideal' && ideal !== undefined ? { ideal } : {}),
    },
    readings: { max: toJsonNumber(max), mean: toJsonNumber(mean) },
    unwritten: evidence.outcomes[0].unwritten,
  };
}

function readingsOf(
  { against, sums }: StudyProduct,
  evidence: Evidence,
  classical: Matrix | undefined,
): [max: number, mean: number] {
  const { operands, outcomes, errors } = evidence;
  const [{ c }] = outcomes;
  if (against === 'fused') {
    const { max, mean } = measureFusedDistance(c, operands.a, operands.b);
    return [max, mean];
  }
  if (against === 'ideal') {
    const { max, mean } = errors.ideal ?? errors.exact;
    return [max, sums === 'f32' && operands.ideal !== undefined ? meanInSingle(c, operands.ideal) : mean];
  }
  const found =
    classical === undefined ? errors.exact : measureAgainst(comparisonOf(evidence), entriesOf(classical));
  return [found.normalizedMax, found.normalizedMean];
}

function entriesOf({ cols, data }: Matrix): (i: number, j: number) => number {
  return (i, j) => data[i * cols + j];
}

/** Rows that are summed again: some ten thousand entries are enough for a mean. */
const ROWS = 8;

/**
 * Returns the distance of a classical binary64 product from one that rounds each x·y + s once, over the mean size of its entries. It is the
 * difference of the same sums on an older CPU and on a GPU with fma. Equally spaced rows are summed again, sequentially over k. A is m×k, B
 * k×n, C m×n.
 */
export function measureFusedDistance(c: Matrix, a: Matrix, b: Matrix): { max: number; mean: number } {
  const rows = Math.min(ROWS, c.rows);
  let [max, total, size] = [0, 0, 0];
  for (let r = 0; r < rows; r++) {
    const i = Math.floor(((r + 0.5) * c.rows) / rows);
    const fused = fusedRow(a.data.subarray(i * a.cols, (i + 1) * a.cols), b);
    for (let j = 0; j < c.cols; j++) {
      const value = c.data[i * c.cols + j];
      const apart = Math.abs(value - fused[j]);
      max = Math.max(max, apart);
      total += apart;
      size += Math.abs(value);
    }
  }
  const entries = rows * c.cols;
  return { max: max / (size / entries), mean: total / size };
}

/** Computes one row of A·B in binary64, sequentially over k, with one rounding a term. */
function fusedRow(x: ArrayLike<number>, { rows: k, cols: n, data }: Matrix): Float64Array {
  const sums = new Float64Array(n);
  for (let p = 0; p < k; p++) {
    for (let j = 0; j < n; j++) sums[j] = fma(x[p], data[p * n + j], sums[j]);
  }
  return sums;
}

/** 2^27 + 1: splits a double into two halves of 26 bits (Veltkamp). */
const SPLIT = 2 ** 27 + 1;

/**
 * Computes x·y + s in binary64, rounded once except for ties that the last of three parts would break. No part may overflow or underflow.
 * Products by Dekker, sums by Knuth.
 */
export function fma(x: number, y: number, s: number): number {
  const p = x * y;
  const [tx, ty] = [SPLIT * x, SPLIT * y];
  const [xh, yh] = [tx - (tx - x), ty - (ty - y)];
  const [xl, yl] = [x - xh, y - yh];
  const e = xl * yl - (p - xh * yh - xl * yh - xh * yl);
  const sum = p + s;
  const part = sum - p;
  const lost = p - (sum - part) + (s - part);
  return sum + (lost + e);
}
