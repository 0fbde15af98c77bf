import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { cleanEnvironment } from './environment.ts';
import { packageFolders } from './system.ts';

/**
 * Files that kernels in files must read, in addition to the system's libraries and ours. An untrusted file could import any
 * other: files beside it are readable only if the user allows their folder.
 */

/**
 * Lists the files that a JavaScript or TypeScript module needs: itself, the package.json that decides its module type, and the packages
 * above it.
 */
export function moduleNeeds(path: string): readonly string[] {
  const real = realpathSync(path);
  const packages = packageFolders(real);
  const kinds = packages.map((folder) => join(dirname(folder), 'package.json'));
  return existing([path, real, ...packages, ...kinds]);
}

/** Returns files that a shared library needs: itself. Its dependencies lie in the system's folders or in those of LD_LIBRARY_PATH. */
export const libraryNeeds = (path: string): readonly string[] => existing([path, realpathSync(path)]);

/** A Python interpreter, and the files that it reads. */
export interface PythonNeeds {
  /** The interpreter itself; the given path may be a script that searches for it. */
  readonly file: string;
  readonly reads: readonly string[];
}

/** Prints where an interpreter, its library and its packages lie. */
const ASK = `
import json, sys, sysconfig
names = [sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
print(json.dumps([sys.executable, [*names, *sys.path, *sysconfig.get_paths().values()]]))`;

/** The interpreter's time limit for this, in seconds. */
const PATIENCE = 60;

/**
 * Finds the files that a Python file needs: itself, the interpreter's prefixes, and all folders of its path.
 * @throws Error of an interpreter that does not start, or prints nothing
 */
export async function pythonNeeds(python: string, path: string): Promise<PythonNeeds> {
  // The working folder is not the file's, from which Python would import. There is no home either: its packages are not for the sandbox.
  const env = cleanEnvironment(process.env, '/nonexistent');
  const about = { cwd: '/', env: { ...env, HOME: process.env.HOME ?? '/' }, timeout: 1000 * PATIENCE };
  const { stdout } = await promisify(execFile)(python, ['-s', '-c', ASK], about);
  const [file, found] = JSON.parse(stdout) as [string, readonly string[]];
  return { file, reads: existing([path, realpathSync(path), ...found.filter(isOfPython)]) };
}

/** A prefix may be the system's root or a home folder. Neither is a folder of Python's own, so neither becomes readable. */
const isOfPython = (path: string): boolean =>
  path.split(sep).filter((part) => part !== '').length > 1 && path !== process.env.HOME;

function existing(paths: readonly string[]): readonly string[] {
  const all = paths.filter((path) => existsSync(path));
  return [...new Set([...all, ...all.map((path) => realpathSync(path))])];
}
