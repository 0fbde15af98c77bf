import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ParanoiaError } from '../../../base/errors.ts';
import { lookUp } from '../../../base/look-up.ts';
import { shortOfResources } from '../../../base/node/resources.ts';
import { badKernel } from '../../../precision/messages.ts';
import type { Asked } from '../../answer.ts';
import { kernelBreaksOut, kernelDied } from '../../messages.ts';
import { reasonOf } from '../../thrown.ts';
import type { ProgramKernel } from '../../user-kernel.ts';
import { type Child, type Ending, endingText, quoted } from './child.ts';
import { type HeldBy, type Launch, launch } from './launch.ts';
import { onStandardError, type Printed, printedBy } from './printed.ts';

/** Where and how programs run. */
export interface ProgramOptions extends HeldBy {
  /** The folder that a program's own `cwd` is relative to: the config's. */
  readonly cwd: string;
  /** Whether what they write to their standard error, and one-shot ones to their output, goes to our standard error. */
  readonly verbose?: boolean | undefined;
  /** Milliseconds that one which answers no pings has to outlive its answer. @defaultValue 10 */
  readonly outlives?: number | undefined;
}

/** Where what a program prints goes: nowhere, unless it is asked for. */
export const printedBeside = (kernel: ProgramKernel, { verbose }: ProgramOptions): Printed | undefined =>
  verbose === true ? printedBy(kernel.name, onStandardError) : undefined;

/** A process that is to multiply. */
export interface Running extends Child {
  /** Why it ended without an answer: it never started, or it died. */
  died(asked: Asked, ending: Ending): ParanoiaError;
}

/** One that is spoken with. */
export interface Speaking extends Running {
  readonly input: Writable;
  readonly output: Readable;
  /** Milliseconds that it has to outlive its answer where it answers no pings. */
  readonly outlives?: number | undefined;
}

/**
 * Starts a program that is spoken with over its standard input and output, without a shell.
 * @throws ParanoiaError as {@link startProgram} does.
 */
export function startSpeaking(kernel: ProgramKernel, options: ProgramOptions, printed?: Printed): Speaking {
  const how: Launch = { stdio: ['pipe', 'pipe', 'pipe'], printed, speaks: true };
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
 * @param folder in which it may write, should it be held.
 * @throws ParanoiaError `bad-kernel` for words that no program can be started with; most reasons show later, in its ending.
 */
export function startProgram(
  kernel: ProgramKernel,
  words: readonly string[],
  options: ProgramOptions,
  folder: string,
  printed?: Printed,
): Running {
  const output = printed === undefined ? 'ignore' : 'pipe';
  return start(kernel, words, options, { stdio: ['ignore', output, 'pipe'], printed, writes: [folder] });
}

function start(
  kernel: ProgramKernel,
  [file, ...words]: readonly string[],
  options: ProgramOptions,
  how: Launch,
) {
  const { env } = kernel.program;
  try {
    const about = { file, words, env: { ...process.env, ...env }, cwd: folderOf(kernel, options) };
    const launched = launch(about, { ...how, named: env }, options);
    const died = (asked: Asked, ending: Ending) =>
      ending.error === undefined
        ? diedOf(asked, ending, launched)
        : notStarted(kernel, ending.error, options);
    return { ...launched, died };
  } catch (error) {
    throw notStarted(kernel, error as NodeJS.ErrnoException, options);
  }
}

/** The problem of a process that ended before it had answered. */
export function diedOf({ kernel, shape }: Asked, ending: Ending, child: Child): ParanoiaError {
  const short = shortOfResources(ending.error);
  if (short !== undefined) return short;
  const breach = child.breach();
  if (breach !== undefined) return kernelBreaksOut({ kernel, shape, why: breach });
  return kernelDied({ kernel, shape, why: endingText(ending, child.lastWords()) });
}

function folderOf({ program }: ProgramKernel, { cwd }: ProgramOptions): string {
  return resolve(cwd, program.cwd ?? '.');
}

/** What stops a program from starting, and what to do about it. */
const REASONS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `its program "${file}" is not found; install it, or give its path`,
  EACCES: (file) =>
    `its program "${file}" may not be executed; make it executable (chmod +x), or name its interpreter before it`,
};

function notStarted(
  kernel: ProgramKernel,
  error: NodeJS.ErrnoException,
  options: ProgramOptions,
): ParanoiaError {
  const short = shortOfResources(error);
  if (short !== undefined) return short;
  const [file] = kernel.program.command;
  const folder = folderOf(kernel, options);
  const why = isFolder(folder)
    ? (lookUp(REASONS, error.code ?? '')?.(file) ??
      `its program "${quoted(file)}" does not start: ${reasonOf(error)}`)
    : `its folder ${folder} does not exist`;
  return badKernel({ kernel: `"${kernel.name}"`, why }, error);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
