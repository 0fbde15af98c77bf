import type { Random } from '../base/random.ts';
import { TOGETHER } from '../evidence/whole-programs/unfit.ts';
import { changeCase } from '../problem/case.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { countShapeProducts, weightOf } from './sampler.ts';

/** Range of the number of products of a program, as powers of two; about a hundred on average. */
const LENGTHS = [6.6, 7.8] as const;
/** Divisor of the number of cases. Programs lie in the first such part, so that a run that ends early has seen them. */
const PART = 6;
/** Most multiplications of a case that follows a program. The program is the expensive part. */
const SMALL = 2 ** 14;
/** Largest multiple of `TOGETHER` where the seeds of programs may start. `TOGETHER` programs in a row cover all routines. */
const MOST_SEED = 99_999;

/**
 * Lets some of the cases, anywhere in the first part of them, follow a program.
 * @param count number of programs
 */
export function withPrograms(
  cases: readonly PlannedCase[],
  count: number,
  random: Random,
): readonly PlannedCase[] {
  const places = [...cases.keys()].slice(0, Math.ceil(cases.length / PART));
  const isSmall = ({ problem }: PlannedCase) =>
    problem.repeats === 1 && countShapeProducts(problem) > 0 && weightOf(problem) <= SMALL;
  const small = places.filter((at) => isSmall(cases[at]));
  const chosen = new Set([...random.permutation(small.length).slice(0, count)].map((at) => small[at]));
  const first = TOGETHER * random.int(1, MOST_SEED);
  let made = 0;
  return cases.map((value, at) => {
    if (!chosen.has(at)) return value;
    const program = Math.round(2 ** random.uniform(...LENGTHS));
    return { ...value, ...changeCase(value, { program, seed: first + made++ }) };
  });
}
