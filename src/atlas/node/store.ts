import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalText } from '../../base/canonical.ts';
import { ParanoiaError } from '../../base/errors.ts';
import { fileReason, formatPath, pathExists, withFile } from '../../base/node/read-file.ts';
import { sha256Sync } from '../../base/node/sha256-sync.ts';
import { type AtlasEntry, type EntryStatement, LARGEST_ENTRY } from '../entry.ts';
import { badEntry, entriesUnusable, entryUnreadable, noEntries } from '../messages.ts';
import { slugOf } from '../place.ts';
import { readEntry } from '../read-entry.ts';

/** An entry and its file. */
export interface StoredEntry {
  readonly file: string;
  readonly entry: AtlasEntry;
}

/** Adds its hash to a statement, which makes it an entry. */
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
