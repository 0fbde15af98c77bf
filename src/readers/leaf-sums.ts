import { computeOnce } from '../base/memo.ts';
import { type Compensation, mayRoundProducts, type RunningSum } from '../precision/arithmetic.ts';
import { partErrorsOf, UNITS } from '../precision/device-errors.ts';
import type { Format } from '../precision/format.ts';
import type { Computation } from '../precision/precision.ts';
import { dependsOnData, type SumModel } from '../precision/sums.ts';
import {
  additionOf,
  type LeafErrors,
  type PartialSumErrors,
  partialSumErrorsOf,
  type SummationStage,
  stagesOf,
} from './summation-stages.ts';

/** The error of products that are added unrounded. */
const EXACT = { loss: 0, deviation: 0, drift: 0 };

/** The errors of an empty sum. */
export const NOTHING: LeafErrors = {
  ...{ loss: 0, terms: 0, mean: 0, result: 0, largest: 0, signs: 0, share: 0, operations: 0, absolute: 0 },
};

/** Earlier results by the computation and by k: a batch repeats them, and so do entries of a product. */
const known = new WeakMap<Computation, Map<string, LeafErrors>>();

/**
 * Returns the errors of sums of k products: the worst of all possible orders, where a kernel does not claim one.
 * @param run number of terms that a plan sums separately ({@link MultiplyStep.run}).
 */
export function leafErrors(computation: Computation, k: number, run?: number): LeafErrors {
  const all = computeOnce(known, computation, () => new Map<string, LeafErrors>());
  return computeOnce(all, `${k} ${run}`, () =>
    worstErrors(run === undefined ? computation : inRuns(computation, run), k),
  );
}

const inRuns = ({ sums, ...computation }: Computation, run: number): Computation => ({
  ...computation,
  sums: {
    order: 'blocked',
    partition: run,
    running: sums?.running ?? [{ rounding: computation.arithmetic.rounding }],
  },
});

function worstErrors(computation: Computation, k: number): LeafErrors {
  if (k === 0) return NOTHING;
  const { precision, arithmetic } = computation;
  const { rounding } = arithmetic;
  const { products, size, loss, deviation, drift } = partErrorsOf(computation);
  const claimed = inProducts(computation.sums ?? { running: [{ rounding }] }, products);
  const all = claimed.running.map((running) =>
    running.compensated === undefined
      ? errorsOf(k * products, claimed, running, precision.accumulated)
      : compensatedInGroups(k * products, claimed, running, precision.accumulated),
  );
  const most = (key: keyof LeafErrors) => Math.max(...all.map((one) => one[key]));
  return {
    loss: most('loss') * size + loss,
    terms: most('terms') + deviation ** 2 + drift ** 2,
    mean: most('mean') + drift ** 2,
    result: most('result'),
    largest: most('largest'),
    // Products of parts may lose that many times more toward zero, all in one direction.
    signs: most('signs') * products ** 2,
    share: most('share'),
    operations: most('operations') * products,
    absolute: most('absolute'),
  };
}

/** Converts sums of k terms to those of several products of parts for each term: k is what is split. */
const inProducts = (sums: SumModel, products: number): SumModel =>
  products === 1
    ? sums
    : {
        ...sums,
        partition: sums.partition && sums.partition * products,
        cut: typeof sums.cut === 'object' ? { tile: sums.cut.tile * products } : sums.cut,
      };

/**
 * Returns the errors of a sum.
 *
 * The bound. An addition that loses ε of the sizes of its terms makes a term that goes through h of them err by a factor (1 + ε)^h at most,
 * and (1 + ε)^h − 1 ≤ γ_h = hε/(1 − hε) (Higham, *Accuracy and Stability of Numerical Algorithms*, Lemma 3.1 and §4.2): a run of c terms
 * has h = c with the rounding of its products, the sum of g groups h = g − 1, or ⌈log₂ g⌉ by halves. So the stages' factors 1 + γ are
 * multiplied, with that of a last rounding where sums are wider than their format, and that of products which are rounded to it before they
 * reach such sums. In no order does a term go through more than k: any order is a run of k.
 *
 * The variance. Let the sum of a node of the tree be s, of n of the k terms. Where terms are independent of their places
 * and c is known, s has the mean (n/k)·c and the variance (n/k)(1 − n/k)·(Q − c²/k) (a bridge: sampling without
 * replacement), so that its mean square is at most (n/k)·Q + (n/k)²·(c² − Q) up to terms of order Q/k. With errors of
 * deviation δ·|s|, mean zero and independent (Higham and Mary 2019), that sums up to δ²·(Σn/k·Q + Σ(n/k)²·(c² − Q)); Σn/k
 * is the mean depth of a term. Where c² < Q the second term is left out. A run of c terms has a depth of c/2, and
 * Σ(n/k)² = c/3 + 1/2 for c = k; one product's rounding more a term makes the k/2 + 1 of a run of k. Of all trees a run has
 * the largest depth, and so has what is expected where no order is claimed.
 *
 * For P unequal parts, the largest with a share f of the terms, the sum of j has at most min(1, j·f) of them. So, with J = min(P, ⌊1/f⌋),
 * Σn/k is at most f·(J(J + 1)/2 − 1) + P − J, and Σ(n/k)² at most f²·(J(J + 1)(2J + 1)/6 − 1) + P − J; a depth is at most P − 1.
 *
 * A sum that drifts by d·s at each node errs by the sum over its terms of d times their depth: of mean square
 * (Σ d·√(mean depth²))²·Q, and (Σ d·depth)²·(c² − Q) more for the mean.
 *
 * The loss of each term toward zero, of the size of the sum so far, adds up where more terms are of one sign: to `cut`·D times
 * a running sum, whose mean square is at most (n/k)·Q + (n/k)²·(c² − Q) for its n terms.
 *
 * Where the sums of parts are rounded to a narrower format, each term errs once more by that rounding; its variance is that of the parts'
 * mean squares, as for promoted sums.
 *
 * Where the order depends on the data, no partial sum is larger than (Σ|x||y| + |c|)/2: that of all terms of one sign. Where terms of
 * either sign have a sum each, of n₊ and n₋ terms and of sizes P and N, these are two runs, whose errors add up as n₊P² + n₋N² ≤
 * k·max(P, N)², and the rounding of their difference. Drifts and cuts have opposite directions in both.
 */
function errorsOf(k: number, sums: SumModel, running: RunningSum, format: Format): LeafErrors {
  const stages = stagesOf(k, sums, running, format);
  const readings = stages.map((stage, at) => ({ stage, ...readingOf(stage, k, at === 0) }));
  const sum = (of: (reading: (typeof readings)[number]) => number) =>
    readings.reduce((total, one) => total + of(one), 0);
  const last = lastRounding(running, format);
  const isRounded = mayRoundProducts(running, format);
  const entry = isRounded ? additionOf({ rounding: running.rounding }, format) : EXACT;
  // With promoted sums, each group's is rounded to the format.
  const [ofGroups, ofSum] = running.promoted === undefined ? [0, last ** 2] : [last ** 2, 0];
  const part = partialSumErrorsOf(k, sums, running, format);
  const ofParts = part.deviation ** 2;
  const share = Math.min(1, (stages[0].leaves * stages[0].terms) / k);
  const [first] = stages;
  const [isApart, depends] = [sums.order === 'signs-apart', dependsOnData(sums.order)];
  const variance = sum(({ stage, depth }) => stage.deviation ** 2 * depth);
  const squares = sum(({ stage, squares }) => stage.deviation ** 2 * squares);
  const drift = (entry.drift + sum(({ stage, depth, own }) => stage.drift * (depth + own))) ** 2;
  const drifts = (entry.drift + sum(({ stage, depths, own }) => stage.drift * (depths + own))) ** 2;
  const loss = readings.reduce(
    (loss, { height, stage }) => both(loss, gamma(height, stage.loss)),
    both(part.loss, both(last, entry.loss)),
  );
  return {
    loss,
    terms:
      first.deviation ** 2 +
      entry.deviation ** 2 +
      ofGroups +
      ofParts +
      (isApart ? Math.max(0, variance - squares) : depends ? 0 : variance + drifts),
    mean: share * ofGroups + part.share * ofParts + (depends ? 0 : squares + drift),
    result: ofSum + (isApart ? first.deviation ** 2 : 0),
    largest: isApart
      ? squares + first.deviation ** 2 + drift + ((k * first.cut) / 2) ** 2
      : depends
        ? k * first.deviation ** 2 + (k * first.drift + entry.drift) ** 2
        : 0,
    signs: isApart ? 0 : first.cut ** 2,
    share,
    operations: stages.length + Number(sums.partial !== undefined),
    absolute: part.absolute * (1 + Math.min(1, loss)),
  };
}

/**
 * Returns the errors of groups with compensated sums, such as lanes of a vector, and of their plain sum. If a group's computed sum errs by
 * ε·Σ|x||y| over its terms, and h additions follow, all terms err by at most (1 + ε)(1 + γ_h) − 1 (Higham, ASNA, §4.2 and §4.3). The last
 * rounding of a group is of the group's sum, of mean square (n/k)·Q + (n/k)²·(c² − Q), as in {@link errorsOf}. A kernel that compensates
 * the sum of groups as well errs less: for P groups by no more than P − 1 plain additions.
 */
function compensatedInGroups(k: number, sums: SumModel, running: RunningSum, format: Format): LeafErrors {
  const [{ leaves: terms }, outer] = stagesOf(k, sums, running, format);
  const group = keptInParts(
    compensatedErrors(terms, running, format),
    partialSumErrorsOf(k, sums, running, format),
  );
  if (outer === undefined) return group;
  const { height, depth, squares } = readingOf(outer, k, false);
  const share = terms / k;
  return {
    ...group,
    loss: both(group.loss, gamma(height, outer.loss)),
    terms: group.terms + group.result + outer.deviation ** 2 * depth,
    mean: group.mean + share * group.result + outer.deviation ** 2 * squares,
    result: lastRounding(running, format) ** 2,
    share,
    operations: group.operations + 1,
  };
}

/** Adds the errors of rounding the sums of parts to a narrower format. */
const keptInParts = (
  group: LeafErrors,
  { loss, deviation, share, absolute }: PartialSumErrors,
): LeafErrors => ({
  ...group,
  loss: both(group.loss, loss),
  terms: group.terms + deviation ** 2,
  mean: group.mean + share * deviation ** 2,
  operations: group.operations + Number(absolute > 0),
  absolute: 2 * absolute,
});

/** Returns the properties of the tree of a stage. */
function readingOf({ leaves, terms, isHalved, largest }: SummationStage, k: number, isFirst: boolean) {
  const own = isFirst ? 1 : 0;
  const groups = Math.max(1, k / (leaves * terms));
  const share = (terms * leaves) / k;
  if (isHalved) {
    const height = Math.ceil(Math.log2(leaves));
    return { own, height, depth: height, depths: height, squares: 2 * groups * share ** 2 };
  }
  if (largest !== undefined) return { own, height: leaves - 1 + own, ...unlike(leaves, largest) };
  return {
    own,
    height: leaves - 1 + own,
    depth: leaves / 2,
    depths: Math.sqrt(((leaves + 1) * (2 * leaves + 1)) / 6),
    squares: groups * share ** 2 * (leaves / 3 + 1 / 2),
  };
}

/** Returns the rounding of sums that are wider than their format. */
const lastRounding = (
  { bits = 0, terms, rounding }: RunningSum,
  { precision, unitRoundoff }: Format,
): number => (bits > precision && terms === undefined ? UNITS[rounding] * unitRoundoff : 0);

/** Returns the properties of the sum of unequal parts, one after the other. */
function unlike(parts: number, largest: number) {
  const whole = Math.min(parts, Math.floor(1 / largest));
  const depth = largest * ((whole * (whole + 1)) / 2 - 1) + parts - whole;
  const squares = largest ** 2 * ((whole * (whole + 1) * (2 * whole + 1)) / 6 - 1) + parts - whole;
  return { depth, depths: Math.sqrt((parts - 1) * depth), squares };
}

/** Combines two relative errors, one after the other. */
const both = (one: number, other: number): number =>
  Math.max(one, other) === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : one + other + one * other;

/** Returns γ_h for additions that lose ε of their terms. */
function gamma(height: number, loss: number): number {
  const most = height * loss;
  return most < 1 ? most / (1 - most) : Number.POSITIVE_INFINITY;
}

/** Largest losses of compensated sums of k rounded products, relative to Σ|x||y|, by the unit roundoff. */
const losses: Readonly<Record<Compensation, (k: number, u: number) => number>> = {
  /**
   * Kahan's sum: y = x − c, s' = s + y, c' = (s' − s) − y, each rounded. With σ the error of s' and S = Σ|x|, s' − c' differs from
   * s − c + x by at most u|x − c| + (u + u²)(|y| + |σ|) + u|σ|, |σ| ≤ u|s'|, |y| ≤ (1 + u)(|x| + |c|). Summed up, with
   * Σ|c| ≤ 1.02u(Σ|s| + S) for u ≤ 2^-8, that is at most 2.04uS + 4.1u²Σ|s|; and s itself is at most 2.2·S while 4.1ku² is
   * below 1/2. The last c is not subtracted: 1.02u(|s| + |y|) ≤ 2.1uS more. So s errs by (4.2u + 10ku²)·S. Products that are
   * rounded first make it less than this. (Knuth and Kahan have 2u + O(ku²), by terms: Higham, ASNA, (4.8).)
   */
  kahan: (k, u) => (k * u * u <= 1 / 9 ? 5.5 * u + 11 * k * u * u : Number.POSITIVE_INFINITY),
  /**
   * Neumaier's sum: u|s| + γ² of the sum (Ogita, Rump, Oishi, *Accurate sum and dot product*, 2005, Corollary 4.5), and rounded products.
   */
  neumaier: (k, u) =>
    k * u < 1 / 2 ? 2.1 * u + 1.1 * ((k * u) / (1 - k * u)) ** 2 : Number.POSITIVE_INFINITY,
};

/** Number of second-order roundings, in units of k, in the direction of the sum. */
const SECOND: Readonly<Record<Compensation, number>> = { kahan: 4, neumaier: 1 };

/** Returns the errors of a compensated sum: of products, of the terms as they are added, and of the result. */
export function compensatedErrors(k: number, running: RunningSum, format: Format): LeafErrors {
  const { compensated = 'kahan', bits } = running;
  const u = bits === undefined ? format.unitRoundoff : 2 ** -bits;
  const last = bits !== undefined && bits > format.precision ? format.unitRoundoff : 0;
  const second = (SECOND[compensated] * k * u * u) ** 2;
  const entry = mayRoundProducts(running, format) ? format.unitRoundoff : 0;
  const loss = losses[compensated](k, u);
  return {
    loss: loss === Number.POSITIVE_INFINITY ? loss : loss + (1 + loss) * (last + entry + last * entry),
    terms: 3 * u * u + second + entry * entry,
    mean: second,
    result: u * u + last * last,
    largest: 0,
    signs: 0,
    share: 1,
    operations: 4,
    absolute: 0,
  };
}
