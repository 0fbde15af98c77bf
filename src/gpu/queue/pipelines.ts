import type { GpuComputePipeline } from '../web-gpu.ts';
import { compileShader, type Running, type Watched, withScopes } from './errors.ts';

/** All pipelines that a device has, by their shaders, and those that it is compiling. */
interface Cache {
  readonly ready: Map<string, GpuComputePipeline>;
  readonly coming: Map<string, Promise<void>>;
  /** Those with an {@link Entry}, the oldest first. */
  readonly entries: string[];
}

const caches = new WeakMap<GPUDevice, Cache>();

function cacheOf({ device }: Pick<Watched, 'device'>): Cache {
  const cache = caches.get(device) ?? { ready: new Map(), coming: new Map(), entries: [] };
  caches.set(device, cache);
  return cache;
}

/** A shader that something needs, and what that is called. */
export interface Needed {
  readonly shader: string;
  readonly label: string;
}

/** Where a shader that is not ours begins, and its `override` constants. */
export interface Entry {
  readonly entryPoint: string;
  readonly constants: Record<string, number>;
}

/** Pipelines with an entry that are kept: sources and constants made for each shape are as many as shapes. */
const KEPT = 64;

/** The pipeline of a shader, made once a device. @throws ParanoiaError bad-shader, gpu-error */
export async function pipelineOf(
  open: Watched,
  shader: string,
  running: Running,
  entry?: Entry,
): Promise<GpuComputePipeline> {
  const { ready, coming, entries } = cacheOf(open);
  const key = entry === undefined ? shader : JSON.stringify([shader, entry]);
  await coming.get(key);
  const found = ready.get(key);
  if (found !== undefined) return found;
  const module = await compileShader(open, shader, running);
  const step = entry === undefined ? running.step : `making the pipeline of "${entry.entryPoint}"`;
  const pipeline = await withScopes(open, { ...running, step }, () =>
    open.device.createComputePipelineAsync(describe(module, running.step, entry)),
  );
  ready.set(key, pipeline);
  if (entry !== undefined && entries.push(key) > KEPT) ready.delete(entries.shift() as string);
  return pipeline;
}

/** The pipelines of shaders among all that the device has. @throws ParanoiaError bad-shader, gpu-error */
export async function preparePipelines(
  open: Watched,
  needed: readonly Needed[],
  kernel: string,
): Promise<ReadonlyMap<string, GpuComputePipeline>> {
  await compileTogether(open, needed);
  // What is still missing does not compile: alone, it says why.
  for (const [shader, step] of distinct(needed)) await pipelineOf(open, shader, { kernel, step });
  return cacheOf(open).ready;
}

const describe = (
  module: GPUShaderModule,
  label: string,
  entry: Partial<Entry> = {},
): GPUComputePipelineDescriptor => ({
  layout: 'auto',
  compute: { entryPoint: 'main', ...entry, module },
  label,
});

/** Each shader once, with the label of its first use. */
function distinct(needed: readonly Needed[]): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { shader, label } of needed) if (!labels.has(shader)) labels.set(shader, label);
  return labels;
}

/**
 * Compiles what the device does not have yet all at once, on as many threads as it has; what fails is left out, and
 * nothing said of it.
 */
export async function compileTogether(
  open: Pick<Watched, 'device'>,
  needed: readonly Needed[],
): Promise<void> {
  const { ready, coming } = cacheOf(open);
  const missing = [...distinct(needed).keys()].filter((shader) => !ready.has(shader));
  // One alone need not be tried in silence first.
  if (missing.length > 1) compileAhead(open, needed);
  await Promise.all(missing.map((shader) => coming.get(shader)));
}

/**
 * Begins to compile what the device does not have yet, and does not wait: whoever needs it finds it or waits for the
 * rest. What fails is left out, and nothing said of it.
 * @returns how many pipelines the device is compiling.
 */
export function compileAhead(open: Pick<Watched, 'device'>, needed: readonly Needed[]): number {
  const { ready, coming } = cacheOf(open);
  const { device } = open;
  for (const [code, step] of distinct(needed)) {
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
