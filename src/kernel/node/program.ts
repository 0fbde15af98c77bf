import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { precisions } from '../../formats/precision.ts';
import { type Problem, problem } from '../../problems.ts';
import { type Asked, shapeText } from '../answer.ts';
import { reasonOf } from '../thrown.ts';
import type { Call, ProgramKernel } from '../user-kernel.ts';
import { type Child, type Ending, endingText, OWN_GROUP, quoted, watchOver } from './child.ts';

/** Where and how programs run. */
export interface ProgramOptions {
  /** The folder that a program's own `cwd` is relative to: the config's. */
  readonly cwd: string;
  /** Whether what they write to their standard error, and one-shot ones to their output, goes to our standard error. */
  readonly verbose?: boolean | undefined;
}

/** A program that runs. */
export interface Running extends Child {
  readonly process: ChildProcess;
}

/**
 * Starts the program of a kernel with these words, without a shell.
 * @throws Problem `bad-kernel` for words that no program can be started with; most reasons show later, in its ending.
 */
export function startProgram(
  kernel: ProgramKernel,
  [file, ...words]: readonly string[],
  speaks: boolean,
  options: ProgramOptions,
): Running {
  const { env } = kernel.program;
  const { verbose = false } = options;
  try {
    const child = spawn(file, words, {
      ...OWN_GROUP,
      cwd: folderOf(kernel, options),
      env: { ...process.env, ...env },
      stdio: speaks ? ['pipe', 'pipe', 'pipe'] : ['ignore', verbose ? 2 : 'ignore', 'pipe'],
    });
    return { process: child, ...watchOver(child, verbose) };
  } catch (error) {
    throw notStarted(kernel, error as NodeJS.ErrnoException, options);
  }
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

function notStarted(kernel: ProgramKernel, error: NodeJS.ErrnoException, options: ProgramOptions): Problem {
  const [file] = kernel.program.command;
  const folder = folderOf(kernel, options);
  const why = isFolder(folder)
    ? (REASONS[error.code ?? '']?.(file) ??
      `its program "${quoted(file)}" does not start: ${reasonOf(error)}`)
    : `its folder ${folder} does not exist`;
  return problem('bad-kernel', { kernel: `"${kernel.name}"`, why }, error);
}

/** Why a program ended without an answer: it never started, or it died. */
export function endedEarly(
  kernel: ProgramKernel,
  { shape }: Asked,
  ending: Ending,
  child: Child,
  options: ProgramOptions,
): Problem {
  if (ending.error !== undefined) return notStarted(kernel, ending.error, options);
  const why = endingText(ending, child.lastWords());
  return problem('kernel-died', { kernel: kernel.name, shape: shapeText(shape), why });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * What is asked of a program.
 * @throws Problem `kernel-refuses` for a layout that it does not take.
 */
export function askedOf({ name, precision = 'f32', layouts }: ProgramKernel, call: Call): Asked {
  const { m, k, n, layout } = call;
  const refuse = (why: string) =>
    problem('kernel-refuses', { kernel: name, shape: shapeText({ m, k, n }), why });
  if (layout.pad > 0) throw refuse('it gets .npy files, whose rows have no gaps between them');
  if ((layout.transposeA || layout.transposeB) && layouts !== true) {
    throw refuse('it takes operands row by row; give it layouts: true if it takes Fortran order');
  }
  return { kernel: name, precision: precisions[precision], shape: { m, k, n } };
}
