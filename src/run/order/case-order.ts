import type { Case } from '../../problem/case.ts';
import { callsOf, countCaseProducts, estimateWork } from '../spending.ts';
import { facetsOf, type LearnedOrder, withPairs } from './case-facets.ts';
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
  for (const value of before) faults.show(knownFacets(value, learned));
  const facets = cases.map((value) => knownFacets(value, learned));
  const seconds = cases.map((value) => secondsOf(value, speed, learned));
  // Gains only shrink: a case whose gain is as it was, and the best of all that were, is the next one.
  const values = cases.map((_, at) => faults.gainOf(facets[at]) / seconds[at]);
  const ranked: RankedCase[] = [];
  while (ranked.length < cases.length) {
    const at = placeOfLargest(values);
    const gain = faults.gainOf(facets[at]);
    if (gain / seconds[at] < values[at]) {
      values[at] = gain / seconds[at];
      continue;
    }
    ranked.push({ at, gain });
    values[at] = Number.NEGATIVE_INFINITY;
    faults.show(facets[at]);
  }
  return ranked;
}

/** Returns the share of faults that some cases are expected to show, of those that all cases are. */
export function shareOfKills(some: readonly Case[], others: readonly Case[]): number {
  const faults = new HiddenFaults(learnedOrder);
  const show = (cases: readonly Case[]) =>
    cases.reduce((sum, value) => sum + faults.show(knownFacets(value, learnedOrder)), 0);
  const shown = show(some);
  const all = shown + show(others);
  return all === 0 ? 1 : shown / all;
}

/** The shares of faults that no case has shown yet. */
class HiddenFaults {
  private readonly learned: LearnedOrder;
  private readonly left = new Map<string, number[]>();

  constructor(learned: LearnedOrder) {
    this.learned = learned;
  }

  /** Returns the share of faults that a case of these facets is expected to show. */
  gainOf(facets: readonly string[]): number {
    return facets.reduce(
      (sum, facet) =>
        sum + this.of(facet).reduce((own, share, rate) => own + share * this.learned.rates[rate], 0),
      0,
    );
  }

  /** Removes the faults that a case of these facets is expected to show. @returns their share */
  show(facets: readonly string[]): number {
    const gain = this.gainOf(facets);
    for (const facet of facets) {
      const shares = this.of(facet);
      for (const [rate, share] of shares.entries()) shares[rate] = share * (1 - this.learned.rates[rate]);
    }
    return gain;
  }

  private of(facet: string): number[] {
    const known = this.left.get(facet) ?? [...(this.learned.facets.get(facet) ?? [])];
    this.left.set(facet, known);
    return known;
  }
}

/** Returns the place of the largest value, the first of equal ones. */
function placeOfLargest(values: readonly number[]): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) if (values[at] > values[best]) best = at;
  return best;
}

/** Returns the facets and pairs of facets of a case that faults belong to. */
function knownFacets(value: Case, { facets }: LearnedOrder): string[] {
  return withPairs(facetsOf(value)).filter((facet) => facets.has(facet));
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
