import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type AtlasEntry, type EntryStatement, LARGEST_ENTRY } from '../../atlas/entry.ts';
import { fitStatement, makeStatement } from '../../atlas/make-entry.ts';
import { atlasUnwritable, entryTooLarge, notForAtlas } from '../../atlas/messages.ts';
import { buildAtlas } from '../../atlas/node/build.ts';
import {
  addHash,
  entryFiles,
  entryText,
  fileNameOf,
  readEntry,
  readStoredEntry,
  runKey,
  type StoredEntry,
} from '../../atlas/node/store.ts';
import { findPlatform } from '../../atlas/place.ts';
import { EXIT } from '../../base/errors.ts';
import { fileReason, readText, readWhole } from '../../base/node/read-file.ts';
import { say } from '../../base/node/say.ts';
import { sha256Sync } from '../../base/node/sha256-sync.ts';
import { requireTarget, type WriteErrorFactory, writeWhole } from '../../base/node/write-file.ts';
import { renameKeys } from '../../base/objects.ts';
import { describeFirstIssue, describeIssue } from '../../base/plain-words.ts';
import { toOneLine } from '../../base/printable.ts';
import { type Inspection, inspection } from '../../inspect/inspection.ts';
import { badResults } from '../../pages/messages.ts';
import { readResultsFile } from '../../pages/node/write-html.ts';
import { formatCount } from '../../report/numbers.ts';
import type { Results } from '../../run/results.ts';
import { inspectionRenames } from '../../run/results-schema.ts';
import type { AddRequest } from '../options.ts';

/**
 * Adds results files to the atlas: all of them, or none.
 * @returns the exit code
 * @throws ParanoiaError if one is unfit; nothing is written then
 */
export async function runAdd(
  files: readonly string[],
  request: AddRequest & { to: string },
): Promise<number> {
  const { to } = request;
  const known = entryFiles(to).map(readStoredEntry);
  const added: StoredEntry[] = [];
  const lines: string[] = [];
  for (const file of files) {
    const entry = await entryOf(file, request);
    const same = [...known, ...added].find((one) => runKey(one.entry) === runKey(entry));
    if (same !== undefined) {
      lines.push(`${file} is already in the atlas, as ${same.file}.`);
      continue;
    }
    added.push({ file: join(to, fileNameOf(entry)), entry });
    lines.push(`${file}: ${describe(entry)}.`);
  }
  writeAll(added);
  for (const line of lines) process.stdout.write(`${toOneLine(line)}\n`);
  for (const { file } of added) say(`Wrote ${file}`);
  return EXIT.pass;
}

/**
 * Makes the entry of a results file.
 * @throws ParanoiaError `bad-results`, `newer-results`, `not-for-atlas`, `entry-too-large`
 */
async function entryOf(file: string, request: AddRequest): Promise<AtlasEntry> {
  const results = await readResultsFile(file, say);
  requireGate(file, results);
  const bytes = readWhole(file);
  const { raw: at, inspected = [] } = request;
  const raw = { ...(at === undefined ? {} : { at }), bytes: bytes.length, sha256: sha256Sync(bytes) };
  const inspections = inspected.flatMap((one) => readInspections(one, results));
  const statement = makeStatement(results, { raw, description: descriptionOf(request), inspections });
  // The entry is parsed from its text, which checks that it can be read again.
  return readEntry(entryText(addHash(within(statement, file))), file).entry;
}

/** Refuses results that are not of a gate. @throws ParanoiaError `not-for-atlas` */
function requireGate(file: string, { study, fuzz, cases }: Results): void {
  if (study !== undefined) throw notForAtlas({ file, what: `the study ${study.name}` });
  if (fuzz !== undefined) throw notForAtlas({ file, what: 'a fuzz campaign' });
  if (cases.length === 0) throw notForAtlas({ file, what: 'no case that ran' });
}

function within(statement: EntryStatement, file: string): EntryStatement {
  const found = fitStatement(statement, LARGEST_ENTRY);
  if (found !== undefined) return found;
  const bytes = Buffer.byteLength(JSON.stringify(statement));
  throw entryTooLarge({ file, bytes, most: LARGEST_ENTRY });
}

function descriptionOf(request: AddRequest): EntryStatement['description'] {
  const said = (['device', 'driver', 'implementation'] as const).flatMap((key) => {
    const text = request[key];
    return text === undefined ? [] : [[key, text]];
  });
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

const unwritable: WriteErrorFactory = (path, why, cause) => atlasUnwritable({ path, why }, cause);

/** Writes all entries, or none. @throws ParanoiaError `atlas-unwritable` */
function writeAll(added: readonly StoredEntry[]): void {
  for (const { file } of added) requireTarget(file, unwritable, true);
  const written: string[] = [];
  try {
    for (const { file, entry } of added) {
      writeWhole(file, entryText(entry), unwritable);
      written.push(file);
    }
  } catch (error) {
    for (const file of written) rmSync(file, { force: true });
    throw error;
  }
}

/** Describes an entry: the places of its kernels, their number, and their verdicts. */
function describe(entry: AtlasEntry): string {
  const { device, driver, implementation } = findPlatform(entry, entry.kernels[0]);
  const cases = entry.kernels.reduce((sum, { counts }) => sum + counts.cases, 0);
  return `${device}, driver ${driver}, ${implementation}: ${formatCount(entry.kernels.length, 'kernel')}, ${formatCount(cases, 'case')}, ${entry.run.verdict}`;
}

/**
 * Writes the pages of a folder of entries.
 * @returns the exit code
 * @throws ParanoiaError as {@link buildAtlas} does
 */
export async function runBuild(from: string, out: string): Promise<number> {
  const { pages, entries } = buildAtlas(from, out);
  const of = entries === 1 ? '1 entry' : `${entries} entries`;
  process.stdout.write(`Wrote ${formatCount(pages, 'page')} of ${of}: ${join(out, 'index.html')}\n`);
  return EXIT.pass;
}

/** The schema of the output of `inspect --json`. */
const printed = z.object({ adapter: z.object({ id: z.string() }), inspections: z.array(inspection) });

/**
 * Reads the inspections in a file that `inspect --json` wrote for the adapter of a run, this version's or an earlier one's.
 * @throws ParanoiaError `bad-results` for another kind of file, or another adapter
 */
export function readInspections(file: string, { adapter }: Results): Inspection[] {
  const refuse = (why: string, cause?: unknown) =>
    badResults({ where: file, why: `as inspections, ${why}` }, cause);
  let value: unknown;
  try {
    value = JSON.parse(readText(file));
  } catch (error) {
    throw refuse(error instanceof SyntaxError ? 'it is not JSON' : fileReason(error), error);
  }
  renameKeys(value, { 'inspections[]': inspectionRenames });
  const read = printed.safeParse(value, { error: describeIssue });
  if (!read.success) throw refuse(describeFirstIssue(read.error, value), read.error);
  if (read.data.adapter.id !== adapter.id)
    throw refuse(`its adapter is ${read.data.adapter.id}, but that of the results is ${adapter.id}`);
  return read.data.inspections;
}
