import type { StdioOptions } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { ParanoiaError } from '../../../base/errors.ts';
import { ownScript } from '../../../base/node/invocation.ts';
import { formatValue } from '../../../base/plain-words.ts';
import { plainGemm } from '../../../matrix/gemm.ts';
import { badKernel } from '../../../precision/messages.ts';
import { precisions } from '../../../precision/precisions.ts';
import { type ProductRequest, toStoredFormat } from '../../answer.ts';
import { checkKernel } from '../../check-kernel.ts';
import { waitWithin } from '../../deadline.ts';
import type { KernelSession, ProductInput } from '../../kernel.ts';
import { describeThrown } from '../../kernel-error.ts';
import { kernelUnfit } from '../../messages.ts';
import type { ProgramKernel, UserKernel } from '../../user-kernel.ts';
import { endingText, type OutputRelay, onStandardError, relayOutput } from './child.ts';
import { openConversation } from './conversation.ts';
import { type HostedKernel, openHosted } from './host-session.ts';
import { type KernelSandbox, launch } from './launch.ts';
import { openOnce } from './once.ts';
import { dumpOperands, parseOwnProduct, parseProduct, stackedFiles } from './operand-files.ts';
import { PROTOCOL, UNNUMBERED } from './protocol.ts';
import type { ReadyMessage } from './replies.ts';
import {
  makeOutputReceiver,
  makeProgramEndError,
  type ProgramOptions,
  type ProtocolProcess,
  startSpeaking,
} from './start-program.ts';

/**
 * Opens a program kernel, started for every product or once. Any failure counts for the product that caused it; the program and all that
 * it has started end with this process.
 * @throws ParanoiaError `bad-kernel` for a one-shot command without the places of A, B and C.
 */
export function openProgram(
  kernel: ProgramKernel,
  options: ProgramOptions,
  precision = precisions.find(kernel.precision ?? 'f32'),
): KernelSession<ProductInput> {
  const { name, timeLimit, program } = kernel;
  if (program.mode !== 'worker') return openOnce(kernel, options, precision);
  const printed = makeOutputReceiver(kernel, options);
  return openHosted({
    ...{ name, timeLimit, greets: false, isCalled: false, ...mannerOf(options) },
    start: (surroundings) => startSpeaking(kernel, { ...options, surroundings }, printed),
    // The statements of an untrusted program change nothing.
    wrong: (greeting) => (options.confinement === undefined ? checkGreeting(kernel, greeting) : undefined),
    files: (factors) => dumpOperands(factors, precision, kernel.scales),
    read: (file, asked) =>
      toStoredFormat(parseProduct(file, asked, 'its D.npy').data, { ...asked, precision }),
  });
}

/**
 * Opens a kernel that is no program in a host process, so that a hang or crash stays there.
 * @param by the sandbox of that process, where the kernel is untrusted.
 */
export function openInHost(
  { name, timeLimit, ...spec }: Pick<UserKernel, 'name' | 'timeLimit' | 'precision'>,
  locator: KernelLocator,
  by: KernelSandbox = {},
  precision = precisions.find(spec.precision ?? 'f32'),
): KernelSession<ProductInput> {
  const printed = relayOutput(name, onStandardError);
  const isCalled = 'multiply' in spec;
  // A shader's process runs only code of this package.
  const manner = isCalled ? mannerOf(by) : {};
  const { time: _, ...session } = openHosted({
    ...{ name, timeLimit, greets: true, isCalled, asksApart: isCalled, ...manner },
    startsAhead: by.confinement !== undefined,
    start: (surroundings) =>
      startScript(name, { ...locator, ...manner, clock: surroundings?.time }, printed, {
        ...by,
        surroundings,
      }),
    files: (factors) => stackedFiles(factors, precision),
    read(file, asked) {
      const product = parseOwnProduct(file, asked, 'its D.npy');
      return manner.wary === true ? toStoredFormat(product.data, { ...asked, precision }) : product;
    },
  });
  return session;
}

/** Seconds that startup of an untrusted kernel may take. */
const START_UP_HELD = 60;

/** Returns the options of an untrusted kernel if there is a sandbox. */
const mannerOf = ({ confinement }: KernelSandbox): Partial<HostedKernel> & { wary?: boolean } =>
  confinement === undefined ? {} : { wary: true, startUp: START_UP_HELD, startsAhead: true };

/**
 * Asks the host for the self-description of an untrusted kernel, which is loaded only there.
 * @throws ParanoiaError `kernel-unfit` where it cannot be loaded
 */
export async function askInHost(name: string, locator: KernelLocator, by: KernelSandbox): Promise<unknown> {
  const speaking = startScript(name, { ...locator, wary: true }, relayOutput(name, onStandardError), by);
  const host = openConversation(speaking, { wary: true });
  const asked: ProductRequest = { kernel: name, shape: plainGemm({ m: 0, k: 0, n: 0 }) };
  const late = () =>
    kernelUnfit({ kernel: name, why: `it did not finish loading within ${START_UP_HELD} s` });
  try {
    const said = await waitWithin(START_UP_HELD, host.greeting(asked), late);
    if (said.ready) return said.about;
    throw kernelUnfit({ kernel: name, why: `it cannot be loaded: ${describeThrown(said.error)}` });
  } catch (error) {
    const ending = speaking.ending();
    if (ending === undefined || !(error instanceof ParanoiaError) || error.code === kernelUnfit.code)
      throw error;
    const why = speaking.breach() ?? endingText(ending, speaking.lastWords());
    throw kernelUnfit({ kernel: name, why: `while it was loaded, ${why}` }, error);
  } finally {
    host.kill();
  }
}

/** The place of the host's kernel: a module that exports `locate(args)`, a function that returns a promise of a session. */
export interface KernelLocator {
  /** The address of the module, `file://…`. */
  readonly module: string;
  /** Any value that JSON holds. */
  readonly args: unknown;
  /** True if the kernel is untrusted. @defaultValue false */
  readonly wary?: boolean | undefined;
  /** The simulated time of the kernel, in milliseconds since 1970. @defaultValue the true time */
  readonly clock?: number | undefined;
}

const SCRIPT = fileURLToPath(ownScript('./host', import.meta.url));

/**
 * Starts the host for one kernel. The protocol runs over its file descriptors 3 and 4. Its output goes to this process's standard error,
 * since standard output may be for a program.
 */
function startScript(
  name: string,
  locator: KernelLocator,
  printed: OutputRelay,
  by: KernelSandbox,
): ProtocolProcess {
  const about = JSON.stringify({ name, ...locator });
  const words = [...nodeOptions(), SCRIPT, about];
  const how = { stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as StdioOptions, printed };
  const launched = launch({ file: process.execPath, words, env: process.env }, how, by);
  // If the system is out of file descriptors, these are missing.
  const [, , , input, output] = launched.process.stdio ?? [];
  return {
    ...launched,
    died: (asked, ending) => makeProgramEndError(asked, ending, launched),
    input: input as Writable,
    output: output as Readable,
  };
}

/**
 * Returns Node's options for scripts of this package: those of this process, except debugging, since two processes cannot share one port.
 */
export const nodeOptions = (): string[] => process.execArgv.filter((word) => !word.startsWith('--inspect'));

/** Keys of a greeting that the config states before the worker starts. */
const SAID = ['claims', 'accepts'] as const;

/** Checks a kernel with the statements of its worker's greeting. @returns `bad-kernel`; undefined where nothing is wrong */
function checkGreeting(kernel: ProgramKernel, greeting: ReadyMessage): ParanoiaError | undefined {
  const said = SAID.filter((key) => greeting[key] !== undefined);
  const { protocol = said.length > 0 ? UNNUMBERED : PROTOCOL } = greeting;
  const wrong = (why: string) => badKernel({ kernel: `"${kernel.name}"`, why });
  if (protocol !== PROTOCOL) {
    const next =
      protocol < PROTOCOL
        ? `Greet with "protocol":${PROTOCOL}, and claims and accepts as in defineKernel`
        : 'Update gemm-paranoia';
    return wrong(`its worker speaks version ${protocol} of the protocol, expected ${PROTOCOL}. ${next}`);
  }
  if (said.length === 0) return undefined;
  try {
    checkKernel({ ...kernel, ...Object.fromEntries(said.map((key) => [key, greeting[key]])) });
  } catch (error) {
    if (error instanceof ParanoiaError) return error;
    throw error;
  }
  const unlike = said.find((key) => !isDeepStrictEqual(greeting[key], asJson(kernel[key])));
  return unlike === undefined
    ? undefined
    : wrong(
        `its worker states ${unlike} ${formatValue(greeting[unlike])}, but its config ${kernel[unlike] === undefined ? 'states none' : formatValue(kernel[unlike])}. Make them equal`,
      );
}

/** Returns the part of a value that JSON holds. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') ?? undefined;
