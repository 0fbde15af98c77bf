import type { Dispatch } from './dispatch.ts';
import { PARAMS_STRIDE, type Placed } from './places.ts';
import { type Textures, texelsOf } from './textures.ts';

/** A dispatch of a program whose buffers have their places. */
export interface Bound {
  readonly dispatch: Dispatch;
  /** Its place in the program. */
  readonly index: number;
  readonly placed: Placed;
}

/** Makes the bind groups of dispatches; each pipeline is asked for its layout once. */
export function binder(device: GPUDevice, textures: Textures) {
  const known = new Map<GPUComputePipeline, GPUBindGroupLayout>();
  // A program that is submitted several times at once binds the same.
  const made = new Map<Placed, GPUBindGroup[]>();
  return (pipeline: GPUComputePipeline, bound: Bound): GPUBindGroup => {
    const groups = made.get(bound.placed) ?? [];
    made.set(bound.placed, groups);
    groups[bound.index] ??= group(pipeline, bound);
    return groups[bound.index];
  };
  function group(pipeline: GPUComputePipeline, { dispatch, index, placed }: Bound): GPUBindGroup {
    const layout = known.get(pipeline) ?? pipeline.getBindGroupLayout(0);
    known.set(pipeline, layout);
    const { made, places } = placed;
    const bytes = 4 * made.numeric.words;
    const { buffer: params, start } = places.params;
    const resources: GPUBindingResource[] = [
      { buffer: params, offset: start + index * PARAMS_STRIDE, size: PARAMS_STRIDE },
    ];
    if (dispatch.layouts) resources.push(places.layouts);
    if (dispatch.texture !== undefined) {
      resources.push(textures.of(texelsOf(dispatch, made.numeric.words)).createView());
    }
    for (const { buffer: name, offset, layout } of dispatch.blocks) {
      const { buffer, start } = places.blocks[name];
      resources.push({ buffer, offset: start + bytes * offset, size: bytes * layout.size });
    }
    const entries = resources.map((resource, binding) => ({ binding, resource }));
    return device.createBindGroup({ label: dispatch.label, layout, entries });
  }
}
