import { z } from 'zod';
import type { PlannedCase } from '../gate/campaign.ts';
import { parseCase } from '../gate/case.ts';
import type { Finding } from './finding.ts';

/** Files with another major version are not read. */
export const CORPUS_SCHEMA = 'gemm-paranoia/corpus/1';

/** One failure that was found: a file of the corpus. */
export const corpusEntry = z.object({
  schema: z.literal(CORPUS_SCHEMA),
  /** The smallest case that failed. */
  case: z.string(),
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
  const { case: text, check, message, seed, path } = finding;
  const from = { seed, ...(path === undefined ? {} : { path }), version, adapter, date };
  return { schema: CORPUS_SCHEMA, case: text, check, message, found: from };
}

/**
 * The cases of a corpus, to be run before all others.
 * @param has - whether there is a kernel of a name: entries of other kernels are left out.
 */
export function corpusCases(
  entries: readonly CorpusEntry[],
  has: (kernel: string) => boolean,
): PlannedCase[] {
  const cases = entries.map((entry) => ({ ...parseCase(entry.case), series: false }));
  return cases.filter(({ kernel }) => has(kernel));
}
