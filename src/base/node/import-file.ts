import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ParanoiaError } from '../errors.ts';
import { loadsTooLong } from '../messages.ts';
import { toOneLine } from '../printable.ts';
import { resourceError, withoutNumbers } from '../system-errors.ts';
import { blameWhileLoading } from './ending.ts';
import { findReplacedBuiltin, watchRealm } from './lock-realm.ts';
import { fileReason, otherThanFile } from './read-file.ts';
import { withinLimit } from './time-limits.ts';

/** Most seconds for loading a user file. */
const LOADING = 120;

/** Makes the error of an unreadable file from the reason, a clause. */
export type ReadErrorFactory = (why: string, cause?: unknown) => Error;

/**
 * Returns the exports of a JavaScript or TypeScript file, read anew: it may change between runs, and its folder may be read-only.
 * @param path absolute.
 * @param seconds most seconds for loading. @defaultValue 120
 * @throws the error that `unreadable` makes for a file that is missing or throws; ParanoiaError `loads-too-long`
 */
export async function importFile(
  path: string,
  unreadable: ReadErrorFactory,
  seconds = LOADING,
): Promise<unknown> {
  requireFile(path, unreadable);
  const files = loaded.get(path) ?? new Set<string>();
  loaded.set(path, files);
  // Modules that Node itself loads for it, such as JSON and CommonJS.
  const { cache } = createRequire(path);
  const before = new Set(Object.keys(cache));
  const late = () => loadsTooLong({ file: path, seconds });
  const replaced = watchRealm();
  const load = async () => {
    const [found] = await Promise.allSettled([outOfSight(path, (given) => importAnew(given, files))]);
    const what = replaced();
    if (what !== undefined) throw new Error(findReplacedBuiltin(what));
    if (found.status === 'rejected') throw found.reason;
    return found.value;
  };
  try {
    return await blameWhileLoading(path, () => withinLimit(seconds, load, late));
  } catch (error) {
    if (error instanceof ParanoiaError && error.code === loadsTooLong.code) throw error;
    throw resourceError(error) ?? unreadable(whyNot(error), error);
  } finally {
    for (const file of Object.keys(cache)) if (!before.has(file) && isAbsolute(file)) files.add(file);
  }
}

/** Imports a file, and adds to `files` those that are translated for it. */
async function importAnew(path: string, files: Set<string>): Promise<unknown> {
  if (path.endsWith('.mjs')) {
    try {
      return await import(pathToFileURL(path).href);
    } catch {
      // Jiti does the same first. Then it translates the file, which may import what Node cannot.
    }
  }
  // Jiti takes as long to load as everything else of a small command. It is required here: importers would have its text searched for
  // exports.
  const { createJiti }: typeof import('jiti') = createRequire(import.meta.url)('jiti');
  const how = { fsCache: false, moduleCache: false, interopDefault: false };
  const plain = createJiti(path, how);
  const jiti = createJiti(path, {
    ...how,
    transform(options) {
      if (options.filename !== undefined) files.add(options.filename);
      return { code: plain.transform(options) };
    },
  });
  return jiti.import(path);
}

/** Calls a function whose stack, and that of what it awaits, shows no caller of ours. */
const outOfSight = <T>(given: string, work: (given: string) => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    Promise.resolve(given)
      .then(work)
      .then(
        (value) => resolve(value),
        (error) => reject(error),
      );
  });

const loaded = new Map<string, Set<string>>();

/**
 * Returns the files that {@link importFile} has loaded for a file: itself, and its imports. Later imports, and files that it reads without
 * importing, are not among them.
 * @param path absolute.
 */
export const listLoadedFiles = (path: string): readonly string[] => [...(loaded.get(path) ?? [])];

/** Checks that a path is a file. @throws the error that `unreadable` makes for a path without a file */
export function requireFile(path: string, unreadable: ReadErrorFactory): void {
  try {
    const found = statSync(path);
    if (found.isFile()) return;
    throw new Error(otherThanFile(found));
  } catch (error) {
    throw unreadable(fileReason(error), error);
  }
}

/** Returns the first line of a thrown value, and the place of a syntax error. The rest stays in the cause. */
function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return `it throws ${toOneLine(String(error), LONGEST)}`;
  const [line, next = ''] = withoutNumbers(error.message).split('\n');
  const place = SYNTAX_PLACE.exec(next)?.groups;
  const where = place === undefined ? '' : `, line ${place.line}`;
  return `${toOneLine(line, LONGEST).replace(/\.$/, '')}${where}`;
}

const LONGEST = 200;
const SYNTAX_PLACE = /:(?<line>\d+):\d+$/;
