import type { OpenDevice } from './device.ts';
import type { Dispatch } from './dispatch.ts';
import { distinctShaders } from './dispatches.ts';
import { compileShader, withScopes } from './errors.ts';
import type { GpuComputePipeline } from './web-gpu.ts';

const caches = new WeakMap<GPUDevice, Map<string, GPUComputePipeline>>();

/** All pipelines that a device has, by their shaders. */
function cacheOf({ device }: OpenDevice): Map<string, GPUComputePipeline> {
  const cache = caches.get(device) ?? new Map<string, GPUComputePipeline>();
  caches.set(device, cache);
  return cache;
}

/** The pipelines of dispatches by their shaders, among all that the device has. @throws Problem bad-shader, gpu-error */
export async function preparePipelines(
  open: OpenDevice,
  dispatches: readonly Dispatch[],
  kernel: string,
): Promise<ReadonlyMap<string, GpuComputePipeline>> {
  const cache = cacheOf(open);
  await compileTogether(open, dispatches);
  // What is still missing does not compile: alone, it says why.
  for (const [shader, step] of distinctShaders(dispatches)) {
    if (cache.has(shader)) continue;
    const module = await compileShader(open, shader, { kernel, step });
    const pipeline = await withScopes(open, { kernel, step }, () =>
      open.device.createComputePipelineAsync(describe(module, step)),
    );
    cache.set(shader, pipeline);
  }
  return cache;
}

const describe = (module: GPUShaderModule, label: string): GPUComputePipelineDescriptor => ({
  layout: 'auto',
  compute: { module, entryPoint: 'main' },
  label,
});

/**
 * Compiles what the device does not have yet all at once, on as many threads as it has; what fails is left out, and
 * nothing said of it.
 */
export async function compileTogether(open: OpenDevice, dispatches: readonly Dispatch[]): Promise<void> {
  const cache = cacheOf(open);
  const missing = [...distinctShaders(dispatches)].filter(([shader]) => !cache.has(shader));
  if (missing.length < 2) return;
  const { device } = open;
  device.pushErrorScope('validation');
  const made = missing.map(async ([code, step]) => {
    const module = device.createShaderModule({ code, label: step });
    cache.set(code, await device.createComputePipelineAsync(describe(module, step)));
  });
  await Promise.allSettled(made);
  await device.popErrorScope().catch(() => null);
}
