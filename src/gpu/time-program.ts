import type { OpenDevice } from './device.ts';
import { execute } from './execute.ts';
import type { Work } from './execute-many.ts';
import type { Execution } from './execution.ts';
import { preparePipelines } from './pipelines.ts';
import { type Submitting, submit } from './submit.ts';
import { hasTimestamps, openTimestamps, type Timestamps } from './timestamps.ts';

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
export interface TimedExecution {
  /** Seconds a product, one number a trial. */
  readonly seconds: readonly number[];
  readonly clock: DeviceClock;
  /** Products in a trial. */
  readonly repeats: number;
  /** Wall-clock seconds of one whole product: packing and upload of A and B, the product, read-back and C. */
  readonly whole: number;
  /** What the last product left. */
  readonly execution: Execution;
}

const MOST_REPEATS = 2000;

/**
 * Seconds that a GPU works before the first trial: the clock of one that was idle takes as long to rise. On an H200
 * products that came first took up to six times as long.
 */
export const AWAKE_AFTER = 0.3;

/**
 * Times a program on buffers that stay on the device: A and B are uploaded once and C is read once.
 * @param wanted the clock; where the device has no timestamps, it is the wall clock whatever is wanted.
 * @throws Problem as `execute` does.
 */
export async function timeProgram(
  open: OpenDevice,
  { plan, made, a, b, kernel }: Work,
  timing: Timing,
  wanted: DeviceClock = 'timestamps',
): Promise<TimedExecution> {
  const byDevice = wanted === 'timestamps' && hasTimestamps(open);
  const stamps = byDevice ? await openTimestamps(open, timing.trials, kernel) : undefined;
  const outcome: { ran?: Ran } = {};
  let inside = 0;
  const submitting: Submitting = async (device, placed, pipelines) => {
    const product = (times: number, marks?: ReturnType<Timestamps['next']>) => {
      const again = Array.from({ length: times }, () => placed).flat();
      return submit(device, again, pipelines, undefined, marks) as Promise<number>;
    };
    const begin = performance.now();
    const awake = open.fingerprint.kind === 'hardware' ? AWAKE_AFTER : 0;
    const ran = await runTrials(product, timing, awake, stamps);
    outcome.ran = ran;
    inside = (performance.now() - begin) / 1000;
    return ran.once;
  };
  try {
    // Pipelines are compiled once a device: not a part of any product.
    await preparePipelines(open, made.dispatches, kernel);
    const begin = performance.now();
    const execution = await execute(open, plan, made, a, b, kernel, undefined, submitting);
    const around = (performance.now() - begin) / 1000 - inside;
    if (outcome.ran === undefined) throw new Error('A program that was executed was never submitted.');
    const { walls, once, repeats } = outcome.ran;
    const told = await stamps?.read();
    // A clock that stands still tells nothing.
    const stood = told === undefined || told.some((seconds) => seconds === undefined);
    const seconds = stood ? walls : (told as number[]);
    return {
      seconds: seconds.map((each) => each / repeats),
      clock: stood ? 'submission' : 'timestamps',
      repeats,
      whole: around + once,
      execution,
    };
  } finally {
    stamps?.destroy();
  }
}

interface Ran {
  /** Wall-clock seconds of each trial. */
  readonly walls: readonly number[];
  /** Wall-clock seconds of a single product. */
  readonly once: number;
  readonly repeats: number;
}

async function runTrials(
  product: (times: number, marks?: ReturnType<Timestamps['next']>) => Promise<number>,
  { warmUp, trials, least, most, fewest }: Timing,
  awake: number,
  stamps: Timestamps | undefined,
): Promise<Ran> {
  const start = performance.now();
  for (let run = 0; run < warmUp; run++) await product(1);
  const once = await product(1);
  const repeats = await repeatsFor(product, once, least);
  while (performance.now() - start < 1000 * awake) await product(repeats);
  const begin = performance.now();
  const walls: number[] = [];
  const isOver = () => walls.length >= fewest && performance.now() - begin > 1000 * most;
  while (walls.length < trials && !isOver()) walls.push(await product(repeats, stamps?.next()));
  return { walls, once, repeats };
}

/** So many products that they take long enough: those submitted together wait for one another only once. */
async function repeatsFor(
  product: (times: number) => Promise<number>,
  once: number,
  least: number,
): Promise<number> {
  let repeats = 1;
  let took = once;
  while (took < least && repeats < MOST_REPEATS) {
    repeats = Math.min(MOST_REPEATS, Math.max(repeats + 1, Math.ceil((1.1 * repeats * least) / took)));
    took = await product(repeats);
  }
  return repeats;
}
