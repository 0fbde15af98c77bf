// A kernel that stays on the GPU and encodes its own work: your pipelines, buffers and passes, on a device that gemm-paranoia
// opens. Here k is split over workgroups; a second pass adds their partial products.
//
//   npx gemm-paranoia gate --config share/examples/resident-kernel.ts
import { defineConfig, defineKernel } from 'gemm-paranoia';

const PARTS = 4;

const head = ({ m, k, n }: { m: number; k: number; n: number }) => /* wgsl */ `
const M = ${m}u;
const K = ${k}u;
const N = ${n}u;
const PART = (K + ${PARTS - 1}u) / ${PARTS}u;`;

const partial = /* wgsl */ `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> parts: array<f32>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.y >= M || id.x >= N) { return; }
  var sum = 0.0;
  for (var p = id.z * PART; p < min(K, (id.z + 1u) * PART); p++) { sum += a[id.y * K + p] * b[p * N + id.x]; }
  parts[(id.z * M + id.y) * N + id.x] = sum;
}`;

const reduce = /* wgsl */ `
@group(0) @binding(0) var<storage, read> parts: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= M * N) { return; }
  var sum = 0.0;
  for (var part = 0u; part < ${PARTS}u; part++) { sum += parts[part * M * N + id.x]; }
  c[id.x] = sum;
}`;

/** Bounds hold for any order of sums; `inspect` compares `order` with the order that it finds. */
export const splitK = defineKernel({
  name: 'my-split-k',
  claims: { order: 'split-k' },
  accepts: ({ m, n }) => m * n <= 64 * 65535 || 'its second pass has only one dimension of workgroups',
  async encode({ device, m, k, n, a, b, c }) {
    const parts = device.createBuffer({ size: 4 * PARTS * m * n, usage: GPUBufferUsage.STORAGE });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    const run = async (
      source: string,
      buffers: GPUBufferBinding[],
      workgroups: [number, number?, number?],
    ) => {
      const module = device.createShaderModule({ code: head({ m, k, n }) + source });
      const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
      const entries = buffers.map((resource, binding) => ({ binding, resource }));
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
      pass.dispatchWorkgroups(...workgroups);
    };
    // a, b and c are ranges: each has a buffer, an offset and a size. Bound without the size they include the guard words behind
    // a matrix, and so reveal a shader that goes past its end. Shaders that use arrayLength need the size.
    const [openA, openB, openC] = [a, b, c].map(({ buffer, offset = 0 }) => ({ buffer, offset }));
    await run(partial, [openA, openB, { buffer: parts }], [Math.ceil(n / 8), Math.ceil(m / 8), PARTS]);
    await run(reduce, [{ buffer: parts }, openC], [Math.ceil((m * n) / 64)]);
    pass.end();
    device.queue.submit([encoder.finish()]);
    parts.destroy();
  },
});

export default defineConfig({ kernels: [splitK], sizes: [16, 17, [43, 29, 51], 128] });
