import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { systemCode } from '../system-reason.ts';

/** What is said of a path at which nothing can be. */
const ABSENT: readonly string[] = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'];

/** Whether something lies at a path. @throws the file system's error where that cannot be told: it may be there. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return refuseUnlessAbsent(error) ?? false;
  }
}

/** Where a path leads to, by its one name; undefined where nothing lies there. @throws as {@link isThere} */
export async function placeOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(refuseUnlessAbsent);
}

function refuseUnlessAbsent(error: unknown): undefined {
  if (!ABSENT.includes(systemCode(error))) throw error;
}
