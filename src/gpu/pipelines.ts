import type { OpenDevice } from './device.ts';
import type { Dispatch } from './dispatch.ts';
import { distinctShaders } from './dispatches.ts';
import { compileShader, withScopes } from './errors.ts';
import type { GpuComputePipeline } from './web-gpu.ts';

/** All pipelines that a device has, by their shaders, and those that it is compiling. */
interface Cache {
  readonly ready: Map<string, GpuComputePipeline>;
  readonly coming: Map<string, Promise<void>>;
}

const caches = new WeakMap<GPUDevice, Cache>();

function cacheOf({ device }: OpenDevice): Cache {
  const cache = caches.get(device) ?? { ready: new Map(), coming: new Map() };
  caches.set(device, cache);
  return cache;
}

/** The pipelines of dispatches by their shaders, among all that the device has. @throws Problem bad-shader, gpu-error */
export async function preparePipelines(
  open: OpenDevice,
  dispatches: readonly Dispatch[],
  kernel: string,
): Promise<ReadonlyMap<string, GpuComputePipeline>> {
  const { ready } = cacheOf(open);
  await compileTogether(open, dispatches);
  // What is still missing does not compile: alone, it says why.
  for (const [shader, step] of distinctShaders(dispatches)) {
    if (ready.has(shader)) continue;
    const module = await compileShader(open, shader, { kernel, step });
    const pipeline = await withScopes(open, { kernel, step }, () =>
      open.device.createComputePipelineAsync(describe(module, step)),
    );
    ready.set(shader, pipeline);
  }
  return ready;
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
  const { ready, coming } = cacheOf(open);
  const missing = [...distinctShaders(dispatches)].filter(([shader]) => !ready.has(shader));
  const begun = missing.filter(([shader]) => coming.has(shader));
  // One alone need not be tried in silence first.
  if (missing.length > 1) compileAhead(open, dispatches);
  else if (begun.length === 0) return;
  await Promise.all(missing.map(([shader]) => coming.get(shader)));
}

/**
 * Begins to compile what the device does not have yet, and does not wait: whoever needs it finds it or waits for the
 * rest. What fails is left out, and nothing said of it.
 * @returns how many pipelines the device is compiling.
 */
export function compileAhead(open: OpenDevice, dispatches: readonly Dispatch[]): number {
  const { ready, coming } = cacheOf(open);
  const { device } = open;
  for (const [code, step] of distinctShaders(dispatches)) {
    if (ready.has(code) || coming.has(code)) continue;
    // The scope is closed before anything else can be reported to it.
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code, label: step });
    const made = device.createComputePipelineAsync(describe(module, step));
    device.popErrorScope().catch(() => null);
    const kept = made.then(
      (pipeline) => {
        ready.set(code, pipeline);
      },
      () => undefined,
    );
    coming.set(
      code,
      kept.finally(() => coming.delete(code)),
    );
  }
  return coming.size;
}
