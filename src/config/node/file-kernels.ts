import { isAbsolute, relative, resolve, sep } from 'node:path';
import { limitedCall } from '../../base/node/time-limits.ts';
import { isFunction, isObject } from '../../base/objects.ts';
import type { Registry } from '../../base/registry.ts';
import type { CaseItems } from '../../kernels/case-items.ts';
import type { FileOrigin, FileReadOptions } from '../../kernels/files/file-origin.ts';
import type { FunctionKernel, UserKernel } from '../../kernels/user-kernel.ts';
import type { Shape } from '../../matrix/dense.ts';
import { badKernel } from '../../precision/messages.ts';
import type { Precision } from '../../precision/precision.ts';
import { precisions as builtin } from '../../precision/precisions.ts';
import type { RunRequest } from '../command-options.ts';
import { noKernelFile } from '../messages.ts';

interface FileKind {
  readonly ends: RegExp;
  /** Loads the reader of such files; a process that opens one kernel needs one reader. */
  readonly load: () => Promise<FileReader>;
}

interface FileReader {
  readonly kernel: (origin: FileOrigin) => Promise<UserKernel>;
  /** Refuses a kernel that cannot run, in the process that is to compute. */
  readonly require?: (kernel: FunctionKernel) => unknown;
}

const kinds: readonly FileKind[] = [
  {
    ends: /\.[cm]?[jt]s$/,
    load: async () => ({ kernel: (await import('../../kernels/files/node/module-kernel.ts')).moduleKernel }),
  },
  {
    ends: /\.wasm$/,
    load: async () => ({ kernel: (await import('../../kernels/files/node/wasm-kernel.ts')).wasmKernel }),
  },
  {
    ends: /\.wgsl$/,
    load: async () => ({ kernel: (await import('../../kernels/files/node/wgsl-file.ts')).wgslFile }),
  },
  {
    ends: /\.py$/,
    load: async () => ({ kernel: (await import('../../kernels/files/node/python-kernel.ts')).pythonKernel }),
  },
  {
    ends: /\.(so(\.\d+)*|dylib|dll)$/,
    load: async () => {
      const { blasKernel, requireLibrary } = await import('../../kernels/files/node/blas-kernel.ts');
      return { kernel: blasKernel, require: requireLibrary };
    },
  },
];

/** A kernel of a file, and its origin, by which another process finds it again. */
export interface FileKernel {
  readonly origin: FileOrigin;
  readonly kernel: UserKernel;
  /** Sentences on claims of an untrusted kernel that are not believed. */
  readonly notes?: readonly string[];
}

const kindOf = (path: string) => kinds.find(({ ends }) => ends.test(path));

/** Splits `matmul.py#matmul` at its last `#` into `matmul.py` and `matmul`. */
function split(reference: string): { file: string; symbol?: string } {
  const at = reference.lastIndexOf('#');
  return at < 0 ? { file: reference } : { file: reference.slice(0, at), symbol: reference.slice(at + 1) };
}

/** True if a text names a file of kernels, and perhaps one kernel of it: `matmul.py#matmul`. */
export const isFileReference = (text: string): boolean => kindOf(split(text).file) !== undefined;

/**
 * Reads the kernel of a file that a text such as `matmul.py#matmul` names: a function of JavaScript, TypeScript or Python, a
 * shader, or a function of BLAS in a shared library.
 * @param folder the base of relative paths
 * @param items items that the kernel may name
 * @throws ParanoiaError `no-kernel-file`, `no-kernel-in`, `no-python`, `library-unusable`, `bad-kernel`
 */
export async function fileKernel(
  reference: string,
  folder: string,
  ways: FileReadOptions,
  items?: CaseItems,
): Promise<FileKernel> {
  const origin = fileOrigin(reference, folder, ways);
  return { origin, kernel: await kernelOf(origin, items) };
}

/** Finds the origin of the kernel that a text names. @throws ParanoiaError `no-kernel-file` */
export function fileOrigin(reference: string, folder: string, ways: FileReadOptions): FileOrigin {
  const { file, symbol } = split(reference);
  if (kindOf(file) === undefined || symbol === '') throw noKernelFile({ given: reference });
  const path = resolve(folder, file);
  return { name: nameOf(path, symbol, folder), file, path, symbol, ways };
}

/**
 * Finds a kernel by its origin, in the process that is to compute. The process that started this one has checked what the kernel says, and
 * the code of that check takes as long to load as all else.
 * @throws ParanoiaError `no-kernel-in`, `no-python`, `library-unusable`
 */
export async function locateInFile(origin: FileOrigin): Promise<UserKernel> {
  const reader = await readerOf(origin.file);
  const kernel = withLimitedHooks(await reader.kernel(origin)) as UserKernel;
  await reader.require?.(kernel as FunctionKernel);
  return kernel;
}

const readerOf = (file: string) => (kindOf(file) as FileKind).load();

async function kernelOf(origin: FileOrigin, items?: CaseItems): Promise<UserKernel> {
  const kernel = withLimitedHooks(await (await readerOf(origin.file)).kernel(origin)) as UserKernel;
  const [{ checkKernel }, { builtinCaseItems }] = await Promise.all([
    import('../../kernels/check-kernel.ts'),
    import('../../kernels/case-items.ts'),
  ]);
  const known = await itemsFor(kernel, items ?? builtinCaseItems);
  return checkKernel(kernel, known);
}

/** Items with the table of the collection that a kernel claims; the code that reads it loads for such a kernel alone. */
async function itemsFor(kernel: UserKernel, items: CaseItems): Promise<CaseItems> {
  const { algorithm } = (kernel.claims ?? {}) as { readonly algorithm?: unknown };
  if (typeof algorithm !== 'string' || items.algorithms.get(algorithm) !== undefined) return items;
  return (await import('./mentioned-tables.ts')).addMentionedTables(items, [kernel]);
}

/** Names a kernel by its path from the folder, or by the last part of a path outside it; characters that names may not hold become `_`. */
function nameOf(path: string, symbol: string | undefined, folder: string): string {
  const below = relative(folder, path);
  const isElsewhere = below.startsWith('..') || isAbsolute(below);
  const shown = isElsewhere ? path.slice(path.lastIndexOf(sep) + 1) : below.split(sep).join('/');
  return `${shown}${symbol === undefined ? '' : `#${symbol}`}`.replace(/[\s,;:'"`$\\*?=\p{C}]/gu, '_');
}

/**
 * Returns how a request reads kernels in files. Where it names several precisions, they are those of our kernels.
 * @param precisions the known precisions. @defaultValue the built-in ones
 */
export function fileWays(
  { python, device, convention, precisions: named = [] }: RunRequest,
  precisions: Registry<Precision> = builtin,
): FileReadOptions {
  const precision = named.length === 1 && precisions.names.includes(named[0]) ? named[0] : undefined;
  return { python, device, convention, precision };
}

/** Options for reading kernels that a config names by files. */
interface InConfig {
  readonly folder: string;
  readonly ways: FileReadOptions;
  /** Names of the other kernels. */
  readonly known: readonly string[];
  /** Items that the kernels may name. */
  readonly items: CaseItems;
}

/** Replaces the texts in a config that name kernels in files by these kernels. */
export async function withFileKernels(
  config: unknown,
  { folder, ways, known, items }: InConfig,
): Promise<{ config: unknown; files: readonly FileOrigin[] }> {
  const kernels: unknown = (config as { kernels?: unknown } | undefined)?.kernels;
  if (!Array.isArray(kernels)) return { config, files: [] };
  const files: FileOrigin[] = [];
  const all: unknown[] = [];
  for (const given of kernels as unknown[]) {
    if (typeof given === 'string' && !known.includes(given) && isFileReference(given)) {
      const { kernel, origin } = await fileKernel(given, folder, ways, items);
      files.push(origin);
      all.push(kernel);
    } else all.push(withLimitedHooks(given));
  }
  return { config: { ...(config as object), kernels: all }, files };
}

/** Time limit of one call of `accepts` or `claims`, in seconds. */
const LIMIT = 10;

type Hook<R> = (shape: Shape) => R;

/**
 * Limits the time of a kernel's hooks: they run in this process, where an endless loop would hang the run. Each hook is called
 * once a shape; values that are not kernels are returned unchanged.
 * @param seconds time limit of a call. @defaultValue 10
 */
export function withLimitedHooks<K>(kernel: K, seconds = LIMIT): K {
  if (!isObject(kernel)) return kernel;
  const { name, accepts, claims } = kernel;
  const limited = (hook: string, asked: unknown) =>
    limitedHook(String(name), hook, asked as Hook<unknown>, seconds);
  const mended: Record<string, unknown> = {};
  if (isFunction(accepts)) mended.accepts = limited('accepts', accepts);
  if (isObject(accepts) && isFunction(accepts.sizes))
    mended.accepts = { ...accepts, sizes: limited('accepts.sizes', accepts.sizes) };
  if (isObject(claims) && isFunction(claims.levels))
    mended.claims = { ...claims, levels: limited('claims.levels', claims.levels) };
  if (Object.keys(mended).length === 0) return kernel;
  // Keeps the prototype: a kernel may be an instance of a class.
  return Object.assign(Object.create(Object.getPrototypeOf(kernel)), kernel, mended);
}

function limitedHook<R>(kernel: string, name: string, hook: Hook<R>, seconds: number): Hook<R> {
  const known = new Map<string, R>();
  let endless: Error | undefined;
  return ({ m, k, n }) => {
    if (endless !== undefined) throw endless;
    const shape = `${m}×${k}×${n}`;
    if (known.has(shape)) return known.get(shape) as R;
    const answer = limitedCall(
      seconds,
      () => hook({ m, k, n }),
      (cause) => {
        const why = `its ${name} did not return for ${shape} within ${seconds} s. It must return at once`;
        endless = badKernel({ kernel: `"${kernel}"`, why }, cause);
        return endless;
      },
    );
    known.set(shape, answer);
    return answer;
  };
}
