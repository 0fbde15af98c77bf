import type { OpenDevice } from '../../gpu/device.ts';
import { binary32BytesOf, openBuffers } from '../../gpu/queue/buffers.ts';
import { withScopes } from '../../gpu/queue/errors.ts';
import { pipelineOf } from '../../gpu/queue/pipelines.ts';
import { submit } from '../../gpu/queue/submit.ts';
import type { GpuBuffer, GpuComputePipeline, GpuDevice, GpuRange } from '../../gpu/web-gpu.ts';
import { precisions } from '../../precision/precisions.ts';
import type { KernelSession, ProductInput } from '../kernel.ts';
import { callBlaming } from '../kernel-error.ts';
import type { GpuKernel, WgslKernel } from '../user-kernel.ts';
import { includeGuard, needHalf, type OperandRanges, openOnDevice } from './product.ts';
import { bindingsOf, type KernelBindings, type WgslRun, wgslRun } from './wgsl-run.ts';

/**
 * Opens a kernel written in WGSL. A, B, C and, where it lies apart, D are bound with guard words behind them: a read past the end of a
 * matrix adds NaN to a sum, and a write past it changes a guard. Devices keep every access inside its binding, so exact bindings hide such
 * reads, and may hide such writes. Of 90 products with one row or entry too many, 77 showed it on SwiftShader, where the last entry takes
 * the store, and none on lavapipe; all 60 with guards did on both. A matrix whose arrayLength the source reads gets an exact binding
 * nevertheless.
 * @param device returns the device in use, for each product, since a lost one is replaced.
 * @throws ParanoiaError `bad-kernel`
 */
export function openWgslKernel(
  kernel: WgslKernel,
  device: () => OpenDevice,
  precision = precisions.find(kernel.precision ?? 'f32'),
): KernelSession<ProductInput> {
  const { name } = kernel;
  const bindings = bindingsOf(kernel);
  return openOnDevice(kernel, precision, kernel.wgsl.entries, device, async (open, gemm) => {
    const run = await callBlaming(name, () => wgslRun(kernel, gemm, open.limits));
    if (run.needsHalf) needHalf(open, name);
    const { source, entryPoint, constants, workgroups } = run;
    const bound = gemm.c === gemm.d ? { ...bindings, d: undefined } : bindings;
    const asked = { kernel: name, step: 'its WGSL' };
    const pipeline = await pipelineOf(open, source, asked, { entryPoint, constants });
    return {
      step: `running ${workgroups.join('×')} workgroups`,
      async submit(operands, lists) {
        const running = { kernel: name, step: `binding ${describe(bound)}` };
        const own = openBuffers(open.device, running);
        const sizes = () => own.uniform([gemm.m, gemm.k, gemm.n, 0]);
        try {
          const group = await withScopes(open, running, () =>
            bind(
              open.device,
              pipeline,
              bound,
              { ...operands, factors: lists.map(own.storage) },
              sizes(),
              run.isExact,
            ),
          );
          submit(open.device, [{ pipeline, group, workgroups }]);
        } finally {
          // Submitted work keeps the resources it uses.
          own.destroy();
        }
      },
    };
  });
}

function bind(
  device: GpuDevice,
  pipeline: GpuComputePipeline,
  bindings: KernelBindings,
  { a, b, c, d, factors }: OperandRanges & { readonly factors: readonly GpuBuffer[] },
  sizes: GPUBuffer,
  isExact: WgslRun['isExact'],
): GPUBindGroup {
  const range = (binding: number, range: GpuRange): GPUBindGroupEntry => {
    return { binding, resource: isExact(binding) ? range : includeGuard(range) };
  };
  const entries = [range(bindings.a, a), range(bindings.b, b), range(bindings.c, c)];
  if (bindings.d !== undefined) entries.push(range(bindings.d, d));
  if (bindings.sizes !== undefined) entries.push({ binding: bindings.sizes, resource: { buffer: sizes } });
  for (const [at, buffer] of factors.entries()) {
    const binding = bindings.factors?.[at];
    if (binding !== undefined) entries.push({ binding, resource: { buffer } });
  }
  return device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
}

function describe({ a, b, c, d, sizes, factors = [] }: KernelBindings): string {
  const own = factors.map((at, list) => [`factors ${list}`, at] as const);
  const all = [...Object.entries({ A: a, B: b, C: c, D: d, sizes }), ...own].filter(
    ([, at]) => at !== undefined,
  );
  return `${all.map(([name, at]) => `${name} at ${at}`).join(', ')} of group 0`;
}

/**
 * Opens a kernel that encodes its own work. It gets the exact ranges of A, B, C and D, since its shaders may ask for their lengths. A
 * binding without a size, or from the beginning of a buffer, includes guard words: reads there give NaN, and writes there are detected.
 * Within an exact binding, devices drop a store past the end or put it on the last entry, see openWgslKernel.
 * @param device returns the device in use, for each product, since a lost one is replaced.
 * @throws ParanoiaError `bad-kernel`
 */
export function openEncodeKernel(
  kernel: GpuKernel,
  device: () => OpenDevice,
  precision = precisions.find(kernel.precision ?? 'f32'),
): KernelSession<ProductInput> {
  return openOnDevice(kernel, precision, kernel.entries, device, (open, gemm, entries) => {
    if (entries.c.name === 'f16') needHalf(open, kernel.name);
    return {
      step: 'encoding and running its work',
      async submit(operands, lists) {
        const { m, k, n } = gemm;
        const own = openBuffers(open.device, { kernel: kernel.name, step: 'uploading factors of blocks' });
        try {
          const factors = lists.map((list) => ({
            buffer: own.storage(list),
            offset: 0,
            size: binary32BytesOf(list),
          }));
          const call = { device: open.device, m, k, n, gemm: structuredClone(gemm), factors };
          await kernel.encode({ ...call, ...operands });
        } finally {
          // Submitted work keeps the resources it uses.
          own.destroy();
        }
      },
    };
  });
}
