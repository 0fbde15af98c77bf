import { type DeviceJob, isLaid } from '../gpu/runner/device-job.ts';
import { epilogueShader } from '../gpu/wgsl/epilogue-shader.ts';
import type { EpilogueCall } from '../matrix/epilogue-call.ts';
import type { Gemm } from '../matrix/gemm.ts';

/**
 * Returns a job with the steps behind its product: in its last sums if its program can have them there, and D is dense; else in the pass
 * that writes D. It is computed as a whole.
 */
export function behindSteps(
  { parts: _, ...job }: DeviceJob,
  steps: readonly EpilogueCall[],
  sizes: Gemm,
): DeviceJob {
  const epilogue = epilogueShader(steps, sizes);
  const made = isLaid(job) || job.codes !== undefined ? undefined : job.fuse?.(epilogue);
  return { ...job, ...(made && { made }), epilogue };
}
