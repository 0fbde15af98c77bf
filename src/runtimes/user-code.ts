import { defineAlgorithm } from '../algorithms/define-algorithm.ts';
import { toOneLine } from '../base/printable.ts';
import { badConfig } from '../config/messages.ts';
import { ownKernels, readItems } from '../config/own-items.ts';
import { builtinItems, type JudgingItems } from '../evidence/items.ts';
import { implementationHere } from '../gpu/fingerprint.ts';
import { exportedKernel } from '../kernels/files/exported-kernel.ts';
import type { FileOrigin } from '../kernels/files/file-origin.ts';
import { wgslText } from '../kernels/files/wgsl-text.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import { makeRunCatalog, type RunCatalog } from '../run/run-catalog.ts';
import { codeRefused } from './messages.ts';

/** The user's code, as a runtime receives it: a config, and kernels in files. */
export interface UserCode {
  readonly config?: { readonly path: string; readonly load: () => Promise<unknown> } | undefined;
  readonly files: readonly UserCodeFile[];
}

/** Loads a module of the user. @throws ParanoiaError `code-refused` if the module throws */
async function loaded(file: string, load: () => Promise<unknown>): Promise<unknown> {
  try {
    return await load();
  } catch (error) {
    const runtime = implementationHere() ?? 'this runtime';
    throw codeRefused(
      { file, runtime, why: toOneLine(String((error as Error | undefined)?.message ?? error)) },
      error,
    );
  }
}

/** A file of kernels: a module, or a WGSL source. */
export type UserCodeFile =
  | { readonly origin: FileOrigin; readonly load: () => Promise<unknown> }
  | { readonly origin: FileOrigin; readonly source: string };

/**
 * Makes the catalog of the built-in and the user's items and kernels.
 * @throws ParanoiaError `bad-config`, `bad-kernel`, `no-kernel-in`, `code-refused`
 */
export async function makeUserCatalog({ config, files }: UserCode): Promise<RunCatalog> {
  const { own, items } =
    config === undefined
      ? { own: [], items: builtinItems }
      : ownIn(await loaded(config.path, config.load), config.path);
  const inFiles = new Map<string, UserKernel>();
  for (const file of files) inFiles.set(file.origin.name, await kernelIn(file));
  return makeRunCatalog([...own.filter(({ name }) => !inFiles.has(name)), ...inFiles.values()], items);
}

/** Kernels and items that a config defines; kernels that it names by file come with the files. */
function ownIn(module: unknown, path: string): { own: UserKernel[]; items: JudgingItems } {
  const { config, items } = readItems(
    (module as { readonly default?: unknown }).default,
    path,
    defineAlgorithm,
  );
  const { kernels } = config as { readonly kernels?: unknown };
  const own = ownKernels({ kernels: Array.isArray(kernels) ? kernels : [] }, items, (option, error) =>
    badConfig({ where: path, fault: `${option}: ${error.message}` }, error),
  );
  return { own, items };
}

const kernelIn = async (file: UserCodeFile): Promise<UserKernel> =>
  'source' in file
    ? wgslText(file.origin, file.source)
    : exportedKernel(file.origin, await loaded(file.origin.file, file.load));
