import { alignUp } from '../../base/numbers.ts';
import type { Buffers } from '../queue/buffers.ts';
import { type BindingLetters, bindingLayout, type ShaderRequest } from '../queue/pipelines.ts';

import { type BoundDispatch, bindGroup, bindGroupOf, type GpuCommand } from '../queue/submit.ts';
import type { GpuBuffer, GpuComputePipeline, GpuDevice, GpuRange } from '../web-gpu.ts';
import type { BoundRange, Dispatch } from '../wgsl/dispatch.ts';
import { type GpuProgram, paramsData } from '../wgsl/dispatches.ts';
import { ALIGNED, type MatrixRanges } from './memory.ts';
import { shaderRequestOf } from './shader-request.ts';
import { type Textures, texelsOf } from './textures.ts';

/** A program, with the places of its matrices in buffers. */
export interface PlacedProgram {
  readonly made: GpuProgram;
  readonly places: MatrixRanges;
}

/** Returns the commands of programs, one after the other, after putting their params and layouts into buffers. */
export function bindPrograms(
  device: GpuDevice,
  programs: readonly PlacedProgram[],
  pipelineOf: (one: ShaderRequest) => GpuComputePipeline,
  buffers: Buffers,
  textures: Textures,
): GpuCommand[] {
  const { UNIFORM, STORAGE } = GPUBufferUsage;
  const params = joined(programs.map(({ made }) => paramsData(made.dispatches, ALIGNED)));
  const layouts = joined(programs.map(({ made }) => made.layoutWords));
  const [ofParams, ofLayouts] = [params.put(buffers, UNIFORM), layouts.put(buffers, STORAGE)];
  const bind = binder(device);
  return programs.flatMap((placed, at) =>
    placed.made.dispatches.flatMap((dispatch, index): GpuCommand[] => {
      const needed = shaderRequestOf(dispatch);
      const pipeline = pipelineOf(needed);
      const { buffer, offset } = ofParams[at];
      const own = { buffer, offset: offset + index * ALIGNED, size: ALIGNED };
      const before = dispatch.layouts ? [own, ofLayouts[at]] : [own];
      const ranges = dispatch.blocks.map((block) => rangeOf(block, placed));
      const { workgroups, operations } = dispatch;
      if (needed.bindings !== undefined) {
        return [{ pipeline, ...bind(needed.bindings, [...before, ...ranges]), workgroups, operations }];
      }
      const [texture, copy] = texturesOf(dispatch, placed, textures);
      const group = bindGroup(device, pipeline, [...before, ...texture, ...ranges], dispatch.label);
      return [...copy, { pipeline, group, workgroups, operations }];
    }),
  );
}

/**
 * Returns a function that binds ranges. Ranges of the same sizes in the same buffers share a bind group, since creating one takes longer
 * than using it.
 */
function binder(device: GpuDevice) {
  const groups = new Map<string, GPUBindGroup>();
  const numbers = new Map<GpuBuffer, number>();
  const numberOf = (buffer: GpuBuffer) => {
    const number = numbers.get(buffer) ?? numbers.size;
    numbers.set(buffer, number);
    return number;
  };
  return (
    bindings: BindingLetters,
    ranges: readonly GpuRange[],
  ): Pick<BoundDispatch, 'group' | 'offsets'> => {
    const { group: layout, moves } = bindingLayout(device, bindings);
    const fixed = ranges.map((range, at) => (moves[at] ? { ...range, offset: 0 } : range));
    const places = fixed.map(({ buffer, offset, size }) => `${numberOf(buffer)} ${offset} ${size}`);
    const key = `${bindings} ${places.join()}`;
    const group = groups.get(key) ?? bindGroupOf(device, layout, fixed);
    groups.set(key, group);
    const offsets = new Uint32Array(ranges.filter((_, at) => moves[at]).map(({ offset }) => offset));
    return { group, offsets };
  };
}

function texturesOf(
  dispatch: Dispatch,
  placed: PlacedProgram,
  textures: Textures,
): [GPUBindingResource[], GpuCommand[]] {
  const { texture } = dispatch;
  if (texture === undefined) return [[], []];
  const texels = texelsOf(dispatch, placed.made.numeric.words);
  const { buffer, offset } = rangeOf(texture, placed);
  return [[textures.of(texels).createView()], [(encoder) => textures.copy(encoder, texels, buffer, offset)]];
}

function rangeOf(
  { buffer: name, offset, layout, words }: BoundRange,
  { made, places }: PlacedProgram,
): GpuRange {
  const { buffer, offset: start } = places[name] as GpuRange;
  const bytes = 4 * (words ?? made.numeric.words);
  return { buffer, offset: start + bytes * offset, size: bytes * layout.size };
}

/** Puts arrays one after the other into a buffer, each at an offset where it can be bound. */
function joined(parts: readonly Uint32Array[]) {
  const starts: number[] = [];
  let bytes = 0;
  for (const { byteLength } of parts) {
    starts.push(bytes);
    bytes += alignUp(byteLength, ALIGNED);
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
