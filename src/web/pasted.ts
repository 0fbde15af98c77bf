import { casesOption, type ReplayCommand, replayCommand } from '../evidence/result-of.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { pipelineRefusal } from '../gpu/queue/pipelines.ts';
import { wgslText } from '../kernels/files/wgsl-text.ts';
import type { WgslKernel } from '../kernels/user-kernel.ts';
import { plainGemm } from '../matrix/gemm.ts';
import type { CompilerMessage } from './protocol.ts';

/** The name of a pasted kernel: the file from which the command line would read it. */
export const PASTED = 'kernel.wgsl';

/** Returns the command that runs cases of a kernel again; for a pasted kernel it reads the file in which its text was saved. */
export const replayOfPasted =
  (kernel: string): ReplayCommand =>
  (...texts) =>
    kernel === PASTED ? `npx gemm-paranoia gate ${PASTED} ${casesOption(...texts)}` : replayCommand(...texts);

/**
 * Reads the kernel in a text, as from a WGSL file: bindings, sizes and workgroups from its source, more from its header.
 * @throws ParanoiaError `no-kernel-in`
 */
export const pastedKernel = (source: string): WgslKernel =>
  wgslText({ file: PASTED, name: PASTED, symbol: undefined }, source);

/** Compiles a kernel on the device. @returns the compiler's errors, by line; none if it compiles */
export async function complaintsOf({ device }: OpenDevice, source: string): Promise<CompilerMessage[]> {
  // Other validation errors are reported by the gate.
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code: source, label: PASTED });
  const { messages } = await module.getCompilationInfo();
  await device.popErrorScope();
  return messages
    .filter(({ type }) => type === 'error')
    .map(({ lineNum, linePos, message }) => ({ line: lineNum, column: linePos, message: plain(message) }))
    .sort((one, other) => one.line - other.line);
}

/** Shortens a message: removes what the page shows itself, source lines of wgpu, and steps of Dawn. */
const plain = (message: string): string =>
  message
    .split('\n')
    .filter((line) => !/^\s*(\d+\s*)?[│┌]|^ *- While /.test(line))
    .map((line) => line.replace(/^\s*=?\s*/, '').trim())
    .filter((line) => line !== '')
    .join('; ');

/**
 * Returns the reason why the device cannot run a kernel that compiles, at any size: too many invocations, for example. Undefined if there
 * is none, and for kernels whose pipeline depends on the size.
 */
export async function whyRefused(
  open: OpenDevice,
  source: string,
  { wgsl: { entryPoint = 'main', constants = {} } }: WgslKernel,
): Promise<string | undefined> {
  const given = typeof constants === 'function' ? constants(plainGemm({ m: 8, k: 8, n: 8 })) : constants;
  if (Object.keys(given).length > 0) return undefined;
  const message = await pipelineRefusal(open, source, { entryPoint, label: PASTED });
  return message && plain(message);
}
