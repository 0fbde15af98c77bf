import { computeOnce } from '../../base/memo.ts';
import type { Case } from '../../problem/case.ts';
import { callsOf, countCaseProducts, estimateWork } from '../spending.ts';
import { ANY, facetsOf, type LearnedOrder } from './case-facets.ts';
import { learnedOrder } from './learned-order.ts';

/** The seconds of a kernel: of a call, and of a multiplication. */
export interface KernelSpeed {
  readonly call: number;
  readonly product: number;
  /** Seconds of a product of a sweep, which shares its message with others. @defaultValue those of a call */
  readonly swept?: number | undefined;
}

/** Assumed speed of a kernel before it runs: that of a compiled loop on one core. */
export const usualSpeed: KernelSpeed = { call: 5e-5, product: 1.5e-9 };

/**
 * Orders cases by the faults that they are expected to show for their time: next comes the case that shows the largest share of the faults
 * that the cases before it have not shown, for the seconds that this kernel takes for it.
 *
 * A fault belongs to one facet of cases, such as sums of 257 to 512 terms with transposed A, and each case of the facet shows it with one
 * of a few probabilities. Shares and probabilities are learned from the kills of wrong kernels (`npm run lab -- order`). So the order
 * follows from the cases at hand, whatever their seed and the features that the kernel accepts, and no list of cases is stored. A case of
 * facets that no earlier case has gains, and the tenth case of one facet hardly does.
 *
 * @param speed the kernel's own, measured on its first products: a kernel whose calls are slow gets fewer repetitions early, and one whose
 * multiplications are slow gets large products late.
 * @param before cases that run before these.
 */
export function orderByKills<T extends Case>(
  cases: readonly T[],
  speed: KernelSpeed,
  learned: LearnedOrder = learnedOrder,
  before: readonly Case[] = [],
): T[] {
  return rankByKills(cases, speed, learned, before).map(({ at }) => cases[at]);
}

/** A case in the order, and the share of faults that it is expected to show and no earlier case did. */
export interface RankedCase {
  readonly at: number;
  readonly gain: number;
}

/** Returns the places of cases in the order of {@link orderByKills}, with their gains. */
export function rankByKills(
  cases: readonly Case[],
  speed: KernelSpeed,
  learned: LearnedOrder = learnedOrder,
  before: readonly Case[] = [],
): RankedCase[] {
  const faults = new HiddenFaults(learned);
  for (const value of before) faults.show(faults.of(value));
  const own = cases.map((value) => faults.of(value));
  const seconds = cases.map((value) => secondsOf(value, speed, learned));
  // Gains only shrink: a case whose gain is as it was, and the best of all that were, is the next one.
  const values = cases.map((_, at) => faults.gainOf(own[at]) / seconds[at]);
  const ranked: RankedCase[] = [];
  while (ranked.length < cases.length) {
    const at = placeOfLargest(values);
    const gain = faults.gainOf(own[at]);
    if (gain / seconds[at] < values[at]) {
      values[at] = gain / seconds[at];
      continue;
    }
    ranked.push({ at, gain });
    values[at] = Number.NEGATIVE_INFINITY;
    faults.show(own[at]);
  }
  return ranked;
}

/** Returns the share of faults that some cases are expected to show, of those that all cases are. */
export function shareOfKills(some: readonly Case[], others: readonly Case[]): number {
  const faults = new HiddenFaults(learnedOrder);
  const show = (cases: readonly Case[]) =>
    cases.reduce((sum, value) => sum + faults.show(faults.of(value)), 0);
  const shown = show(some);
  const all = shown + show(others);
  return all === 0 ? 1 : shown / all;
}

/** The faults of a facet that no case has shown yet: their shares, by the probability with which a case shows them. */
type FacetFaults = number[];

/** The faults that no case has shown yet. */
class HiddenFaults {
  private readonly rates: readonly number[];
  private readonly single = new Map<string, FacetFaults>();
  /** Those of pairs of facets, by the first and the second. */
  private readonly paired = new Map<string, Map<string, FacetFaults>>();

  constructor({ rates, facets }: LearnedOrder) {
    this.rates = rates;
    for (const [facet, shares] of facets) {
      const [first, second] = facet.split('&');
      if (second === undefined) this.single.set(first, [...shares]);
      else computeOnce(this.paired, first, () => new Map()).set(second, [...shares]);
    }
  }

  /** Returns the hidden faults that a case may show: of its facets, then of their pairs. */
  of(value: Case): FacetFaults[] {
    const facets = facetsOf(value);
    const found: FacetFaults[] = [];
    for (const facet of [ANY, ...facets]) {
      const own = this.single.get(facet);
      if (own !== undefined) found.push(own);
    }
    for (const [at, facet] of facets.entries()) {
      const seconds = this.paired.get(facet);
      if (seconds === undefined) continue;
      for (const other of facets.slice(at + 1)) {
        const own = seconds.get(other);
        if (own !== undefined) found.push(own);
      }
    }
    return found;
  }

  /** Returns the share of faults that a case is expected to show. */
  gainOf(faults: readonly FacetFaults[]): number {
    let gain = 0;
    for (const shares of faults) {
      let own = 0;
      for (let rate = 0; rate < shares.length; rate++) own += shares[rate] * this.rates[rate];
      gain += own;
    }
    return gain;
  }

  /** Removes the faults that a case is expected to show. @returns their share */
  show(faults: readonly FacetFaults[]): number {
    const gain = this.gainOf(faults);
    for (const shares of faults)
      for (let rate = 0; rate < shares.length; rate++) shares[rate] *= 1 - this.rates[rate];
    return gain;
  }
}

/** Returns the place of the largest value, the first of equal ones. */
export function placeOfLargest(values: readonly number[]): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) if (values[at] > values[best]) best = at;
  return best;
}

/** Returns the seconds of a case, for the kernel and the judge. */
function secondsOf(
  value: Case,
  { call, product, swept = call }: KernelSpeed,
  { judge }: LearnedOrder,
): number {
  const { sweep } = value.problem;
  const calls = callsOf(value);
  return (
    judge.case +
    (judge.call + call) * (calls - sweep) +
    (judge.swept + swept) * sweep +
    judge.work * estimateWork(value) +
    product * countCaseProducts(value)
  );
}
