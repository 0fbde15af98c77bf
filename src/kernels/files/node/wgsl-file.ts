import { fileReason, readText } from '../../../base/node/read-file.ts';
import { noKernelIn } from '../../messages.ts';
import type { WgslKernel } from '../../user-kernel.ts';
import type { FileOrigin } from '../file-origin.ts';
import { wgslText } from '../wgsl-text.ts';

/**
 * Reads a kernel from a WGSL file, as {@link wgslText} does.
 * @throws ParanoiaError `no-kernel-in`
 */
export async function wgslFile(origin: FileOrigin): Promise<WgslKernel> {
  return wgslText(origin, sourceOf(origin));
}

function sourceOf({ file, path }: FileOrigin): string {
  try {
    return readText(path);
  } catch (error) {
    throw noKernelIn({ file, why: `cannot be read: ${fileReason(error)}` }, error);
  }
}
