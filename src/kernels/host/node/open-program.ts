import { isDeepStrictEqual } from 'node:util';
import { ParanoiaError } from '../../../base/errors.ts';
import { formatValue } from '../../../base/plain-words.ts';
import { badKernel } from '../../../precision/messages.ts';
import { precisions } from '../../../precision/precisions.ts';
import { toStoredFormat } from '../../answer.ts';
import { checkKernel } from '../../check-kernel.ts';
import type { KernelSession, ProductInput } from '../../kernel.ts';
import type { ProgramKernel } from '../../user-kernel.ts';
import { mannerOf, openHosted } from './host-session.ts';
import { openOnce } from './once.ts';
import { dumpOperands, parseProduct } from './operand-files.ts';
import { PROTOCOL, UNNUMBERED } from './protocol.ts';
import type { ReadyMessage } from './replies.ts';
import { makeOutputReceiver, type ProgramOptions, startSpeaking } from './start-program.ts';

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
