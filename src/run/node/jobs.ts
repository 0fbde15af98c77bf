import type { ParanoiaError } from '../../base/errors.ts';
import { SHARE } from '../../base/node/processor-clock.ts';
import { lookUp } from '../../base/objects.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { resultOf } from '../../evidence/result-of.ts';
import type { Timing } from '../../evidence/timing.ts';
import { TIME_LIMIT } from '../../kernels/deadline.ts';
import { formatCase } from '../../problem/case.ts';
import type { Baselines } from '../baselines.ts';
import type { SharedRun } from '../judge.ts';
import { choiceOf } from '../kernel-of.ts';
import { jobEnded } from '../messages.ts';
import type { CaseQueueOptions } from '../order/case-queue.ts';
import { Hand } from '../order/hand.ts';
import type { PlannedCase } from '../planned-case.ts';
import type { GateOptions, JudgeCases } from '../run-gate.ts';
import {
  type CaseCallbacks,
  type JobCase,
  type JobOptions,
  type JobProcess,
  type ProcessReport,
  type StartedJobs,
  startJobs,
} from './job-process.ts';

/** Processes that judge cases. */
export interface Judges {
  /** Returns options that delegate the cases of a run to them. */
  readonly judge: (run: SharedRun) => Pick<GateOptions, 'judgeCases' | 'processes'>;
  readonly kill: () => void;
}

/** Starts processes that judge, unless they have been started: they open their devices at once. */
export function startJudges(options: JobOptions, jobs: StartedJobs = startJobs(options)): Judges {
  return { judge: (run) => delegating(jobs, run), kill: () => jobs.kill() };
}

function delegating(
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

/** Options of judging in processes. */
interface JobsOptions extends Omit<CaseCallbacks, 'tell'>, Pick<CaseQueueOptions, 'followsSpeed'> {
  /** Receives the time of each phase, summed over the processes. */
  readonly timing?: Timing | undefined;
  readonly jobs: StartedJobs;
  readonly baselines: Baselines;
  /** Returns the result of a case whose process ended in it. */
  readonly lost: (value: PlannedCase, error: ParanoiaError) => Promise<CaseResult>;
}

/**
 * Judges cases in several processes, each with a device of its own. A process that dies or does not answer is replaced, and its current
 * case is inconclusive.
 * @throws ParanoiaError `job-not-started`, and errors of a process that do not concern one case
 */
export function judgeInProcesses(options: JobsOptions): JudgeCases {
  const { jobs, baselines, stop, lost, onAside, followsSpeed, timing } = options;
  return async (planned, tell, budget) => {
    const hand = new Hand(planned, jobs.count, { budget, followsSpeed });
    budget.reserve(planned);
    // A lost device without a replacement ends the run.
    let deviceless = false;
    const ends = () => deviceless || stop();
    const jobCase = (at: number): JobCase => {
      const { series, detailed = false, needed = false, after = [] } = planned[at];
      const text = formatCase(planned[at]);
      return {
        at,
        text,
        after: after.map(formatCase),
        series,
        detailed,
        needed,
        baseline: lookUp(baselines.cases, text),
      };
    };
    const ended: number[] = [];
    const work = async () => {
      let job: JobProcess | undefined;
      let before = 0;
      const begin = async () => {
        const next = await jobs.next();
        timing?.include({ start: timing.elapsed() - before });
        return next;
      };
      for (let piece = await hand.next(); piece !== undefined; piece = await hand.next(piece)) {
        const left = new Set(piece.places.filter((at) => budget.affords(planned[at])));
        const told = (at: number, result: CaseResult, seconds: number) => {
          left.delete(at);
          budget.spent([planned[at]], seconds, true, result.seconds);
          tell(at, result);
        };
        // Cases that the budget did not afford in the process, or cut off, are not judged.
        const leaveOut = () => {
          for (const at of left) budget.leaveOut(planned[at]);
          left.clear();
        };
        while (left.size > 0 && !ends()) {
          job ??= await begin();
          const sent = performance.now();
          const { seconds, spent, left: most } = budget.state(piece.lane.kernel);
          const why = await job.judge([...left].map(jobCase), {
            ...{ tell: told, stop: ends, limit: TIME_LIMIT + most / SHARE },
            budget: Number.isFinite(seconds) ? { seconds, spent } : undefined,
            onAside(aside) {
              deviceless ||= aside.interrupted && left.size > 0 && !stop();
              onAside(aside);
            },
          });
          if (why !== undefined) [job, before] = [undefined, timing?.elapsed() ?? 0];
          const [at] = left;
          if (at === undefined || ends()) continue;
          // A process that ended did not say what it spent.
          if (why !== undefined) budget.spent([planned[at]], (performance.now() - sent) / 1000, false);
          const isAfforded = why !== undefined && [...left].some((one) => budget.affords(planned[one]));
          if (isAfforded)
            told(at, await lost(planned[at], jobEnded({ case: formatCase(planned[at]), why })), 0);
          else leaveOut();
        }
      }
      if (timing !== undefined) ended.push(timing.elapsed());
      await job?.end();
    };
    try {
      await Promise.all(Array.from({ length: Math.min(jobs.count, planned.length) }, work));
      if (timing !== undefined) timing.processes = ended.length;
      for (const at of ended) timing?.include({ idle: Math.max(...ended) - at });
    } finally {
      jobs.kill();
    }
    return ends();
  };
}
