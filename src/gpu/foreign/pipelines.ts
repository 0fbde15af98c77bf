import type { OpenDevice } from '../device.ts';
import { compileShader, withScopes } from '../errors.ts';
import type { WgslRun } from './wgsl-run.ts';

/** Pipelines kept: sources and constants made for each shape are as many as shapes. */
const KEPT = 64;

/** Makes the pipelines of a kernel, each once for a device as long as not too many are asked for. */
export function pipelineCache(kernel: string) {
  const devices = new WeakMap<GPUDevice, Map<string, GPUComputePipeline>>();
  /** @throws Problem `bad-shader`, `gpu-error` for an entry point or constant that the source does not have. */
  return async (open: OpenDevice, run: WgslRun): Promise<GPUComputePipeline> => {
    const made = devices.get(open.device) ?? new Map<string, GPUComputePipeline>();
    devices.set(open.device, made);
    const key = JSON.stringify([run.source, run.entryPoint, Object.entries(run.constants)]);
    const found = made.get(key);
    if (found !== undefined) return found;
    const pipeline = await makePipeline(open, kernel, run);
    if (made.size >= KEPT) made.clear();
    made.set(key, pipeline);
    return pipeline;
  };
}

async function makePipeline(open: OpenDevice, kernel: string, { source, entryPoint, constants }: WgslRun) {
  const module = await compileShader(open, source, { kernel, step: 'its WGSL' });
  const step = `making the pipeline of "${entryPoint}"`;
  return withScopes(open, { kernel, step }, () =>
    open.device.createComputePipelineAsync({
      layout: 'auto',
      compute: { module, entryPoint, constants },
      label: kernel,
    }),
  );
}
