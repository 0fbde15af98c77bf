import { growthOfKernel } from '../../algorithms/growth.ts';
import type { Random } from '../../base/random.ts';
import { inputOf } from '../../inputs/edits/edited-family.ts';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import { type Case, changeCase } from '../../problem/case.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { isDecided } from '../decided.ts';
import { isWild } from '../wild-sample.ts';

/** A metamorphic transform: it presents the same values so that a kernel does not recognize them. */
interface Disguise {
  readonly edit: string;
  /** True if it scales entries up or down. Extreme entries would leave the range. */
  readonly scales: boolean;
}

/** The metamorphic transforms of cases, tried in random order. */
export const TRANSFORMS: readonly Disguise[] = [
  { edit: 'permuted', scales: false },
  { edit: 'rescaled', scales: true },
  { edit: 'scaled-lines', scales: true },
  { edit: 'resized', scales: true },
  { edit: 'dwarfed', scales: true },
  { edit: 'embedded', scales: false },
  { edit: 'mixed', scales: true },
  { edit: 'mixed,permuted', scales: true },
  { edit: 'permuted,rescaled', scales: true },
  { edit: 'embedded,permuted', scales: false },
];

/** Families and edits whose entries are near an end of the range, or infinite. */
const FAR = /wide-exponents|subnormals|special|scaled-rows|ill-conditioned|near-|opposed|nan:|spread|held/;

/** One case in this many keeps its entries. */
const PLAIN = 3;

/**
 * Applies a metamorphic transform to a case, with the same shape and request. One case in three stays as it is, and so does a case for
 * which no transform leaves a decisive check.
 */
export function transformCase(value: PlannedCase, random: Random): PlannedCase {
  const { problem } = value;
  const tries = random.permutation(TRANSFORMS.length);
  // Kernels cannot recognize cases without a design.
  if (isWild(problem.input)) return value;
  if (random.int(1, PLAIN) === 1 || problem.m * problem.k * problem.n === 0) return value;
  for (const at of tries) {
    const { edit, scales } = TRANSFORMS[at];
    if (scales && FAR.test(`${problem.input},${problem.edit}`)) continue;
    const made = changeCase(value, { edit: problem.edit === 'none' ? edit : `${problem.edit},${edit}` });
    if (isMade(made) && isDecided(made, builtinCaseItems)) return { ...value, ...made };
  }
  return value;
}

/** True if the operands of a case can be made. Only built-in items count: no config is read with untrusted kernels. */
export function isMade({ kernel, problem, method: { levels } }: Case): boolean {
  const { m, k, n, precision } = problem;
  const { algorithms, precisions, inputs } = builtinCaseItems;
  const limits = {
    levels,
    growth: growthOfKernel(kernel, algorithms),
    precision: precisions.find(precision),
  };
  return inputOf(problem, inputs).accepts({ m, k, n, ...limits }).ok;
}
