import { lookUp } from '../../base/look-up.ts';
import type { GpuDevice } from '../web-gpu.ts';

/** What a letter of {@link Bindings} stands for. */
const TYPES: Readonly<Record<string, GPUBufferBindingType>> = {
  u: 'uniform',
  r: 'read-only-storage',
  s: 'storage',
};

/** What a shader binds from 0 on, in group 0, a letter a binding: `u`, a uniform; `r`, storage that is read; `s`, storage. */
export type Bindings = string;

/** Bindings of a pipeline of which some are told with each dispatch where they begin: one bind group serves dispatches in many places. */
export interface BindingLayout {
  readonly group: GPUBindGroupLayout;
  readonly pipeline: GPUPipelineLayout;
  /** Whether the offset of a binding is told with each dispatch. */
  readonly moves: readonly boolean[];
}

const layouts = new WeakMap<GpuDevice, Map<string, BindingLayout>>();

/** The layout of such bindings, made once a device: uniforms move, and as much of the storage that is written as the device allows. */
export function bindingLayout(device: GpuDevice, bindings: Bindings): BindingLayout {
  const known = layouts.get(device) ?? new Map<string, BindingLayout>();
  layouts.set(device, known);
  const found = known.get(bindings) ?? layoutOf(device, bindings);
  known.set(bindings, found);
  return found;
}

function layoutOf(device: GpuDevice, bindings: Bindings): BindingLayout {
  let left = device.limits.maxDynamicStorageBuffersPerPipelineLayout;
  const types = [...bindings].map((letter) => lookUp(TYPES, letter) as GPUBufferBindingType);
  const moves = types.map((type) => type === 'uniform' || (type === 'storage' && left-- > 0));
  const group = device.createBindGroupLayout({
    entries: types.map((type, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type, hasDynamicOffset: moves[binding] },
    })),
  });
  return { group, pipeline: device.createPipelineLayout({ bindGroupLayouts: [group] }), moves };
}
