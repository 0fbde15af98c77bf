import { alignUp } from '../../base/numbers.ts';
import { openBuffers } from '../../gpu/queue/buffers.ts';
import { pipelineOf } from '../../gpu/queue/pipelines.ts';
import { type BoundDispatch, bindGroup, submit } from '../../gpu/queue/submit.ts';
import {
  findUnit,
  matrixEnables,
  type SubgroupMatrixShape,
  whyNoUnit,
} from '../../gpu/subgroup-matrix-configs.ts';
import type { GpuComputePipeline, GpuRange } from '../../gpu/web-gpu.ts';
import { repeatLines } from '../../gpu/wgsl/each.ts';
import { f16 } from '../../precision/format.ts';
import { roundingExpression } from '../../precision/wgsl/rounding.ts';
import { noMatrixUnits } from '../messages.ts';
import type { GpuCall } from '../user-kernel.ts';

/** The side of a subgroup's block; a workgroup has two by two subgroups. */
const REGION = 64;
/** The side of a workgroup's block: operands are padded to multiples of it. */
const BLOCK = 2 * REGION;
/** Entries of k that are staged at a time: operands are padded to a multiple. */
const DEPTH = 32;
/** Entries between staged rows: 16-byte alignment, and few conflicts. */
const STRIDE_A = DEPTH + 8;
const STRIDE_B = BLOCK + 8;

/**
 * Returns the WGSL of C = A·B by matrix units: A and B in binary16, padded, row-major, sums in binary32 in an order that only the unit
 * knows. A workgroup stages blocks of both in workgroup memory while the next are loaded. C, m×n, is written within its bounds only.
 */
export function matrixProductShader({ M, N, K, subgroup }: SubgroupMatrixShape): string {
  const [down, across] = [REGION / M, REGION / N];
  const sums = (text: (r: number, c: number) => string) =>
    repeatLines(down, (r) => repeatLines(across, (c) => text(r, c)));
  const invocations = 4 * subgroup;
  // Eight entries of binary16 per vector.
  const fetches = (text: (i: number) => string) => repeatLines((BLOCK * DEPTH) / 8 / invocations, text);
  const left = `subgroup_matrix_left<f16, ${K}, ${M}>`;
  const right = `subgroup_matrix_right<f16, ${N}, ${K}>`;
  const result = `subgroup_matrix_result<f32, ${N}, ${M}>`;
  const fetch = (i: number) => `nextA${i} = a[(top + lineA${i}) * acrossA + p / 8u + vectorA${i}];
    nextB${i} = b[(p + lineB${i}) * acrossB + side / 8u + vectorB${i}];`;
  const stage = (tile: string, start: string, vector: string) =>
    ['x', 'y', 'z', 'w']
      .map(
        (c, q) =>
          `    { let pair = bitcast<vec2<f16>>(${vector}.${c}); ${tile}[${start} + ${2 * q}u] = pair.x; ${tile}[${start} + ${2 * q + 1}u] = pair.y; }`,
      )
      .join('\n');
  return `enable f16;
${matrixEnables}struct Params { m: u32, n: u32, k: u32, strideB: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;
var<workgroup> tileA: array<f16, ${BLOCK * STRIDE_A}>;
var<workgroup> tileB: array<f16, ${DEPTH * STRIDE_B}>;
var<workgroup> scratch: array<f32, ${4 * M * N}>;
@compute @workgroup_size(${invocations})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) index: u32, @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let acrossA = params.k / 8u;
  let acrossB = params.strideB / 8u;
  let top = group.y * ${BLOCK}u;
  let side = group.x * ${BLOCK}u;
  let ownTop = (subgroup / 2u) * ${REGION}u;
  let ownSide = (subgroup % 2u) * ${REGION}u;
${sums((r, s) => `  var c${r}_${s} = ${result}();`)}
${fetches(
  (i) => `  let e${i} = index + ${i * invocations}u;
  let lineA${i} = e${i} / ${DEPTH / 8}u;
  let vectorA${i} = e${i} % ${DEPTH / 8}u;
  let lineB${i} = e${i} / ${BLOCK / 8}u;
  let vectorB${i} = e${i} % ${BLOCK / 8}u;
  var nextA${i} = vec4<u32>();
  var nextB${i} = vec4<u32>();`,
)}
  var p = 0u;
  {
${fetches(fetch)}
  }
  while (p < params.k) {
${fetches(
  (i) => `${stage('tileA', `lineA${i} * ${STRIDE_A}u + 8u * vectorA${i}`, `nextA${i}`)}
${stage('tileB', `lineB${i} * ${STRIDE_B}u + 8u * vectorB${i}`, `nextB${i}`)}`,
)}
    workgroupBarrier();
    p += ${DEPTH}u;
    if (p < params.k) {
${fetches(fetch)}
    }
    for (var q = 0u; q < ${DEPTH}u; q += ${K}u) {
${repeatLines(across, (s) => `      let y${s} = subgroupMatrixLoad<${right}, row_major>(&tileB, q * ${STRIDE_B}u + ownSide + ${s * N}u, ${STRIDE_B}u);`)}
${repeatLines(
  down,
  (
    r,
  ) => `      let x${r} = subgroupMatrixLoad<${left}, row_major>(&tileA, (ownTop + ${r * M}u) * ${STRIDE_A}u + q, ${STRIDE_A}u);
${repeatLines(across, (s) => `      c${r}_${s} = subgroupMatrixMultiplyAccumulate(x${r}, y${s}, c${r}_${s});`)}`,
)}
    }
    workgroupBarrier();
  }
${sums(
  (r, s) => `  subgroupMatrixStore<row_major>(&scratch, subgroup * ${M * N}u, c${r}_${s}, ${N}u);
  workgroupBarrier();
  for (var e = lane; e < ${M * N}u; e += ${subgroup}u) {
    let i = top + ownTop + ${r * M}u + e / ${N}u;
    let j = side + ownSide + ${s * N}u + e % ${N}u;
    if (i < params.m && j < params.n) { c[i * params.n + j] = scratch[subgroup * ${M * N}u + e]; }
  }
  workgroupBarrier();`,
)}
}`;
}

/** Invocations of a workgroup of {@link halfShader}: entries of a row. */
const HALF_WORKGROUP = 64;

/**
 * The WGSL that rounds a matrix of binary32 numbers to binary16, ties to even, into rows of `stride` entries; entries behind those of the
 * matrix become 0.
 */
export const halfShader = `enable f16;
struct Params { rows: u32, cols: u32, stride: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> halves: array<f16>;
${roundingExpression('roundHalf', f16).declaration}
@compute @workgroup_size(${HALF_WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.stride) { return; }
  var value = 0.0;
  if (id.y < params.rows && id.x < params.cols) { value = roundHalf(x[id.y * params.cols + id.x]); }
  halves[id.y * params.stride + id.x] = f16(value);
}`;

/**
 * Computes C = A·B in f16·f32 by the device's matrix units: operands are rounded to binary16 into padded copies, which the units multiply.
 * @throws ParanoiaError `no-matrix-units`
 */
export async function encodeMatrixProduct({ device, a, b, c, m, k, n }: GpuCall): Promise<void> {
  const unit = device.features.has('shader-f16') ? findUnit(device, 'f16', 'f32') : undefined;
  if (unit === undefined) {
    const why = whyNoUnit(device);
    throw noMatrixUnits({ kernel: 'classical:subgroup', units: 'f16 with f32 sums', why });
  }
  // The calling session detects a lost device.
  const open = { device, lostReason: () => undefined };
  const running = { kernel: 'classical:subgroup', step: 'its WGSL' };
  const halve = await pipelineOf(open, halfShader, running);
  const multiply = await pipelineOf(open, matrixProductShader(unit), running);
  const [rows, depth, cols] = [alignUp(m, BLOCK), alignUp(k, DEPTH), alignUp(n, BLOCK)];
  const buffers = openBuffers(device, running);
  const launch = (
    pipeline: GpuComputePipeline,
    params: readonly number[],
    ranges: readonly GpuRange[],
    workgroups: readonly [number, number],
  ): BoundDispatch => {
    const resources = [{ buffer: buffers.uniform(params) }, ...ranges];
    return { pipeline, group: bindGroup(device, pipeline, resources), workgroups };
  };
  const halved = (size: number) => ({
    buffer: buffers.create(2 * size, GPUBufferUsage.STORAGE),
    offset: 0,
    size: 2 * size,
  });
  const [left, right] = [halved(rows * depth), halved(depth * cols)];
  submit(device, [
    launch(halve, [m, k, depth], [a, left], [Math.ceil(depth / HALF_WORKGROUP), rows]),
    launch(halve, [k, n, cols], [b, right], [Math.ceil(cols / HALF_WORKGROUP), depth]),
    launch(multiply, [m, n, depth, cols], [left, right, c], [cols / BLOCK, rows / BLOCK]),
  ]);
  // Submitted work keeps the resources it uses.
  buffers.destroy();
}
