import { lookUp } from '../../base/objects.ts';
import type { OpenDevice } from '../device.ts';
import type { GpuBindGroupLayout, GpuComputePipeline, GpuDevice, GpuPipelineLayout } from '../web-gpu.ts';
import { type CurrentWork, compileShader, type ErrorSource, withScopes } from './errors.ts';

/** Pipelines by their shaders, both ready and being compiled. */
interface Made {
  readonly ready: Map<string, GpuComputePipeline>;
  readonly coming: Map<string, Promise<void>>;
}

/** All pipelines of a device. */
interface Cache {
  /** Pipelines whose bindings have fixed offsets. */
  readonly fixed: Made;
  /** Pipelines whose bindings have dynamic offsets. */
  readonly moving: Made;
  /** The keys of pipelines with an {@link ShaderEntryPoint}, the oldest first. */
  readonly entries: string[];
}

const caches = new WeakMap<GPUDevice, Cache>();

function cacheOf({ device }: Pick<ErrorSource, 'device'>): Cache {
  const none = (): Made => ({ ready: new Map(), coming: new Map() });
  const cache = caches.get(device) ?? { fixed: none(), moving: none(), entries: [] };
  caches.set(device, cache);
  return cache;
}

const madeFor = (open: Pick<ErrorSource, 'device'>, { bindings }: Pick<ShaderRequest, 'bindings'>): Made =>
  cacheOf(open)[bindings === undefined ? 'fixed' : 'moving'];

/** A shader to compile, with its label. */
export interface ShaderRequest {
  readonly shader: string;
  readonly label: string;
  /** The shader's bindings, present if they have dynamic offsets; the same for all that need it so. */
  readonly bindings?: BindingLetters | undefined;
}

/** The entry point of an external shader, and its `override` constants. */
interface ShaderEntryPoint {
  readonly entryPoint: string;
  readonly constants: Record<string, number>;
}

/** The number of cached pipelines with an entry: their sources and constants may differ for every shape. */
const KEPT = 64;

/** Returns the pipeline of a shader, made once a device. @throws ParanoiaError bad-shader, gpu-error */
export async function pipelineOf(
  open: ErrorSource,
  shader: string,
  running: CurrentWork,
  entry?: ShaderEntryPoint,
  bindings?: BindingLetters,
): Promise<GpuComputePipeline> {
  const { ready, coming } = madeFor(open, { bindings });
  const { entries } = cacheOf(open);
  const key = entry === undefined ? shader : JSON.stringify([shader, entry]);
  await coming.get(key);
  const found = ready.get(key);
  if (found !== undefined) return found;
  const module = await compileShader(open, shader, running);
  const step = entry === undefined ? running.step : `making the pipeline of "${entry.entryPoint}"`;
  const pipeline = await withScopes(open, { ...running, step }, () =>
    open.device.createComputePipelineAsync(
      describe(module, running.step, layoutFor(open, { bindings }), entry),
    ),
  );
  ready.set(key, pipeline);
  if (entry !== undefined && entries.push(key) > KEPT) ready.delete(entries.shift() as string);
  return pipeline;
}

/** Compiles the pipelines of shaders, in parallel. @throws ParanoiaError bad-shader, gpu-error */
export async function preparePipelines(
  open: ErrorSource,
  needed: readonly ShaderRequest[],
  kernel: string,
): Promise<(one: ShaderRequest) => GpuComputePipeline> {
  await compileTogether(open, needed);
  // A shader that is still missing does not compile: compiled alone, it reports why.
  for (const { shader, label: step, bindings } of distinct(needed)) {
    await pipelineOf(open, shader, { kernel, step }, undefined, bindings);
  }
  const { fixed, moving } = cacheOf(open);
  return ({ shader, bindings }) =>
    (bindings === undefined ? fixed : moving).ready.get(shader) as GpuComputePipeline;
}

const layoutFor = (
  { device }: Pick<ErrorSource, 'device'>,
  { bindings }: Pick<ShaderRequest, 'bindings'>,
): GpuPipelineLayout | 'auto' => (bindings === undefined ? 'auto' : bindingLayout(device, bindings).pipeline);

const describe = (
  module: GPUShaderModule,
  label: string,
  layout: GpuPipelineLayout | 'auto',
  entry: Partial<ShaderEntryPoint> = {},
): GPUComputePipelineDescriptor => ({
  layout,
  compute: { entryPoint: 'main', ...entry, module },
  label,
});

/** Returns each shader once, as first needed. */
function distinct(needed: readonly ShaderRequest[]): ShaderRequest[] {
  const first = new Map<string, ShaderRequest>();
  for (const one of needed) if (!first.has(one.shader)) first.set(one.shader, one);
  return [...first.values()];
}

/** Compiles all missing pipelines at once, on as many threads as the device has. Failures are omitted without a report. */
export async function compileTogether(
  open: Pick<ErrorSource, 'device'>,
  needed: readonly ShaderRequest[],
): Promise<void> {
  const missing = distinct(needed).filter((one) => !madeFor(open, one).ready.has(one.shader));
  // A single shader need not be compiled silently first.
  if (missing.length > 1) compileAhead(open, needed);
  await Promise.all(missing.map((one) => madeFor(open, one).coming.get(one.shader)));
}

/**
 * Starts to compile all missing pipelines without waiting. A later call that needs one finds it, or waits for the rest of its compilation.
 * Failures are omitted without a report.
 * @returns the number of pipelines that the device is compiling.
 */
export function compileAhead(open: Pick<ErrorSource, 'device'>, needed: readonly ShaderRequest[]): number {
  const { device } = open;
  for (const one of distinct(needed)) {
    const { shader: code, label: step } = one;
    const { ready, coming } = madeFor(open, one);
    if (ready.has(code) || coming.has(code)) continue;
    // The scope is popped before any other error can be reported to it.
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code, label: step });
    const made = device.createComputePipelineAsync(describe(module, step, layoutFor(open, one)));
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
  const { fixed, moving } = cacheOf(open);
  return fixed.coming.size + moving.coming.size;
}

/** The binding type of each letter of {@link BindingLetters}. */
const TYPES: Readonly<Record<string, GPUBufferBindingType>> = {
  u: 'uniform',
  r: 'read-only-storage',
  s: 'storage',
};

/** The bindings of a shader in group 0, from 0 on, one letter each: `u`, a uniform; `r`, read-only storage; `s`, storage. */
export type BindingLetters = string;

/** A pipeline's bindings, some of which have dynamic offsets. One bind group then serves dispatches in many places. */
interface BindingLayout {
  readonly group: GpuBindGroupLayout;
  readonly pipeline: GpuPipelineLayout;
  /** For each binding, true if its offset is dynamic. */
  readonly moves: readonly boolean[];
}

const layouts = new WeakMap<GpuDevice, Map<string, BindingLayout>>();

/** Returns the layout of bindings, made once a device. Uniforms have dynamic offsets, and as much writable storage as the device allows. */
export function bindingLayout(device: GpuDevice, bindings: BindingLetters): BindingLayout {
  const known = layouts.get(device) ?? new Map<string, BindingLayout>();
  layouts.set(device, known);
  const found = known.get(bindings) ?? layoutOf(device, bindings);
  known.set(bindings, found);
  return found;
}

function layoutOf(device: GpuDevice, bindings: BindingLetters): BindingLayout {
  let left = device.limits.maxDynamicStorageBuffersPerPipelineLayout;
  const types = [...bindings].map((letter) => lookUp(TYPES, letter) as GPUBufferBindingType);
  const moves = types.map((type) => type === 'uniform' || (type === 'storage' && left-- > 0));
  const group = device.createBindGroupLayout({
    entries: types.map((type, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type, hasDynamicOffset: moves[binding] },
    })),
  });
  return { group, pipeline: device.createPipelineLayout({ bindGroupLayouts: [group] }), moves };
}

/**
 * Returns a device's error about the pipeline of a shader that compiles, such as an exceeded limit; undefined if the device makes the
 * pipeline.
 */
export async function pipelineRefusal(
  { device }: OpenDevice,
  code: string,
  { entryPoint, label }: Pick<ShaderEntryPoint, 'entryPoint'> & { readonly label: string },
): Promise<string | undefined> {
  device.pushErrorScope('validation');
  try {
    const module = device.createShaderModule({ code, label });
    await device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint }, label });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await device.popErrorScope();
  }
}
