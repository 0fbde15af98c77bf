import type { DeviceClock, Timing } from '../../gpu/runner/time.ts';
import { type Job, multiply, type Timed } from '../../kernels/kernel.ts';
import type { Clock } from './measurement.ts';

/** Which clock is wanted: the best there is on the device, its wall clock, or that around whole products. */
export type WantedClock = DeviceClock | 'whole';
export const wantedClocks: readonly WantedClock[] = ['timestamps', 'submission', 'whole'];

/** The trials of one kernel on one product. */
export interface Trials extends Omit<Timed, 'clock'> {
  readonly clock: Clock;
}

/** 30 trials after two products to warm up, of 20 ms at least. */
export const usualTiming: Timing = { warmUp: 2, trials: 30, least: 0.02, most: 30, fewest: 5 };

/**
 * Times a product. Our own are timed where their operands lie, unless the clock is to be `whole`; kernels of others by
 * their own clock where they have one, else around the call.
 * @throws ParanoiaError of the device or the kernel.
 */
export async function timeKernel(
  job: Job,
  timing: Timing,
  wanted: WantedClock = 'timestamps',
): Promise<Trials> {
  const { session, leaf } = job.kernel;
  const timed = wanted === 'whole' ? undefined : await session.time?.(job, timing, wanted);
  return timed ?? callAgain(job, timing, wanted === 'whole' || leaf !== '' ? 'whole' : 'call');
}

async function callAgain(
  job: Job,
  { warmUp, trials, most, fewest }: Timing,
  clock: 'whole' | 'call',
): Promise<Trials> {
  for (let run = 1; run < warmUp; run++) await multiply(job);
  let product = await multiply(job);
  const seconds: number[] = [];
  const start = performance.now();
  const isOver = () => seconds.length >= fewest && performance.now() - start > 1000 * most;
  while (seconds.length < trials && !isOver()) {
    const begin = performance.now();
    product = await multiply(job);
    const whole = (performance.now() - begin) / 1000;
    seconds.push(clock === 'call' ? (product.seconds ?? whole) : whole);
  }
  return { clock, repeats: 1, seconds, product };
}
