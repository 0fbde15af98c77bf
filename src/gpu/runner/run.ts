import { ParanoiaError } from '../../base/errors.ts';
import type { OpenDevice } from '../device.ts';
import { largestBuffer } from '../limits.ts';
import { withScopes } from '../queue/errors.ts';
import { preparePipelines } from '../queue/pipelines.ts';
import type { TimestampMarks } from '../queue/submit.ts';
import { submit } from '../queue/submit.ts';
import { OPERATIONS_AT_ONCE } from '../tuning/tuning.ts';
import { bindPrograms } from './bind-program.ts';
import type { DeviceJob } from './device-job.ts';
import { guardedSizeOf, runInMemory } from './memory.ts';
import { inPanels } from './panels.ts';
import type { Product, ProductOutcome } from './product.ts';
import { shaderRequestOf } from './shader-request.ts';
import { listRanges } from './stored.ts';
import { openTextures } from './textures.ts';
import { checkWork, programOfJob, storeMatrices } from './work.ts';

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
export type RepeatControl = (repeat: RepeatJobs) => Promise<number | undefined>;

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
