import { group } from 'd3-array';
import { lookUp } from '../../src/base/objects.ts';
import { type KillRate, killRate } from '../history/rates.ts';
import { checkImprovements } from './check-improvements.ts';
import { type CorpusFaultClass, faultClasses } from './classes.ts';
import type { CorpusKernel, CorpusName, GraderOutcome } from './outcome.ts';

/** The gain of a single change of a grader. */
export interface ImprovementGain {
  readonly mend: string;
  /** The number of faulty kernels that the grader passes and the change catches. */
  readonly kills: number;
  /** The number of correct kernels that the grader passes and the change fails. */
  readonly alarms: number;
  /** Additional products and multiplications, on average over kernels that pass it. */
  readonly products: number;
  readonly work: number;
}

/** The results of one grader. */
export interface GraderTally {
  readonly grader: string;
  /** The kill rate over all faulty kernels that it was asked about, except cheats. */
  readonly all: KillRate;
  readonly byCorpus: Readonly<Record<Exclude<CorpusName, 'honest'> | 'unseen', KillRate>>;
  readonly byClass: Readonly<Record<CorpusFaultClass, KillRate>>;
  /** False-alarm rates: over correct kernels that compute as usual, and over those that claim fewer bits or another algorithm. */
  readonly alarms: KillRate;
  readonly claimedAlarms: KillRate;
  readonly undecided: number;
  /** Medians over kernels that pass: products, multiplications, seconds. */
  readonly products: number;
  readonly work: number;
  readonly seconds: number;
  /** Gains of its changes, the most kills for the cost first. */
  readonly mends: readonly ImprovementGain[];
}

/** The least cost of a product in multiplications: its call, its reads and its writes. */
const LEAST_WORK = 2 ** 16;

/** The cost of a change in multiplications. */
export const costOf = ({ products, work }: Pick<ImprovementGain, 'products' | 'work'>): number =>
  work + products * LEAST_WORK;

const rateOf = (own: readonly GraderOutcome[]): KillRate =>
  killRate(own.filter(({ caught }) => caught).length, own.length);

const median = (values: readonly number[]): number =>
  values.length === 0 ? 0 : [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)];

/** Tallies outcomes by grader, in the order of `names`; graders without outcomes are left out. */
export function tallies(
  outcomes: readonly GraderOutcome[],
  specimens: readonly CorpusKernel[],
  names: readonly string[],
): GraderTally[] {
  const byName = new Map(specimens.map((one) => [one.name, one]));
  const byGrader = group(
    outcomes.filter(({ specimen }) => byName.has(specimen)),
    ({ grader }) => grader,
  );
  return names.flatMap((name) => {
    const own = byGrader.get(name);
    return own === undefined ? [] : [tallyOf(name, own, byName)];
  });
}

function tallyOf(
  grader: string,
  own: readonly GraderOutcome[],
  byName: ReadonlyMap<string, CorpusKernel>,
): GraderTally {
  const of = (test: (specimen: CorpusKernel) => boolean) =>
    own.filter(({ specimen }) => test(byName.get(specimen) as CorpusKernel));
  const faulty = of(({ fault }) => fault !== undefined && fault !== 'cheats');
  const passing = own.filter(({ caught, isUndecided }) => !caught && isUndecided !== true);
  const ofCorpus = (corpus: CorpusName) => rateOf(of((one) => one.corpus === corpus));
  return {
    ...{ grader, all: rateOf(faulty) },
    byCorpus: {
      history: ofCorpus('history'),
      unseen: rateOf(of(({ isUnseen }) => isUnseen === true)),
      mutants: ofCorpus('mutants'),
      cheats: ofCorpus('cheats'),
    },
    byClass: Object.fromEntries(
      faultClasses.map(({ name }) => [name, rateOf(of(({ fault }) => fault === name))]),
    ) as Record<CorpusFaultClass, KillRate>,
    alarms: rateOf(of(({ corpus, isClaimed }) => corpus === 'honest' && isClaimed !== true)),
    claimedAlarms: rateOf(of(({ corpus, isClaimed }) => corpus === 'honest' && isClaimed === true)),
    undecided: own.filter(({ isUndecided }) => isUndecided === true).length,
    products: median(passing.map(({ products }) => products)),
    work: median(passing.map(({ work }) => work)),
    seconds: median(passing.map(({ seconds }) => seconds)),
    mends: gains(
      faulty,
      of(({ corpus }) => corpus === 'honest'),
    ),
  };
}

function gains(faulty: readonly GraderOutcome[], honest: readonly GraderOutcome[]): ImprovementGain[] {
  const found = checkImprovements.items.map(({ name }): ImprovementGain => {
    const said = (all: readonly GraderOutcome[]) => all.flatMap(({ mends }) => lookUp(mends, name) ?? []);
    const caught = (all: readonly GraderOutcome[]) => said(all).filter((one) => one.caught).length;
    const passing = said([...faulty, ...honest]).filter((one) => !one.caught && one.products > 0);
    const mean = (of: (one: { products: number; work: number }) => number) =>
      passing.length === 0 ? 0 : passing.reduce((sum, one) => sum + of(one), 0) / passing.length;
    return {
      ...{ mend: name, kills: caught(faulty), alarms: caught(honest) },
      ...{ products: mean(({ products }) => products), work: mean(({ work }) => work) },
    };
  });
  return found.sort((x, y) => perCost(y) - perCost(x));
}

/** Kills per cost; 0 if none is caught. */
const perCost = (gain: ImprovementGain): number =>
  gain.kills === 0 ? 0 : gain.kills / Math.max(1, costOf(gain));
