import { z } from 'zod';
import { type CaseResult, verdicts } from '../evidence/case-result.ts';
import type { Results } from '../run/results.ts';
import { caseInWords } from './case-words.ts';
import { exitCodeOf } from './verdict.ts';

/** Files with another major version are to be refused. */
export const JUDGEMENT_SCHEMA = 'gemm-paranoia/judgement/1';

/** A failure with what it shares with others, and the smallest product that shows it. */
const failure = z.object({
  /** What failed, in a sentence. */
  says: z.string(),
  /** How many cases it is about. */
  cases: z.int().min(1),
  /** The check that failed first, and the mistake that the wrong entries look like, where one explains them. */
  check: z.string(),
  cause: z.string().optional(),
  /** The smallest product that was found to fail: its text, and in words. */
  example: z.string(),
  shape: z.string(),
  /** What was found of it. */
  reason: z.string(),
  /** The one command that repeats it. */
  replay: z.string(),
});
export type JudgementFailure = z.infer<typeof failure>;

/** What `judge` prints: the verdict on one kernel that is not trusted. */
export const judgement = z.object({
  schema: z.literal(JUDGEMENT_SCHEMA),
  verdict: z.enum(verdicts),
  /** What the command ends with. */
  exitCode: z.int().min(0),
  /** Why, in a sentence or a few. */
  reason: z.string(),
  kernel: z.object({
    /** The file as it was named, and what of it. */
    name: z.string(),
    /** SHA-256 of the file, in hexadecimal digits; absent where it could not be read. */
    sha256: z.string().optional(),
    /** By the judge: what it is judged in, and what it may be. */
    precision: z.string(),
    algorithm: z.string(),
    /** By the kernel: what it takes beyond A·B of every shape; absent where it says nothing. */
    accepts: z.unknown().optional(),
    /** Versions that its process states. They are not checked. */
    versions: z.record(z.string(), z.string()).optional(),
  }),
  /** What was run. */
  run: z.object({
    planned: z.int().min(0),
    cases: z.int().min(0),
    pass: z.int().min(0),
    fail: z.int().min(0),
    inconclusive: z.int().min(0),
    /** Cases that there was no time for. */
    leftOut: z.int().min(0),
    adapter: z.string(),
  }),
  /** The secret that all seeds of the run follow from: `--seed` runs the same again. */
  seed: z.int().min(0),
  failures: z.array(failure),
  /** What was seen and not confirmed: it failed, and passed when it was asked again; or it could not be judged. */
  suspected: z.array(z.string()),
  /** Sentences on what was not asked, or not believed. */
  notes: z.array(z.string()),
  /** What holds the kernel's processes, by what it concerns. */
  containment: z.record(z.string(), z.string()),
  /** Of this program, and what it ran on. */
  versions: z.record(z.string(), z.string()),
  seconds: z.number().min(0),
});
export type Judgement = z.infer<typeof judgement>;

/** What is known of a kernel before anything is run. */
export type About = Pick<Judgement, 'kernel' | 'containment' | 'versions'>;

/** Cases that are listed as suspected at most. */
const MOST = 20;

/** The verdict of a run on one kernel. */
export function judgementOf(results: Results, about: About, seconds: number, exitCode?: number): Judgement {
  const { verdict, reason, summary, seed, cases, leftOut = [], notes = [], adapter, versions = {} } = results;
  const own = Object.values(versions)[0];
  return {
    ...{ schema: JUDGEMENT_SCHEMA, verdict, exitCode: exitCode ?? exitCodeOf(results), reason },
    ...about,
    kernel: { ...about.kernel, ...(own === undefined ? {} : { versions: own }) },
    run: {
      ...{ planned: summary.planned, cases: summary.run },
      ...{ pass: summary.pass, fail: summary.fail, inconclusive: summary.inconclusive },
      ...{ leftOut: leftOut.length, adapter: adapter.name },
    },
    ...{ seed, failures: failuresIn(results) },
    suspected: cases
      .flatMap((one) => (one.unsteady !== undefined || one.verdict === 'inconclusive' ? [one] : []))
      .slice(0, MOST)
      .map(({ case: text, reason: why }) => `${caseInWords(text)}: ${why}`),
    ...{ notes, seconds },
  };
}

function failuresIn({ groups, cases }: Results): JudgementFailure[] {
  // A run that was ended has found no groups.
  if (groups === undefined)
    return cases
      .filter(({ verdict, waived }) => verdict === 'fail' && waived === undefined)
      .slice(0, MOST)
      .map(failureOf);
  return groups.flatMap(({ says, failing, checks, looksLike, example, shrunk }) => {
    const shown = cases.find((one) => one.case === example);
    if (shown === undefined) return [];
    const { case: text, reason, replay } = shrunk ?? shown;
    const [check = 'runs'] = Object.keys(checks);
    return [
      {
        ...{ says, cases: failing, check },
        ...(looksLike === undefined ? {} : { cause: looksLike.says }),
        ...{ example: text, shape: caseInWords(text), reason, replay },
      },
    ];
  });
}

function failureOf({ case: text, reason, replay, checks }: CaseResult): JudgementFailure {
  const { name: check = 'runs', looksLike } = checks.find(({ status }) => status === 'fail') ?? {};
  return {
    ...{ says: reason, cases: 1, check },
    ...(looksLike === undefined ? {} : { cause: looksLike.says }),
    ...{ example: text, shape: caseInWords(text), reason, replay },
  };
}

/** The verdict where nothing could be run: the kernel's fault, or nobody's who is judged. */
export function judgementWithout(
  about: About,
  {
    exitCode,
    message,
    isOfKernel,
  }: { readonly exitCode: number; readonly message: string; readonly isOfKernel: boolean },
  seconds: number,
): Judgement {
  return {
    ...{ schema: JUDGEMENT_SCHEMA, verdict: isOfKernel ? 'fail' : 'inconclusive', exitCode, reason: message },
    ...about,
    run: { planned: 0, cases: 0, pass: 0, fail: 0, inconclusive: 0, leftOut: 0, adapter: 'none' },
    ...{ seed: 0, failures: [], suspected: [], notes: [], seconds },
  };
}
