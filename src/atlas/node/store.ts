import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalText } from '../../base/canonical.ts';
import { catchParanoiaError, ParanoiaError } from '../../base/errors.ts';
import { fileReason, formatPath, pathExists, withFile } from '../../base/node/read-file.ts';
import { sha256Sync } from '../../base/node/sha256-sync.ts';
import { type KeyRenames, renameKeys } from '../../base/objects.ts';
import { describeFirstIssue, describeIssue } from '../../base/plain-words.ts';
import { toOneLine } from '../../base/printable.ts';
import { parseCase } from '../../problem/case.ts';
import { type AtlasEntry, ENTRY_SCHEMA, type EntryStatement, entry, LARGEST_ENTRY } from '../entry.ts';
import { badEntry, entriesUnusable, entryUnreadable, newerEntry, noEntries } from '../messages.ts';
import { slugOf } from '../place.ts';

/** The most characters of a text that a message quotes. */
const LONGEST = 200;

/** An entry, and the text that its hash is of. */
interface ParsedEntry {
  readonly entry: AtlasEntry;
  /** The canonical text of all other fields, as the file has them. */
  readonly hashed: string;
}

/**
 * Reads the text of an entry, without checking its hash. An entry of the schema before becomes one of this schema, with its old hash.
 * @throws ParanoiaError `bad-entry`, `newer-entry`
 */
export function readEntry(text: string, file: string): ParsedEntry {
  if (text.length > LARGEST_ENTRY)
    throw badEntry({
      file,
      why: `it has ${text.length} characters (limit ${LARGEST_ENTRY})`,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badEntry({ file, why: `it is not JSON (${(error as Error).message})` }, error);
  }
  const { schema } = (value ?? {}) as { schema?: unknown };
  const [, major] = /^gemm-paranoia\/atlas\/(\d+)$/.exec(String(schema)) ?? [];
  if (Number(major) > Number(ENTRY_SCHEMA.split('/')[2]))
    throw newerEntry({ file, schema: String(schema), reads: ENTRY_SCHEMA });
  const hashed = canonicalText({ ...(value as object), hash: undefined });
  if (schema === EARLIER_ENTRY_SCHEMA) upgradeEntry(value as object);
  const read = entry.safeParse(value, { error: describeIssue });
  if (!read.success) throw badEntry({ file, why: describeFirstIssue(read.error, value) }, read.error);
  // Unknown keys would be hashed when written, but not when read.
  if (canonicalText(read.data) !== canonicalText(value))
    throw badEntry({ file, why: `it has keys that ${schema} does not define` });
  const unread = unreadCase(read.data);
  if (unread !== undefined) throw badEntry({ file, why: `"${toOneLine(unread, LONGEST)}" is not a case` });
  return { entry: read.data, hashed };
}

/** The first text that is no case of a kernel: pages parse all of them. */
function unreadCase({ kernels }: AtlasEntry): string | undefined {
  const texts = kernels.flatMap(({ cases }) => cases.map((row) => row.case));
  return texts.find((text) => catchParanoiaError(() => parseCase(text)) instanceof ParanoiaError);
}

/** The id of the schema before {@link ENTRY_SCHEMA}. Its entries differ in the names of keys alone. */
export const EARLIER_ENTRY_SCHEMA = 'gemm-paranoia/atlas/1';

/** The new names of the keys of an earlier entry. */
const entryRenames: KeyRenames = {
  'kernels[].cases[]': { failing: 'failedChecks', mirror: 'equalsModel', checked: 'checkedShare' },
  'kernels[].counts': { mirrored: 'comparedWithModel', mirrorEqual: 'equalToModel' },
  'kernels[]': { shown: 'findings', disproved: 'contradictions' },
  arithmetic: { modelled: 'modeled' },
  run: { leftOut: 'skipped' },
  '': { said: 'description' },
};

/** Turns the parsed JSON of an earlier entry into that of {@link ENTRY_SCHEMA}, in place. Its hash stays that of the earlier text. */
function upgradeEntry(value: { schema?: unknown }): void {
  renameKeys(value, entryRenames);
  value.schema = ENTRY_SCHEMA;
}

export interface StoredEntry {
  readonly file: string;
  readonly entry: AtlasEntry;
}

export const addHash = (statement: EntryStatement): AtlasEntry => ({
  ...statement,
  hash: sha256Sync(canonicalText(statement)),
});

/** The most characters of a value on one line: a case fits, and so does an answer. */
const LINE = 600;

/** Returns the text of an entry's file, with each case and each answer on a line. */
export const entryText = (entry: AtlasEntry): string => `${laidOut(entry, '')}\n`;

function laidOut(value: unknown, indent: string): string {
  const line = JSON.stringify(value);
  const isLong = indent === '' || line.length > LINE;
  if (typeof value !== 'object' || value === null || !isLong) return line;
  const inner = `${indent} `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => laidOut(item, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${JSON.stringify(key)}: ${laidOut(item, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`;
}

/** Returns the name of an entry's file, which follows from its contents. */
export function fileNameOf({ adapter, kernels, hash, run }: AtlasEntry): string {
  const what = kernels.length === 1 ? kernels[0].kernel : `${kernels.length}-kernels`;
  const readable = slugOf(run.createdAt.slice(0, 10), adapter.name, what).replace(/-[0-9a-f]{8}$/, '');
  return `${readable}-${hash.slice(0, 12)}.json`;
}

/** Returns the key by which entries of the same run are recognized, whatever description was added to it. */
export const runKey = ({ run, adapter, kernels }: EntryStatement): string =>
  sha256Sync(
    canonicalText([
      run.createdAt,
      run.seed,
      adapter.id,
      kernels.map(({ kernel, precision, cases }) => [kernel, precision, cases]),
    ]),
  );

/**
 * Reads the entry of a file, and checks its hash; an entry of the schema before gets its new one. @throws ParanoiaError `bad-entry`,
 * `entry-unreadable`, `newer-entry`
 */
export function readStoredEntry(file: string): StoredEntry {
  const { entry, hashed } = readEntry(textOf(file), file);
  const { hash, ...statement } = entry;
  if (sha256Sync(hashed) !== hash)
    throw badEntry({ file, why: 'its hash does not match its contents, so it was changed' });
  return { file, entry: addHash(statement) };
}

function textOf(file: string): string {
  try {
    return withFile(file, ({ size, whole }) => {
      if (size > LARGEST_ENTRY)
        throw badEntry({ file, why: `it has ${size} bytes (limit ${LARGEST_ENTRY})` });
      return whole().toString();
    });
  } catch (error) {
    if (error instanceof ParanoiaError) throw error;
    throw entryUnreadable({ file: formatPath(file), why: fileReason(error) }, error);
  }
}

/** Lists the files of a folder whose names are those of entries; none if it does not exist. @throws ParanoiaError `entries-unusable` */
export function entryFiles(folder: string): string[] {
  if (!pathExists(folder)) return [];
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    throw entriesUnusable({ folder, why: fileReason(error) }, error);
  }
}

/** Reads all entries of a folder. @throws ParanoiaError `no-entries`, `entries-unusable`, and those of {@link readStoredEntry} */
export function readAtlas(folder: string): StoredEntry[] {
  const files = entryFiles(folder);
  if (files.length === 0) throw noEntries({ folder });
  return files.map(readStoredEntry);
}
