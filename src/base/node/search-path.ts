import { accessSync, constants } from 'node:fs';
import { delimiter } from 'node:path';

/** Environment variables of a process. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Returns the folders that are searched for programs, in their order. */
export const searchPath = (env: EnvironmentVariables): string[] =>
  (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');

/** True if this process may execute the file at a path. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
