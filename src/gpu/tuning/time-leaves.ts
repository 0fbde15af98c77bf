import { classical } from '../../algorithms/classical.ts';
import type { Shape } from '../../matrix/dense.ts';
import { compile } from '../../plan/compile.ts';
import type { MultiplyStep } from '../../plan/plan.ts';
import type { OpenDevice } from '../device.ts';
import { withScopes } from '../errors.ts';
import type { Leaf } from '../leaves/leaf.ts';
import { single } from '../numerics/single.ts';
import { openTextures, type Textures } from '../textures.ts';
import { AWAKE_AFTER } from '../time-program.ts';
import { alike, drawn } from './arena-shaders.ts';
import { type Stopwatch, stopwatchOf } from './stopwatch.ts';

/** How long a leaf kernel takes for a product, on the device alone. */
export interface LeafTime {
  readonly leaf: string;
  readonly shape: Shape;
  /** Seconds a product of each timed run, in order. */
  readonly seconds: readonly number[];
  readonly median: number;
  /** 2mkn/median, in units of 10¹² a second. */
  readonly teraflops: number;
  /** Entries of which a bit differs from the first leaf's product. */
  readonly differing: number;
}

/** Why a leaf could not be timed. */
export interface LeafRefusal {
  readonly leaf: string;
  readonly why: string;
}

export interface TimingOptions {
  /** Timed runs of each leaf, after one that is not timed. */
  readonly runs: number;
  /** Products are repeated within a run until it takes about this many seconds. */
  readonly least: number;
}

/** Seconds one dispatch may take: desktop drivers reset a device after about two. */
const AT_MOST = 0.4;

/**
 * Times leaf kernels on one product each, with the same random operands drawn on the device, and compares the bits of
 * what they compute with those of the first.
 * @throws Problem out-of-gpu-memory, gpu-error, device-lost
 */
export async function timeLeaves(
  open: OpenDevice,
  shape: Shape,
  leaves: readonly Leaf[],
  options: TimingOptions,
): Promise<{ times: LeafTime[]; refusals: LeafRefusal[]; clock: Stopwatch['clock'] }> {
  const running = { kernel: 'tune', step: `${shape.m}×${shape.k}×${shape.n}` };
  const { m, k, n } = shape;
  const times: LeafTime[] = [];
  const refusals: LeafRefusal[] = [];
  const watch = await stopwatchOf(open);
  const textures = openTextures(open.device);
  const owned: GPUBuffer[] = [];
  const buffer = (size: number, usage: number) => {
    const made = open.device.createBuffer({ size: 4 * size, usage });
    owned.push(made);
    return made;
  };
  try {
    await withScopes(open, running, async () => {
      const [x, y, expected, c] = [m * k, k * n, m * n, m * n].map((size) =>
        buffer(Math.ceil(size / 64) * 64, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC),
      );
      await drawn(open, [x, y]);
      const step = compile({ algorithm: classical, shape }).steps[0] as MultiplyStep;
      const pipelines = await compileAll(open, leaves, step);
      let reference: GPUBuffer | undefined;
      for (const [at, leaf] of leaves.entries()) {
        const pipeline = pipelines[at];
        if (pipeline instanceof Error) {
          refusals.push({ leaf: leaf.name, why: pipeline.message.split('\n')[0] });
          continue;
        }
        const target = reference === undefined ? expected : c;
        const first = leaf.texture === true ? throughTexture(open.device, textures, x) : { buffer: x };
        const job = jobOf(open.device, leaf, shape, pipeline, [first, { buffer: y }, { buffer: target }]);
        if (times.length === 0 && open.fingerprint.kind === 'hardware') await awaken(watch, job);
        const seconds = await timeJob(watch, job, options);
        const differing = reference === undefined ? 0 : await alike(open, reference, c);
        reference ??= expected;
        const median = [...seconds].sort((a, b) => a - b)[Math.floor(seconds.length / 2)];
        const teraflops = (2 * m * k * n) / median / 1e12;
        times.push({ leaf: leaf.name, shape, seconds, median, teraflops, differing });
      }
    });
    return { times, refusals, clock: watch.clock };
  } finally {
    watch.close();
    textures.destroy();
    for (const each of owned) each.destroy();
  }
}

const compiled = new WeakMap<GPUDevice, Map<string, Promise<GPUComputePipeline | Error>>>();

/** The pipelines of leaves, compiled at the same time; an error where one does not compile. */
async function compileAll(
  open: OpenDevice,
  leaves: readonly Leaf[],
  step: MultiplyStep,
): Promise<(GPUComputePipeline | Error)[]> {
  const known = compiled.get(open.device) ?? new Map<string, Promise<GPUComputePipeline | Error>>();
  compiled.set(open.device, known);
  const made: Promise<GPUComputePipeline | Error>[] = [];
  for (const leaf of leaves) {
    const shader = leaf.shader(step, single);
    const pipeline = known.get(shader) ?? pipelineOf(open, leaf, shader);
    known.set(shader, pipeline);
    made.push(pipeline);
  }
  return Promise.all(made);
}

async function pipelineOf(
  { device }: OpenDevice,
  leaf: Leaf,
  code: string,
): Promise<GPUComputePipeline | Error> {
  const module = device.createShaderModule({ code, label: leaf.name });
  return device
    .createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint: 'main' }, label: leaf.name })
    .catch((error: Error) => error);
}

/** A texture with the words of a buffer. */
function throughTexture(device: GPUDevice, textures: Textures, buffer: GPUBuffer): GPUTextureView {
  const texels = buffer.size / 16;
  const encoder = device.createCommandEncoder();
  textures.copy(encoder, texels, buffer, 0);
  device.queue.submit([encoder.finish()]);
  return textures.of(texels).createView();
}

/** A product as dispatches of so many rows each. */
interface Job {
  /** Encodes the product `times` times, `rows` rows a dispatch. */
  encode(pass: GPUComputePassEncoder, rows: number, times: number): void;
  readonly rows: number;
  readonly tileRows: number;
}

const PARAMS_STRIDE = 256;

function jobOf(
  device: GPUDevice,
  leaf: Leaf,
  { m, k, n }: Shape,
  pipeline: GPUComputePipeline,
  operands: readonly GPUBindingResource[],
): Job {
  const group = (firstRow: number, endRow: number) => {
    const params = device.createBuffer({
      size: PARAMS_STRIDE,
      usage: GPUBufferUsage.UNIFORM,
      mappedAtCreation: true,
    });
    new Uint32Array(params.getMappedRange()).set([m, k, n, firstRow, endRow]);
    params.unmap();
    const entries = [{ buffer: params }, ...operands].map((resource, binding) => ({ binding, resource }));
    return device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  };
  const groups = new Map<number, GPUBindGroup>();
  return {
    rows: m,
    tileRows: leaf.tile.m,
    encode(pass, rows, times) {
      pass.setPipeline(pipeline);
      for (let time = 0; time < times; time++) {
        for (let first = 0; first < m; first += rows) {
          const end = Math.min(first + rows, m);
          const key = first * 2 ** 20 + end;
          const bound = groups.get(key) ?? group(first, end);
          groups.set(key, bound);
          pass.setBindGroup(0, bound);
          pass.dispatchWorkgroups(...leaf.workgroups(end - first, n));
        }
      }
    },
  };
}

/** Works until the clock of a GPU that was idle has risen. */
async function awaken(watch: Stopwatch, job: Job): Promise<void> {
  const start = performance.now();
  while (performance.now() - start < 1000 * AWAKE_AFTER) {
    await watch.time((pass) => job.encode(pass, job.tileRows, 1));
  }
}

/** Times a product: first a part of its rows, to see how many can be dispatched at a time. */
async function timeJob(watch: Stopwatch, job: Job, { runs, least }: TimingOptions): Promise<number[]> {
  const { rows, tileRows } = job;
  const part = Math.min(rows, tileRows * Math.max(1, Math.floor(rows / 16 / tileRows)));
  const parts = Math.ceil(rows / part);
  const trial = await watch.time((pass) => job.encode(pass, part, 1));
  const fitting = Math.max(1, Math.floor((parts * AT_MOST) / trial)) * part;
  const atOnce = Math.min(rows, fitting);
  const whole = await watch.time((pass) => job.encode(pass, atOnce, 1));
  const times = Math.min(64, Math.max(1, Math.ceil(least / Math.max(whole, 1e-6))));
  const seconds: number[] = [];
  for (let run = 0; run < runs; run++) {
    seconds.push((await watch.time((pass) => job.encode(pass, atOnce, times))) / times);
  }
  return seconds;
}
