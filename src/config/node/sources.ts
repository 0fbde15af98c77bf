import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { initSync, parse } from 'es-module-lexer';
import { listLoadedFiles } from '../../base/node/import-file.ts';
import { readText, readWhole } from '../../base/node/read-file.ts';
import { sha256Sync } from '../../base/node/sha256-sync.ts';
import type { FileOrigin } from '../../kernels/files/file-origin.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';

/** An input that decides what kernels compute: a file by its path from the project, or a kernel's statement about itself. */
export interface KernelSource {
  readonly name: string;
  /** The SHA-256 of its bytes. */
  readonly digest: string;
}

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

/** Returns the SHA-256 of all sources and the version of this program. */
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

/** Words of which every import of a module has one: the parser takes as long to start as all else of a small run. */
const IMPORTS = /\b(import|from)\b/;
const JAVASCRIPT = /\.[cm]?[jt]sx?$/;

/**
 * Follows the imports of JavaScript modules, as far as their texts name them; Node does not report the imports of modules that it
 * loads natively. Packages contribute their package.json, which holds their version.
 * @param roots absolute paths of modules
 * @returns paths of files, the roots among them
 */
function importsOf(roots: readonly string[]): string[] {
  const found = new Set<string>();
  const left = [...roots];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path) || !existsSync(path)) continue;
    found.add(path);
    if (!JAVASCRIPT.test(path) || path.includes(PACKAGES)) continue;
    for (const name of namedIn(path)) left.push(...resolved(name, path));
  }
  return [...found];
}

/** The specifiers in a module's import statements; none if the file is not JavaScript. */
function namedIn(path: string): string[] {
  try {
    const text = readText(path);
    if (!IMPORTS.test(text)) return [];
    initSync();
    const [imports] = parse(text, path);
    return imports.flatMap(({ n }) => n ?? []);
  } catch {
    return [];
  }
}

function resolved(name: string, from: string): string[] {
  if (/^(node|data|https?):/.test(name)) return [];
  try {
    if (/^(\.{0,2}\/|file:)/.test(name)) return [fileURLToPath(new URL(name, pathToFileURL(from)))];
    const file = createRequire(from).resolve(name);
    return file.includes(PACKAGES) ? packageOf(file) : [file];
  } catch {
    return [];
  }
}

function packageOf(file: string): string[] {
  const end = file.indexOf(sep, file.lastIndexOf(PACKAGES) + PACKAGES.length);
  for (
    let folder = dirname(file);
    folder.length >= end && folder !== dirname(folder);
    folder = dirname(folder)
  ) {
    const about = join(folder, 'package.json');
    if (existsSync(about)) return [about];
  }
  return [];
}
