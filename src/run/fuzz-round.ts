import * as z from 'zod/mini';
import { caseResult } from '../evidence/case-result.ts';
import { fuzz } from './results.ts';

/** A fuzz campaign split over several machines: rounds, each of which draws its runs from a seed of its own. */

/** Number of runs drawn from one seed. Each later round has its own seed, so that paths stay short and draws cheap. */
export const ROUND = 512;

const sizes = z.optional(z.array(z.int()));

/** A kernel in a precision, and the range of its drawn cases. */
const roundTarget = z.object({
  kernel: z.string(),
  precision: z.string(),
  levels: z.optional(z.array(z.int())),
  around: z.optional(z.object({ m: sizes, k: sizes, n: sizes })),
});
export type RoundTarget = z.infer<typeof roundTarget>;

/** Parameters of a campaign's draws, except the seed. */
export const roundsPlan = z.object({
  /** Runs of each target. */
  runs: z.int(),
  maxSize: z.int(),
  /** Names of families of test matrices. */
  inputs: z.array(z.string()),
  targets: z.array(roundTarget),
});
export type RoundsPlan = z.infer<typeof roundsPlan>;

export const roundsOf = ({ runs }: Pick<RoundsPlan, 'runs'>): number => Math.ceil(runs / ROUND);

/** Returns the number of runs of a round. The last round may have fewer than others. */
export const countRunsIn = ({ runs }: Pick<RoundsPlan, 'runs'>, round: number): number =>
  Math.min(ROUND, runs - round * ROUND);

/** A round of one target, by their places in a campaign. */
export const roundPlace = z.object({ target: z.int(), round: z.int() });
export type RoundPlace = z.infer<typeof roundPlace>;

const count = z.int();

/** The result of a round: its contribution to the counts of a campaign, and the few cases that may be reported. */
export const roundFound = z.object({
  count: z.object({
    ...{ run: count, pass: count, fail: count, inconclusive: count },
    ...{ comparedWithModel: count, equalToModel: count },
  }),
  coverage: fuzz.shape.coverage,
  /** Passing cases with the largest errors, and inconclusive cases, in the order in which they were judged. */
  worst: z.array(caseResult),
  /** The last cases up to its violation, or to its end. */
  recent: z.array(caseResult),
  /** Its violation, after shrinking. */
  finding: z.optional(z.extend(fuzz.shape.findings._zod.def.element, { result: caseResult })),
  /** Cases run after the violation, to find what violations share. */
  more: z.array(caseResult),
});
export type RoundFindings = z.infer<typeof roundFound>;
