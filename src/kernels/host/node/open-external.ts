import type { StdioOptions } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ownScript } from '../../../base/node/own-script.ts';
import type { OpenDevice } from '../../../gpu/device.ts';
import { precisions } from '../../../precision/precisions.ts';
import { heldIn } from '../../answer.ts';
import { openFunctionKernel } from '../../function-kernel.ts';
import type { Factors, Session } from '../../kernel.ts';
import { openEncodeKernel } from '../../on-gpu/encode-kernel.ts';
import { openWgslKernel } from '../../on-gpu/wgsl-kernel.ts';
import type { ProgramKernel, UserKernel } from '../../user-kernel.ts';
import { openHosted } from './host-session.ts';
import { type HeldBy, launch } from './launch.ts';
import { openOnce } from './once.ts';
import { dumpOperands, parseProduct, stackedFiles } from './operand-files.ts';
import { diedOf, type ProgramOptions, type Speaking, startSpeaking } from './start-program.ts';

/** What kernels are opened with. */
export interface SessionOptions {
  /** The device in use, for kernels that run on ours. */
  readonly device: () => OpenDevice;
  /** The folder programs run in, unless they name one. */
  readonly cwd: string;
}

/** Opens a kernel that is not ours in this process; a program in one of its own. @throws ParanoiaError `bad-kernel` */
export function openExternal(spec: UserKernel, { device, cwd }: SessionOptions): Session<Factors> {
  if ('program' in spec) return openProgram(spec, { cwd });
  if ('wgsl' in spec) return openWgslKernel(spec, device);
  if ('encode' in spec) return openEncodeKernel(spec, device);
  return openFunctionKernel(spec);
}

/**
 * Opens a kernel that is a program, started for every product or once. Whatever it does is a verdict on the product that
 * it does it to; it and all that it has started are ended with this process.
 * @throws ParanoiaError `bad-kernel` for a one-shot command that does not say where A, B and C are.
 */
export function openProgram(kernel: ProgramKernel, options: ProgramOptions): Session<Factors> {
  const { name, precision: named = 'f32', timeLimit, program } = kernel;
  if (program.mode !== 'worker') return openOnce(kernel, options);
  const precision = precisions.find(named);
  return openHosted({
    ...{ name, timeLimit, greets: false, isCalled: false },
    start: () => startSpeaking(kernel, options),
    files: (factors) => dumpOperands(factors, precision),
    read: (file, asked) => heldIn(parseProduct(file, asked, 'its D.npy').data, { ...asked, precision }),
  });
}

/**
 * Opens a kernel that is no program in a process of ours, so that one that hangs or dies takes nothing with it.
 * @param by what holds that process, where the kernel is not trusted.
 */
export function openInHost(
  { name, timeLimit, ...spec }: Pick<UserKernel, 'name' | 'timeLimit'>,
  locator: Locator,
  by: HeldBy = {},
): Session<Factors> {
  const { time: _, ...session } = openHosted({
    ...{ name, timeLimit, greets: true, isCalled: 'multiply' in spec },
    start: () => startScript(name, locator, by),
    files: stackedFiles,
    read: (file, asked) => parseProduct(file, asked, 'its D.npy'),
  });
  return session;
}

/** Where our host finds its kernel: a module that exports `locate(args)`, a function that gives a promise of a session. */
export interface Locator {
  /** The address of the module, `file://…`. */
  readonly module: string;
  /** Whatever JSON holds. */
  readonly args: unknown;
}

const SCRIPT = fileURLToPath(ownScript('./host', import.meta.url));

/**
 * Starts our own host for one kernel. We speak with it over its file descriptors 3 and 4; what it prints goes to our
 * standard error, for our output may be for a program.
 */
function startScript(name: string, locator: Locator, by: HeldBy): Speaking {
  const about = JSON.stringify({ name, ...locator });
  const words = [...nodeOptions(), SCRIPT, about];
  const how = { stdio: ['ignore', 2, 'pipe', 'pipe', 'pipe'] as StdioOptions, passOn: true };
  const launched = launch({ file: process.execPath, words, env: process.env }, how, by);
  const [, , , input, output] = launched.process.stdio;
  return {
    ...launched,
    died: (asked, ending) => diedOf(asked, ending, launched),
    input: input as Writable,
    output: output as Readable,
  };
}

/** What Node is told where it runs a script of ours: as it was here; two processes cannot be debugged over one port. */
export const nodeOptions = (): string[] => process.execArgv.filter((word) => !word.startsWith('--inspect'));
