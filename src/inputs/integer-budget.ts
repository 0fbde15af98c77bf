import { lowestBit } from '../base/binary64.ts';
import type { Matrix } from '../matrix/dense.ts';
import { entering } from '../precision/entering.ts';
import type { Precision } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import type { LevelGrowth } from '../problem/method.ts';

/** What an exact integer product has to allow for. */
export interface IntegerLimits {
  /** Recursion levels of the algorithm, 0 for a classical one; by default 0. */
  readonly levels?: number;
  /** Growth of a level; needed where there are some. */
  readonly growth?: LevelGrowth | undefined;
  /** What the sums and the operands of products are rounded to; by default binary32. */
  readonly precision?: Precision | undefined;
}

/**
 * The largest magnitude of a number met while multiplying, where max|A|·max|B| is 1. `inner` is k, or 1 where a column of B
 * has at most one entry other than 0.
 *
 * A product at depth l multiplies a signed sum of blocks of A by one of B; multiplied out, its entry has at
 * most product^l·inner_l terms of size q, inner_l = ⌈inner / split^l⌉. Any part of the R products of one call at
 * depth l, in any order, fused or stored, has at most product^l·total·inner_(l+1). Sums of operands are smaller
 * still, as each is a factor of some product. Zero padding adds nothing; peeling adds terms counted in inner_l.
 */
export function largestSum(inner: number, limits: IntegerLimits): number {
  const { levels = 0 } = limits;
  let terms = Math.max(1, inner);
  for (let depth = 0; depth < levels; depth++) {
    const { product, total, split } = growthOf(limits);
    const below = Math.max(1, Math.ceil(inner / split ** (depth + 1)));
    terms = Math.max(terms, product ** depth * total * below);
  }
  return terms;
}

/**
 * The largest whole number q such that, whenever max|A|·max|B| ≤ q, no number met while multiplying is above
 * 2^p, p the bits of the format that adds; 0 if there is none. `inner` is that of {@link largestSum}.
 */
export function integerBudget(inner: number, limits: IntegerLimits = {}): number {
  const { accumulated } = limits.precision ?? singlePrecision;
  if (roundsWhole(limits)) return 0;
  return Math.floor(2 ** accumulated.integerBits / largestSum(inner, limits));
}

/** The largest whole number whose sums of blocks, through all levels, no rounding of operands changes; 0 if there is none. */
export function operandLimit(limits: IntegerLimits): number {
  const { levels = 0, precision = singlePrecision } = limits;
  if (roundsWhole(limits)) return 0;
  const grown = levels === 0 ? 1 : growthOf(limits).operand ** levels;
  const { coded, multiplied } = precision;
  const rounded = Math.floor(2 ** multiplied.integerBits / grown);
  // Blocks of what was coded are summed as numbers.
  return coded === undefined ? rounded : Math.min(rounded, 2 ** entering(precision).integerBits);
}

/** The exponent of the smallest of the last bits of entries; infinite where all are 0. */
function lastBit({ data }: Matrix): number {
  let least = Infinity;
  for (const x of data) if (x !== 0) least = Math.min(least, lowestBit(x));
  return least;
}

/** True if no sum of products of these numbers, as multiples of that of their last bits or of 1, leaves those that stay exact, whatever meets what. */
export function staysWhole(
  { a, b }: { readonly a: Matrix; readonly b: Matrix },
  limits: IntegerLimits,
): boolean {
  const { accumulated, complex = false } = limits.precision ?? singlePrecision;
  // Each part of complex entries is a sum of twice as many products, for which one bit was kept.
  const [bits, k] = complex ? [accumulated.integerBits + 1, a.cols / 2] : [accumulated.integerBits, a.cols];
  const [rows, most] = [new Float64Array(a.rows), { a: 0, b: new Float64Array(b.rows) }];
  b.data.forEach((x, e) => {
    const p = Math.floor(e / b.cols);
    most.b[p] = Math.max(most.b[p], Math.abs(x));
  });
  a.data.forEach((x, e) => {
    most.a = Math.max(most.a, Math.abs(x));
    rows[Math.floor(e / a.cols)] += Math.abs(x) * most.b[e % a.cols];
  });
  const unit = 2 ** Math.min(0, lastBit(a) + lastBit(b));
  if ((limits.levels ?? 0) === 0) return rows.every((sum) => sum <= unit * 2 ** bits);
  return most.a * most.b.reduce((x, y) => Math.max(x, y), 0) <= unit * integerBudget(k, limits);
}

/** Why no whole number is exact then. */
export const ROUNDED = 'its algorithm has factors such as 1/3, which round whole numbers';

/** True if factors such as 1/3 come to whole numbers, of which no format holds a third. */
export const roundsWhole = ({ levels = 0, growth }: IntegerLimits): boolean =>
  levels > 0 && growth?.rounds === true;

function growthOf({ growth }: IntegerLimits): LevelGrowth {
  if (growth === undefined)
    throw new Error('How far whole numbers may grow is unknown without the growth of a level.');
  return growth;
}
