import type { OpenDevice } from '../../gpu/device.ts';
import { openGpuSession } from '../../gpu/foreign/gpu-session.ts';
import { openWgslSession } from '../../gpu/foreign/wgsl-session.ts';
import { openFunctionSession } from '../function-session.ts';
import type { Session } from '../session.ts';
import type { UserKernel } from '../user-kernel.ts';
import { openProgramSession } from './program-session.ts';

/** What kernels are opened with. */
export interface SessionOptions {
  /** The device in use, for kernels that run on ours. */
  readonly device: () => OpenDevice;
  /** The folder programs run in, unless they name one. */
  readonly cwd: string;
}

/** Opens a user's kernel in this process; a program in one of its own. @throws Problem `bad-kernel` */
export function openSession(spec: UserKernel, { device, cwd }: SessionOptions): Session {
  if ('program' in spec) return openProgramSession(spec, { cwd });
  if ('wgsl' in spec) return openWgslSession(spec, device);
  if ('encode' in spec) return openGpuSession(spec, device);
  return openFunctionSession(spec);
}
