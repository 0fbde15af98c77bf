import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ParanoiaError } from '../../base/errors.ts';
import { fileReason, pathExists, readText } from '../../base/node/read-file.ts';
import { sha256Sync } from '../../base/node/sha256-sync.ts';
import { ensureWritable, writeWhole } from '../../base/node/write-file.ts';
import { describeFirstIssue, describeIssue } from '../../base/plain-words.ts';
import { checkWrittenCase } from '../../kernels/check-case.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import { type Case, formatCase, parseCase } from '../../problem/case.ts';
import { badCorpus } from '../messages.ts';
import type { PlannedCase } from '../planned-case.ts';
import type { CampaignFinding } from '../results.ts';
import { findStoredFolder } from './stored-folder.ts';

/** Schema version of corpus files. Files with another major version are not read. */
export const CORPUS_SCHEMA = 'gemm-paranoia/corpus/1';

/** A failure that was found: one file of the corpus. */
const corpusEntry = z.object({
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

type CorpusProvenance = Pick<CorpusEntry['found'], 'version' | 'adapter' | 'date'>;

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
interface CorpusPlan {
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

/** The readable entries of a corpus, and an error for each unreadable file. */
interface FailureCorpus {
  readonly entries: CorpusEntry[];
  /** Each error is `bad-corpus`. The files are left as they are. */
  readonly problems: ParanoiaError[];
}

/** Earlier failures of the kernels of a campaign. */
interface EarlierFailures extends CorpusPlan {
  has(value: PlannedCase): boolean;
}

/**
 * Plans the cases of a corpus for the kernels of a campaign; a note names those that can no longer run. A missing folder is created.
 * @param named the folder. @defaultValue the usual one, which need not exist
 * @throws ParanoiaError `bad-corpus`, `report-unwritable`
 */
export async function planCorpus(
  named: string | undefined,
  campaign: readonly PlannedCase[],
  catalog: KernelCatalog,
): Promise<EarlierFailures> {
  const folder = findStoredFolder('corpus', named, true);
  const made =
    named === undefined || pathExists(folder)
      ? []
      : [`The corpus ${folder} did not exist. An empty one was created.`];
  const { entries, problems } = await readCorpus(folder);
  if (made.length > 0) ensureWritable(folder);
  const kernels = new Set(campaign.map(({ kernel }) => kernel));
  const { cases, notes } = await corpusPlan(
    entries,
    (kernel) => kernels.has(kernel),
    (value) => checkWrittenCase(value, catalog),
  );
  const known = new Set(cases.filter(({ after }) => after === undefined).map(formatCase));
  return {
    cases,
    notes: [...made, ...problems.map(({ message }) => message), ...notes],
    has: (value) => known.has(formatCase(value)),
  };
}

/** Reads all files of a corpus, in the order of their names. A missing folder is an empty corpus. */
export async function readCorpus(folder: string): Promise<FailureCorpus> {
  const corpus: FailureCorpus = { entries: [], problems: [] };
  for (const file of await filesOf(folder)) {
    try {
      corpus.entries.push(await readEntry(file));
    } catch (error) {
      if (!(error instanceof ParanoiaError)) throw error;
      corpus.problems.push(error);
    }
  }
  return corpus;
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw badCorpus({ file: folder, why: fileReason(error) }, error);
  }
}

/** @throws ParanoiaError `bad-corpus` */
async function readEntry(file: string): Promise<CorpusEntry> {
  let value: unknown;
  try {
    value = JSON.parse(readText(file));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : fileReason(error);
    throw badCorpus({ file, why }, error);
  }
  const read = corpusEntry.safeParse(value, { error: describeIssue });
  if (!read.success) throw badCorpus({ file, why: describeFirstIssue(read.error, value) }, read.error);
  try {
    for (const text of [...(read.data.after ?? []), read.data.case]) parseCase(text);
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    throw badCorpus({ file, why: 'its case is invalid' }, error);
  }
  return read.data;
}

/** Hexadecimal digits of a file name: a corpus holds hundreds of cases, not billions. */
const DIGITS = 12;

/**
 * Writes an entry to a corpus, in a file named after its cases. An existing file is kept.
 * @returns the path of the file.
 * @throws ParanoiaError `report-unwritable`
 */
export async function writeCorpus(folder: string, entry: CorpusEntry): Promise<string> {
  ensureWritable(folder);
  const name = sha256Sync([...(entry.after ?? []), entry.case].join(' ')).slice(0, DIGITS);
  const path = join(folder, `${name}.json`);
  if (pathExists(path)) return path;
  writeWhole(path, `${JSON.stringify(entry, undefined, 2)}\n`);
  return path;
}
