import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Start } from './confinement.ts';

/** The path of a program, as starting it without a shell finds it. @throws Error with the code ENOENT or EACCES */
export function fileOf({ file, env, cwd = '.' }: Start): string {
  const isPath = file.includes('/');
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = isPath ? [resolve(cwd, file)] : folders.map((folder) => join(folder, file));
  const files = places.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  const found = files.find(isExecutable);
  if (found !== undefined) return found;
  const code = files.length > 0 ? 'EACCES' : 'ENOENT';
  throw Object.assign(new Error(`spawn ${file} ${code}`), { code });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
