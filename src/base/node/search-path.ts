import { accessSync, constants } from 'node:fs';
import { delimiter } from 'node:path';

/** Variables of a process by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The folders in which programs are looked for, in their order. */
export const searchPath = (env: Environment): string[] =>
  (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');

/** True if this process may run what lies at a path. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
