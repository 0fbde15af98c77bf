import { type Random, seeded } from '../../base/random.ts';
import { changed } from '../../problem/case.ts';
import { ranges } from '../../problem/ranges.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { productsOf, weightOf } from '../sampler.ts';
import { disguised } from './disguise.ts';

/** A stream that no family draws from. */
const STREAM = 5000;

/** What a campaign does to the cases of a kernel that is not trusted, beside what it draws. */
const REFEREE = {
  /** Multiplications up to which cases come in any order; larger ones stand from this part of the run on, from small to large. */
  small: 2 ** 21,
  large: 1 / 3,
  /** The most times that one product is asked for: what a thousand calls show, hundreds of cases do. */
  repeats: 40,
  /** Cases that are asked for once more at the end, in a process that has computed one other product. */
  afresh: 6,
};

/**
 * The cases of a campaign as a kernel meets them that may know how they are made: each seed is drawn from a secret, two in three are
 * in disguise, and their order is drawn; some are asked for again in another process. All of it follows from the secret.
 */
export function refereeCases(cases: readonly PlannedCase[], secret: number): PlannedCase[] {
  const random = seeded(secret, STREAM);
  const hidden = cases.map((value) => {
    const { repeats } = value.problem;
    const own = changed(value, { seed: seedFrom(random), repeats: Math.min(repeats, REFEREE.repeats) });
    return disguised({ ...own, series: false, drawn: true }, random);
  });
  return [...inDrawnOrder(hidden, random), ...askedAfresh(hidden, random)];
}

const seedFrom = (random: Random): number => random.int(ranges.seed.least, ranges.seed.most);

/** Small ones anywhere, and large ones from small to large behind the first of them. */
function inDrawnOrder(cases: readonly PlannedCase[], random: Random): PlannedCase[] {
  const isLarge = (value: PlannedCase) => productsOf(value.problem) > REFEREE.small;
  const large = cases.filter(isLarge).sort((x, y) => productsOf(x.problem) - productsOf(y.problem));
  const places = large.map(() => random.uniform(REFEREE.large, 1)).sort((x, y) => x - y);
  const placed = [
    ...cases.filter((value) => !isLarge(value)).map((value) => ({ value, at: random.uniform01() })),
    ...large.map((value, rank) => ({ value, at: places[rank] })),
  ];
  return placed.sort((x, y) => x.at - y.at).map(({ value }) => value);
}

/** The same products as before, but for how often they are asked for: each after another, where nothing else was computed. */
function askedAfresh(cases: readonly PlannedCase[], random: Random): PlannedCase[] {
  const few = cases.filter(({ problem }) => weightOf(problem) <= REFEREE.small);
  const order = random.permutation(few.length);
  return Array.from({ length: Math.min(REFEREE.afresh, Math.floor(few.length / 2)) }, (_, at) => {
    const [value, other] = [few[order[2 * at]], few[order[2 * at + 1]]];
    const repeats = value.problem.repeats === 1 ? 2 : value.problem.repeats - 1;
    return { ...value, ...changed(value, { repeats }), after: [other] };
  });
}
