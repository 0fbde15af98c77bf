import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadedFor } from '../../base/node/import-file.ts';
import { readWhole } from '../../base/node/read-file.ts';
import { sha256Sync } from '../../base/node/sha256-sync.ts';
import type { FileOrigin } from '../../kernels/files/file-origin.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import { importsOf } from './imports-of.ts';

/** Something that decides what kernels compute: a file by its path from the project, or what a kernel says of itself. */
export interface Source {
  readonly name: string;
  /** The SHA-256 of its bytes. */
  readonly digest: string;
}

/** What sources are looked for in. */
export interface SourcesOptions {
  /** The folder of the config, else that of the command. */
  readonly folder: string;
  readonly config: string | undefined;
  /** Kernels in files, and those of the config. */
  readonly files: readonly FileOrigin[];
  readonly kernels: readonly UserKernel[];
}

/** Our own build and sources: their version stands for them. */
const OURS = ['dist', 'src'].map((folder) => fileURLToPath(new URL(`../../../${folder}/`, import.meta.url)));
const LOADER = `${sep}node_modules${sep}jiti${sep}`;
const PACKAGES = `${sep}node_modules${sep}`;

/**
 * What decides what kernels compute, as far as it can be seen: the files that the config and kernels of JavaScript load, as they
 * were loaded or as their imports name them; the files that kernels lie in; those below the folder that a program's command names;
 * shaders. Not seen are packages but for their versions, what is imported by a name that is computed, what modules of other languages
 * import, what is read as data, and the environment.
 */
export function sourcesOf({ folder, config, files, kernels }: SourcesOptions): Source[] {
  const roots = [...(config === undefined ? [] : [config]), ...files.map(({ path }) => path)];
  const named = kernels.flatMap((kernel) => ('program' in kernel ? filesNamed(kernel.program, folder) : []));
  const paths = [...importsOf([...roots, ...roots.flatMap(loadedFor)]), ...named].filter(isTheirs);
  const found = new Map(paths.map((path) => [nameOf(path, folder), path]));
  const shaders = kernels.flatMap((kernel) =>
    'wgsl' in kernel
      ? [{ name: `wgsl of ${kernel.name}`, digest: sha256Sync(JSON.stringify(kernel.wgsl)) }]
      : [],
  );
  const ways = files.map(({ name, ways: { python: _, ...rest } }) => ({
    name: `options of ${name}`,
    digest: sha256Sync(JSON.stringify(rest)),
  }));
  return [
    ...[...found].map(([name, path]) => ({ name, digest: sha256Sync(readWhole(path)) })),
    ...shaders,
    ...ways,
  ].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** One SHA-256 of all sources, of a version of this program. */
export const digestOfSources = (version: string, sources: readonly Source[]): string =>
  sha256Sync(JSON.stringify([version, sources.map(({ name, digest }) => [name, digest])]));

const isTheirs = (path: string): boolean =>
  !OURS.some((ours) => path.startsWith(ours)) && !path.includes(LOADER) && isFile(path);

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The same on every machine: from the folder of the project, or of packages. */
function nameOf(path: string, folder: string): string {
  const at = path.lastIndexOf(PACKAGES);
  return (at < 0 ? relative(folder, path) : path.slice(at + 1)).split(sep).join('/');
}

/** The words of a command that are files below the project: interpreters and libraries of the system differ between machines. */
function filesNamed(
  { command, cwd }: { readonly command: readonly string[]; readonly cwd?: string | undefined },
  folder: string,
): string[] {
  const from = resolve(folder, cwd ?? '.');
  return command
    .map((word) => resolve(from, word))
    .filter((path) => {
      const below = relative(folder, path);
      return below !== '' && !below.startsWith('..') && !isAbsolute(below) && isFile(path);
    });
}
