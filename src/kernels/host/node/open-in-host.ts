import type { StdioOptions } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ParanoiaError } from '../../../base/errors.ts';
import { ownScript } from '../../../base/node/invocation.ts';
import { plainGemm } from '../../../matrix/gemm.ts';
import { precisions } from '../../../precision/precisions.ts';
import { type ProductRequest, toStoredFormat } from '../../answer.ts';
import { waitWithin } from '../../deadline.ts';
import type { KernelSession, ProductInput } from '../../kernel.ts';
import { describeThrown } from '../../kernel-error.ts';
import { kernelUnfit } from '../../messages.ts';
import type { UserKernel } from '../../user-kernel.ts';
import { endingText, type OutputRelay, onStandardError, relayOutput } from './child.ts';
import { openConversation } from './conversation.ts';
import { mannerOf, openHosted, START_UP_HELD } from './host-session.ts';
import { type KernelSandbox, launch } from './launch.ts';
import { parseOwnProduct, stackedFiles } from './operand-files.ts';
import { makeProgramEndError, type ProtocolProcess } from './start-program.ts';

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
