import { ANY, facetsOf, type LearnedOrder } from '../../src/run/order/case-facets.ts';
import type { PlannedCase } from '../../src/run/planned-case.ts';
import { callsOf, estimateWork } from '../../src/run/spending.ts';
import type { MatrixGroup, MatrixKernel } from './matrix.ts';

/** A group of the matrix with its cases. */
export interface PlannedGroup {
  readonly group: MatrixGroup;
  readonly cases: readonly PlannedCase[];
}

/** Probabilities of {@link LearnedOrder.rates}. */
const RATES = [0.9, 0.5, 0.2, 0.08, 0.03, 0.01];
/** The least cases of a facet, and the least kills in it, that tell something. */
const FEW = { cases: 4, kills: 1 };
/** Logarithm of the likelihood that a pair of facets must gain, since there are many. */
const PAIR = 3;
/**
 * Faults unlike those of the corpora, in units of the known ones: each facet shows some with this rate. Chosen on the learned half, split
 * into two again: from 0.1 to 1 the mean time until a kernel fails falls by 5 to 16 %, and stays there up to 3.
 */
const UNKNOWN = { share: 1, rate: 2 };
/** A kernel that is wrong at one size in 1,009: a sweep of 200 products shows a fifth of such faults. */
const ONE_SIZE = { facet: 'sweep', rate: 2 };

/** Learns the order of cases from the kills of kernels. */
export function learnOrder(groups: readonly PlannedGroup[]): LearnedOrder {
  const facets = new Map<string, number[]>();
  const weights = weigh(groups.flatMap(({ group }) => group.kernels));
  const seen = new Set<string>();
  for (const { group, cases } of groups) {
    const index = indexFacets(cases);
    for (const facet of index.keys()) if (!facet.includes('&')) seen.add(facet);
    for (const kernel of group.kernels) {
      if (kernel.kills.size === 0) continue;
      for (const { facet, rate, share } of explain(kernel, index, cases.length)) {
        const shares = facets.get(facet) ?? RATES.map(() => 0);
        facets.set(facet, shares);
        shares[nearestRate(rate)] += share * (weights.get(kernel) as number);
      }
    }
  }
  const ofSweeps = facets.get(ONE_SIZE.facet) ?? RATES.map(() => 0);
  facets.set(ONE_SIZE.facet, ofSweeps);
  ofSweeps[ONE_SIZE.rate]++;
  const total = [...facets.values()].flat().reduce((sum, share) => sum + share, 0);
  for (const facet of seen) {
    const shares = facets.get(facet) ?? RATES.map(() => 0);
    facets.set(facet, shares);
    shares[UNKNOWN.rate] += (UNKNOWN.share * total) / seen.size;
  }
  const all = [...facets].sort(([x], [y]) => (x < y ? -1 : 1));
  const scaled = (shares: readonly number[]) =>
    shares.map((share) => Number((share / (total * (1 + UNKNOWN.share))).toPrecision(3)));
  return {
    judge: fitJudge(groups),
    rates: RATES,
    facets: new Map(all.map(([facet, shares]) => [facet, scaled(shares)])),
  };
}

/** Weighs kernels: all classes of faults count more alike than their numbers, as the square root of these. */
export function weigh(
  kernels: readonly Pick<MatrixKernel, 'corpus' | 'fault'>[],
): Map<Pick<MatrixKernel, 'corpus' | 'fault'>, number> {
  const counts = new Map<string, number>();
  for (const { fault } of kernels) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  return new Map(kernels.map((kernel) => [kernel, 1 / Math.sqrt(counts.get(kernel.fault) as number)]));
}

const nearestRate = (rate: number): number => {
  const away = RATES.map((one) => Math.abs(Math.log(one / rate)));
  return away.indexOf(Math.min(...away));
};

/** Returns the facet of all cases, facets, and their pairs. */
export const withPairs = (facets: readonly string[]): string[] => [
  ANY,
  ...facets,
  ...facets.flatMap((one, at) => facets.slice(at + 1).map((other) => `${one}&${other}`)),
];

/** The cases of each facet and pair of facets. */
type FacetIndex = ReadonlyMap<string, readonly number[]>;

function indexFacets(cases: readonly PlannedCase[]): FacetIndex {
  const index = new Map<string, number[]>();
  for (const [at, value] of cases.entries()) {
    for (const facet of withPairs(facetsOf(value))) {
      const known = index.get(facet) ?? [];
      index.set(facet, known);
      known.push(at);
    }
  }
  return new Map([...index].filter(([facet, all]) => facet === ANY || all.length >= FEW.cases));
}

interface Explanation {
  readonly facet: string;
  readonly rate: number;
  readonly share: number;
}

/** The most facets that explain the kills of a kernel. */
const MOST = 2;

/**
 * Explains the kills of a kernel by facets: the first is that which best separates cases that kill from those that do not, by likelihood,
 * and the next explains what is left. Each has the share of the kills that it explains.
 */
function explain({ kills }: MatrixKernel, index: FacetIndex, cases: number): Explanation[] {
  const found: Explanation[] = [];
  let left: ReadonlySet<number> = kills;
  let of = cases;
  const explained = new Set<number>();
  for (let turn = 0; turn < MOST && left.size > 0; turn++) {
    let best = { facet: ANY, score: Number.NEGATIVE_INFINITY, inside: 0, count: 1 };
    for (const [facet, all] of index) {
      let [inside, count] = [0, 0];
      for (const at of all) {
        if (explained.has(at)) continue;
        count++;
        if (left.has(at)) inside++;
      }
      if (count === 0 || inside < FEW.kills) continue;
      const score = likelihoodOf(inside, count) + likelihoodOf(left.size - inside, of - count);
      const own = facet === ANY ? score + 1 : facet.includes('&') ? score - PAIR : score;
      if (inside / count >= (left.size - inside) / Math.max(1, of - count) && own > best.score)
        best = { facet, score: own, inside, count };
    }
    if (best.inside === 0) break;
    found.push({ facet: best.facet, rate: best.inside / best.count, share: best.inside / kills.size });
    for (const at of index.get(best.facet) as readonly number[]) explained.add(at);
    left = new Set([...left].filter((at) => !explained.has(at)));
    of = cases - explained.size;
  }
  return found;
}

/** Logarithm of the likelihood of kills at their own rate. */
function likelihoodOf(kills: number, cases: number): number {
  if (kills <= 0 || kills >= cases) return 0;
  const rate = kills / cases;
  return kills * Math.log(rate) + (cases - kills) * Math.log(1 - rate);
}

/** Fits the seconds of the judge: medians of small cases, of repeated ones and of large ones. */
function fitJudge(groups: readonly PlannedGroup[]): LearnedOrder['judge'] {
  const all = groups.flatMap(({ group, cases }) =>
    cases.map((value, at) => ({
      seconds: group.costs.judge[at],
      calls: callsOf(value),
      sweep: value.problem.sweep,
      work: estimateWork(value),
    })),
  );
  const asked = all.filter(({ seconds }) => seconds > 0);
  const alone = asked.filter(({ sweep }) => sweep === 0);
  const rate = median(alone.filter(({ work }) => work > 2 ** 20).map(({ seconds, work }) => seconds / work));
  const base = median(
    asked.filter(({ work, calls }) => work < 2 ** 12 && calls === 1).map(({ seconds }) => seconds),
  );
  const each = median(
    asked
      .filter(({ work, calls }) => work < 2 ** 16 && calls > 1)
      .map(({ seconds, calls, work }) => Math.max(0, seconds - base - rate * work) / calls),
  );
  const swept = median(
    asked.filter(({ sweep }) => sweep > 0).map(({ seconds, sweep }) => Math.max(0, seconds - base) / sweep),
  );
  const rounded = (x: number) => Number(x.toPrecision(2));
  return { case: rounded(base), call: rounded(each), swept: rounded(swept), work: rounded(rate) };
}

const median = (all: readonly number[]): number => [...all].sort((x, y) => x - y)[all.length >> 1] ?? 0;
