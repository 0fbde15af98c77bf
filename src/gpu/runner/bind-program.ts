import type { Buffers } from '../queue/buffers.ts';
import { bindGroup, type Command } from '../queue/submit.ts';
import type { GpuComputePipeline, GpuDevice, GpuRange } from '../web-gpu.ts';
import type { Bound, Dispatch } from '../wgsl/dispatch.ts';
import { type Program, paramsData } from '../wgsl/dispatches.ts';
import { ALIGNED, type Places } from './memory.ts';
import { type Textures, texelsOf } from './textures.ts';

/** A program, and where its matrices lie. */
export interface Placed {
  readonly made: Program;
  readonly places: Places;
}

/** The commands of programs, one after the other; their params and layouts are put into buffers. */
export function bindPrograms(
  device: GpuDevice,
  programs: readonly Placed[],
  pipelines: ReadonlyMap<string, GpuComputePipeline>,
  buffers: Buffers,
  textures: Textures,
): Command[] {
  const { UNIFORM, STORAGE } = GPUBufferUsage;
  const params = joined(programs.map(({ made }) => paramsData(made.dispatches, ALIGNED)));
  const layouts = joined(programs.map(({ made }) => made.layoutWords));
  const [ofParams, ofLayouts] = [params.put(buffers, UNIFORM), layouts.put(buffers, STORAGE)];
  return programs.flatMap((placed, at) =>
    placed.made.dispatches.flatMap((dispatch, index): Command[] => {
      const pipeline = pipelines.get(dispatch.shader) as GpuComputePipeline;
      const { buffer, offset } = ofParams[at];
      const own = { buffer, offset: offset + index * ALIGNED, size: ALIGNED };
      const resources: GPUBindingResource[] = [own];
      if (dispatch.layouts) resources.push(ofLayouts[at]);
      const [texture, copy] = texturesOf(dispatch, placed, textures);
      resources.push(...texture, ...dispatch.blocks.map((block) => rangeOf(block, placed)));
      const group = bindGroup(device, pipeline, resources, dispatch.label);
      const { workgroups, operations } = dispatch;
      return [...copy, { pipeline, group, workgroups, operations }];
    }),
  );
}

function texturesOf(
  dispatch: Dispatch,
  placed: Placed,
  textures: Textures,
): [GPUBindingResource[], Command[]] {
  const { texture } = dispatch;
  if (texture === undefined) return [[], []];
  const texels = texelsOf(dispatch, placed.made.numeric.words);
  const { buffer, offset } = rangeOf(texture, placed);
  return [[textures.of(texels).createView()], [(encoder) => textures.copy(encoder, texels, buffer, offset)]];
}

function rangeOf({ buffer: name, offset, layout, words }: Bound, { made, places }: Placed): GpuRange {
  const { buffer, offset: start } = places[name] as GpuRange;
  const bytes = 4 * (words ?? made.numeric.words);
  return { buffer, offset: start + bytes * offset, size: bytes * layout.size };
}

/** Arrays one after the other in a buffer, each at a place where it can be bound. */
function joined(parts: readonly Uint32Array[]) {
  const starts: number[] = [];
  let bytes = 0;
  for (const { byteLength } of parts) {
    starts.push(bytes);
    bytes += Math.ceil(byteLength / ALIGNED) * ALIGNED;
  }
  return {
    put(buffers: Buffers, usage: number): GpuRange[] {
      const buffer = buffers.filled(bytes, usage, (mapped) => {
        parts.forEach((words, at) => {
          new Uint32Array(mapped, starts[at], words.length).set(words);
        });
      });
      return parts.map(({ byteLength }, at) => ({ buffer, offset: starts[at], size: byteLength }));
    },
  };
}
