import type { GpuBuffer, GpuComputePipeline, GpuDevice, GpuQuerySet } from '../web-gpu.ts';

/** Where the timestamps of one piece of work go: its first pass begins it, its last one ends it. */
export interface Marks {
  readonly querySet: GpuQuerySet;
  readonly begin: number;
  readonly end: number;
}

/** Which marks a pass writes, as its descriptor says it. */
interface PassMarks {
  querySet: GpuQuerySet;
  beginningOfPassWriteIndex?: number;
  endOfPassWriteIndex?: number;
}

/** The part of a compute pass's descriptor that writes the marks of its work. */
function timestampWrites(
  marks: Marks | undefined,
  isFirst: boolean,
  isLast: boolean,
): { readonly timestampWrites?: PassMarks } {
  if (marks === undefined || !(isFirst || isLast)) return {};
  const { querySet, begin, end } = marks;
  return {
    timestampWrites: {
      querySet: querySet as GPUQuerySet,
      ...(isFirst && { beginningOfPassWriteIndex: begin }),
      ...(isLast && { endOfPassWriteIndex: end }),
    },
  };
}

/** A dispatch with all that it binds. */
export interface Launch {
  readonly pipeline: GpuComputePipeline;
  readonly group: GPUBindGroup;
  /** Where those bindings begin that move, in their order, in bytes. @defaultValue none does */
  readonly offsets?: Uint32Array | undefined;
  readonly workgroups: readonly [x: number, y?: number, z?: number];
  /** Arithmetic operations, for splitting long work. @defaultValue 0 */
  readonly operations?: number;
}

/** A dispatch, or what encodes a copy. */
export type Command = Launch | ((encoder: GPUCommandEncoder) => void);

export interface SubmitOptions {
  /** Operations of one submission at most: desktop drivers reset a device that works for longer. */
  readonly operationsAtOnce?: number;
  /** Where the device writes when it began and ended. */
  readonly marks?: Marks | undefined;
}

/** Submits commands in order, dispatches that follow one another as one pass, in portions that drivers tolerate. */
export function submit(
  device: GpuDevice,
  commands: readonly Command[],
  { operationsAtOnce = Number.POSITIVE_INFINITY, marks }: SubmitOptions = {},
): void {
  const portions = portionsOf(commands, operationsAtOnce).map(passesOf);
  const passes = portions.flat().filter((part) => typeof part !== 'function').length;
  let begun = 0;
  for (const portion of portions) {
    const encoder = device.createCommandEncoder();
    for (const part of portion) {
      if (typeof part === 'function') {
        part(encoder);
        continue;
      }
      begun++;
      const pass = encoder.beginComputePass(timestampWrites(marks, begun === 1, begun === passes));
      encode(pass, part);
      pass.end();
    }
    device.queue.submit([encoder.finish()]);
  }
}

/** Tells a pass what to dispatch; a pipeline that is set stays. */
function encode(pass: GPUComputePassEncoder, launches: readonly Launch[]): void {
  let set: GpuComputePipeline | undefined;
  for (const { pipeline, group, offsets, workgroups } of launches) {
    if (pipeline !== set) pass.setPipeline(pipeline);
    set = pipeline;
    if (offsets === undefined) pass.setBindGroup(0, group);
    else pass.setBindGroup(0, group, offsets, 0, offsets.length);
    pass.dispatchWorkgroups(...workgroups);
  }
}

/** Cuts commands where a submission would have too many operations. */
function portionsOf(commands: readonly Command[], atOnce: number): Command[][] {
  const portions: Command[][] = [[]];
  let operations = 0;
  for (const command of commands) {
    const own = typeof command === 'function' ? 0 : (command.operations ?? 0);
    if (operations > 0 && operations + own > atOnce) {
      portions.push([]);
      operations = 0;
    }
    operations += own;
    portions[portions.length - 1].push(command);
  }
  return portions;
}

function passesOf(commands: readonly Command[]): (Launch[] | Exclude<Command, Launch>)[] {
  const parts: (Launch[] | Exclude<Command, Launch>)[] = [];
  for (const command of commands) {
    const last = parts.at(-1);
    if (typeof command === 'function') parts.push(command);
    else if (Array.isArray(last)) last.push(command);
    else parts.push([command]);
  }
  return parts;
}

const layouts = new WeakMap<GpuComputePipeline, GPUBindGroupLayout>();

/** Resources at the bindings 0, 1, 2, … of a pipeline's group 0; its layout is asked for once. */
export function bindGroup(
  device: GpuDevice,
  pipeline: GpuComputePipeline,
  resources: readonly GPUBindingResource[],
  label = '',
): GPUBindGroup {
  const layout = layouts.get(pipeline) ?? pipeline.getBindGroupLayout(0);
  layouts.set(pipeline, layout);
  return bindGroupOf(device, layout, resources, label);
}

/** Resources at the bindings 0, 1, 2, … of a layout. */
export function bindGroupOf(
  device: GpuDevice,
  layout: GPUBindGroupLayout,
  resources: readonly GPUBindingResource[],
  label = '',
): GPUBindGroup {
  const entries = resources.map((resource, binding) => ({ binding, resource }));
  return device.createBindGroup({ label, layout, entries });
}

/** The command that copies bytes from one buffer to another; by default all of it to the beginning. */
export const copied =
  (from: GpuBuffer, to: GpuBuffer, bytes = from.size, start = 0, at = 0): Command =>
  (encoder) =>
    encoder.copyBufferToBuffer(from, start, to, at, bytes);
