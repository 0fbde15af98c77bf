import type { DeviceClock, DeviceTimingOptions } from '../../gpu/runner/time.ts';
import { type KernelJob, multiply, type ProductTiming } from '../../kernels/kernel.ts';
import type { BenchClock } from './measurement.ts';

/** The requested clock: the best of the device, its wall clock, or the wall clock around whole products. */
export type WantedClock = DeviceClock | 'whole';
export const wantedClocks: readonly WantedClock[] = ['timestamps', 'submission', 'whole'];

export interface KernelTrials extends Omit<ProductTiming, 'clock'> {
  readonly clock: BenchClock;
}

/** The default timing: 30 trials of at least 20 ms, after two products to warm up. */
export const defaultTiming: DeviceTimingOptions = { warmUp: 2, trials: 30, least: 0.02, most: 30, fewest: 5 };

/**
 * Times a product. Our kernels are timed with operands in place, unless the clock must be `whole`. External kernels are timed by their own
 * clock if they have one, or else around the call.
 * @throws ParanoiaError of the device or the kernel.
 */
export async function timeKernel(
  job: KernelJob,
  timing: DeviceTimingOptions,
  wanted: WantedClock = 'timestamps',
): Promise<KernelTrials> {
  const { session, leaf } = job.kernel;
  const timed = wanted === 'whole' ? undefined : await session.time?.(job, timing, wanted);
  return timed ?? callAgain(job, timing, wanted === 'whole' || leaf !== '' ? 'whole' : 'call');
}

async function callAgain(
  job: KernelJob,
  { warmUp, trials, most, fewest }: DeviceTimingOptions,
  clock: 'whole' | 'call',
): Promise<KernelTrials> {
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
