import { startDeadline } from '../kernels/deadline.ts';
import { gpuSilent } from './messages.ts';

/** Time limits in seconds for a GPU that may never answer, because a kernel blocks it. */
export interface GpuTimeLimits {
  /** The time limit of opening it. */
  readonly opening: number;
  /** The time limit after the visitor has asked to stop. */
  readonly stopping: number;
}

export const PATIENCE: GpuTimeLimits = { opening: 30, stopping: 10 };

/**
 * Returns the result of work, unless the GPU is silent too long; a later result is ignored.
 * @param from the limit counts from its abort. @defaultValue from now
 * @throws ParanoiaError `gpu-silent`
 */
export async function waitForAnswer<T>(work: Promise<T>, seconds: number, from?: AbortSignal): Promise<T> {
  let begin = () => {};
  let end = () => {};
  const silence = new Promise<never>((_, reject) => {
    begin = () => {
      const limit = startDeadline(seconds, () => reject(gpuSilent({ seconds })));
      end = () => limit.cancel();
    };
  });
  if (from === undefined || from.aborted) begin();
  else from.addEventListener('abort', begin, { once: true });
  try {
    return await Promise.race([work, silence]);
  } finally {
    from?.removeEventListener('abort', begin);
    end();
  }
}
