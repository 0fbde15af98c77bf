// Your own kernel in WGSL, tested like the built-in ones: A, B and C are row-major with guard words around them, and C is
// full of poison before each run.
//
//   npx gemm-paranoia gate --config share/examples/wgsl-kernel.ts
import { defineConfig, defineKernel } from 'gemm-paranoia';

const SIDE = 16;

/** The textbook's 16×16 tiles in workgroup memory; sizes need not be multiples of 16. */
export const tiled = defineKernel({
  name: 'my-tiled',
  wgsl: {
    source: /* wgsl */ `
override SIDE: u32 = ${SIDE};
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> sizes: vec4u; // m, k, n, 0

var<workgroup> tileA: array<f32, ${SIDE * SIDE}>;
var<workgroup> tileB: array<f32, ${SIDE * SIDE}>;

@compute @workgroup_size(SIDE, SIDE)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let m = sizes.x;
  let k = sizes.y;
  let n = sizes.z;
  let at = local.y * SIDE + local.x;
  var sum = 0.0;
  for (var start = 0u; start < k; start += SIDE) {
    let col = start + local.x;
    let row = start + local.y;
    // Reading first and selecting afterwards would be safe, too: select drops the NaN behind A and B.
    tileA[at] = 0.0;
    tileB[at] = 0.0;
    if (id.y < m && col < k) { tileA[at] = a[id.y * k + col]; }
    if (row < k && id.x < n) { tileB[at] = b[row * n + id.x]; }
    workgroupBarrier();
    for (var p = 0u; p < SIDE; p++) { sum += tileA[local.y * SIDE + p] * tileB[p * SIDE + local.x]; }
    workgroupBarrier();
  }
  if (id.y < m && id.x < n) { c[id.y * n + id.x] = sum; }
}`,
    bindings: { a: 0, b: 1, c: 2, sizes: 3 },
    constants: { SIDE },
    workgroups: ({ m, n }) => [Math.ceil(n / SIDE), Math.ceil(m / SIDE)],
  },
});

/** binary16 throughout, on adapters with shader-f16: entries are stored as f16, with the bounds of f16. */
export const half = defineKernel({
  name: 'my-half',
  precision: 'f16',
  wgsl: {
    source: ({ m, k, n }) => /* wgsl */ `
enable f16;
@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> c: array<f16>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.y >= ${m} || id.x >= ${n}) { return; }
  var sum = 0.0h;
  for (var p = 0u; p < ${k}; p++) { sum += a[id.y * ${k} + p] * b[p * ${n} + id.x]; }
  c[id.y * ${n} + id.x] = sum;
}`,
    workgroups: ({ m, n }) => [Math.ceil(n / 8), Math.ceil(m / 8)],
  },
});

export default defineConfig({ kernels: [tiled], sizes: [16, 17, [43, 29, 51], 128] });
