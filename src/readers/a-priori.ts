import { blockName } from '../algorithms/algorithm.ts';
import { roundingsBy } from '../algorithms/coefficient.ts';
import { growthFactor, sumsInnerProducts } from '../algorithms/growth.ts';
import { type ScheduleValues, scheduleValuesOf, type ValueTerm } from '../algorithms/notation.ts';
import type { Shape } from '../matrix/dense.ts';
import { type Plan, styles } from '../plan/plan.ts';
import { levelShapes } from './partition.ts';

/** A bound on the error of a plan's product that is known without data. It covers no underflow or overflow. */
export type APrioriBound = ComponentwiseBound | NormwiseBound;

interface Factors {
  /** Factor of the bound: max|Ĉ − C| ≤ factor·max|A|·max|B|. */
  readonly factor: number;
  /** The same for each block of C at the first level, `C11` …, and for fringes; `C` without recursion. */
  readonly byQuadrant: Readonly<Record<string, number>>;
}

/** A bound for plans that sum the k products of each entry, in any order. */
export interface ComponentwiseBound extends Factors {
  readonly kind: 'componentwise';
  /** γ_k: |Ĉ − C| ≤ gamma·|A|·|B|, entry by entry. */
  readonly gamma: number;
}

/** A bound for plans that recombine blocks. No entry satisfies a bound by its own |A|·|B|. */
export interface NormwiseBound extends Factors {
  readonly kind: 'normwise';
  /** Higham's factor, to first order in u, where a theorem covers the plan. */
  readonly closedForm?: number;
}

/**
 * Computes the a priori bound of a plan in an arithmetic of unit roundoff u. Where leaf products round their operands first, with
 * unit roundoff `operands`, γ_k is (1 + operands)²·(1 + γ_k) − 1 throughout.
 *
 * Classical products, recursive, padded or peeled: γ_k = ku/(1 − ku), any order, fused or not (Higham, *Accuracy
 * and Stability of Numerical Algorithms*, §3.5).
 *
 * Others use a recurrence over levels (after Bini and Lotti 1980, and Higham §23.2.2). Let a call's computed
 * product of stored blocks err by at most f·max|x|·max|y|. At the leaf, f = k₀·γ_k₀. One level up, the schedule
 * itself is walked, in its own order and with its shared sums. Every block carries s, a bound on the magnitude
 * of its exact value, and e, a bound on its error; blocks of A and B start at s = 1, e = 0, k is the inner
 * dimension of the block products:
 *
 *     ±a       s = s_a,            e = e_a
 *     c·a      s = |c|·s_a,        e = |c|·e_a + u·|c|·(s_a + e_a), without rounding for powers of two, with two (2u + 4u²)
 *                                  for fractions such as 1/3, which are rounded themselves; with four of L = 2 fused levels
 *     ±a ± b   s = s_a + s_b,      e = e_a + e_b + u·(s_a + e_a + s_b + e_b)
 *     x·y      s = k·s_x·s_y,      e = f·(s_x + e_x)(s_y + e_y) + k·(s_x·e_y + e_x·s_y + e_x·e_y)
 *
 * The next f is the largest e of a block of C. Nothing is dropped, so this is a bound, not an estimate. To first
 * order it is at most what the table alone gives, max_i Σ_r |w_ri|·‖u_r‖₁·‖v_r‖₁·[f + k·u·(‖u_r‖₀ + ‖v_r‖₀ +
 * t_i − 3)] with t_i terms in output i, for a schedule in which no block of A or B passes more sums than its
 * operand has terms less one, and no product more than its output. Strassen's and Winograd's are such schedules.
 *
 * Fused levels are one level whose schedule is its table, written out. Products that are added in any order each bring
 * (t − 1)·u·(s + e)/(1 − 2tu) for t to a block. For a plan of alpha·A·B + beta·C, it is the error of alpha·A·B alone.
 *
 * For leaf products that are summed in runs of r terms, γ_k is (1 + γ_r)(1 + γ_g) − 1, g the sums of runs less one.
 *
 * Peeling: a core block (|C| ≤ (k − k_c)·max|A|·max|B|) receives the product of the k_c remaining columns,
 * which brings its own k_c·γ_k_c and one more sum; fringes are plain products with k·γ_k. Padding adds zeros,
 * which add no error.
 */
export function aPriori(plan: Plan, u: number, operands = 0): APrioriBound {
  const { algorithm, shape, levels, fused, run } = plan;
  const rounding = { u, operands };
  const all = levelsOf(plan);
  if (levels === 0 || sumsInnerProducts(algorithm)) {
    const bound =
      scaledError({ size: 1, error: leafError(shape.k, rounding, levels === 0 ? run : undefined) }, plan, u)
        .error * ROUND_UP;
    const factor = bound * shape.k;
    const names = levels === 0 ? ['C'] : Object.keys(levelErrors(all[0], 0, rounding));
    const byQuadrant = Object.fromEntries(names.map((name) => [name, factor]));
    return { kind: 'componentwise', gamma: bound, factor, byQuadrant };
  }
  let factor = plan.leaf.k * leafError(plan.leaf.k, rounding, run);
  let byQuadrant: Record<string, number> = {};
  for (const level of [...all].reverse()) {
    byQuadrant = levelErrors(level, factor, rounding);
    factor = Math.max(...Object.values(byQuadrant));
  }
  const closedForm =
    operands > 0 || fused !== undefined || run !== undefined ? undefined : highamFactor(plan, u);
  return { kind: 'normwise', factor, byQuadrant, ...(closedForm !== undefined && { closedForm }) };
}

/**
 * True if a bound on the error is vacuous: it allows an error as large as a typical entry of C.
 * @param bound in the units of C.
 * @param rmsC the root mean square of C.
 */
export function isVacuous(bound: number, rmsC: number): boolean {
  return !(bound < rmsC);
}

/** Returns γ_k = ku/(1 − ku); infinite from ku = 1 on. */
function gamma(k: number, u: number): number {
  return k * u < 1 ? (k * u) / (1 - k * u) : Number.POSITIVE_INFINITY;
}

/** The unit roundoff of sums and products, and that of the rounded operands of leaf products. */
interface Rounding {
  readonly u: number;
  readonly operands: number;
}

/** Returns (1 + u_in)²·(1 + γ_k) − 1, about 2·u_in + γ_k; γ_k where operands are not rounded. */
function leafError(k: number, { u, operands }: Rounding, run = k): number {
  const both = operands * (2 + operands);
  return both + gammaInRuns(k, u, run) * (1 + both);
}

function gammaInRuns(k: number, u: number, run: number): number {
  if (run >= k) return gamma(k, u);
  const [ofRun, ofRuns] = [gamma(run, u), gamma(Math.ceil(k / run) - 1, u)];
  return ofRun + ofRuns + ofRun * ofRuns;
}

/** Factor that covers the roundings of the recurrence itself, fewer than 2^12 a level, in binary64. */
const ROUND_UP = 1 + 2 ** -40;

/** Bounds on a block's exact value and on its error, in units of max|A|·max|B|, or of max|A| or max|B| alone. */
interface Bounds {
  readonly size: number;
  readonly error: number;
}

/** A level of the recursion, or several that are fused into one. */
interface Level extends Pick<Plan, 'scaling'> {
  readonly base: Shape;
  readonly values: ScheduleValues;
  readonly shape: Shape;
  /** The shape of its block products. */
  readonly inner: Shape;
  /** True if products are added to C in the order of the values. */
  readonly ordered: boolean;
  /** The number of levels fused into it. */
  readonly fused: number;
}

/** Returns the levels from the outermost in. Fused ones sum as their table says. */
function levelsOf({ algorithm, fused, style, scaling, ...plan }: Plan): Level[] {
  const shapes = levelShapes(plan);
  const none = { alpha: 1, beta: 0 };
  const outer = shapes.slice(1).map((inner, at): Level => {
    const { base } = algorithm;
    return {
      base,
      values: scheduleValuesOf(algorithm),
      shape: shapes[at],
      inner,
      ordered: true,
      fused: 1,
      scaling: none,
    };
  });
  if (fused === undefined || fused.levels === 0) return outer;
  const { base } = fused.algorithm;
  const { ordered } = styles[style];
  const shape = shapes[shapes.length - 1];
  return [
    ...outer,
    {
      base,
      values: scheduleValuesOf(fused.algorithm),
      shape,
      inner: plan.leaf,
      ordered,
      fused: fused.levels,
      scaling,
    },
  ];
}

/** Derives the errors of one level from the factor of its block products: of each block of C, then of the fringes. */
function levelErrors(level: Level, factor: number, rounding: Rounding): Record<string, number> {
  const {
    base,
    inner,
    shape: { m, k, n },
  } = level;
  const blocks = walkValues(level, factor, rounding.u);
  // Blocks that are rounded up leave no remainder.
  const leftOver = Math.max(0, k - base.k * inner.k);
  const thin = { size: leftOver, error: leftOver * leafError(leftOver, rounding) };
  const named = blocks.map(({ error }, at) => {
    const core = { size: base.k * inner.k, error };
    const name = blockName('C', Math.floor(at / base.n), at % base.n);
    return [name, (leftOver > 0 ? sum(core, thin, rounding.u) : core).error * ROUND_UP] as const;
  });
  const errors: Record<string, number> = Object.fromEntries(named);
  const fringe = k * leafError(k, rounding) * ROUND_UP;
  if (n > base.n * inner.n) errors['right fringe'] = fringe;
  if (m > base.m * inner.m) errors['bottom fringe'] = fringe;
  return errors;
}

function walkValues(level: Level, factor: number, u: number): Bounds[] {
  const { ordered, values, fused } = level;
  const { k } = level.inner;
  const bounds: Bounds[] = [];
  const term = ({ factor, of }: ValueTerm) => timesFactor(factor, bounds[of], u, fused);
  const additions = new Map<string, number>();
  for (const { kind, written } of values.all) {
    if (kind === 'sum') additions.set(written, (additions.get(written) ?? 0) + 1);
  }
  for (const value of values.all) {
    if (value.kind === 'product') {
      const [x, y] = [bounds[value.x], bounds[value.y]];
      const own = factor * (x.size + x.error) * (y.size + y.error);
      const inherited = k * (x.size * y.error + x.error * y.size + x.error * y.error);
      bounds.push(scaledError({ size: k * x.size * y.size, error: own + inherited }, level, u));
    } else if (value.kind === 'sum' && !ordered && value.role === 'C') {
      const terms = value.terms.map(term);
      const before = terms.length === 1 ? { size: 0, error: 0 } : terms[0];
      bounds.push(inAnyOrder(before, terms[terms.length - 1], additions.get(value.written) ?? 1, u));
    } else if (value.kind === 'sum') {
      bounds.push(value.terms.map(term).reduce((before, added) => sum(before, added, u)));
    } else bounds.push({ size: 1, error: 0 });
  }
  return values.outputs.map((at) => bounds[at]);
}

function timesFactor(factor: number, { size, error }: Bounds, u: number, fused: number): Bounds {
  const c = Math.abs(factor);
  const roundings = roundingsBy(factor);
  const relative = roundings === 2 ? 2 * fused * u * (1 + 2 * fused * u) : roundings * u;
  const rounding = relative * c * (size + error);
  return { size: c * size, error: c * error + rounding };
}

/** Bounds one of t values that are added in any order: it is part of at most t − 1 partial sums that are rounded. */
function inAnyOrder(before: Bounds, { size, error }: Bounds, t: number, u: number): Bounds {
  const rounding = ((t - 1) * u * (size + error)) / (1 - Math.min(0.5, 2 * t * u));
  return { size: before.size + size, error: before.error + error + rounding };
}

function scaledError(
  { size, error }: Bounds,
  { scaling: { alpha } }: Pick<Plan, 'scaling'>,
  u: number,
): Bounds {
  if (alpha === 1) return { size, error };
  const by = Math.abs(alpha);
  return { size: by * size, error: by * (error + u * (size + error)) };
}

function sum(a: Bounds, b: Bounds, u: number): Bounds {
  const inherited = a.error + b.error;
  const size = a.size + b.size;
  return { size, error: inherited + u * (size + inherited) };
}

/**
 * Returns [g^L·(n₀² + c·n₀) − c·n]·u for n×n×n with n = bᴸ·n₀: g = 12, c = 5 for Strassen, g = 18, c = 6 for Winograd (Higham, §23.2.2),
 * b = 2.
 */
function highamFactor({ algorithm, shape, levels }: Plan, u: number): number | undefined {
  const { closedForm: linear, base } = algorithm;
  const { m, k, n } = shape;
  const n0 = n / base.n ** levels;
  if (linear === undefined || m !== n || k !== n || !Number.isInteger(n0)) return undefined;
  return (growthFactor(algorithm) ** levels * (n0 * n0 + linear * n0) - linear * n) * u;
}
