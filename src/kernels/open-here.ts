import type { OpenDevice } from '../gpu/device.ts';
import { openFunctionKernel } from './function-kernel.ts';
import type { Factors, Session } from './kernel.ts';
import { programsElsewhere } from './messages.ts';
import { openEncodeKernel } from './on-gpu/encode-kernel.ts';
import { openWgslKernel } from './on-gpu/wgsl-kernel.ts';
import type { UserKernel } from './user-kernel.ts';

/**
 * Opens a kernel that is not ours where this runs.
 * @param device the device in use, for kernels that run on ours.
 * @throws ParanoiaError `programs-elsewhere` for a program, which only Node starts.
 */
export function openHere(spec: UserKernel, device: () => OpenDevice): Session<Factors> {
  if ('program' in spec) throw programsElsewhere({ kernel: spec.name });
  if ('wgsl' in spec) return openWgslKernel(spec, device);
  if ('encode' in spec) return openEncodeKernel(spec, device);
  return openFunctionKernel(spec);
}
