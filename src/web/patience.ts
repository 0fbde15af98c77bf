import { deadline } from '../kernels/deadline.ts';
import { gpuSilent } from './messages.ts';

/** Seconds that a visitor waits for a GPU which may never answer, because a kernel holds it. */
export interface Patience {
  /** Until it is opened. */
  readonly opening: number;
  /** Once the visitor has asked to stop. */
  readonly stopping: number;
}

export const PATIENCE: Patience = { opening: 30, stopping: 10 };

/**
 * What comes of work, unless the GPU is silent for so many seconds; what comes of it later disturbs nobody.
 * @param from the seconds count from when this is aborted; left out, from now.
 * @throws ParanoiaError `gpu-silent`
 */
export async function answered<T>(work: Promise<T>, seconds: number, from?: AbortSignal): Promise<T> {
  let begin = () => {};
  let end = () => {};
  const silence = new Promise<never>((_, reject) => {
    begin = () => {
      const limit = deadline(seconds, () => reject(gpuSilent({ seconds })));
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
