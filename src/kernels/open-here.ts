import { loadPart } from '../base/part.ts';
import type { OpenDevice } from '../gpu/device.ts';
import type { Precision } from '../precision/precision.ts';
import { openFunctionKernel } from './function-kernel.ts';
import type { KernelSession, ProductInput } from './kernel.ts';
import { programsElsewhere } from './messages.ts';
import type { UserKernel } from './user-kernel.ts';

/**
 * Opens an external kernel in this process.
 * @param device returns the device in use, for kernels that run on it.
 * @throws ParanoiaError `programs-elsewhere` for a program, which only Node starts; `part-missing`, `bad-kernel`
 */
export async function openHere(
  spec: UserKernel,
  device: () => OpenDevice,
  precision: Precision,
): Promise<KernelSession<ProductInput>> {
  if ('program' in spec) throw programsElsewhere({ kernel: spec.name });
  if ('multiply' in spec) return openFunctionKernel(spec, undefined, precision);
  const { openEncodeKernel, openWgslKernel } = await loadPart(
    'runs kernels on a GPU',
    () => import('./on-gpu/open-on-gpu.ts'),
  );
  return 'wgsl' in spec ? openWgslKernel(spec, device, precision) : openEncodeKernel(spec, device, precision);
}
