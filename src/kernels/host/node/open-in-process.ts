import type { OpenDevice } from '../../../gpu/device.ts';
import type { Precision } from '../../../precision/precision.ts';
import type { KernelSession, ProductInput } from '../../kernel.ts';
import { openHere } from '../../open-here.ts';
import type { UserKernel } from '../../user-kernel.ts';
import { openProgram } from './open-program.ts';

/** Options for opening kernels. */
export interface SessionOptions {
  /** Returns the device in use, for kernels that run on it. */
  readonly device: () => OpenDevice;
  /** The folder in which programs run, unless they name one. */
  readonly cwd: string;
}

/** Opens an external kernel in this process; a program in one of its own. @throws ParanoiaError `bad-kernel` */
export async function openExternal(
  spec: UserKernel,
  { device, cwd }: SessionOptions,
  precision: Precision,
): Promise<KernelSession<ProductInput>> {
  return 'program' in spec ? openProgram(spec, { cwd }, precision) : openHere(spec, device, precision);
}
