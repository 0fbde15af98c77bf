import type { ParanoiaError } from '../../base/errors.ts';
import { startProcessorClock } from '../../base/node/processor-clock.ts';
import { resultOf } from '../../evidence/result-of.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { type JudgeOptions, judge, type RunOutcome, type SharedRun } from '../judge.ts';
import { choiceOf } from '../kernel-of.ts';
import type { PlannedCase } from '../planned-case.ts';
import type { GateOptions } from '../run-gate.ts';
import type { JobOptions, ProcessReport, StartedJobs } from './job-process.ts';
import { judgeInProcesses } from './jobs.ts';
import { type NodeMachineOptions, openNodeMachine } from './open-machine.ts';

export interface NodeJudgeOptions
  extends NodeMachineOptions,
    Omit<JudgeOptions, 'open' | 'processor' | 'elsewhere' | 'clock'> {
  /** Processes that judge the cases instead of this one, where there are several. */
  readonly jobs?: JobOptions | undefined;
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
  ...options
}: NodeJudgeOptions): Promise<RunOutcome> {
  const { catalog } = options;
  const started =
    jobs === undefined || jobs.count === 1 ? undefined : (await import('./job-process.ts')).startJobs(jobs);
  try {
    return await judge({
      ...options,
      clock: startProcessorClock(),
      open: (kernels) => openNodeMachine(kernels, { catalog, adapter, toggles, sessionOf }),
      processor: openExactPool(),
      elsewhere: started && ((judging) => judgedBy(started, judging)),
    });
  } finally {
    started?.kill();
  }
}

/** Returns options that delegate cases to processes. */
function judgedBy(
  jobs: StartedJobs,
  {
    opened: { kernelOf, machine },
    baselines,
    thresholds,
    stop = () => false,
    said,
    versions,
    followsSpeed,
    timing,
  }: SharedRun,
): Pick<GateOptions, 'judgeCases' | 'processes'> {
  const lost = async (value: PlannedCase, error: ParanoiaError) =>
    resultOf(value, await kernelOf(choiceOf(value), machine), error, thresholds, { series: value.series });
  const onAside = (aside: ProcessReport) => {
    versions.push(aside.versions);
    said.push(...aside.said);
    timing?.include(aside.spent ?? {});
  };
  return {
    judgeCases: judgeInProcesses({ jobs, baselines, stop, lost, onAside, followsSpeed, timing }),
    processes: jobs.count,
  };
}
