import type { GpuCall } from '../../kernel/user-kernel.ts';
import { problem } from '../../problems.ts';
import type { GpuRange } from '../web-gpu.ts';
import { findUnit, whyNoUnit } from './configs.ts';
import { HALF_WORKGROUP, halfShader } from './half-shader.ts';
import { BLOCK, DEPTH, matrixProductShader } from './product-shader.ts';

const pipelines = new WeakMap<GPUDevice, Map<string, Promise<GPUComputePipeline>>>();

function pipelineOf(device: GPUDevice, code: string): Promise<GPUComputePipeline> {
  const ofDevice = pipelines.get(device) ?? new Map<string, Promise<GPUComputePipeline>>();
  pipelines.set(device, ofDevice);
  const made =
    ofDevice.get(code) ??
    device.createComputePipelineAsync({
      layout: 'auto',
      compute: { module: device.createShaderModule({ code }), entryPoint: 'main' },
    });
  ofDevice.set(code, made);
  return made;
}

/**
 * C = A·B in f16·f32 by the device's matrix units: operands are rounded to binary16 into padded copies, which the units
 * multiply.
 * @throws Problem `no-matrix-units`
 */
export async function encodeMatrixProduct({ device, a, b, c, m, k, n }: GpuCall): Promise<void> {
  const unit = device.features.has('shader-f16') ? findUnit(device, 'f16', 'f32') : undefined;
  if (unit === undefined) {
    const why = whyNoUnit(device);
    throw problem('no-matrix-units', { kernel: 'classical:subgroup', units: 'f16 with f32 sums', why });
  }
  const halve = await pipelineOf(device, halfShader);
  const multiply = await pipelineOf(device, matrixProductShader(unit));
  const padded = (size: number, to: number) => Math.ceil(size / to) * to;
  const [rows, depth, cols] = [padded(m, BLOCK), padded(k, DEPTH), padded(n, BLOCK)];
  const { STORAGE, UNIFORM, COPY_DST } = GPUBufferUsage;
  const made: GPUBuffer[] = [];
  const create = (size: number, usage: number) => {
    const buffer = device.createBuffer({ size, usage });
    made.push(buffer);
    return buffer;
  };
  const uniform = (words: readonly number[]): GpuRange => {
    const buffer = create(16, UNIFORM | COPY_DST);
    device.queue.writeBuffer(buffer, 0, Uint32Array.from(words));
    return { buffer, offset: 0, size: 16 };
  };
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  const dispatch = (
    pipeline: GPUComputePipeline,
    ranges: readonly GpuRange[],
    across: number,
    down: number,
  ) => {
    const entries = ranges.map((resource, binding) => ({ binding, resource }));
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(across, down);
  };
  const half = (x: GpuRange, from: readonly [number, number], to: readonly [number, number]): GpuRange => {
    const size = 2 * to[0] * to[1];
    const range = { buffer: create(size, STORAGE), offset: 0, size };
    dispatch(halve, [uniform([...from, to[1]]), x, range], Math.ceil(to[1] / HALF_WORKGROUP), to[0]);
    return range;
  };
  const left = half(a, [m, k], [rows, depth]);
  const right = half(b, [k, n], [depth, cols]);
  dispatch(multiply, [uniform([m, n, depth, cols]), left, right, c], cols / BLOCK, rows / BLOCK);
  pass.end();
  device.queue.submit([encoder.finish()]);
  // Submitted work keeps what it uses.
  for (const buffer of made) buffer.destroy();
}
