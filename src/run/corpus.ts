import * as z from 'zod/mini';
import { ParanoiaError } from '../base/errors.ts';
import { type Case, parseCase } from '../problem/case.ts';
import type { CampaignFinding } from './finding.ts';
import type { PlannedCase } from './planned-case.ts';

/** Schema version of corpus files. Files with another major version are not read. */
export const CORPUS_SCHEMA = 'gemm-paranoia/corpus/1';

/** A failure that was found: one file of the corpus. */
export const corpusEntry = z.object({
  schema: z.literal(CORPUS_SCHEMA),
  /** The smallest case that failed. */
  case: z.string(),
  /** Cases after which it fails, where it passes alone. They are computed before it, in one process. */
  after: z.optional(z.array(z.string())),
  /** The failed check, and its message. */
  check: z.string(),
  message: z.string(),
  found: z.object({
    seed: z.int(),
    path: z.optional(z.string()),
    version: z.string(),
    /** The id of the adapter where the failure was found. */
    adapter: z.string(),
    /** ISO 8601. */
    date: z.string(),
  }),
});
export type CorpusEntry = z.infer<typeof corpusEntry>;

/** Origin of a corpus entry. */
export type CorpusProvenance = Pick<CorpusEntry['found'], 'version' | 'adapter' | 'date'>;

/** Converts a finding to a corpus entry. */
export function toCorpusEntry(
  finding: CampaignFinding,
  { version, adapter, date }: CorpusProvenance,
): CorpusEntry {
  const { case: text, after, check, message, seed, path } = finding;
  const from = { seed, ...(path === undefined ? {} : { path }), version, adapter, date };
  const sequence = after === undefined ? {} : { after: [...after] };
  return { schema: CORPUS_SCHEMA, case: text, ...sequence, check, message, found: from };
}

/** The part of a corpus that is run. */
export interface CorpusPlan {
  /** Cases to run before all other cases. */
  readonly cases: PlannedCase[];
  /** A sentence on each case that can no longer be run. */
  readonly notes: string[];
}

/**
 * Selects the cases of a corpus that concern kernels of a run.
 * @param has - true for a kernel of the run.
 * @param check - rejects an impossible case: its input or its kernel may have changed since.
 */
export async function corpusPlan(
  entries: readonly CorpusEntry[],
  has: (kernel: string) => boolean,
  check: (value: Case) => Promise<unknown>,
): Promise<CorpusPlan> {
  const plan: CorpusPlan = { cases: [], notes: [] };
  for (const { case: text, after = [] } of entries) {
    const value = parseCase(text);
    if (!has(value.kernel)) continue;
    try {
      const others = after.map((one) => parseCase(one));
      for (const one of [...others, value]) await check(one);
      plan.cases.push({ ...value, series: false, ...(others.length === 0 ? {} : { after: others }) });
    } catch (error) {
      if (!(error instanceof ParanoiaError)) throw error;
      plan.notes.push(`A case of the corpus was skipped: ${error.message}`);
    }
  }
  return plan;
}
