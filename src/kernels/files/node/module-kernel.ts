import { importFile } from '../../../base/node/import-file.ts';
import { noKernelIn } from '../../messages.ts';
import type { UserKernel } from '../../user-kernel.ts';
import { exportedKernel } from '../exported-kernel.ts';
import type { FileOrigin } from '../file-origin.ts';

/** Loads a kernel from a module of JavaScript or TypeScript: {@link exportedKernel}. @throws ParanoiaError `no-kernel-in` */
export async function moduleKernel(origin: FileOrigin): Promise<UserKernel> {
  const { file, path } = origin;
  const module = await importFile(path, (why, cause) =>
    noKernelIn({ file, why: `cannot be read: ${why}` }, cause),
  );
  return exportedKernel(origin, module);
}
