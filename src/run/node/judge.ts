import type { ParanoiaError } from '../../base/errors.ts';
import { resultOf } from '../../evidence/result-of.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { type Judged, type JudgeOptions, type Judging, judge } from '../judge.ts';
import { choiceOf } from '../kernel-of.ts';
import type { PlannedCase } from '../planned-case.ts';
import type { GateOptions } from '../run-gate.ts';
import type { Aside, Jobs, StartedJobs } from './job-process.ts';
import { inProcesses } from './jobs.ts';
import { type NodeMachineOptions, openNodeMachine } from './open-machine.ts';

/** Options of judging in Node. */
export interface NodeJudgeOptions
  extends NodeMachineOptions,
    Omit<JudgeOptions, 'open' | 'processor' | 'elsewhere'> {
  /** Processes that judge the cases instead of this one, where there are several. */
  readonly jobs?: Jobs | undefined;
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
}: NodeJudgeOptions): Promise<Judged> {
  const { catalogue } = options;
  const started =
    jobs === undefined || jobs.count === 1 ? undefined : (await import('./job-process.ts')).startJobs(jobs);
  try {
    return await judge({
      ...options,
      open: (kernels) => openNodeMachine(kernels, { catalogue, adapter, toggles, sessionOf }),
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
  { opened: { kernelOf, machine }, baselines, thresholds, stop = () => false, said, versions }: Judging,
): Pick<GateOptions, 'judgeCases' | 'processes'> {
  const lost = async (value: PlannedCase, error: ParanoiaError) =>
    resultOf(value, await kernelOf(choiceOf(value), machine), error, thresholds, { series: value.series });
  const onAside = (aside: Aside) => {
    versions.push(aside.versions);
    said.push(...aside.said);
  };
  return { judgeCases: inProcesses({ jobs, baselines, stop, lost, onAside }), processes: jobs.count };
}
