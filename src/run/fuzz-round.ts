import * as z from 'zod/mini';
import { caseResult } from '../evidence/case-result.ts';
import { fuzz } from './results.ts';

/** A fuzz campaign as several machines share it: in rounds, each of which draws its runs from a seed of its own. */

/** Runs that are drawn from one seed: later rounds have seeds of their own, so that paths stay short and draws cheap. */
export const ROUND = 512;

const sizes = z.optional(z.array(z.int()));

/** A kernel in a precision, and what is drawn for it. */
const roundTarget = z.object({
  kernel: z.string(),
  precision: z.string(),
  levels: z.optional(z.array(z.int())),
  around: z.optional(z.object({ m: sizes, k: sizes, n: sizes })),
});
export type RoundTarget = z.infer<typeof roundTarget>;

/** What a campaign draws, but for its seed. */
export const roundsPlan = z.object({
  /** Of each target. */
  runs: z.int(),
  maxSize: z.int(),
  /** Names of families of test matrices. */
  inputs: z.array(z.string()),
  targets: z.array(roundTarget),
});
export type RoundsPlan = z.infer<typeof roundsPlan>;

/** How many rounds a campaign has. */
export const roundsOf = ({ runs }: Pick<RoundsPlan, 'runs'>): number => Math.ceil(runs / ROUND);

/** The runs of a round: the last one may have fewer than others. */
export const runsIn = ({ runs }: Pick<RoundsPlan, 'runs'>, round: number): number =>
  Math.min(ROUND, runs - round * ROUND);

/** A round of one target, by their places in a campaign. */
export const roundPlace = z.object({ target: z.int(), round: z.int() });
export type RoundPlace = z.infer<typeof roundPlace>;

const count = z.int();

/** What a round found: what its cases add to the counts of a campaign, and the few of them that may be told. */
export const roundFound = z.object({
  count: z.object({
    ...{ run: count, pass: count, fail: count, inconclusive: count },
    ...{ mirrored: count, mirrorEqual: count },
  }),
  coverage: fuzz.shape.coverage,
  /** The largest errors of what passed, and what could not be judged, in the order in which they were judged. */
  worst: z.array(caseResult),
  /** The last ones up to its violation, or to its end. */
  recent: z.array(caseResult),
  /** Its violation, made smaller. */
  finding: z.optional(z.extend(fuzz.shape.findings._zod.def.element, { result: caseResult })),
  /** What was asked after it, to tell what violations share. */
  more: z.array(caseResult),
});
export type RoundFound = z.infer<typeof roundFound>;
