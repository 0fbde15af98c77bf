import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseText } from '../config/flags.ts';
import { type Problem, problem } from '../problems.ts';
import { fileReason } from '../report/node/file-reason.ts';
import { ensureWritable } from '../report/node/write-report.ts';

/**
 * The file that `--json <file>` names, found to be writable before minutes are spent; undefined where none is named.
 * @throws Problem `json-unwritable`, `missing-option`
 */
export async function jsonFile(given: unknown): Promise<string | undefined> {
  if (given === undefined || given === true) return undefined;
  const path = resolve(parseText('--json', given));
  if (isFolder(path)) throw problem('json-unwritable', { path, why: 'it is a folder' });
  try {
    await ensureWritable(dirname(path));
  } catch (error) {
    throw problem('json-unwritable', { path, why: fileReason((error as Problem).cause) }, error);
  }
  return path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
