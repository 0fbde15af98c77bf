import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { cleanEnvironment } from './environment.ts';
import { packageFolders } from './system.ts';

/**
 * What kernels in files need to be read, beside the system's libraries and ours. A file names itself what it imports: what lies
 * beside it is not read unless the user allows its folder.
 */

/** Of a module of JavaScript or TypeScript: itself, what says what kind of module it is, and packages above it. */
export function moduleNeeds(path: string): readonly string[] {
  const real = realpathSync(path);
  const packages = packageFolders(real);
  const kinds = packages.map((folder) => join(dirname(folder), 'package.json'));
  return existing([path, real, ...packages, ...kinds]);
}

/** Of a shared library: itself; what it is linked with lies in the system's folders or in those of LD_LIBRARY_PATH. */
export const libraryNeeds = (path: string): readonly string[] => existing([path, realpathSync(path)]);

/** An interpreter of Python, and what it reads. */
export interface PythonNeeds {
  /** The interpreter itself: what the path names may be a script that looks for it. */
  readonly file: string;
  readonly reads: readonly string[];
}

/** Says where an interpreter, its library and its packages lie. */
const ASK = `
import json, sys, sysconfig
names = [sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
print(json.dumps([sys.executable, [*names, *sys.path, *sysconfig.get_paths().values()]]))`;

/** Seconds that an interpreter has to say so. */
const PATIENCE = 60;

/**
 * Of a file of Python: itself, and what the interpreter says that it reads: its prefixes, and all folders of its path.
 * @throws Error of an interpreter that does not start, or says nothing
 */
export async function pythonNeeds(python: string, path: string): Promise<PythonNeeds> {
  // Not in the folder of the file, from which it would import; nor with a home, whose packages are not for it.
  const env = cleanEnvironment(process.env, '/nonexistent');
  const about = { cwd: '/', env: { ...env, HOME: process.env.HOME ?? '/' }, timeout: 1000 * PATIENCE };
  const { stdout } = await promisify(execFile)(python, ['-s', '-c', ASK], about);
  const [file, found] = JSON.parse(stdout) as [string, readonly string[]];
  return { file, reads: existing([path, realpathSync(path), ...found.filter(isOfPython)]) };
}

/** A prefix may be the system's root, or a home: what is not under a folder of its own is no allowance. */
const isOfPython = (path: string): boolean =>
  path.split(sep).filter((part) => part !== '').length > 1 && path !== process.env.HOME;

function existing(paths: readonly string[]): readonly string[] {
  const all = paths.filter((path) => existsSync(path));
  return [...new Set([...all, ...all.map((path) => realpathSync(path))])];
}
