import type { OpenDevice } from '../device.ts';
import { preparePipelines } from '../queue/pipelines.ts';
import { hasTimestamps, openTimestamps, type Timestamps } from '../queue/timestamps.ts';
import type { DeviceJob } from './device-job.ts';
import { neededBy } from './needed.ts';
import { inPanels } from './panels.ts';
import type { Product } from './product.ts';
import { compute, type Repeat } from './run.ts';
import { programOf } from './work.ts';

/** How a product is timed. */
export interface Timing {
  /** Products before the first trial, which are not timed. */
  readonly warmUp: number;
  /** Trials wanted: at most 2000. */
  readonly trials: number;
  /** Seconds that a trial takes at least: short products are repeated, since clocks are coarse. */
  readonly least: number;
  /** Seconds after which no further trial begins, unless fewer than {@link Timing.fewest} are made. */
  readonly most: number;
  readonly fewest: number;
}

/**
 * What tells the time: `timestamps` the device itself, from the first pass's begin to the last one's end; `submission`
 * the wall clock, from the submission until the device says that all is done.
 */
export type DeviceClock = 'timestamps' | 'submission';

/** A product that was computed again and again where its operands lay. */
export interface Timed {
  /** Seconds a product, one number a trial. */
  readonly seconds: readonly number[];
  readonly clock: DeviceClock;
  /** Products in a trial. */
  readonly repeats: number;
  /** Wall-clock seconds of one whole product: packing and upload of A and B, the product, read-back and C. */
  readonly whole: number;
  /** Undefined where it fits the device as a whole. */
  readonly panels?: number;
  /** What the last product left; where it adds to C, one of its own. */
  readonly product: Product;
}

const MOST_REPEATS = 2000;

/**
 * Seconds that a GPU works before the first trial: the clock of one that was idle takes as long to rise. On an H200
 * products that came first took up to six times as long.
 */
export const AWAKE_AFTER = 0.3;

/**
 * Times a product where its operands lie: A and B are uploaded once and C is read once. One that does not fit the device
 * is timed panel by panel, and the times of a trial are those of its panels added up: of the moves between them, `whole`
 * alone knows.
 * @param wanted the clock; where the device has no timestamps, it is the wall clock whatever is wanted.
 * @throws ParanoiaError as `run` has it for the outcome of a job.
 */
export async function timeJob(
  open: OpenDevice,
  job: DeviceJob,
  timing: Timing,
  wanted: DeviceClock = 'timestamps',
): Promise<Timed> {
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
    // Times of several clocks are those of the coarsest.
    clock: times.every(({ clock }) => clock === 'timestamps') ? 'timestamps' : 'submission',
    repeats: Math.min(...times.map(({ repeats }) => repeats)),
    seconds: Array.from({ length: trials }, (_, trial) => sum(({ seconds }) => seconds[trial])),
    whole: sum(({ whole }) => whole),
    ...(parts.length > 1 ? { panels: parts.length } : {}),
    product,
  };
}

type Times = Omit<Timed, 'product' | 'panels'>;

async function timePart(
  open: OpenDevice,
  job: DeviceJob,
  timing: Timing,
  wanted: DeviceClock,
): Promise<Product & { readonly times: Times }> {
  const { kernel } = job;
  const byDevice = wanted === 'timestamps' && hasTimestamps(open);
  const stamps = byDevice ? await openTimestamps(open, timing.trials, kernel) : undefined;
  const awake = open.fingerprint.kind === 'hardware' ? AWAKE_AFTER : 0;
  const outcome: { ran?: Ran } = {};
  let inside = 0;
  try {
    // Pipelines are compiled once a device: not a part of any product.
    await preparePipelines(open, programOf(job).dispatches.map(neededBy), kernel);
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
    // A clock that stands still tells nothing.
    const stood = told === undefined || told.some((seconds) => seconds === undefined);
    const seconds = (stood ? walls : (told as number[])).map((each) => each / repeats);
    const clock = stood ? 'submission' : 'timestamps';
    return { ...left, times: { seconds, clock, repeats, whole: around + once } };
  } finally {
    stamps?.destroy();
  }
}

/** Whether a product that is computed again adds to what it left. */
const accumulates = ({ plan, gemm }: DeviceJob): boolean => plan.scaling.beta !== 0 && gemm?.c === gemm?.d;

interface Ran {
  /** Wall-clock seconds of each trial. */
  readonly walls: readonly number[];
  /** Wall-clock seconds of a single product. */
  readonly once: number;
  readonly repeats: number;
}

async function runTrials(
  repeat: Repeat,
  { warmUp, trials, least, most, fewest }: Timing,
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

/** So many products that they take long enough: those submitted together wait for one another only once. */
async function repeatsFor(repeat: Repeat, once: number, least: number): Promise<number> {
  let repeats = 1;
  let took = once;
  while (took < least && repeats < MOST_REPEATS) {
    repeats = Math.min(MOST_REPEATS, Math.max(repeats + 1, Math.ceil((1.1 * repeats * least) / took)));
    took = await repeat(repeats);
  }
  return repeats;
}
