import type { Case } from '../problem/case.ts';
import { callsOf, countCaseProducts, estimateWork } from '../run/spending.ts';
import { facetsOf, type LearnedOrder, withPairs } from './case-facets.ts';
import { learnedOrder } from './learned-order.ts';

/** The seconds of a kernel: of a call, and of a multiplication. */
export interface KernelSpeed {
  readonly call: number;
  readonly product: number;
}

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
 */
export function orderByKills<T extends Case>(
  cases: readonly T[],
  speed: KernelSpeed,
  learned: LearnedOrder = learnedOrder,
): T[] {
  return rankByKills(cases, speed, learned).map(({ at }) => cases[at]);
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
): RankedCase[] {
  const left = new Map<string, number[]>();
  const facets = cases.map((value) => knownFacets(value, learned));
  const remaining = (facet: string) => {
    const known = left.get(facet) ?? [...(learned.facets.get(facet) ?? [])];
    left.set(facet, known);
    return known;
  };
  const gainOf = (at: number) =>
    facets[at].reduce((sum, facet) => {
      const shares = remaining(facet);
      return sum + shares.reduce((own, share, rate) => own + share * learned.rates[rate], 0);
    }, 0);
  const seconds = cases.map((value) => secondsOf(value, speed, learned));
  // Gains only shrink: a case whose gain is as it was, and the best of all that were, is the next one.
  const values = cases.map((_, at) => gainOf(at) / seconds[at]);
  const ranked: RankedCase[] = [];
  while (ranked.length < cases.length) {
    const at = placeOfLargest(values);
    const gain = gainOf(at);
    if (gain / seconds[at] < values[at]) {
      values[at] = gain / seconds[at];
      continue;
    }
    ranked.push({ at, gain });
    values[at] = Number.NEGATIVE_INFINITY;
    for (const facet of facets[at]) {
      const shares = remaining(facet);
      for (const [rate, share] of shares.entries()) shares[rate] = share * (1 - learned.rates[rate]);
    }
  }
  return ranked;
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
export function secondsOf(value: Case, { call, product }: KernelSpeed, { judge }: LearnedOrder): number {
  const calls = callsOf(value);
  return (
    judge.case +
    (judge.call + call) * calls +
    judge.work * estimateWork(value) +
    product * countCaseProducts(value)
  );
}
