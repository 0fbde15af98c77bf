import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** The folder of one run, with its working folder, temporary directory, home and cache. */
export interface Workspace {
  readonly root: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

/** Variables that would change a command's behavior. */
const UNSET = [
  'CI',
  'GITHUB_ACTIONS',
  'GITHUB_STEP_SUMMARY',
  'NODE_OPTIONS',
  'FORCE_COLOR',
  'NODE_V8_COVERAGE',
];

/**
 * Makes the folder of a run.
 * @param template a folder whose content to copy. @defaultValue empty
 * @param cache the user's cache. @defaultValue a new one
 */
export function openWorkspace(template?: string, cache?: string): Workspace {
  const root = mkdtempSync(join(tmpdir(), 'faults-'));
  const folder = (name: string) => {
    mkdirSync(join(root, name), { recursive: true });
    return join(root, name);
  };
  const cwd = folder('cwd');
  if (template !== undefined) cpSync(template, cwd, { recursive: true });
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !UNSET.includes(name))),
    ...{ TMPDIR: folder('tmp'), HOME: folder('home'), XDG_CACHE_HOME: cache ?? folder('cache') },
  };
  return { root, cwd, env, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** All files of a folder, and empty folders of the temporary directory, with their content, by their paths. */
export function filesIn(root: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else found.set(relative(root, path), readFileSync(path));
    }
  };
  walk(root);
  return found;
}

/** Folders in the temporary directory of a run. */
export const temporaryFolders = (root: string): string[] =>
  readdirSync(join(root, 'tmp'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join('tmp', name));

/** Writes a 3×3 matrix of small integers as a .npy file. */
export function writeMatrix(path: string, first: number): void {
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }".padEnd(117);
  const data = Buffer.from(Float32Array.from({ length: 9 }, (_, at) => first + at).buffer);
  writeFileSync(path, Buffer.concat([Buffer.from(`\x93NUMPY\x01\x00\x76\x00${header}\n`, 'latin1'), data]));
}
