import type { Block } from '../plan/plan.ts';
import { type Bound, binder } from './bind-groups.ts';
import type { Placed } from './places.ts';
import { openTextures, type Textures, texelsOf } from './textures.ts';
import { type Marks, timestampWrites } from './timestamps.ts';
import { OPERATIONS_AT_ONCE } from './tuning/tuning.ts';
import type { GpuComputePipeline, GpuDevice } from './web-gpu.ts';

/** Submits programs and waits for them. @returns wall-clock seconds, as `Execution` has them. */
export type Submitting = typeof submit;

/**
 * Submits programs one after the other, in portions a desktop driver tolerates.
 * @param marks where the device writes when it began and ended.
 */
export async function submit(
  device: GpuDevice,
  placed: readonly Placed[],
  pipelines: ReadonlyMap<string, GpuComputePipeline>,
  meanwhile?: () => void,
  marks?: Marks,
): Promise<number | undefined> {
  const start = performance.now();
  const textures = openTextures(device);
  const bind = binder(device, textures);
  const cut = portions(placed);
  for (const [at, portion] of cut.entries()) {
    const encoder = device.createCommandEncoder();
    const runs = betweenCopies(portion);
    for (const [place, run] of runs.entries()) {
      copyToTexture(encoder, textures, run[0]);
      const isFirst = at === 0 && place === 0;
      const isLast = at === cut.length - 1 && place === runs.length - 1;
      const pass = encoder.beginComputePass(timestampWrites(marks, isFirst, isLast));
      for (const bound of run) {
        const pipeline = pipelines.get(bound.dispatch.shader) as GPUComputePipeline;
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bind(pipeline, bound));
        pass.dispatchWorkgroups(...bound.dispatch.workgroups);
      }
      pass.end();
    }
    device.queue.submit([encoder.finish()]);
  }
  meanwhile?.();
  await device.queue.onSubmittedWorkDone();
  textures.destroy();
  return meanwhile === undefined ? (performance.now() - start) / 1000 : undefined;
}

/** Cuts a portion before every dispatch whose block is to be copied to a texture first. */
function betweenCopies(portion: readonly Bound[]): Bound[][] {
  const runs: Bound[][] = [[]];
  for (const bound of portion) {
    if (bound.dispatch.texture !== undefined && runs[runs.length - 1].length > 0) runs.push([]);
    runs[runs.length - 1].push(bound);
  }
  return runs;
}

function copyToTexture(encoder: GPUCommandEncoder, textures: Textures, bound: Bound | undefined): void {
  if (bound?.dispatch.texture === undefined) return;
  const { dispatch, placed } = bound;
  const { buffer: name, offset } = dispatch.texture as Block;
  const { buffer, start } = placed.places.blocks[name];
  const { words } = placed.made.numeric;
  textures.copy(encoder, texelsOf(dispatch, words), buffer, start + 4 * words * offset);
}

/** Cuts programs where a submission would exceed what a desktop driver tolerates. */
function portions(programs: readonly Placed[]): Bound[][] {
  const cut: Bound[][] = [[]];
  let operations = 0;
  for (const placed of programs) {
    const atOnce = placed.made.operationsAtOnce ?? OPERATIONS_AT_ONCE;
    for (const [index, dispatch] of placed.made.dispatches.entries()) {
      if (operations > 0 && operations + dispatch.operations > atOnce) {
        cut.push([]);
        operations = 0;
      }
      operations += dispatch.operations;
      cut[cut.length - 1].push({ dispatch, index, placed });
    }
  }
  return cut;
}
