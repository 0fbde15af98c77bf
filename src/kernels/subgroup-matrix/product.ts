import { alignUp } from '../../base/numbers.ts';
import { openBuffers } from '../../gpu/queue/buffers.ts';
import { pipelineOf } from '../../gpu/queue/pipelines.ts';
import { type BoundDispatch, bindGroup, submit } from '../../gpu/queue/submit.ts';
import { findUnit, whyNoUnit } from '../../gpu/subgroup-matrix-configs.ts';
import type { GpuComputePipeline, GpuRange } from '../../gpu/web-gpu.ts';
import { f16 } from '../../precision/format.ts';
import { roundingExpression } from '../../precision/wgsl/rounding.ts';
import { noMatrixUnits } from '../messages.ts';
import type { GpuCall } from '../user-kernel.ts';
import { BLOCK, DEPTH, matrixProductShader } from './product-shader.ts';

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
