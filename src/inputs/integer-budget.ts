import { lowestBit } from '../base/binary64.ts';
import type { Matrix } from '../matrix/dense.ts';
import { multipliedFormatOf } from '../precision/operand-encoding.ts';
import type { Precision } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import type { LevelGrowth } from '../problem/method.ts';

/** Conditions on an exact integer product. */
export interface IntegerLimits {
  /** Recursion levels of the algorithm; 0 for a classical one. @defaultValue 0 */
  readonly levels?: number;
  /** Growth of a level. Required where there are levels. */
  readonly growth?: LevelGrowth | undefined;
  /** The rounding of sums and of the operands of products. @defaultValue binary32 */
  readonly precision?: Precision | undefined;
}

/**
 * Returns the largest magnitude of a number during a multiplication where max|A|·max|B| is 1. `inner` is k, or 1 where a column of B
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
 * Returns the largest whole number q with this property: if max|A|·max|B| ≤ q, no number during the multiplication is above 2^p, where p is
 * the bits of the accumulation format. Returns 0 if there is none. `inner` is that of {@link largestSum}.
 */
export function integerBudget(inner: number, limits: IntegerLimits = {}): number {
  const { accumulated } = limits.precision ?? singlePrecision;
  if (roundsWhole(limits)) return 0;
  return Math.floor(2 ** accumulated.integerBits / largestSum(inner, limits));
}

/** Returns the largest whole number whose sums of blocks, through all levels, no rounding of operands changes; 0 if there is none. */
export function operandLimit(limits: IntegerLimits): number {
  const { levels = 0, precision = singlePrecision } = limits;
  if (roundsWhole(limits)) return 0;
  const grown = levels === 0 ? 1 : growthOf(limits).operand ** levels;
  const { coded, multiplied } = precision;
  const rounded = Math.floor(2 ** multiplied.integerBits / grown);
  // Blocks of coded operands are summed as numbers.
  return coded === undefined ? rounded : Math.min(rounded, 2 ** multipliedFormatOf(precision).integerBits);
}

/** Returns the least exponent of the last bits of entries; infinite where all are 0. */
function lastBit({ data }: Matrix): number {
  let least = Infinity;
  for (const x of data) if (x !== 0) least = Math.min(least, lowestBit(x));
  return least;
}

/** True if all sums of products stay exact in any order. Numbers count as multiples of their last bits, or of 1. */
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

/** True if whole numbers get factors such as 1/3, which no format holds. */
export const roundsWhole = ({ levels = 0, growth }: IntegerLimits): boolean =>
  levels > 0 && growth?.rounds === true;

function growthOf({ growth }: IntegerLimits): LevelGrowth {
  if (growth === undefined)
    throw new Error('The growth of whole numbers is unknown without the growth of a level.');
  return growth;
}
