import type { OpenDevice } from '../gpu/device.ts';
import { type DeviceClock, type TimedExecution, type Timing, timeProgram } from '../gpu/time-program.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Plan } from '../plan/plan.ts';

/** A product that was timed in as many panels as it takes. */
export interface TimedParts extends TimedExecution {
  /** Undefined where it fits the device as a whole. */
  readonly panels?: number;
}

/**
 * Times a product where its operands lie. One that does not fit the device is timed panel by panel, and the times of a
 * trial are those of its panels added up: of the moves between them, `whole` alone knows.
 * @throws Problem as `Kernel.inParts` and `timeProgram` do.
 */
export async function timeParts(
  open: OpenDevice,
  inParts: NonNullable<Kernel['inParts']>,
  plan: Plan,
  { a, b }: { readonly a: Matrix; readonly b: Matrix },
  timing: Timing,
  wanted: DeviceClock,
): Promise<TimedParts> {
  const { execution, parts } = await inParts(a, b, plan, async (work) => {
    const { m, n } = work.plan.shape;
    const share = (m * n) / (plan.shape.m * plan.shape.n);
    const own = { ...timing, least: share * timing.least, most: share * timing.most };
    const { execution, ...times } = await timeProgram(open, work, own, wanted);
    return { ...execution, times };
  });
  const all = parts.map(({ times }) => times);
  const trials = Math.min(...all.map(({ seconds }) => seconds.length));
  const sum = (of: (times: (typeof all)[number]) => number) =>
    all.reduce((total, times) => total + of(times), 0);
  return {
    // Times of several clocks are those of the coarsest.
    clock: all.every(({ clock }) => clock === 'timestamps') ? 'timestamps' : 'submission',
    repeats: Math.min(...all.map(({ repeats }) => repeats)),
    seconds: Array.from({ length: trials }, (_, trial) => sum(({ seconds }) => seconds[trial])),
    whole: sum(({ whole }) => whole),
    ...(parts.length > 1 ? { panels: parts.length } : {}),
    execution,
  };
}
