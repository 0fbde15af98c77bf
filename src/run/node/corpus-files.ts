import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ParanoiaError } from '../../base/errors.ts';
import { fileReason, pathExists, readText } from '../../base/node/read-file.ts';
import { sha256Sync } from '../../base/node/sha256-sync.ts';
import { ensureWritable, writeWhole } from '../../base/node/write-file.ts';
import { describeFirstIssue, describeIssue } from '../../base/plain-words.ts';
import { checkWrittenCase } from '../../kernels/check-case.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import { formatCase, parseCase } from '../../problem/case.ts';
import { type CorpusEntry, type CorpusPlan, corpusEntry, corpusPlan } from '../corpus.ts';
import { badCorpus } from '../messages.ts';
import type { PlannedCase } from '../planned-case.ts';
import { findStoredFolder } from './stored-folder.ts';

/** The readable entries of a corpus, and an error for each unreadable file. */
export interface FailureCorpus {
  readonly entries: CorpusEntry[];
  /** Each error is `bad-corpus`. The files are left as they are. */
  readonly problems: ParanoiaError[];
}

/** Earlier failures of the kernels of a campaign. */
interface EarlierFailures extends CorpusPlan {
  /** True if a case is among them. */
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
