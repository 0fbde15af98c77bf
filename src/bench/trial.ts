import type { Machine, OpenDevice } from '../gpu/device.ts';
import type { Execution } from '../gpu/execution.ts';
import type { DeviceClock, Timing } from '../gpu/time-program.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Plan } from '../plan/plan.ts';
import type { Clock } from './measurement.ts';
import { timeParts } from './time-parts.ts';

/** Which clock is wanted: the best there is on the device, its wall clock, or that around whole products. */
export type WantedClock = DeviceClock | 'whole';
export const wantedClocks: readonly WantedClock[] = ['timestamps', 'submission', 'whole'];

/** The trials of one kernel on one product. */
export interface Trials {
  readonly clock: Clock;
  readonly repeats: number;
  /** Seconds a product, one number a trial. */
  readonly seconds: readonly number[];
  readonly whole?: number;
  /** Panels it was multiplied in, where it does not fit the device as a whole. */
  readonly panels?: number;
  /** Whether the kernel says that it computed on a GPU. */
  readonly onGpu?: boolean;
  /** What the last product left. */
  readonly execution: Execution;
}

/** 30 trials after two products to warm up, of 20 ms at least. */
export const usualTiming: Timing = { warmUp: 2, trials: 30, least: 0.02, most: 30, fewest: 5 };

/**
 * Times a kernel. Our own are timed where their operands lie, unless the clock is to be `whole`; kernels of others by
 * their own clock where they have one, else around the call.
 * @throws Problem of the device or the kernel.
 */
export async function timeKernel(
  machine: Machine,
  kernel: Kernel,
  plan: Plan,
  { a, b }: { readonly a: Matrix; readonly b: Matrix },
  timing: Timing,
  wanted: WantedClock = 'timestamps',
): Promise<Trials> {
  if (wanted !== 'whole' && kernel.inParts !== undefined && 'device' in machine) {
    return timeParts(machine as OpenDevice, kernel.inParts, plan, { a, b }, timing, wanted);
  }
  if (wanted !== 'whole' && kernel.time !== undefined) {
    const { own, ...execution } = await kernel.time(a, b, plan, timing);
    if (own !== undefined) {
      return { clock: 'own', repeats: 1, seconds: own.seconds, onGpu: own.onGpu, execution };
    }
  }
  return callAgain(
    kernel,
    plan,
    { a, b },
    timing,
    wanted === 'whole' || kernel.leaf !== '' ? 'whole' : 'call',
  );
}

async function callAgain(
  kernel: Kernel,
  plan: Plan,
  { a, b }: { readonly a: Matrix; readonly b: Matrix },
  { warmUp, trials, most, fewest }: Timing,
  clock: 'whole' | 'call',
): Promise<Trials> {
  for (let run = 1; run < warmUp; run++) await kernel.multiply(a, b, plan);
  let execution = await kernel.multiply(a, b, plan);
  const seconds: number[] = [];
  const start = performance.now();
  const isOver = () => seconds.length >= fewest && performance.now() - start > 1000 * most;
  while (seconds.length < trials && !isOver()) {
    const begin = performance.now();
    execution = await kernel.multiply(a, b, plan);
    const whole = (performance.now() - begin) / 1000;
    seconds.push(clock === 'call' ? (execution.seconds ?? whole) : whole);
  }
  return { clock, repeats: 1, seconds, execution };
}
