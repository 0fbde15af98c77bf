import type { CaseResult } from '../../src/evidence/case-result.ts';
import { errorsInSigmas } from '../../src/evidence/checks/sigma.ts';
import type { CaseOutcome } from '../../src/run/scheduler.ts';
import { twoSidedTail, twoSidedTailOfLargest } from '../../src/study/bench/statistics.ts';
import { type Alarm, alarmOf, NO_ALARM } from './alarm.ts';
import { medianOfLargest } from './median-of-largest.ts';

/** Errors of some cases relative to the expected ones. */
export interface SigmaTally {
  /** The precision, or the kind of kernel. */
  readonly of: string;
  /** The numbers of cases, and of their entries, that the sigma check judged. */
  readonly cases: number;
  readonly entries: number;
  /** The worst error in sigmas, and the median of the worst of as many independent normal errors. */
  readonly worst: number;
  readonly modeled: number;
  /** The root mean square of all errors, in sigmas. */
  readonly typical: number;
}

/** A bin of errors in sigmas, found and modeled as independent normal errors. */
export interface SigmaBin {
  /** The lower end of the bin; the last bin is open. */
  readonly from: number;
  readonly entries: number;
  readonly modeled: number;
  /** The numbers of cases whose worst error is in the bin, found and modeled. */
  readonly worst: number;
  readonly worstModeled: number;
}

/** Lower ends of bins, in sigmas. */
const BINS = Array.from({ length: 13 }, (_, at) => at / 2);

/** Accumulates the sigmas of cases, one after the other. */
export class HonestTally {
  private readonly sums = { precision: new Map<string, Sums>(), kind: new Map<string, Sums>() };
  private readonly found = { entries: BINS.map(() => 0), worst: BINS.map(() => 0) };
  private readonly model = { entries: 0, worst: BINS.map(() => 0) };
  private readonly threshold: number;
  private chance: Alarm = NO_ALARM;

  constructor(threshold: number) {
    this.threshold = threshold;
  }

  add({ result, evidence }: Pick<CaseOutcome, 'result' | 'evidence'>): void {
    const check = result.checks.find(({ name }) => name === 'sigma');
    if (check?.found === undefined || evidence?.analysis === undefined) return;
    const ratios = errorsInSigmas({ ...evidence, analysis: evidence.analysis });
    if (ratios.length === 0) return;
    const worst = ratios.reduce((most, ratio) => Math.max(most, ratio), 0);
    const squares = ratios.reduce((sum, ratio) => sum + ratio * ratio, 0);
    addTo(this.sums.precision, result.precision, { entries: ratios.length, worst, squares });
    for (const kind of kindsOf(result))
      addTo(this.sums.kind, kind, { entries: ratios.length, worst, squares });
    for (const ratio of ratios) this.found.entries[binOf(ratio)]++;
    this.found.worst[binOf(worst)]++;
    this.model.entries += ratios.length;
    for (const [at, from] of BINS.entries()) {
      const [more, most] = [from, BINS[at + 1] ?? Number.POSITIVE_INFINITY];
      this.model.worst[at] +=
        twoSidedTailOfLargest(more, ratios.length) - twoSidedTailOfLargest(most, ratios.length);
    }
    const alarm = alarmOf(this.threshold, ratios.length);
    this.chance = {
      bounded: this.chance.bounded + alarm.bounded,
      uniform: this.chance.uniform + alarm.uniform,
      varying: this.chance.varying + alarm.varying,
    };
  }

  /** An upper bound on the probability that any of these cases fails, under each assumption. */
  get alarm(): Alarm {
    return this.chance;
  }

  get byPrecision(): SigmaTally[] {
    return tallies(this.sums.precision);
  }

  get byKind(): SigmaTally[] {
    return tallies(this.sums.kind);
  }

  get histogram(): SigmaBin[] {
    return BINS.map((from, at) => ({
      from,
      entries: this.found.entries[at],
      modeled:
        this.model.entries * (twoSidedTail(from) - twoSidedTail(BINS[at + 1] ?? Number.POSITIVE_INFINITY)),
      worst: this.found.worst[at],
      worstModeled: this.model.worst[at],
    }));
  }
}

interface Sums {
  cases: number;
  entries: number;
  worst: number;
  squares: number;
}

function addTo(sums: Map<string, Sums>, key: string, { entries, worst, squares }: Omit<Sums, 'cases'>): void {
  const own = sums.get(key) ?? { cases: 0, entries: 0, worst: 0, squares: 0 };
  sums.set(key, {
    cases: own.cases + 1,
    entries: own.entries + entries,
    worst: Math.max(own.worst, worst),
    squares: own.squares + squares,
  });
}

const tallies = (sums: ReadonlyMap<string, Sums>): SigmaTally[] =>
  [...sums].sort().map(([of, { cases, entries, worst, squares }]) => ({
    ...{ of, cases, entries, worst },
    modeled: medianOfLargest(entries),
    typical: Math.sqrt(squares / entries),
  }));

const binOf = (ratio: number) => Math.min(BINS.length - 1, Math.floor(ratio * 2));

/** The kinds of a kernel: for ours its algorithm, for sums their name, for fast algorithms their levels; then its traits. */
function kindsOf({ leaf, algorithm, kernel, levels }: CaseResult): string[] {
  if (leaf !== '') return [`ours: ${algorithm}`];
  const [base, ...traits] = kernel.split('+');
  const made = base.startsWith('sum-') ? base : `${algorithm} of ${levels}`;
  const unclaimed = traits.at(-1) === 'unclaimed' ? ', unclaimed' : '';
  return [
    `${made}${unclaimed}`,
    ...traits.filter((trait) => trait !== 'unclaimed').map((trait) => `with ${trait}`),
  ];
}
