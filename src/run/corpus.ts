import { z } from 'zod';
import { ParanoiaError } from '../base/errors.ts';
import { type Case, parseCase } from '../problem/case.ts';
import type { Finding } from './finding.ts';
import type { PlannedCase } from './planned-case.ts';

/** Files with another major version are not read. */
export const CORPUS_SCHEMA = 'gemm-paranoia/corpus/1';

/** One failure that was found: a file of the corpus. */
export const corpusEntry = z.object({
  schema: z.literal(CORPUS_SCHEMA),
  /** The smallest case that failed. */
  case: z.string(),
  /** Those after which it fails, where it passes alone: they are computed before it, in one process. */
  after: z.array(z.string()).optional(),
  /** The check that it failed, and what that said. */
  check: z.string(),
  message: z.string(),
  found: z.object({
    seed: z.int(),
    path: z.string().optional(),
    version: z.string(),
    /** The id of the adapter it was found on. */
    adapter: z.string(),
    /** ISO 8601. */
    date: z.string(),
  }),
});
export type CorpusEntry = z.infer<typeof corpusEntry>;

/** What an entry says beside what was found. */
export type Provenance = Pick<CorpusEntry['found'], 'version' | 'adapter' | 'date'>;

/** A finding as the corpus keeps it. */
export function entryOf(finding: Finding, { version, adapter, date }: Provenance): CorpusEntry {
  const { case: text, after, check, message, seed, path } = finding;
  const from = { seed, ...(path === undefined ? {} : { path }), version, adapter, date };
  const sequence = after === undefined ? {} : { after: [...after] };
  return { schema: CORPUS_SCHEMA, case: text, ...sequence, check, message, found: from };
}

/** What of a corpus is run. */
export interface CorpusPlan {
  /** To be run before all other cases. */
  readonly cases: PlannedCase[];
  /** A sentence on each case that cannot be run any more. */
  readonly notes: string[];
}

/**
 * The cases of a corpus that concern kernels of a run.
 * @param has - whether a kernel is one of them.
 * @param check - throws a problem for a case that cannot be: its input or its kernel may have changed since.
 */
export function corpusPlan(
  entries: readonly CorpusEntry[],
  has: (kernel: string) => boolean,
  check: (value: Case) => void,
): CorpusPlan {
  const plan: CorpusPlan = { cases: [], notes: [] };
  for (const { case: text, after = [] } of entries) {
    const value = parseCase(text);
    if (!has(value.kernel)) continue;
    try {
      const others = after.map((one) => parseCase(one));
      for (const one of [...others, value]) check(one);
      plan.cases.push({ ...value, series: false, ...(others.length === 0 ? {} : { after: others }) });
    } catch (error) {
      if (!(error instanceof ParanoiaError)) throw error;
      plan.notes.push(`A case of the corpus is left out: ${error.message}`);
    }
  }
  return plan;
}
