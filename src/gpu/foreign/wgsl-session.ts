import { TIME_LIMIT } from '../../kernel/deadline.ts';
import type { Session } from '../../kernel/session.ts';
import { blaming } from '../../kernel/thrown.ts';
import type { WgslKernel } from '../../kernel/user-kernel.ts';
import type { OpenDevice } from '../device.ts';
import { withScopes } from '../errors.ts';
import { type Bindings, bindingsOf } from './bindings.ts';
import { entriesOf } from './entries.ts';
import { type GuardedBuffers, rangeOf } from './guarded.ts';
import { needHalf } from './needs.ts';
import { pipelineCache } from './pipelines.ts';
import { multiplyGuarded } from './product.ts';
import { type WgslRun, wgslRun } from './wgsl-run.ts';

/**
 * Opens a kernel written in WGSL. A, B and C are bound with guard words behind them: who reads past the end of a
 * matrix sums NaN, who writes past it touches a guard. Devices keep every access inside its binding, so that
 * bindings of the exact size hide the first, and may hide the second: of 90 products with one row or entry too many, 77
 * showed it on SwiftShader, where the last entry takes the store, and none on lavapipe; all 60 with guards did on both. A
 * matrix whose arrayLength the source asks for gets an exact one nevertheless.
 * @param device the device in use: asked for each product, for a lost one is replaced.
 * @throws Problem `bad-kernel`
 */
export function openWgslSession(kernel: WgslKernel, device: () => OpenDevice): Session {
  const { name, precision, timeLimit = TIME_LIMIT } = kernel;
  const entries = entriesOf(name, precision, kernel.wgsl.entries);
  const bindings = bindingsOf(kernel);
  const pipelines = pipelineCache(name);
  return {
    async multiply(a, b, call) {
      const open = device();
      const run = await blaming(name, () => wgslRun(kernel, call, open.limits));
      if (run.needsHalf) needHalf(open, name);
      const pipeline = await pipelines(open, run);
      const { m, k, n } = call;
      const work = {
        ...{ kernel: name, entries, timeLimit },
        step: `running ${run.workgroups.join('×')} workgroups`,
        async submit(buffers: GuardedBuffers) {
          const sizes = sizesBuffer(open.device, [m, k, n, 0]);
          try {
            const step = `binding ${describe(bindings)}`;
            const group = await withScopes(open, { kernel: name, step }, () =>
              bind(open.device, pipeline, bindings, buffers, sizes, run.isExact),
            );
            dispatch(open.device, pipeline, group, run.workgroups);
          } finally {
            // Submitted work keeps what it uses.
            sizes.destroy();
          }
        },
      };
      return multiplyGuarded(open, work, a, b, call);
    },
    versions: async () => ({}),
    close: async () => {},
  };
}

function sizesBuffer(device: GPUDevice, sizes: readonly number[]): GPUBuffer {
  const { UNIFORM, COPY_DST } = GPUBufferUsage;
  const buffer = device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST });
  device.queue.writeBuffer(buffer, 0, Uint32Array.from(sizes));
  return buffer;
}

function bind(
  device: GPUDevice,
  pipeline: GPUComputePipeline,
  bindings: Bindings,
  { a, b, c }: GuardedBuffers,
  sizes: GPUBuffer,
  isExact: WgslRun['isExact'],
): GPUBindGroup {
  const range = (binding: number, buffer: GPUBuffer): GPUBindGroupEntry => {
    return { binding, resource: rangeOf(buffer, isExact(binding) ? 'exact' : 'beyond') };
  };
  const entries = [range(bindings.a, a), range(bindings.b, b), range(bindings.c, c)];
  if (bindings.sizes !== undefined) entries.push({ binding: bindings.sizes, resource: { buffer: sizes } });
  return device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
}

function describe({ a, b, c, sizes }: Bindings): string {
  const all = [`A at ${a}`, `B at ${b}`, `C at ${c}`, ...(sizes === undefined ? [] : [`sizes at ${sizes}`])];
  return `${all.join(', ')} of group 0`;
}

function dispatch(
  device: GPUDevice,
  pipeline: GPUComputePipeline,
  group: GPUBindGroup,
  workgroups: readonly [number, number, number],
): void {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(...workgroups);
  pass.end();
  device.queue.submit([encoder.finish()]);
}
