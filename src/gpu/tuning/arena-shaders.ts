import type { OpenDevice } from '../device.ts';
import { openBuffers } from '../queue/buffers.ts';
import { type CurrentWork, readMapped } from '../queue/errors.ts';
import { pipelineOf } from '../queue/pipelines.ts';
import { type BoundDispatch, bindGroup, type GpuCommand, makeCopyCommand, submit } from '../queue/submit.ts';
import type { GpuBuffer, GpuComputePipeline } from '../web-gpu.ts';

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
export async function makeFillCommand(
  open: OpenDevice,
  buffer: GpuBuffer,
  running: CurrentWork,
): Promise<GpuCommand> {
  return over(open, await pipelineOf(open, drawing, running), [buffer]);
}

/** Counts the words in which two buffers differ. @throws ParanoiaError gpu-error, out-of-gpu-memory, device-lost */
export async function countDifferingWords(
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
