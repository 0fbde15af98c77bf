import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileReason } from '../../base/node/read-file.ts';
import { requireTarget } from '../../base/node/write-file.ts';
import { folderUnusable, jsonUnwritable } from '../messages.ts';

/** Folders that runs write for later runs: the default path, and the command that makes each. */
const table = {
  baselines: { usual: 'fixtures/baselines', maker: 'gate --update' },
  corpus: { usual: 'fixtures/corpus', maker: 'fuzz' },
} as const;

/**
 * Returns a folder that a run reads. A folder named by the user must exist; the default need not.
 * @param isMade true if the run creates a missing folder.
 * @throws ParanoiaError `folder-unusable`
 */
export function findStoredFolder(
  option: keyof typeof table,
  named: string | undefined,
  isMade = false,
): string {
  if (named !== undefined && !isMade) requireFolder(option, named);
  return named ?? table[option].usual;
}

function requireFolder(option: keyof typeof table, path: string): void {
  const { maker } = table[option];
  const refuse = (why: string, cause?: unknown) => folderUnusable({ option, path, why, maker }, cause);
  let isFolder: boolean;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (error) {
    throw refuse(fileReason(error), error);
  }
  if (!isFolder) throw refuse('it is a file');
}

/**
 * Returns the file of `--json <file>` after a check that it is writable, before minutes are spent. Undefined without a name.
 * @throws ParanoiaError `json-unwritable`
 */
export async function jsonFile(given: string | true | undefined): Promise<string | undefined> {
  if (given === undefined || given === true) return undefined;
  const path = resolve(given);
  requireTarget(path, (file, why, cause) => jsonUnwritable({ path: file, why }, cause), true);
  return path;
}
