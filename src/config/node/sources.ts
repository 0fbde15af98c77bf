import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listLoadedFiles } from '../../base/node/import-file.ts';
import { readWhole } from '../../base/node/read-file.ts';
import { sha256Sync } from '../../base/node/sha256-sync.ts';
import type { FileOrigin } from '../../kernels/files/file-origin.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import { importsOf } from './imports-of.ts';

/** An input that decides what kernels compute: a file by its path from the project, or a kernel's statement about itself. */
export interface KernelSource {
  readonly name: string;
  /** The SHA-256 of its bytes. */
  readonly digest: string;
}

/** Options of a search for sources. */
export interface SourcesOptions {
  /** The folder of the config, else that of the command. */
  readonly folder: string;
  readonly config: string | undefined;
  /** Kernels in files, and those of the config. */
  readonly files: readonly FileOrigin[];
  readonly kernels: readonly UserKernel[];
}

/** Our own build and sources, which their version identifies. */
const OURS = ['dist', 'src'].map((folder) => fileURLToPath(new URL(`../../../${folder}/`, import.meta.url)));
const LOADER = `${sep}node_modules${sep}jiti${sep}`;
const PACKAGES = `${sep}node_modules${sep}`;

/**
 * Collects the visible inputs that decide what kernels compute. They are the files that the config and JavaScript kernels load,
 * as loaded or as their imports name them. Files of kernels, files that a program's command names below the folder, and shaders
 * are included. Not visible are packages beyond their versions, imports by a computed name, imports of modules in other
 * languages, data files, and the environment.
 */
export function sourcesOf({ folder, config, files, kernels }: SourcesOptions): KernelSource[] {
  const roots = [...(config === undefined ? [] : [config]), ...files.map(({ path }) => path)];
  const named = kernels.flatMap((kernel) => ('program' in kernel ? filesNamed(kernel.program, folder) : []));
  const paths = [...importsOf([...roots, ...roots.flatMap(listLoadedFiles)]), ...named].filter(isTheirs);
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

/** The SHA-256 of all sources and the version of this program. */
export const digestOfSources = (version: string, sources: readonly KernelSource[]): string =>
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

/** Names a file by its path from the project's folder, or from that of packages: the same on every machine. */
function nameOf(path: string, folder: string): string {
  const at = path.lastIndexOf(PACKAGES);
  return (at < 0 ? relative(folder, path) : path.slice(at + 1)).split(sep).join('/');
}

/**
 * The words of a command that are files below the project. Interpreters and libraries of the system are left out, since they
 * differ between machines.
 */
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
