import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { byDistance } from '../../../base/nearest.ts';
import { requireFile } from '../../../base/node/import-file.ts';
import type { Features } from '../../../matrix/features.ts';
import { eachStored, extentsOf, type Gemm } from '../../../matrix/gemm.ts';
import type { Entries } from '../../../matrix/operands.ts';
import { structureOf } from '../../../matrix/structure.ts';
import { numbersOf } from '../../../precision/complex-operands.ts';
import { describeThrown } from '../../kernel-error.ts';
import { libraryUnusable, noNativeCalls } from '../../messages.ts';
import type { FunctionKernel, GroupedProduct } from '../../user-kernel.ts';
import { batchArguments, batchParameters } from '../blas-batch.ts';
import { type BlasSymbol, blasSymbol, callings, isGeneral } from '../blas-call.ts';

import { conventions, type FileOrigin } from '../file-origin.ts';

/** Features of a BLAS product: it takes one product at a time, and D overwrites C. */
const accepts: Features = {
  ...{ transposed: true, columns: true, leadingDimensions: true, offsets: true },
  ...{ alpha: true, beta: true, empty: true },
};

/** Features of the batch interface: lists of addresses, which may also lie at one distance. */
const listed: Features = { batch: true, broadcast: true, interleaved: true, addresses: true };

const acceptedBy = ({ operation, precision, convention }: BlasSymbol): Features => ({
  ...accepts,
  ...(operation === 'gemm_batch' ? listed : {}),
  ...(convention === 'blis' ? { strides: true } : {}),
  ...(precision.startsWith('c') ? { conjugated: true, complexFactors: true } : {}),
  ...(isGeneral(operation) ? {} : { structure: `${operation}-*` }),
});

/** Loads a library and finds a function of it. */
type Load = (origin: FileOrigin, name: string, symbol: BlasSymbol) => BlasLibrary;

/**
 * Returns a kernel that calls a BLAS function of a shared library, by Fortran's convention or CBLAS. Its name tells the convention, the
 * precision, and whether its whole numbers have 64 bits. The library is loaded at the first product; a crash ends its process.
 * @param calls loads the package for native calls, which must succeed before a library is blamed.
 * @throws ParanoiaError `library-unusable`, `no-native-calls`
 */
export async function blasKernel(
  origin: FileOrigin,
  load: Load = blasLibrary,
  calls: (file: string) => unknown = nativeCalls,
): Promise<FunctionKernel> {
  const { name, file, path, symbol: of } = origin;
  const refuse = (why: string, cause?: unknown) => libraryUnusable({ file, why }, cause);
  requireFile(path, (why, cause) => refuse(why, cause));
  calls(file);
  if (of === undefined) throw refuse(`its function must be named, as in ${file}#sgemm_`);
  const symbol = symbolOf(origin, of, refuse);
  const loaded = once(() => load(origin, of, symbol));
  const kernel = {
    ...{ name, accepts: acceptedBy(symbol), precision: symbol.precision },
    prepare: () => void loaded(),
    versions: () => loaded().versions,
  };
  if (symbol.operation === 'gemm_batch') {
    const multiplyGroup = (products: readonly GroupedProduct[]) => {
      const { multiply, address } = loaded();
      multiply(...batchArguments(products, symbol, address));
      return products.map(({ c }) => c);
    };
    return {
      ...kernel,
      multiplyGroup,
      multiply: (a, b, gemm, c, d) => multiplyGroup([{ a, b, gemm, c, d }])[0],
    };
  }
  return {
    ...kernel,
    multiply(a, b, gemm, c) {
      if (symbol.operation === 'trmm')
        placeInResult(structureOf(gemm)?.reads?.of === 'a' ? { b } : { a }, gemm, c);
      loaded().multiply(...callings[symbol.convention].arguments(gemm, { a, b, c }, symbol));
      return c;
    },
  };
}

/** Copies the dense operand of a product that overwrites it to the memory of D. */
function placeInResult(
  dense: { readonly a: Entries } | { readonly b: Entries },
  gemm: Gemm,
  d: Entries,
): void {
  const [[name, from]] = Object.entries(dense) as ['a' | 'b', Entries][];
  const extents = extentsOf(gemm);
  const places: number[] = [];
  eachStored(gemm.d, extents.d, 1, (_, stored) => places.push(stored));
  const numbers = numbersOf(gemm);
  eachStored(gemm[name], extents[name], 1, (at, stored) => {
    for (let part = 0; part < numbers; part++) d[numbers * places[at] + part] = from[numbers * stored + part];
  });
}

/** Refuses a library that cannot be loaded, in the process that will compute. @throws ParanoiaError `library-unusable` */
export const requireLibrary = (kernel: FunctionKernel): unknown => kernel.prepare?.();

function symbolOf({ ways, path }: FileOrigin, of: string, refuse: (why: string) => Error): BlasSymbol {
  const told = blasSymbol(of);
  const { convention = told?.convention } = ways;
  const precision = told?.precision ?? ways.precision;
  if (convention === undefined)
    throw refuse(
      `the name ${of} does not imply a calling convention: give --convention ${conventions.join(', ').replace(/, (?=[^,]*$)/, ' or ')}${listSimilarNames(path, of)}`,
    );
  if (precision === undefined)
    throw refuse(`the name ${of} does not imply a precision: give --precision f32 or f64`);
  if (told === undefined && precision !== 'f32' && precision !== 'f64')
    throw refuse(`BLAS has products in f32 and f64, not in ${precision}`);
  const known = { operation: 'gemm', isLong: false, ...told };
  return { ...known, convention, precision } as BlasSymbol;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A function of a library, called with the arguments of its convention. */
export type BlasFunction = (...args: unknown[]) => unknown;

/** A loaded library, and the versions that it states. */
interface BlasLibrary {
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
function blasLibrary({ file, path }: FileOrigin, name: string, symbol: BlasSymbol): BlasLibrary {
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
function listSimilarNames(path: string, name: string): string {
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

type Koffi = typeof import('koffi');

/** Loads koffi, a native addon that may be missing: only calls of shared libraries need it. */
const installed = (): Koffi => createRequire(import.meta.url)('koffi');

/**
 * Loads the package that calls functions of shared libraries.
 * @throws ParanoiaError `no-native-calls` where it is missing, which is no fault of a library
 */
export function nativeCalls(file: string, load: () => Koffi = installed): Koffi {
  try {
    return load();
  } catch (error) {
    const why = describeThrown(error).replace(/\.$/, '');
    throw noNativeCalls({ file, why, platform: `${process.platform}-${process.arch}` }, error);
  }
}
