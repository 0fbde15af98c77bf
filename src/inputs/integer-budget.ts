import { type Precision, precisions } from '../formats/precision.ts';

/**
 * How much one level of a bilinear algorithm ⟨d, d, d; R⟩ can grow the entries, from its table (U, V, W).
 * With p_r = Σ|U_r|·Σ|V_r|, the largest factor by which product r can exceed the plain product of two blocks:
 */
export interface LevelGrowth {
  /** max over r of p_r. */
  readonly product: number;
  /** Σ over r of p_r: whatever signed part of the R products a schedule has in one block, it is no larger. */
  readonly total: number;
  /** d: into how many parts a level cuts the inner dimension. */
  readonly split: number;
}

/**
 * Winograd's variant: p = 1, 1, 4, 4, 4, 9, 4 (S2·T2 multiplies two sums of three blocks, S4 and T4 are sums of
 * four). Strassen's p = 4, 2, 2, 2, 2, 4, 4 is smaller in both respects, so this serves for the two of them.
 */
export const WINOGRAD_GROWTH: LevelGrowth = { product: 9, total: 27, split: 2 };

/** What an exact integer product has to allow for. */
export interface IntegerLimits {
  /** Recursion levels of the algorithm, 0 for a classical one; by default 0. */
  readonly levels?: number;
  /** Growth of a level; by default {@link WINOGRAD_GROWTH}. */
  readonly growth?: LevelGrowth;
  /** What the sums and the operands of products are rounded to; by default binary32. */
  readonly precision?: Precision | undefined;
}

/**
 * The largest whole number q such that, whenever max|A|·max|B| ≤ q, no number met while multiplying is above
 * 2^p, p the bits of the format that adds; 0 if there is none. `inner` is k, or 1 where a column of B has at most one entry other than 0.
 *
 * A product at depth l multiplies a signed sum of blocks of A by one of B; multiplied out, its entry has at
 * most product^l·inner_l terms of size q, inner_l = ⌈inner / split^l⌉. Any part of the R products of one call at
 * depth l, in any order, fused or stored, has at most product^l·total·inner_(l+1). Sums of operands are smaller
 * still, as each is a factor of some product. Zero padding adds nothing; peeling adds terms counted in inner_l.
 */
export function integerBudget(inner: number, limits: IntegerLimits = {}): number {
  const { levels = 0, growth = WINOGRAD_GROWTH, precision = precisions.f32 } = limits;
  let terms = Math.max(1, inner);
  for (let depth = 0; depth < levels; depth++) {
    const below = Math.max(1, Math.ceil(inner / growth.split ** (depth + 1)));
    terms = Math.max(terms, growth.product ** depth * growth.total * below);
  }
  return Math.floor(2 ** precision.working.integerBits / terms);
}

/** Blocks of one operand that a sum of Winograd's variant takes at most, S4 and T4: a level's growth of operands. */
const OPERAND_GROWTH = 4;

/** The largest whole number whose sums of blocks, through all levels, no rounding of operands changes. */
export function operandLimit({ levels = 0, precision = precisions.f32 }: IntegerLimits): number {
  return Math.floor(2 ** precision.operands.integerBits / OPERAND_GROWTH ** levels);
}
