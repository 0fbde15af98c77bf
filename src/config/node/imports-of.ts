import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { initSync, parse } from 'es-module-lexer';
import { readText } from '../../base/node/read-file.ts';

const JAVASCRIPT = /\.[cm]?[jt]sx?$/;
/** Words of which every import of a module has one: the parser takes as long to start as all else of a small run. */
const IMPORTS = /\b(import|from)\b/;
const PACKAGES = `${sep}node_modules${sep}`;

/**
 * Follows the imports of JavaScript modules, as far as their texts name them; Node does not report the imports of modules that it
 * loads natively. Packages contribute their package.json, which holds their version.
 * @param roots absolute paths of modules
 * @returns paths of files, the roots among them
 */
export function importsOf(roots: readonly string[]): string[] {
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

/** The package.json of a file's package. */
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
