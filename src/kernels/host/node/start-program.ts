import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ParanoiaError } from '../../../base/errors.ts';
import { lookUp } from '../../../base/objects.ts';
import { resourceError } from '../../../base/system-errors.ts';
import { badKernel } from '../../../precision/messages.ts';
import type { ProductRequest } from '../../answer.ts';
import { describeThrown } from '../../kernel-error.ts';
import { kernelBreaksOut, kernelDied } from '../../messages.ts';
import type { ProgramKernel } from '../../user-kernel.ts';
import {
  endingText,
  type OutputRelay,
  onStandardError,
  type ProcessEnding,
  type ProcessTree,
  quoteOutput,
  relayOutput,
} from './child.ts';
import { type KernelSandbox, type LaunchOptions, launch } from './launch.ts';

export interface ProgramOptions extends KernelSandbox {
  /** The folder to which a program's own `cwd` is relative: the config's. */
  readonly cwd: string;
  /** True if their standard error, and the output of one-shot programs, goes to this process's standard error. */
  readonly verbose?: boolean | undefined;
  /** Milliseconds for which a program without pings must outlive its answer. @defaultValue 10 */
  readonly outlives?: number | undefined;
}

/** Returns the receiver of a program's output: none, unless `verbose`. */
export const makeOutputReceiver = (
  kernel: ProgramKernel,
  { verbose }: ProgramOptions,
): OutputRelay | undefined => (verbose === true ? relayOutput(kernel.name, onStandardError) : undefined);

export interface ProgramProcess extends ProcessTree {
  /** Returns the error of its end without an answer: it never started, or it died. */
  died(asked: ProductRequest, ending: ProcessEnding): ParanoiaError;
}

export interface ProtocolProcess extends ProgramProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** Milliseconds for which it must outlive its answer, if it does not answer pings. */
  readonly outlives?: number | undefined;
}

/**
 * Starts a program that speaks the protocol over its standard input and output, without a shell.
 * @throws ParanoiaError as {@link startProgram} does.
 */
export function startSpeaking(
  kernel: ProgramKernel,
  options: ProgramOptions,
  printed?: OutputRelay,
): ProtocolProcess {
  const how: LaunchOptions = { stdio: ['pipe', 'pipe', 'pipe'], printed, speaks: true };
  const { process, ...running } = start(kernel, kernel.program.command, options, how);
  return {
    ...running,
    input: process.stdin as Writable,
    output: process.stdout as Readable,
    outlives: options.outlives,
  };
}

/**
 * Starts the program of a kernel with these words, without a shell.
 * @param folder the folder in which it may write if it is sandboxed.
 * @throws ParanoiaError `bad-kernel` for words that cannot start a program; most reasons show later, in its ending.
 */
export function startProgram(
  kernel: ProgramKernel,
  words: readonly string[],
  options: ProgramOptions,
  folder: string,
  printed?: OutputRelay,
): ProgramProcess {
  const output = printed === undefined ? 'ignore' : 'pipe';
  return start(kernel, words, options, { stdio: ['ignore', output, 'pipe'], printed, writes: [folder] });
}

function start(
  kernel: ProgramKernel,
  [file, ...words]: readonly string[],
  options: ProgramOptions,
  how: LaunchOptions,
) {
  const { env } = kernel.program;
  try {
    const about = { file, words, env: { ...process.env, ...env }, cwd: folderOf(kernel, options) };
    const launched = launch(about, { ...how, named: env }, options);
    const died = (asked: ProductRequest, ending: ProcessEnding) =>
      ending.error === undefined
        ? makeProgramEndError(asked, ending, launched)
        : notStarted(kernel, ending.error, options);
    return { ...launched, died };
  } catch (error) {
    throw notStarted(kernel, error as NodeJS.ErrnoException, options);
  }
}

/** Returns the error of a process that ended before its answer. */
export function makeProgramEndError(
  { kernel, shape }: ProductRequest,
  ending: ProcessEnding,
  child: ProcessTree,
): ParanoiaError {
  const short = resourceError(ending.error);
  if (short !== undefined) return short;
  const breach = child.breach();
  if (breach !== undefined) return kernelBreaksOut({ kernel, shape, why: breach });
  return kernelDied({ kernel, shape, why: endingText(ending, child.lastWords()) });
}

function folderOf({ program }: ProgramKernel, { cwd }: ProgramOptions): string {
  return resolve(cwd, program.cwd ?? '.');
}

/** Reasons for which a program does not start, each with a next step. */
const REASONS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `its program "${file}" was not found. Install it, or give its path`,
  EACCES: (file) =>
    `its program "${file}" is not executable. Make it so (chmod +x), or name its interpreter before it`,
};

function notStarted(
  kernel: ProgramKernel,
  error: NodeJS.ErrnoException,
  options: ProgramOptions,
): ParanoiaError {
  const short = resourceError(error);
  if (short !== undefined) return short;
  const [file] = kernel.program.command;
  const folder = folderOf(kernel, options);
  const why = isFolder(folder)
    ? (lookUp(REASONS, error.code ?? '')?.(file) ??
      `its program "${quoteOutput(file)}" cannot be started: ${describeThrown(error)}`)
    : `its folder ${folder} does not exist`;
  return badKernel({ kernel: `"${kernel.name}"`, why }, error);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
