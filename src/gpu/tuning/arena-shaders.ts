import type { OpenDevice } from '../device.ts';

const WORKGROUP = 256;
const MOST_GROUPS = 65535;

const head = `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let e = id.y * groups.x * ${WORKGROUP}u + id.x;
  if (e >= arrayLength(&a)) { return; }`;

// PCG hash of the index (Jarzynski, Olano, Hash functions for GPU rendering, 2020), as a number in [-1, 1).
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

/** Fills buffers of f32 with numbers uniform in [-1, 1), on the device. */
export async function drawn(open: OpenDevice, buffers: readonly GPUBuffer[]): Promise<void> {
  const pipeline = pipelineOf(open, drawing);
  const encoder = open.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  for (const buffer of buffers) over(open, pass, pipeline, [buffer]);
  pass.end();
  open.device.queue.submit([encoder.finish()]);
}

/** How many words of two buffers differ. */
export async function alike(open: OpenDevice, a: GPUBuffer, b: GPUBuffer): Promise<number> {
  const { device } = open;
  const found = device.createBuffer({ size: 4, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const staging = device.createBuffer({ size: 4, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  try {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    over(open, pass, pipelineOf(open, comparing), [a, b, found]);
    pass.end();
    encoder.copyBufferToBuffer(found, 0, staging, 0, 4);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    return new Uint32Array(staging.getMappedRange())[0];
  } finally {
    found.destroy();
    staging.destroy();
  }
}

function pipelineOf({ device }: OpenDevice, code: string): GPUComputePipeline {
  const module = device.createShaderModule({ code });
  return device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
}

function over(
  { device }: OpenDevice,
  pass: GPUComputePassEncoder,
  pipeline: GPUComputePipeline,
  buffers: readonly GPUBuffer[],
): void {
  const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
  const groups = Math.ceil(buffers[0].size / 4 / WORKGROUP);
  const across = Math.min(groups, MOST_GROUPS);
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(across, Math.ceil(groups / across));
}
