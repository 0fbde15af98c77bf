import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FileOrigin } from '../../kernels/files/file-origin.ts';
import type { DefinitionLookup, SourceLocation } from '../../pages/live.ts';
import { isFileReference } from './file-kernels.ts';

/**
 * Finds where kernels are defined. A kernel of a file is on the line where its function begins. A kernel of a config is on the
 * first line with its name in quotes. A built-in one is where the config names it, whole or in part.
 */
export const findDefinitions =
  (config: string | undefined, files: readonly FileOrigin[]): DefinitionLookup =>
  (kernel) => {
    const origin = files.findLast(({ name }) => name === kernel) ?? originOf(kernel);
    if (origin !== undefined) return placeIn(origin.path, definitions(origin.symbol));
    if (config === undefined) return undefined;
    const [algorithm, leaf] = kernel.split(':');
    const parts = leaf === undefined ? [] : [algorithm, `:${leaf}`];
    return placeIn(config, [kernel, ...parts].map(quoted));
  };

/** The file that a kernel is named after, if it exists. */
function originOf(kernel: string): Pick<FileOrigin, 'path' | 'symbol'> | undefined {
  if (!isFileReference(kernel)) return undefined;
  const at = kernel.lastIndexOf('#');
  const path = resolve(at < 0 ? kernel : kernel.slice(0, at));
  return existsSync(path) ? { path, symbol: at < 0 ? undefined : kernel.slice(at + 1) } : undefined;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const quoted = (name: string): RegExp => new RegExp(`(['"\`])${escaped(name)}\\1`, 'u');

/** Patterns of definitions in several languages, then of any mention. */
function definitions(symbol: string | undefined): RegExp[] {
  if (symbol === undefined) return [];
  const word = `(?<![\\w$])${escaped(symbol)}(?![\\w$])`;
  return [
    new RegExp(`\\b(def|function\\*?|const|let|var|class|fn|as)\\s+${word}`, 'u'),
    new RegExp(word, 'u'),
  ];
}

/** The first line that matches the earliest pattern with a match; a file that is not text has none. */
function placeIn(file: string, patterns: readonly RegExp[]): SourceLocation {
  const lines = textOf(file).split('\n');
  const found = patterns.map((pattern) => lines.findIndex((line) => pattern.test(line)));
  const at = found.find((index) => index >= 0);
  return at === undefined ? { file } : { file, line: at + 1 };
}

function textOf(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    return text.includes('\0') ? '' : text;
  } catch {
    return '';
  }
}
