import type { Random } from '../base/random.ts';
import { TOGETHER } from '../evidence/whole-programs/together.ts';
import { changed } from '../problem/case.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { productsOf, weightOf } from './sampler.ts';

/** Products of a program, as powers of two: of all lengths about a hundred. */
const LENGTHS = [6.6, 7.8] as const;
/** Of so many cases the first part has them all: a run that ends early is to have seen them. */
const PART = 6;
/** Multiplications up to which a case stands behind a program, which is what costs. */
const SMALL = 2 ** 14;
/** Multiples of how many have all routines together, from one of which on their seeds are. */
const MOST_SEED = 99_999;

/**
 * The same cases, some of which come after a program: anywhere in the first part of them.
 * @param count how many programs
 */
export function withPrograms(
  cases: readonly PlannedCase[],
  count: number,
  random: Random,
): readonly PlannedCase[] {
  const places = [...cases.keys()].slice(0, Math.ceil(cases.length / PART));
  const isSmall = ({ problem }: PlannedCase) =>
    problem.repeats === 1 && productsOf(problem) > 0 && weightOf(problem) <= SMALL;
  const small = places.filter((at) => isSmall(cases[at]));
  const chosen = new Set([...random.permutation(small.length).slice(0, count)].map((at) => small[at]));
  const first = TOGETHER * random.int(1, MOST_SEED);
  let made = 0;
  return cases.map((value, at) => {
    if (!chosen.has(at)) return value;
    const program = Math.round(2 ** random.uniform(...LENGTHS));
    return { ...value, ...changed(value, { program, seed: first + made++ }) };
  });
}
