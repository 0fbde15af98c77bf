import type { GpuBuffer, GpuComputePipeline, GpuDevice, GpuQuerySet } from '../web-gpu.ts';

/** The timestamp queries of one piece of work: its first pass writes `begin`, its last one writes `end`. */
export interface TimestampMarks {
  readonly querySet: GpuQuerySet;
  readonly begin: number;
  readonly end: number;
}

/** The timestamps that a pass writes, in the form of its descriptor. */
interface PassMarks {
  querySet: GpuQuerySet;
  beginningOfPassWriteIndex?: number;
  endOfPassWriteIndex?: number;
}

/** Returns the part of a compute pass's descriptor that writes the timestamps of its work. */
function timestampWrites(
  marks: TimestampMarks | undefined,
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

/** A dispatch with its pipeline and bindings. */
export interface BoundDispatch {
  readonly pipeline: GpuComputePipeline;
  readonly group: GPUBindGroup;
  /** The dynamic offsets of the bindings that have them, in order, in bytes. @defaultValue none */
  readonly offsets?: Uint32Array | undefined;
  readonly workgroups: readonly [x: number, y?: number, z?: number];
  /** Arithmetic operations, by which long work is split. @defaultValue 0 */
  readonly operations?: number;
}

export type GpuCommand = BoundDispatch | ((encoder: GPUCommandEncoder) => void);

export interface SubmitOptions {
  /** The most operations of one submission: desktop drivers reset a device that works for longer. */
  readonly operationsAtOnce?: number;
  /** The timestamps of this work's beginning and end. */
  readonly marks?: TimestampMarks | undefined;
}

/** Submits commands in order, in portions that drivers tolerate. Consecutive dispatches share a pass. */
export function submit(
  device: GpuDevice,
  commands: readonly GpuCommand[],
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

/** Encodes launches in a pass, and sets the pipeline only if it changes. */
function encode(pass: GPUComputePassEncoder, launches: readonly BoundDispatch[]): void {
  let set: GpuComputePipeline | undefined;
  for (const { pipeline, group, offsets, workgroups } of launches) {
    if (pipeline !== set) pass.setPipeline(pipeline);
    set = pipeline;
    if (offsets === undefined) pass.setBindGroup(0, group);
    else pass.setBindGroup(0, group, offsets, 0, offsets.length);
    pass.dispatchWorkgroups(...workgroups);
  }
}

/** Splits commands into portions, each with few enough operations for a submission. */
function portionsOf(commands: readonly GpuCommand[], atOnce: number): GpuCommand[][] {
  const portions: GpuCommand[][] = [[]];
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

function passesOf(commands: readonly GpuCommand[]): (BoundDispatch[] | Exclude<GpuCommand, BoundDispatch>)[] {
  const parts: (BoundDispatch[] | Exclude<GpuCommand, BoundDispatch>)[] = [];
  for (const command of commands) {
    const last = parts.at(-1);
    if (typeof command === 'function') parts.push(command);
    else if (Array.isArray(last)) last.push(command);
    else parts.push([command]);
  }
  return parts;
}

const layouts = new WeakMap<GpuComputePipeline, GPUBindGroupLayout>();

/** Binds resources to the bindings 0, 1, 2, … of a pipeline's group 0. The layout is requested once a pipeline. */
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

/** Binds resources to the bindings 0, 1, 2, … of a layout. */
export function bindGroupOf(
  device: GpuDevice,
  layout: GPUBindGroupLayout,
  resources: readonly GPUBindingResource[],
  label = '',
): GPUBindGroup {
  const entries = resources.map((resource, binding) => ({ binding, resource }));
  return device.createBindGroup({ label, layout, entries });
}

/** Returns the command that copies bytes from one buffer to another; by default the whole buffer, to the beginning. */
export const makeCopyCommand =
  (from: GpuBuffer, to: GpuBuffer, bytes = from.size, start = 0, at = 0): GpuCommand =>
  (encoder) =>
    encoder.copyBufferToBuffer(from, start, to, at, bytes);
