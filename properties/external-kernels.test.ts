import { describe, expect } from 'vitest';
import type { GpuKernel, WgslKernel } from '../src/kernels/user-kernel.ts';
import { cases, noLevels } from './arbitraries.ts';
import { openGpu } from './device.ts';
import { judging, naive } from './external.ts';
import { law } from './law.ts';

/**
 * The law: a kernel of a user that multiplies matrices passes, whatever the shape: in WGSL, encoding its own work in
 * several passes, or with entries packed two to a word.
 *
 * Why: it is held to the bound of a classical product in any order, and what lies around its matrices is touched only
 * by a kernel that leaves them.
 */
const gpu = await openGpu();

/** Tiles in workgroup memory, of a size given as an override constant; C's length decides where it ends. */
const tiled: WgslKernel = {
  name: 'my-tiled',
  wgsl: {
    source: /* wgsl */ `
override SIDE: u32 = 16;
@group(0) @binding(4) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(7) var<storage, read_write> c: array<f32>;
@group(0) @binding(0) var<uniform> sizes: vec4u;
var<workgroup> x: array<f32, 256>;
var<workgroup> y: array<f32, 256>;
@compute @workgroup_size(SIDE, SIDE)
fn tiles(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) at: vec3u) {
  var sum = 0.0;
  for (var start = 0u; start < sizes.y; start += SIDE) {
    let e = at.y * SIDE + at.x;
    x[e] = select(0.0, a[id.y * sizes.y + start + at.x], id.y < sizes.x && start + at.x < sizes.y);
    y[e] = select(0.0, b[(start + at.y) * sizes.z + id.x], id.x < sizes.z && start + at.y < sizes.y);
    workgroupBarrier();
    for (var p = 0u; p < SIDE; p++) { sum += x[at.y * SIDE + p] * y[p * SIDE + at.x]; }
    workgroupBarrier();
  }
  if (id.y * sizes.z + id.x < arrayLength(&c) && id.x < sizes.z) { c[id.y * sizes.z + id.x] = sum; }
}`,
    entryPoint: 'tiles',
    bindings: { a: 4, b: 2, c: 7, sizes: 0 },
    constants: { SIDE: 8 },
    workgroups: ({ m, n }) => [Math.ceil(n / 8), Math.ceil(m / 8)],
  },
};

/** binary16 in memory, two entries a word; converted, so that no adapter needs shader-f16. */
const packed: WgslKernel = {
  name: 'my-packed',
  precision: 'f16',
  wgsl: {
    source: /* wgsl */ `
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> c: array<u32>;
@group(0) @binding(3) var<uniform> sizes: vec4u;
fn entry(e: u32) -> f32 {
  let k = sizes.y;
  let n = sizes.z;
  if (e >= sizes.x * n) { return 0.0; }
  var sum = 0.0;
  for (var p = 0u; p < k; p++) {
    let x = (e / n) * k + p;
    let y = p * n + e % n;
    sum += unpack2x16float(a[x / 2])[x % 2] * unpack2x16float(b[y / 2])[y % 2];
  }
  return sum;
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (2 * id.x < sizes.x * sizes.z) { c[id.x] = pack2x16float(vec2f(entry(2 * id.x), entry(2 * id.x + 1))); }
}`,
    bindings: { a: 0, b: 1, c: 2, sizes: 3 },
    workgroups: ({ m, n }) => [Math.ceil((m * n) / 128)],
  },
};

const PARTIAL = /* wgsl */ `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> parts: array<f32>;
override M: u32; override K: u32; override N: u32;
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.y >= M || id.x >= N) { return; }
  var sum = 0.0;
  for (var p = id.z; p < K; p += 3) { sum += a[id.y * K + p] * b[p * N + id.x]; }
  parts[(id.z * M + id.y) * N + id.x] = sum;
}`;
const REDUCE = /* wgsl */ `
@group(0) @binding(0) var<storage, read> parts: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = arrayLength(&c);
  if (id.x < size) { c[id.x] = parts[id.x] + parts[size + id.x] + parts[2 * size + id.x]; }
}`;

/** k in three parts, added up in a second pass that goes by the length of C's binding. */
const splitK: GpuKernel = {
  name: 'my-split-k',
  async encode({ device, m, k, n, a, b, c }) {
    const parts = device.createBuffer({ size: 12 * m * n, usage: GPUBufferUsage.STORAGE });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    const run = async (code: string, resources: GPUBufferBinding[], constants: Record<string, number>) => {
      const module = device.createShaderModule({ code });
      const pipeline = await device.createComputePipelineAsync({
        layout: 'auto',
        compute: { module, constants },
      });
      const entries = resources.map((resource, binding) => ({ binding, resource }));
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    };
    await run(PARTIAL, [a, b, { buffer: parts }], { M: m, K: k, N: n });
    pass.dispatchWorkgroups(Math.ceil(n / 8), Math.ceil(m / 8), 3);
    await run(REDUCE, [{ buffer: parts }, c], {});
    pass.dispatchWorkgroups(Math.ceil((m * n) / 64));
    pass.end();
    device.queue.submit([encoder.finish()]);
    parts.destroy();
  },
};

describe.each([
  [naive, 25],
  [tiled, 20],
  [packed, 20],
  [splitK, 12],
] as const)('$name', (kernel, runs) => {
  const values = cases({
    kernels: [kernel.name],
    // What becomes of infinities that are converted to f16 is up to the device.
    inputs: ['integers', 'uniform', ...(kernel === packed ? [] : ['special-values'])],
    levels: noLevels,
    largest: 40,
    precision: kernel.precision ?? 'f32',
  });
  const judge = judging(kernel, gpu.open);
  law('passes', runs, values, async ({ problem: { input, m, k, n, seed } }) => {
    const result = await judge(`input=${input};m=${m};k=${k};n=${n};seed=${seed}`);
    expect(result).toMatchObject({ verdict: 'pass' });
  });
});
