import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { systemCode } from '../system-reason.ts';

/** Error codes of a path where no file can be. */
const ABSENT: readonly string[] = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'];

/** True if there is something at a path. @throws the file system's error where that is unknown: something may be there */
export function pathExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return refuseUnlessAbsent(error) ?? false;
  }
}

/** Resolves a path to its real path. Undefined where nothing is there. @throws as {@link pathExists} */
export async function resolveRealPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(refuseUnlessAbsent);
}

function refuseUnlessAbsent(error: unknown): undefined {
  if (!ABSENT.includes(systemCode(error))) throw error;
}
