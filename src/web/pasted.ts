import { casesOption, type Replay, replayCommand } from '../evidence/result-of.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { wgslText } from '../kernels/files/wgsl-text.ts';
import type { WgslKernel } from '../kernels/user-kernel.ts';
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

/** What the device's compiler has against a text, the first line first; none where it compiles. */
export async function complaintsOf({ device }: OpenDevice, source: string): Promise<Complaint[]> {
  // What else the device thinks of it, the gate says.
  device.pushErrorScope('validation');
  const { messages } = await device.createShaderModule({ code: source, label: PASTED }).getCompilationInfo();
  await device.popErrorScope();
  return messages
    .filter(({ type }) => type === 'error')
    .map(({ lineNum, linePos, message }) => ({ line: lineNum, column: linePos, message }))
    .sort((one, other) => one.line - other.line);
}
