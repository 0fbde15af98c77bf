import { z } from 'zod';
import { type CaseResult, verdicts } from '../evidence/case-result.ts';
import type { Results } from '../run/results.ts';
import { caseInWords } from './case-words.ts';
import { exitCodeOf } from './verdict.ts';

/** The id of the schema of a judgment. A reader must refuse another major version. */
const JUDGMENT_SCHEMA = 'gemm-paranoia/judgment/1';

/** A group of failures, with the smallest product that shows it. */
const failure = z.object({
  /** The failure, in a sentence. */
  says: z.string(),
  /** Number of its cases. */
  cases: z.int().min(1),
  /** The check that failed first, and the mistake that the wrong entries resemble, where one explains them. */
  check: z.string(),
  cause: z.string().optional(),
  /** The smallest product that was found to fail: its text, and in words. */
  example: z.string(),
  shape: z.string(),
  /** The reason why it fails. */
  reason: z.string(),
  /** The command that repeats it. */
  replay: z.string(),
});
export type JudgmentFailure = z.infer<typeof failure>;

/** The output of `judge`: the verdict on one untrusted kernel. */
export const judgment = z.object({
  schema: z.literal(JUDGMENT_SCHEMA),
  verdict: z.enum(verdicts),
  exitCode: z.int().min(0),
  /** The reason, in a sentence or a few. */
  reason: z.string(),
  kernel: z.object({
    /** The file as the command named it, and the export. */
    name: z.string(),
    /** SHA-256 of the file, in hexadecimal digits; absent where it could not be read. */
    sha256: z.string().optional(),
    /** From the judge: the precision that it judges in, and the algorithm that it allows. */
    precision: z.string(),
    algorithm: z.string(),
    /** From the kernel: the features that it accepts beyond A·B of every shape; absent where it states none. */
    accepts: z.unknown().optional(),
    /** Versions that the kernel's process states, unchecked. */
    versions: z.record(z.string(), z.string()).optional(),
  }),
  /** The size of the run. */
  run: z.object({
    planned: z.int().min(0),
    cases: z.int().min(0),
    pass: z.int().min(0),
    fail: z.int().min(0),
    inconclusive: z.int().min(0),
    /** Number of cases left out for lack of time. */
    skipped: z.int().min(0),
    adapter: z.string(),
  }),
  /** The secret that all seeds of the run follow from. `--seed` repeats the run. */
  seed: z.int().min(0),
  failures: z.array(failure),
  /** Unconfirmed failures: cases that failed once and passed when repeated, or that could not be judged. */
  suspicions: z.array(z.string()),
  /** Sentences on tests that were left out, and statements that were not believed. */
  notes: z.array(z.string()),
  /** The sandbox of the kernel's processes, aspect by aspect. */
  containment: z.record(z.string(), z.string()),
  /** Versions of this program, and of its platform. */
  versions: z.record(z.string(), z.string()),
  seconds: z.number().min(0),
});
export type Judgment = z.infer<typeof judgment>;

/** The facts about a kernel that are known before a run. */
export type JudgmentSubject = Pick<Judgment, 'kernel' | 'containment' | 'versions'>;

/** Most cases listed as suspected. */
const MOST = 20;

/** Makes the judgment of a run on one kernel. */
export function makeJudgment(
  results: Results,
  about: JudgmentSubject,
  seconds: number,
  exitCode?: number,
): Judgment {
  const { verdict, reason, summary, seed, cases, skipped = [], notes = [], adapter, versions = {} } = results;
  const own = Object.values(versions)[0];
  return {
    ...{ schema: JUDGMENT_SCHEMA, verdict, exitCode: exitCode ?? exitCodeOf(results), reason },
    ...about,
    kernel: { ...about.kernel, ...(own === undefined ? {} : { versions: own }) },
    run: {
      ...{ planned: summary.planned, cases: summary.run },
      ...{ pass: summary.pass, fail: summary.fail, inconclusive: summary.inconclusive },
      ...{ skipped: skipped.length, adapter: adapter.name },
    },
    ...{ seed, failures: failuresIn(results) },
    suspicions: cases
      .flatMap((one) => (one.unsteady !== undefined || one.verdict === 'inconclusive' ? [one] : []))
      .slice(0, MOST)
      .map(({ case: text, reason: why }) => `${caseInWords(text)}: ${why}`),
    ...{ notes, seconds },
  };
}

function failuresIn({ groups, cases }: Results): JudgmentFailure[] {
  // An interrupted run has no groups.
  if (groups === undefined)
    return cases
      .filter(({ verdict, waiver }) => verdict === 'fail' && waiver === undefined)
      .slice(0, MOST)
      .map(failureOf);
  return groups.flatMap(({ says, failing, checks, looksLike, example, smallerExample }) => {
    const shown = cases.find((one) => one.case === example);
    if (shown === undefined) return [];
    const { case: text, reason, replay } = smallerExample ?? shown;
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

function failureOf({ case: text, reason, replay, checks }: CaseResult): JudgmentFailure {
  const { name: check = 'runs', looksLike } = checks.find(({ status }) => status === 'fail') ?? {};
  return {
    ...{ says: reason, cases: 1, check },
    ...(looksLike === undefined ? {} : { cause: looksLike.says }),
    ...{ example: text, shape: caseInWords(text), reason, replay },
  };
}

/** Makes the judgment where nothing could be run, by a fault of the kernel or of the environment. */
export function makeJudgmentWithout(
  about: JudgmentSubject,
  {
    exitCode,
    message,
    isOfKernel,
  }: { readonly exitCode: number; readonly message: string; readonly isOfKernel: boolean },
  seconds: number,
): Judgment {
  return {
    ...{ schema: JUDGMENT_SCHEMA, verdict: isOfKernel ? 'fail' : 'inconclusive', exitCode, reason: message },
    ...about,
    run: { planned: 0, cases: 0, pass: 0, fail: 0, inconclusive: 0, skipped: 0, adapter: 'none' },
    ...{ seed: 0, failures: [], suspicions: [], notes: [], seconds },
  };
}
