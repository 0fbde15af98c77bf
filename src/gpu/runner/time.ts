import type { OpenDevice } from '../device.ts';
import { preparePipelines } from '../queue/pipelines.ts';
import { hasTimestamps, openTimestamps, type Timestamps } from '../queue/timestamps.ts';
import { shaderRequestOf } from '../wgsl/dispatch.ts';
import type { DeviceJob } from './device-job.ts';
import { inPanels } from './panels.ts';
import type { Product } from './product.ts';
import { compute, type RepeatJobs } from './run.ts';
import { programOfJob } from './work.ts';

export interface DeviceTimingOptions {
  /** Untimed products before the first trial. */
  readonly warmUp: number;
  /** The number of trials: at most 2000. */
  readonly trials: number;
  /** The least seconds of a trial. Short products are repeated, since clocks are coarse. */
  readonly least: number;
  /** The seconds after which no further trial begins, unless fewer than {@link DeviceTimingOptions.fewest} are done. */
  readonly most: number;
  readonly fewest: number;
}

/**
 * The clock: `timestamps` is the device's, from the begin of the first pass to the end of the last; `submission` is the wall clock, from
 * the submission until the device reports completion.
 */
export type DeviceClock = 'timestamps' | 'submission';

/** The times of a product that was computed repeatedly in place. */
export interface DeviceTiming {
  /** Seconds a product, one number for each trial. */
  readonly seconds: readonly number[];
  readonly clock: DeviceClock;
  /** Products in a trial. */
  readonly repeats: number;
  /** Wall-clock seconds of one whole product: packing and upload of A and B, the product, and the read-back of C. */
  readonly whole: number;
  /** The number of panels; undefined if the product fits the device as a whole. */
  readonly panels?: number;
  /** The result of the last product; if products accumulate into C, the result of a separate one. */
  readonly product: Product;
}

const MOST_REPEATS = 2000;

/**
 * Seconds of work on a GPU before the first trial: the clock of an idle GPU takes that long to rise. On an H200 the first products took up
 * to six times as long.
 */
export const AWAKE_AFTER = 0.3;

/**
 * Times a product with its operands in place: A and B are uploaded once, and C is read once. A product that does not fit the device is
 * timed panel by panel. The time of a trial is then the sum over its panels. Only `whole` includes the moves between panels.
 * @param wanted the clock; the wall clock is used if the device has no timestamps.
 * @throws ParanoiaError as in the outcome of a job of `run`.
 */
export async function timeJob(
  open: OpenDevice,
  job: DeviceJob,
  timing: DeviceTimingOptions,
  wanted: DeviceClock = 'timestamps',
): Promise<DeviceTiming> {
  const all = job.plan.shape;
  const { product, parts } = await inPanels(open, job, async (part) => {
    const { m, n } = part.plan.shape;
    const share = part === job ? 1 : (m * n) / (all.m * all.n);
    const own = { ...timing, least: share * timing.least, most: share * timing.most };
    return timePart(open, part, own, wanted);
  });
  const times = parts.map((part) => part.times);
  const trials = Math.min(...times.map(({ seconds }) => seconds.length));
  const sum = (of: (each: Times) => number) => times.reduce((total, each) => total + of(each), 0);
  return {
    // The clock of the whole is the coarsest of its panels' clocks.
    clock: times.every(({ clock }) => clock === 'timestamps') ? 'timestamps' : 'submission',
    repeats: Math.min(...times.map(({ repeats }) => repeats)),
    seconds: Array.from({ length: trials }, (_, trial) => sum(({ seconds }) => seconds[trial])),
    whole: sum(({ whole }) => whole),
    ...(parts.length > 1 ? { panels: parts.length } : {}),
    product,
  };
}

type Times = Omit<DeviceTiming, 'product' | 'panels'>;

async function timePart(
  open: OpenDevice,
  job: DeviceJob,
  timing: DeviceTimingOptions,
  wanted: DeviceClock,
): Promise<Product & { readonly times: Times }> {
  const { kernel } = job;
  const byDevice = wanted === 'timestamps' && hasTimestamps(open);
  const stamps = byDevice ? await openTimestamps(open, timing.trials, kernel) : undefined;
  const awake = open.fingerprint.kind === 'hardware' ? AWAKE_AFTER : 0;
  const outcome: { ran?: Ran } = {};
  let inside = 0;
  try {
    // Pipelines are compiled once a device, which is not part of any product.
    await preparePipelines(open, programOfJob(job).dispatches.map(shaderRequestOf), kernel);
    const begin = performance.now();
    const [product] = await compute(open, [job], undefined, async (repeat) => {
      const begin = performance.now();
      const ran = await runTrials(repeat, timing, awake, stamps);
      outcome.ran = ran;
      inside = (performance.now() - begin) / 1000;
      return ran.once;
    });
    const around = (performance.now() - begin) / 1000 - inside;
    const [left] = accumulates(job) ? await compute(open, [job]) : [product];
    const { walls, once, repeats } = outcome.ran as Ran;
    const told = await stamps?.read();
    // A clock that did not advance measured nothing.
    const stood = told === undefined || told.some((seconds) => seconds === undefined);
    const seconds = (stood ? walls : (told as number[])).map((each) => each / repeats);
    const clock = stood ? 'submission' : 'timestamps';
    return { ...left, times: { seconds, clock, repeats, whole: around + once } };
  } finally {
    stamps?.destroy();
  }
}

/** True if a repeated product adds to its own result. */
const accumulates = ({ plan, gemm }: DeviceJob): boolean => plan.scaling.beta !== 0 && gemm?.c === gemm?.d;

interface Ran {
  /** Wall-clock seconds of each trial. */
  readonly walls: readonly number[];
  /** Wall-clock seconds of a single product. */
  readonly once: number;
  readonly repeats: number;
}

async function runTrials(
  repeat: RepeatJobs,
  { warmUp, trials, least, most, fewest }: DeviceTimingOptions,
  awake: number,
  stamps: Timestamps | undefined,
): Promise<Ran> {
  const start = performance.now();
  for (let run = 0; run < warmUp; run++) await repeat(1);
  const once = await repeat(1);
  const repeats = await repeatsFor(repeat, once, least);
  while (performance.now() - start < 1000 * awake) await repeat(repeats);
  const begin = performance.now();
  const walls: number[] = [];
  const isOver = () => walls.length >= fewest && performance.now() - begin > 1000 * most;
  while (walls.length < trials && !isOver()) walls.push(await repeat(repeats, stamps?.next()));
  return { walls, once, repeats };
}

/** Finds how many products make a trial long enough. Products submitted together wait only once. */
async function repeatsFor(repeat: RepeatJobs, once: number, least: number): Promise<number> {
  let repeats = 1;
  let took = once;
  while (took < least && repeats < MOST_REPEATS) {
    repeats = Math.min(MOST_REPEATS, Math.max(repeats + 1, Math.ceil((1.1 * repeats * least) / took)));
    took = await repeat(repeats);
  }
  return repeats;
}
