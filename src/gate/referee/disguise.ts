import { growthOfKernel } from '../../algorithms/shared-growth.ts';
import type { Random } from '../../base/random.ts';
import { inputOf } from '../../inputs/edits/edited-family.ts';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import { type Case, changed } from '../../problem/case.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { isDecided } from '../decided.ts';
import { isWild } from '../wild-sample.ts';

/** One way to show the same values so that they are not known again. */
interface Disguise {
  readonly edit: string;
  /** Whether entries are made larger and smaller: those that are so already would leave the range. */
  readonly scales: boolean;
}

/** What cases are disguised by, in turn as it is drawn. */
export const DISGUISES: readonly Disguise[] = [
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

/** One case in so many stays as it is. */
const PLAIN = 3;

/**
 * A case in disguise, of the same shape and asked in the same way; itself where none of the disguises that are drawn leaves
 * something that decides it, and one case in three.
 */
export function disguised(value: PlannedCase, random: Random): PlannedCase {
  const { problem } = value;
  const tries = random.permutation(DISGUISES.length);
  // Nobody knows what is drawn without a design.
  if (isWild(problem.input)) return value;
  if (random.int(1, PLAIN) === 1 || problem.m * problem.k * problem.n === 0) return value;
  for (const at of tries) {
    const { edit, scales } = DISGUISES[at];
    if (scales && FAR.test(`${problem.input},${problem.edit}`)) continue;
    const made = changed(value, { edit: problem.edit === 'none' ? edit : `${problem.edit},${edit}` });
    if (isMade(made) && isDecided(made, builtinCaseItems)) return { ...value, ...made };
  }
  return value;
}

/** True if the operands of a case can be made: no config is read with kernels that are not trusted. */
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
