import type { StdioOptions } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ParanoiaError } from '../../../base/errors.ts';
import { ownScript } from '../../../base/node/own-script.ts';
import { plainGemm } from '../../../matrix/gemm.ts';
import { precisions } from '../../../precision/precisions.ts';
import { type Asked, heldIn } from '../../answer.ts';
import { within } from '../../deadline.ts';
import type { Factors, Session } from '../../kernel.ts';
import { kernelUnfit } from '../../messages.ts';
import { reasonOf } from '../../thrown.ts';
import type { ProgramKernel, UserKernel } from '../../user-kernel.ts';
import { endingText } from './child.ts';
import { converse } from './conversation.ts';
import { wrongGreeting } from './greeted.ts';
import { type Hosted, openHosted } from './host-session.ts';
import { type HeldBy, launch } from './launch.ts';
import { openOnce } from './once.ts';
import { dumpOperands, parseOwnProduct, parseProduct, stackedFiles } from './operand-files.ts';
import { onStandardError, type Printed, printedBy } from './printed.ts';
import { diedOf, type ProgramOptions, printedBeside, type Speaking, startSpeaking } from './start-program.ts';

/**
 * Opens a kernel that is a program, started for every product or once. Whatever it does is a verdict on the product that
 * it does it to; it and all that it has started are ended with this process.
 * @throws ParanoiaError `bad-kernel` for a one-shot command that does not say where A, B and C are.
 */
export function openProgram(
  kernel: ProgramKernel,
  options: ProgramOptions,
  precision = precisions.find(kernel.precision ?? 'f32'),
): Session<Factors> {
  const { name, timeLimit, program } = kernel;
  if (program.mode !== 'worker') return openOnce(kernel, options, precision);
  const printed = printedBeside(kernel, options);
  return openHosted({
    ...{ name, timeLimit, greets: false, isCalled: false, ...mannerOf(options) },
    start: (surroundings) => startSpeaking(kernel, { ...options, surroundings }, printed),
    // What a program says of itself that is not trusted changes nothing.
    wrong: (greeting) => (options.confinement === undefined ? wrongGreeting(kernel, greeting) : undefined),
    files: (factors) => dumpOperands(factors, precision, kernel.scales),
    read: (file, asked) => heldIn(parseProduct(file, asked, 'its D.npy').data, { ...asked, precision }),
  });
}

/**
 * Opens a kernel that is no program in a process of ours, so that one that hangs or dies takes nothing with it.
 * @param by what holds that process, where the kernel is not trusted.
 */
export function openInHost(
  { name, timeLimit, ...spec }: Pick<UserKernel, 'name' | 'timeLimit' | 'precision'>,
  locator: Locator,
  by: HeldBy = {},
  precision = precisions.find(spec.precision ?? 'f32'),
): Session<Factors> {
  const printed = printedBy(name, onStandardError);
  const isCalled = 'multiply' in spec;
  // A shader runs no code in its process but ours.
  const manner = isCalled ? mannerOf(by) : {};
  const { time: _, ...session } = openHosted({
    ...{ name, timeLimit, greets: true, isCalled, ...manner, startsAhead: by.confinement !== undefined },
    start: (surroundings) =>
      startScript(name, { ...locator, ...manner, clock: surroundings?.time }, printed, {
        ...by,
        surroundings,
      }),
    files: (factors) => stackedFiles(factors, precision),
    read(file, asked) {
      const product = parseOwnProduct(file, asked, 'its D.npy');
      return manner.wary === true ? heldIn(product.data, { ...asked, precision }) : product;
    },
  });
  return session;
}

/** Seconds that a kernel may take to get ready that is not trusted. */
const START_UP_HELD = 60;

/** A kernel that is held is one that is not trusted. */
const mannerOf = ({ confinement }: HeldBy): Partial<Hosted> & { wary?: boolean } =>
  confinement === undefined ? {} : { wary: true, startUp: START_UP_HELD, asksApart: true, startsAhead: true };

/**
 * Asks our host what a kernel that is not trusted says of itself: it is loaded there alone.
 * @throws ParanoiaError `kernel-unfit` where it cannot be loaded
 */
export async function askInHost(name: string, locator: Locator, by: HeldBy): Promise<unknown> {
  const speaking = startScript(name, { ...locator, wary: true }, printedBy(name, onStandardError), by);
  const host = converse(speaking, { wary: true });
  const asked: Asked = { kernel: name, shape: plainGemm({ m: 0, k: 0, n: 0 }) };
  const late = () =>
    kernelUnfit({ kernel: name, why: `it does not finish loading within ${START_UP_HELD} s` });
  try {
    const said = await within(START_UP_HELD, host.greeting(asked), late);
    if (said.ready) return said.about;
    throw kernelUnfit({ kernel: name, why: `it cannot be loaded: ${reasonOf(said.error)}` });
  } catch (error) {
    const ending = speaking.ending();
    if (ending === undefined || !(error instanceof ParanoiaError) || error.code === kernelUnfit.code)
      throw error;
    const why = speaking.breach() ?? endingText(ending, speaking.lastWords());
    throw kernelUnfit({ kernel: name, why: `when it was loaded, ${why}` }, error);
  } finally {
    host.kill();
  }
}

/** Where our host finds its kernel: a module that exports `locate(args)`, a function that gives a promise of a session. */
export interface Locator {
  /** The address of the module, `file://…`. */
  readonly module: string;
  /** Whatever JSON holds. */
  readonly args: unknown;
  /** Whether the kernel is not trusted by the code around it. @defaultValue false */
  readonly wary?: boolean | undefined;
  /** What time it is for the kernel, in milliseconds since 1970. @defaultValue the true time */
  readonly clock?: number | undefined;
}

const SCRIPT = fileURLToPath(ownScript('./host', import.meta.url));

/**
 * Starts our own host for one kernel. We speak with it over its file descriptors 3 and 4; what it prints goes to our
 * standard error, for our output may be for a program.
 */
function startScript(name: string, locator: Locator, printed: Printed, by: HeldBy): Speaking {
  const about = JSON.stringify({ name, ...locator });
  const words = [...nodeOptions(), SCRIPT, about];
  const how = { stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as StdioOptions, printed };
  const launched = launch({ file: process.execPath, words, env: process.env }, how, by);
  // Where this machine gives no more files, there are none.
  const [, , , input, output] = launched.process.stdio ?? [];
  return {
    ...launched,
    died: (asked, ending) => diedOf(asked, ending, launched),
    input: input as Writable,
    output: output as Readable,
  };
}

/** What Node is told where it runs a script of ours: as it was here; two processes cannot be debugged over one port. */
export const nodeOptions = (): string[] => process.execArgv.filter((word) => !word.startsWith('--inspect'));
