import { casesOption, type Replay, replayCommand } from '../evidence/result-of.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { pipelineRefusal } from '../gpu/queue/refusal.ts';
import { wgslText } from '../kernels/files/wgsl-text.ts';
import type { WgslKernel } from '../kernels/user-kernel.ts';
import { plainGemm } from '../matrix/gemm.ts';
import type { Complaint } from './protocol.ts';

/** What a kernel is called that a visitor pastes: the file that the command line would read it from. */
export const PASTED = 'kernel.wgsl';

/** The command that runs cases of a kernel again: of a pasted one, where its text was saved. */
export const replayOf =
  (kernel: string): Replay =>
  (...texts) =>
    kernel === PASTED ? `npx gemm-paranoia gate ${PASTED} ${casesOption(...texts)}` : replayCommand(...texts);

/**
 * The kernel in a text, which says of itself what files of WGSL say: bindings, sizes and workgroups in its source, more in its header.
 * @throws ParanoiaError `no-kernel-in`
 */
export const pastedKernel = (source: string): WgslKernel =>
  wgslText({ file: PASTED, name: PASTED, symbol: undefined }, source);

/** What the device's compiler has against a kernel, the first line first; none where it compiles. */
export async function complaintsOf({ device }: OpenDevice, source: string): Promise<Complaint[]> {
  // What else the device thinks of it, the gate says.
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code: source, label: PASTED });
  const { messages } = await module.getCompilationInfo();
  await device.popErrorScope();
  return messages
    .filter(({ type }) => type === 'error')
    .map(({ lineNum, linePos, message }) => ({ line: lineNum, column: linePos, message: plain(message) }))
    .sort((one, other) => one.line - other.line);
}

/** A message without what the page shows itself, or says nothing to a visitor: the lines that wgpu draws, the steps that Dawn lists. */
const plain = (message: string): string =>
  message
    .split('\n')
    .filter((line) => !/^\s*(\d+\s*)?[│┌]|^ *- While /.test(line))
    .map((line) => line.replace(/^\s*=?\s*/, '').trim())
    .filter((line) => line !== '')
    .join('; ');

/**
 * Why the device runs a kernel that compiles at no size: it asks for more invocations than there are, say. Undefined where it says nothing of
 * the kind, and of kernels whose pipeline differs from size to size.
 */
export async function refusalOf(
  open: OpenDevice,
  source: string,
  { wgsl: { entryPoint = 'main', constants = {} } }: WgslKernel,
): Promise<string | undefined> {
  const given = typeof constants === 'function' ? constants(plainGemm({ m: 8, k: 8, n: 8 })) : constants;
  if (Object.keys(given).length > 0) return undefined;
  const message = await pipelineRefusal(open, source, { entryPoint, label: PASTED });
  return message && plain(message);
}
