import { classical } from '../../algorithms/classical.ts';
import { ParanoiaError } from '../../base/errors.ts';
import type { Shape } from '../../matrix/dense.ts';
import { compile } from '../../plan/compile.ts';
import type { MultiplyStep } from '../../plan/plan.ts';
import { single } from '../../precision/wgsl/numeric.ts';
import type { OpenDevice } from '../device.ts';
import { type Buffers, openBuffers } from '../queue/buffers.ts';
import { type CurrentWork, readMapped, withScopes } from '../queue/errors.ts';
import { compileTogether, pipelineOf } from '../queue/pipelines.ts';
import { type BoundDispatch, bindGroup, type GpuCommand, makeCopyCommand, submit } from '../queue/submit.ts';
import { openStopwatch, type Stopwatch } from '../queue/timestamps.ts';
import { openTextures, type Textures } from '../runner/textures.ts';
import { AWAKE_AFTER } from '../runner/time.ts';
import type { GpuBuffer, GpuComputePipeline, GpuDevice } from '../web-gpu.ts';
import type { Leaf } from '../wgsl/leaves/leaf.ts';
import { leafShader } from '../wgsl/leaves/shaders.ts';

/** The time of a leaf kernel for a product, on the device alone. */
export interface LeafTime {
  readonly leaf: string;
  readonly shape: Shape;
  /** Seconds a product, one number for each timed run, in order. */
  readonly seconds: readonly number[];
  readonly median: number;
  /** The rate 2mkn/median, in units of 10¹² operations a second. */
  readonly teraflops: number;
  /** The number of entries that differ in a bit from the first leaf's product. */
  readonly differing: number;
}

/** The reason why a leaf could not be timed. */
export interface LeafRefusal {
  readonly leaf: string;
  readonly why: string;
}

interface TimingOptions {
  /** The timed runs of each leaf, after one untimed run. */
  readonly runs: number;
  /** The seconds of a run, about: products are repeated until it takes that long. */
  readonly least: number;
}

/** The most seconds of one dispatch: desktop drivers reset a device after about two. */
const AT_MOST = 0.4;

/**
 * Times leaf kernels on the same product, with random operands drawn on the device, and compares the bits of their results with the first
 * one's.
 * @throws ParanoiaError out-of-gpu-memory, gpu-error, device-lost
 */
export async function timeLeaves(
  open: OpenDevice,
  shape: Shape,
  leaves: readonly Leaf[],
  options: TimingOptions,
): Promise<{ times: LeafTime[]; refusals: LeafRefusal[]; clock: Stopwatch['clock'] }> {
  const running = { kernel: 'tune', step: `${shape.m}×${shape.k}×${shape.n}` };
  const { device } = open;
  const { m, k, n } = shape;
  const times: LeafTime[] = [];
  const refusals: LeafRefusal[] = [];
  const watch = await openStopwatch(open, running.kernel);
  const textures = openTextures(device);
  const buffers = openBuffers(device, running);
  try {
    const step = compile({ algorithm: classical, shape }).steps[0] as MultiplyStep;
    const shaders = leaves.map((leaf) => ({ shader: leafShader(leaf, step, single), label: leaf.name }));
    await compileTogether(open, shaders);
    await withScopes(open, running, async () => {
      const [x, y, expected, c] = [m * k, k * n, m * n, m * n].map((size) =>
        buffers.create(256 * Math.ceil(size / 64), GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC),
      );
      submit(device, [await makeFillCommand(open, x, running), await makeFillCommand(open, y, running)]);
      for (const [at, leaf] of leaves.entries()) {
        const pipeline = await compiled(
          pipelineOf(open, shaders[at].shader, { ...running, step: leaf.name }),
        );
        if (typeof pipeline === 'string') {
          refusals.push({ leaf: leaf.name, why: pipeline });
          continue;
        }
        const isFirst = times.length === 0;
        const left = leaf.texture === true ? throughTexture(device, textures, x) : { buffer: x };
        const operands = [left, { buffer: y }, { buffer: isFirst ? expected : c }];
        const job = jobOf(device, buffers, leaf, shape, pipeline, operands);
        if (isFirst && open.fingerprint.kind === 'hardware') await awaken(watch, job);
        const seconds = await timeJob(watch, job, options);
        const others = isFirst ? 0 : await countDifferingWords(open, expected, c, running);
        const median = [...seconds].sort((a, b) => a - b)[Math.floor(seconds.length / 2)];
        const teraflops = (2 * m * k * n) / median / 1e12;
        times.push({ leaf: leaf.name, shape, seconds, median, teraflops, differing: others });
      }
    });
    return { times, refusals, clock: watch.clock };
  } finally {
    watch.close();
    textures.destroy();
    buffers.destroy();
  }
}

/** Returns a pipeline, or the first line of its compilation error. */
async function compiled(coming: Promise<GpuComputePipeline>): Promise<GpuComputePipeline | string> {
  try {
    return await coming;
  } catch (error) {
    if (!(error instanceof ParanoiaError) || error.code === 'device-lost') throw error;
    return error.message.split('\n')[0];
  }
}

function throughTexture(device: GpuDevice, textures: Textures, buffer: GpuBuffer): GPUTextureView {
  const texels = buffer.size / 16;
  submit(device, [(encoder) => textures.copy(encoder, texels, buffer, 0)]);
  return textures.of(texels).createView();
}

/** A product as dispatches of some rows each. */
interface RowsAtATime {
  /** Returns the dispatches of the product, `times` times, with `rows` rows a dispatch. */
  launches(rows: number, times: number): BoundDispatch[];
  readonly rows: number;
  readonly tileRows: number;
}

function jobOf(
  device: GpuDevice,
  buffers: Buffers,
  leaf: Leaf,
  { m, k, n }: Shape,
  pipeline: GpuComputePipeline,
  operands: readonly GPUBindingResource[],
): RowsAtATime {
  const known = new Map<string, BoundDispatch>();
  const launch = (first: number, end: number): BoundDispatch => {
    const key = `${first} ${end}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const params = buffers.uniform([m, k, n, first, end, 0, 0]);
    const group = bindGroup(device, pipeline, [{ buffer: params }, ...operands]);
    const made = { pipeline, group, workgroups: leaf.workgroups(end - first, n) };
    known.set(key, made);
    return made;
  };
  return {
    rows: m,
    tileRows: leaf.tile.m,
    launches(rows, times) {
      const starts = Array.from({ length: Math.ceil(m / rows) }, (_, at) => at * rows);
      const once = starts.map((first) => launch(first, Math.min(first + rows, m)));
      return Array.from({ length: times }, () => once).flat();
    },
  };
}

/** Runs work until the clock of an idle GPU has risen. */
async function awaken(watch: Stopwatch, job: RowsAtATime): Promise<void> {
  const start = performance.now();
  while (performance.now() - start < 1000 * AWAKE_AFTER) await watch.time(job.launches(job.tileRows, 1));
}

/** Times a product. A part of its rows is timed first, to find out how many rows fit in a dispatch. */
async function timeJob(
  watch: Stopwatch,
  job: RowsAtATime,
  { runs, least }: TimingOptions,
): Promise<number[]> {
  const { rows, tileRows } = job;
  const part = Math.min(rows, tileRows * Math.max(1, Math.floor(rows / 16 / tileRows)));
  const parts = Math.ceil(rows / part);
  const trial = await watch.time(job.launches(part, 1));
  const fitting = Math.max(1, Math.floor((parts * AT_MOST) / trial)) * part;
  const atOnce = Math.min(rows, fitting);
  const whole = await watch.time(job.launches(atOnce, 1));
  const times = Math.min(64, Math.max(1, Math.ceil(least / Math.max(whole, 1e-6))));
  const seconds: number[] = [];
  for (let run = 0; run < runs; run++) {
    seconds.push((await watch.time(job.launches(atOnce, times))) / times);
  }
  return seconds;
}

const WORKGROUP = 256;
const MOST_GROUPS = 65535;

const head = `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let e = id.y * groups.x * ${WORKGROUP}u + id.x;
  if (e >= arrayLength(&a)) { return; }`;

// PCG hash of the index (Jarzynski, Olano, Hash functions for GPU rendering, 2020), mapped to [-1, 1).
const drawing = `${head}
  let state = e * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  let hash = (word >> 22u) ^ word;
  a[e] = bitcast<u32>(f32(hash >> 8u) * 0x1p-23 - 1.0);
}`;

const comparing = `@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> found: atomic<u32>;
${head}
  if (a[e] != b[e]) { atomicAdd(&found, 1u); }
}`;

/** Returns the command that fills a buffer of f32 with uniform numbers in [-1, 1), on the device. @throws ParanoiaError gpu-error */
async function makeFillCommand(
  open: OpenDevice,
  buffer: GpuBuffer,
  running: CurrentWork,
): Promise<GpuCommand> {
  return over(open, await pipelineOf(open, drawing, running), [buffer]);
}

/** Counts the words in which two buffers differ. @throws ParanoiaError gpu-error, out-of-gpu-memory, device-lost */
async function countDifferingWords(
  open: OpenDevice,
  a: GpuBuffer,
  b: GpuBuffer,
  running: CurrentWork,
): Promise<number> {
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const pipeline = await pipelineOf(open, comparing, running);
  const buffers = openBuffers(open.device, running);
  try {
    const found = buffers.create(4, STORAGE | COPY_SRC);
    const staging = buffers.create(4, COPY_DST | MAP_READ);
    submit(open.device, [over(open, pipeline, [a, b, found]), makeCopyCommand(found, staging)]);
    return new Uint32Array(await readMapped(open, staging, running))[0];
  } finally {
    buffers.destroy();
  }
}

function over(
  { device }: OpenDevice,
  pipeline: GpuComputePipeline,
  buffers: readonly GpuBuffer[],
): BoundDispatch {
  const group = bindGroup(
    device,
    pipeline,
    buffers.map((buffer) => ({ buffer })),
  );
  const groups = Math.ceil(buffers[0].size / 4 / WORKGROUP);
  const across = Math.min(groups, MOST_GROUPS);
  return { pipeline, group, workgroups: [across, Math.ceil(groups / across)] };
}
