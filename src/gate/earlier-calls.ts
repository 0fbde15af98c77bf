import type { Random } from '../base/random.ts';
import { TOGETHER } from '../evidence/whole-programs/routine.ts';
import type { BatchedShape } from '../problem/boundary-shapes.ts';
import { changeCase } from '../problem/case.ts';
import { belongsToClass, sizeClasses } from '../problem/size-classes.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { countShapeProducts, weightOf } from './sampler.ts';

/**
 * Number of repetitions, in changing call contexts, up to a number of multiplications: for small cases; for the largest case of each
 * class of sizes, whose entries count too; and for one very small case.
 */
const REPEATED = {
  small: { most: 2 ** 17, times: 3 },
  largest: { most: 2 ** 21, times: 10 },
  smallest: { most: 2 ** 9, times: 1000 },
};

/**
 * Adds repetitions to cases.
 * @param isQuick true if calls of the kernel cost little. One of the small cases is then repeated a thousand times.
 */
export function withRepeats(cases: readonly PlannedCase[], isQuick: boolean): PlannedCase[] {
  const often = largestOfClasses(cases);
  const { small, largest, smallest } = REPEATED;
  const most = cases.find(({ problem }) => problem.edit === 'none' && isWithin(problem, smallest.most));
  return cases.map((value) => {
    const repeats = often.has(value)
      ? largest.times
      : value === most && isQuick
        ? smallest.times
        : isWithin(value.problem, small.most)
          ? small.times
          : 1;
    return repeats === 1 ? value : { ...value, ...changeCase(value, { repeats }) };
  });
}

const isWithin = (problem: BatchedShape & { readonly group: number }, most: number) =>
  countShapeProducts(problem) > 0 && countShapeProducts(problem) * problem.group <= most;

/** Returns the largest case for repetition of each class of sizes of each dimension, and of the sizes beyond all classes. */
function largestOfClasses(cases: readonly PlannedCase[]): Set<PlannedCase> {
  const most = new Map<string, PlannedCase>();
  for (const value of cases) {
    const { problem } = value;
    const products = countShapeProducts(problem);
    if (products === 0 || weightOf(problem) > REPEATED.largest.most || problem.edit !== 'none') continue;
    for (const key of ['m', 'k', 'n'] as const) {
      const own = sizeClasses.filter((one) => belongsToClass(problem[key], one)).map(({ name }) => name);
      for (const name of own.length === 0 ? ['beyond'] : own) {
        const before = most.get(`${key} ${name}`);
        if (before === undefined || countShapeProducts(before.problem) < products)
          most.set(`${key} ${name}`, value);
      }
    }
  }
  return new Set(most.values());
}

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
