import { readFileSync } from 'node:fs';
import { byDistance } from '../../../base/nearest.ts';
import type { Entries } from '../../../matrix/operands.ts';
import { libraryUnusable } from '../../messages.ts';
import { batchParameters } from '../blas-batch.ts';
import { callings } from '../blas-call.ts';
import type { BlasSymbol } from '../blas-symbol.ts';
import type { FileOrigin } from '../file-origin.ts';
import { nativeCalls } from './native-calls.ts';

/** A function of a library, called with the arguments of its convention. */
export type BlasFunction = (...args: unknown[]) => unknown;

/** A loaded library, and the versions that it states. */
export interface BlasLibrary {
  readonly multiply: BlasFunction;
  /** Returns the address of an array in memory. */
  address(entries: Entries): bigint;
  readonly versions: Readonly<Record<string, string>>;
}

/** Functions without arguments that return a version text. */
const VERSIONS: Readonly<Record<string, string>> = {
  openblas_get_config: 'OpenBLAS',
  bli_info_get_version_str: 'BLIS',
};

/**
 * Loads a shared library into this process, and finds a function of it.
 * @throws ParanoiaError `library-unusable`; if the function is missing, the error lists similar names
 */
export function blasLibrary({ file, path }: FileOrigin, name: string, symbol: BlasSymbol): BlasLibrary {
  const refuse = (why: string, cause?: unknown) => libraryUnusable({ file, why }, cause);
  const koffi = nativeCalls(file);
  const loaded = () => {
    try {
      return koffi.load(path);
    } catch (error) {
      throw refuse(reasonOf(error), error);
    }
  };
  const library = loaded();
  const find = (of: string, result: string, parameters: readonly string[]) => {
    try {
      return library.func(of, result, [...parameters]);
    } catch {
      return undefined;
    }
  };
  const isBatched = symbol.operation === 'gemm_batch';
  const parameters = isBatched ? batchParameters(symbol) : callings[symbol.convention].parameters(symbol);
  const multiply = find(name, 'void', parameters);
  if (multiply === undefined) throw refuse(`it has no function ${name}${listSimilarNames(path, name)}`);
  const versions = Object.entries(VERSIONS).flatMap(([of, what]) => {
    const said: unknown = find(of, 'str', [])?.();
    return typeof said === 'string' ? [[what, said.trim()] as const] : [];
  });
  return { multiply, address: koffi.address, versions: Object.fromEntries(versions) };
}

const reasonOf = (error: unknown): string =>
  (error as Error).message
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/^Failed to load shared library: /, 'it cannot be loaded: ');

const MOST = 4;

/** Lists the names of products in a library that are nearest to a name, as the end of a sentence. */
export function listSimilarNames(path: string, name: string): string {
  const text = readFileSync(path, 'latin1');
  const found = new Set(
    [
      ...text.matchAll(/(?<=\0_?)[a-z]\w{0,40}(?:gemm|syrk|syr2k|symm|herk|her2k|hemm|trmm)\w{0,12}(?=\0)/gi),
    ].map(([one]) => one),
  );
  const near = byDistance(name, [...found]).slice(0, MOST);
  return near.length === 0
    ? ', nor any with "gemm", "syrk", "symm" or "trmm" in its name'
    : `; the nearest names are ${near.join(', ')}`;
}
