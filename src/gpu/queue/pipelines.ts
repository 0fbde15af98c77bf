import type { GpuComputePipeline } from '../web-gpu.ts';
import { type Bindings, bindingLayout } from './binding-layout.ts';
import { compileShader, type Running, type Watched, withScopes } from './errors.ts';

/** Pipelines by their shaders, and those that are being compiled. */
interface Made {
  readonly ready: Map<string, GpuComputePipeline>;
  readonly coming: Map<string, Promise<void>>;
}

/** All pipelines that a device has. */
interface Cache {
  /** Those whose bindings stay where they are. */
  readonly fixed: Made;
  /** Those whose bindings move. */
  readonly moving: Made;
  /** Those with an {@link Entry}, the oldest first. */
  readonly entries: string[];
}

const caches = new WeakMap<GPUDevice, Cache>();

function cacheOf({ device }: Pick<Watched, 'device'>): Cache {
  const none = (): Made => ({ ready: new Map(), coming: new Map() });
  const cache = caches.get(device) ?? { fixed: none(), moving: none(), entries: [] };
  caches.set(device, cache);
  return cache;
}

const madeFor = (open: Pick<Watched, 'device'>, { bindings }: Pick<Needed, 'bindings'>): Made =>
  cacheOf(open)[bindings === undefined ? 'fixed' : 'moving'];

/** A shader that something needs, and what that is called. */
export interface Needed {
  readonly shader: string;
  readonly label: string;
  /** What it binds, where its bindings are to move; the same for all that need it so. */
  readonly bindings?: Bindings | undefined;
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
  bindings?: Bindings,
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

/** The pipelines of shaders, each found by who needs it. @throws ParanoiaError bad-shader, gpu-error */
export async function preparePipelines(
  open: Watched,
  needed: readonly Needed[],
  kernel: string,
): Promise<(one: Needed) => GpuComputePipeline> {
  await compileTogether(open, needed);
  // What is still missing does not compile: alone, it says why.
  for (const { shader, label: step, bindings } of distinct(needed)) {
    await pipelineOf(open, shader, { kernel, step }, undefined, bindings);
  }
  const { fixed, moving } = cacheOf(open);
  return ({ shader, bindings }) =>
    (bindings === undefined ? fixed : moving).ready.get(shader) as GpuComputePipeline;
}

const layoutFor = (
  { device }: Pick<Watched, 'device'>,
  { bindings }: Pick<Needed, 'bindings'>,
): GPUPipelineLayout | 'auto' => (bindings === undefined ? 'auto' : bindingLayout(device, bindings).pipeline);

const describe = (
  module: GPUShaderModule,
  label: string,
  layout: GPUPipelineLayout | 'auto',
  entry: Partial<Entry> = {},
): GPUComputePipelineDescriptor => ({
  layout,
  compute: { entryPoint: 'main', ...entry, module },
  label,
});

/** Each shader once, as it is needed first. */
function distinct(needed: readonly Needed[]): Needed[] {
  const first = new Map<string, Needed>();
  for (const one of needed) if (!first.has(one.shader)) first.set(one.shader, one);
  return [...first.values()];
}

/**
 * Compiles what the device does not have yet all at once, on as many threads as it has; what fails is left out, and
 * nothing said of it.
 */
export async function compileTogether(
  open: Pick<Watched, 'device'>,
  needed: readonly Needed[],
): Promise<void> {
  const missing = distinct(needed).filter((one) => !madeFor(open, one).ready.has(one.shader));
  // One alone need not be tried in silence first.
  if (missing.length > 1) compileAhead(open, needed);
  await Promise.all(missing.map((one) => madeFor(open, one).coming.get(one.shader)));
}

/**
 * Begins to compile what the device does not have yet, and does not wait: whoever needs it finds it or waits for the
 * rest. What fails is left out, and nothing said of it.
 * @returns how many pipelines the device is compiling.
 */
export function compileAhead(open: Pick<Watched, 'device'>, needed: readonly Needed[]): number {
  const { device } = open;
  for (const one of distinct(needed)) {
    const { shader: code, label: step } = one;
    const { ready, coming } = madeFor(open, one);
    if (ready.has(code) || coming.has(code)) continue;
    // The scope is closed before anything else can be reported to it.
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
