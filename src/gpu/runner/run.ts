import { ParanoiaError } from '../../base/errors.ts';
import { alignUp } from '../../base/numbers.ts';
import type { OpenDevice } from '../device.ts';
import { largestBuffer } from '../limits.ts';
import type { Buffers } from '../queue/buffers.ts';
import { withScopes } from '../queue/errors.ts';
import {
  type BindingLetters,
  bindingLayout,
  preparePipelines,
  type ShaderRequest,
} from '../queue/pipelines.ts';
import {
  type BoundDispatch,
  bindGroup,
  bindGroupOf,
  type GpuCommand,
  submit,
  type TimestampMarks,
} from '../queue/submit.ts';
import { OPERATIONS_AT_ONCE } from '../tuning/tuning.ts';
import type { GpuBuffer, GpuComputePipeline, GpuDevice, GpuRange } from '../web-gpu.ts';
import { type BoundRange, type Dispatch, shaderRequestOf } from '../wgsl/dispatch.ts';
import { type GpuProgram, paramsData } from '../wgsl/dispatches.ts';
import type { DeviceJob } from './device-job.ts';
import { ALIGNED, guardedSizeOf, type MatrixRanges, runInMemory } from './memory.ts';
import { inPanels } from './panels.ts';
import type { Product, ProductOutcome } from './product.ts';
import { listRanges } from './stored.ts';
import { openTextures, type Textures, texelsOf } from './textures.ts';
import { checkWork, programOfJob, storeMatrices } from './work.ts';

interface PlacedProgram {
  readonly made: GpuProgram;
  readonly places: MatrixRanges;
}

/** Returns the commands of programs, one after the other, after putting their params and layouts into buffers. */
function bindPrograms(
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

/** The most bytes of a job that shares a buffer with others. */
const SMALL = 2 ** 24;

/**
 * Computes products on a device. Small products run together, in one buffer and one submission. Large ones have buffers of their own, and
 * run in panels if they are too large for the device. Operands are uploaded between words of NaN; C and the workspace are poisoned between
 * guards. All of these are read back.
 * @param meanwhile work for this thread while the device computes, called at most once: waiting for the device is a busy loop.
 * @throws ParanoiaError device-lost; other problems are the outcome of their job.
 */
export async function runDeviceJobs(
  open: OpenDevice,
  jobs: readonly DeviceJob[],
  meanwhile?: () => void,
): Promise<ProductOutcome[]> {
  const outcomes: ProductOutcome[] = [];
  let idle = meanwhile;
  const once = () => {
    idle?.();
    idle = undefined;
  };
  for (const group of grouped(open, jobs)) {
    const shared = group.length > 1 ? await settling(compute(open, group, idle && once)) : undefined;
    if (Array.isArray(shared)) outcomes.push(...shared);
    // Run one by one, they show which job caused the error.
    else for (const job of group) outcomes.push(await settling(runInPanels(open, job, idle && once)));
  }
  return outcomes;
}

async function runInPanels(open: OpenDevice, job: DeviceJob, meanwhile?: () => void): Promise<Product> {
  const one = async (job: DeviceJob, meanwhile?: () => void) => (await compute(open, [job], meanwhile))[0];
  return (await inPanels(open, job, one, meanwhile)).product;
}

/** Groups adjacent jobs that fit into one buffer. */
function grouped(open: OpenDevice, jobs: readonly DeviceJob[]): DeviceJob[][] {
  if (jobs.length === 1) return [[...jobs]];
  const groups: { jobs: DeviceJob[]; bytes: number }[] = [];
  for (const job of jobs) {
    const bytes = listRanges(storeMatrices(job)).reduce((sum, [, range]) => sum + guardedSizeOf(range), 0);
    const last = groups.at(-1);
    const fits = last !== undefined && bytes <= SMALL && last.bytes + bytes <= largestBuffer(open);
    if (fits && last.bytes / last.jobs.length <= SMALL) {
      last.jobs.push(job);
      last.bytes += bytes;
    } else groups.push({ jobs: [job], bytes });
  }
  return groups.map(({ jobs }) => jobs);
}

async function settling<T>(work: Promise<T>): Promise<T | ParanoiaError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ParanoiaError && error.code !== 'device-lost') return error;
    throw error;
  }
}

/** Computes all jobs `times` times, and waits. @returns the wall-clock seconds it took. */
export type RepeatJobs = (times: number, marks?: TimestampMarks, meanwhile?: () => void) => Promise<number>;

/** Decides how often jobs are computed. @returns the seconds of a product. */
type RepeatControl = (repeat: RepeatJobs) => Promise<number | undefined>;

/**
 * Computes jobs that fit the device, in one submission or under the control of `drive`.
 * @throws ParanoiaError too-large, too-large-for-texture, out-of-gpu-memory, gpu-error, bad-shader, device-lost, naming kernel and step.
 */
export async function compute(
  open: OpenDevice,
  jobs: readonly DeviceJob[],
  meanwhile?: () => void,
  drive: RepeatControl = async (repeat) => {
    const seconds = await repeat(1, undefined, meanwhile);
    return meanwhile === undefined ? seconds : undefined;
  },
): Promise<Product[]> {
  const { device } = open;
  for (const job of jobs) checkWork(open, job);
  const kernel = [...new Set(jobs.map(({ kernel }) => kernel))].join(', ');
  const programs = jobs.map(programOfJob);
  const dispatches = programs.flatMap((made) => made.dispatches);
  const pipelines = await preparePipelines(open, dispatches.map(shaderRequestOf), kernel);
  const operationsAtOnce = Math.min(...jobs.map(({ made }) => made.operationsAtOnce ?? OPERATIONS_AT_ONCE));
  const textures = openTextures(device);
  try {
    return await runInMemory(open, jobs.map(storeMatrices), kernel, (places, buffers) =>
      withScopes(open, { kernel, step: `${dispatches.length} dispatches` }, () => {
        const placed = programs.map((made, at) => ({ made, places: places[at] }));
        const commands = bindPrograms(device, placed, pipelines, buffers, textures);
        return drive(async (times, marks, meanwhile) => {
          const start = performance.now();
          const all = times === 1 ? commands : Array.from({ length: times }, () => commands).flat();
          submit(device, all, { operationsAtOnce, marks });
          meanwhile?.();
          await device.queue.onSubmittedWorkDone();
          return (performance.now() - start) / 1000;
        });
      }),
    );
  } finally {
    textures.destroy();
  }
}
