import { lookUp } from '../../base/look-up.ts';
import type { GpuDevice } from '../web-gpu.ts';

/** The binding type of each letter of {@link BindingLetters}. */
const TYPES: Readonly<Record<string, GPUBufferBindingType>> = {
  u: 'uniform',
  r: 'read-only-storage',
  s: 'storage',
};

/** The bindings of a shader in group 0, from 0 on, one letter each: `u`, a uniform; `r`, read-only storage; `s`, storage. */
export type BindingLetters = string;

/** A pipeline's bindings, some of which have dynamic offsets. One bind group then serves dispatches in many places. */
export interface BindingLayout {
  readonly group: GPUBindGroupLayout;
  readonly pipeline: GPUPipelineLayout;
  /** For each binding, true if its offset is dynamic. */
  readonly moves: readonly boolean[];
}

const layouts = new WeakMap<GpuDevice, Map<string, BindingLayout>>();

/** Returns the layout of bindings, made once a device. Uniforms have dynamic offsets, and as much writable storage as the device allows. */
export function bindingLayout(device: GpuDevice, bindings: BindingLetters): BindingLayout {
  const known = layouts.get(device) ?? new Map<string, BindingLayout>();
  layouts.set(device, known);
  const found = known.get(bindings) ?? layoutOf(device, bindings);
  known.set(bindings, found);
  return found;
}

function layoutOf(device: GpuDevice, bindings: BindingLetters): BindingLayout {
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
