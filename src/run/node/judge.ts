import { startProcessorClock } from '../../base/node/processor-clock.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { type JudgeOptions, judge, type RunOutcome } from '../judge.ts';
import type { JobOptions, StartedJobs } from './job-process.ts';
import { type NodeMachineOptions, openNodeMachine } from './open-machine.ts';

export interface NodeJudgeOptions
  extends NodeMachineOptions,
    Omit<JudgeOptions, 'open' | 'processor' | 'elsewhere' | 'clock'> {
  /** Processes that judge the cases instead of this one, where there are several. */
  readonly jobs?: JobOptions | undefined;
  /** These processes, if they have been started already. */
  readonly started?: StartedJobs | undefined;
}

/**
 * Runs {@link judge} on the adapters that Node finds, with threads for exact products. Other processes open their devices at the same
 * time as this one.
 * @throws ParanoiaError as {@link judge} does
 */
export async function judgeInNode({
  adapter,
  toggles,
  sessionOf,
  jobs,
  started,
  ...options
}: NodeJudgeOptions): Promise<RunOutcome> {
  const { catalog } = options;
  const judges =
    jobs === undefined || jobs.count === 1
      ? undefined
      : (await import('./jobs.ts')).startJudges(jobs, started);
  try {
    return await judge({
      ...options,
      clock: startProcessorClock(),
      open: (kernels) => openNodeMachine(kernels, { catalog, adapter, toggles, sessionOf }),
      processor: openExactPool(),
      elsewhere: judges?.judge,
    });
  } finally {
    judges?.kill();
  }
}
