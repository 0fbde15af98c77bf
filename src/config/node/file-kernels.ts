import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Registry } from '../../base/registry.ts';
import { builtinCaseItems, type CaseItems } from '../../kernels/case-items.ts';
import { checkKernel } from '../../kernels/check-kernel.ts';
import type { FileOrigin, FileWays } from '../../kernels/files/file-origin.ts';
import type { FunctionKernel, UserKernel } from '../../kernels/user-kernel.ts';
import type { Precision } from '../../precision/precision.ts';
import { precisions as builtin } from '../../precision/precisions.ts';
import type { RunRequest } from '../command-options.ts';
import { noKernelFile } from '../messages.ts';
import { withLimitedHooks } from './limited-hooks.ts';
import { withMentioned } from './mentioned.ts';

/** A kind of files that hold kernels. */
interface FileKind {
  readonly ends: RegExp;
  /** Loads what reads them: a process that opens one kernel needs one of these. */
  readonly load: () => Promise<FileReader>;
}

interface FileReader {
  readonly kernel: (origin: FileOrigin) => Promise<UserKernel>;
  /** Refuses, in the process that is to compute, what cannot. */
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

/** A kernel of a file, and where it is, so that another process finds it again. */
export interface FileKernel {
  readonly origin: FileOrigin;
  readonly kernel: UserKernel;
  /** Sentences on what of it is not believed, where it is not trusted. */
  readonly notes?: readonly string[];
}

const kindOf = (path: string) => kinds.find(({ ends }) => ends.test(path));

/** `matmul.py` and `matmul` of `matmul.py#matmul`: what follows the last `#`. */
function split(reference: string): { file: string; symbol?: string } {
  const at = reference.lastIndexOf('#');
  return at < 0 ? { file: reference } : { file: reference.slice(0, at), symbol: reference.slice(at + 1) };
}

/** Whether a text names a file of kernels, and perhaps one of them: `matmul.py#matmul`. */
export const isFileReference = (text: string): boolean => kindOf(split(text).file) !== undefined;

/**
 * The kernel of a file that a text such as `matmul.py#matmul` names: a function of JavaScript, TypeScript or Python, a shader, or a
 * function of BLAS in a shared library.
 * @param folder what the path is relative to.
 * @param items what it may name.
 * @throws ParanoiaError `no-kernel-file`, `no-kernel-in`, `no-python`, `library-unusable`, `bad-kernel`
 */
export async function fileKernel(
  reference: string,
  folder: string,
  ways: FileWays,
  items: CaseItems = builtinCaseItems,
): Promise<FileKernel> {
  const origin = fileOrigin(reference, folder, ways);
  return { origin, kernel: await kernelOf(origin, items) };
}

/** Where the kernel is that a text names. @throws ParanoiaError `no-kernel-file` */
export function fileOrigin(reference: string, folder: string, ways: FileWays): FileOrigin {
  const { file, symbol } = split(reference);
  if (kindOf(file) === undefined || symbol === '') throw noKernelFile({ given: reference });
  const path = resolve(folder, file);
  return { name: nameOf(path, symbol, folder), file, path, symbol, ways };
}

/** Finds a kernel again, in the process that is to compute. @throws ParanoiaError as {@link fileKernel} */
export async function locateInFile(origin: FileOrigin): Promise<UserKernel> {
  const kernel = await kernelOf(origin);
  await (await readerOf(origin.file)).require?.(kernel as FunctionKernel);
  return kernel;
}

const readerOf = (file: string) => (kindOf(file) as FileKind).load();

async function kernelOf(origin: FileOrigin, items: CaseItems = builtinCaseItems): Promise<UserKernel> {
  const kernel = withLimitedHooks(await (await readerOf(origin.file)).kernel(origin));
  return checkKernel(kernel, withMentioned(items, [kernel]));
}

/** The path from a folder, of a file elsewhere its last part; what the name of a kernel may not hold becomes `_`. */
function nameOf(path: string, symbol: string | undefined, folder: string): string {
  const below = relative(folder, path);
  const isElsewhere = below.startsWith('..') || isAbsolute(below);
  const shown = isElsewhere ? path.slice(path.lastIndexOf(sep) + 1) : below.split(sep).join('/');
  return `${shown}${symbol === undefined ? '' : `#${symbol}`}`.replace(/[\s,;:'"`$\\*?=\p{C}]/gu, '_');
}

/**
 * The ways to read kernels in files that a request names; several precisions are those of kernels of ours.
 * @param precisions those that are known. @defaultValue the built-in ones
 */
export function fileWays(
  { python, device, convention, precisions: named = [] }: RunRequest,
  precisions: Registry<Precision> = builtin,
): FileWays {
  const precision = named.length === 1 && precisions.names.includes(named[0]) ? named[0] : undefined;
  return { python, device, convention, precision };
}

/** Options for reading kernels that a config names by files. */
interface InConfig {
  readonly folder: string;
  readonly ways: FileWays;
  /** Names of others. */
  readonly known: readonly string[];
  /** Items that they may name. */
  readonly items: CaseItems;
}

/** The kernels of a config with those of files in place of the texts that name them. */
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
