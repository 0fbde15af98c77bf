import { ParanoiaError } from '../base/errors.ts';
import { lookUp } from '../base/look-up.ts';
import { part } from '../base/part.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Thresholds } from '../evidence/checks/check.ts';
import type { Evaluator } from '../evidence/evaluate.ts';
import { isLongLife } from '../evidence/long-life.ts';
import { type Replay, replayCommand } from '../evidence/result-of.ts';
import type { Machine } from '../gpu/device.ts';
import { formatCase } from '../problem/case.ts';
import type { Baselines } from './baselines.ts';
import type { EnoughFailures } from './enough-failures.ts';
import { foresee } from './foresee.ts';
import type { FailureGroup } from './groups/group.ts';
import type { Bounds } from './groups/group-failures.ts';
import { choiceOf, type KernelOf } from './kernel-of.ts';
import { clockOf, type Limit, secondsIn } from './limit.ts';
import type { CasesOutcome } from './outcome.ts';
import type { PlannedCase } from './planned-case.ts';
import { type Blamings, Scheduler } from './scheduler.ts';
import { type Budget, callsOf, Spending } from './spending.ts';
import { type ReadWaiver, waive } from './waivers.ts';

/** What a gate needs beside its cases. */
export interface GateOptions {
  readonly open: Machine;
  /** Another machine after a device is lost. */
  readonly reopen: () => Promise<Machine>;
  /** Where the kernels of cases come from. Default: built-in ones, on an open device. */
  readonly kernelOf?: KernelOf;
  readonly evaluator: Evaluator;
  readonly thresholds: Thresholds;
  readonly baselines: Baselines;
  /** Called after every case. */
  readonly onCase?: ((result: CaseResult, done: number, planned: number) => void) | undefined;
  /** The command that runs cases, as failures print it. Default: through `npx`. */
  readonly replay?: Replay | undefined;
  /** Waited for before every case, where one process judges. */
  readonly onBegin?: ((value: PlannedCase) => Promise<void>) | undefined;
  /** Asked before every case: true ends the run with what is finished. */
  readonly stop?: (() => boolean) | undefined;
  /**
   * Seconds for the cases of each kernel, or what is left of them: those that they do not afford are left out. Or so many cases of each
   * kernel, for which no clock decides anything. Default: as long as it takes.
   */
  readonly budget?: Limit | Spending | undefined;
  /** The same as it is spent, where the caller asks it as well. @defaultValue made of `budget` */
  readonly spending?: Spending | undefined;
  /** Of each kernel, what was spent before on failures of its own. @defaultValue nothing */
  readonly blamings?: Map<string, Blamings> | undefined;
  /** Who judges the cases instead, elsewhere than on `open`. */
  readonly judgeCases?: JudgeCases;
  /** Has some of the cases judged, and knows others. Default: all are judged. */
  readonly keeping?: ((judgeCases: JudgeCases) => JudgeCases) | undefined;
  /** Processes that judge at once. @defaultValue 1 */
  readonly processes?: number;
  /** Failures that are known and let through. Default: none. */
  readonly waivers?: readonly ReadWaiver[] | undefined;
  /** Looks for smaller cases of groups, each within its bounds. Default: nobody does. */
  readonly shrink?:
    | ((groups: FailureGroup[], scheduler: Scheduler, bounds: readonly Bounds[]) => Promise<FailureGroup[]>)
    | undefined;
  /** Ends the cases of a kernel that fails. Default: all are asked. */
  readonly enough?: EnoughFailures | undefined;
  /** Whether these are all cases that the config asks for, so that an unused waiver can be told. Default: no. */
  readonly whole?: boolean;
}

/** What a gate found: the parts of a results file that come from running. */
export interface GateOutcome extends CasesOutcome {
  /** The machine in use at the end: another one than at the start where a device was lost. */
  readonly open: Machine;
  /** That something ended the run in the middle, its cause: what was finished before is there. */
  readonly broken?: ParanoiaError | undefined;
}

/**
 * Judges cases, in whatever order, and tells each result with its place; those that the budget does not afford are left out.
 * @returns whether it was ended before the last.
 */
export type JudgeCases = (
  planned: readonly PlannedCase[],
  tell: (at: number, result: CaseResult) => void,
  budget: Budget,
) => Promise<boolean>;

/** Runs cases one after the other, or as `judgeCases` does; their results are in the order of the cases. */
export async function runGate(planned: readonly PlannedCase[], options: GateOptions): Promise<GateOutcome> {
  const { waivers = [], whole = false, replay = replayCommand, shrink = asTheyAre, onCase } = options;
  const now = new Date();
  const start = performance.now();
  const results: (CaseResult | undefined)[] = planned.map(() => undefined);
  const scheduler = new Scheduler({ ...options, machine: options.open, clock: clockOf(options.budget) });
  const { keeping = asItIs, enough } = options;
  const judgeCases = keeping(options.judgeCases ?? inTurn(scheduler, options));
  let done = 0;
  const tell = (at: number, result: CaseResult) => {
    const told = waive({ ...result, replay: replay(...(result.after ?? []), result.case) }, waivers, now);
    results[at] = told;
    enough?.told(told);
    done++;
    onCase?.(told, done, planned.length);
  };
  const { budget: given, spending = spendingOf(given, options.processes) } = options;
  const budget = enough?.within(spending) ?? spending;
  let broken: ParanoiaError | undefined;
  const interrupted = await judgeCases(planned, tell, budget).catch(async (thrown: unknown) => {
    if (done === 0) throw thrown;
    const { brokenOff } = await part('says why a run ended', () => import('./broken-off.ts'));
    broken = brokenOff(thrown, done, planned.length);
    return true;
  });
  const judged = results.filter((result) => result !== undefined);
  const missing = planned.filter((_, at) => results[at] === undefined).map(formatCase);
  const { outcomeOf } = await part('sums up a run', () => import('./outcome.ts'));
  const { groups, lack, bounds, ...found } = await outcomeOf(judged, {
    ...{ planned: planned.length, leftOut: interrupted ? [] : missing, interrupted },
    ...{ seconds: (performance.now() - start) / 1000, waivers, whole: whole && missing.length === 0, now },
    ...{ missing: broken?.message ?? enough?.sentence(), items: scheduler.items },
  });
  broken ??= lack;
  return {
    ...found,
    ...(groups === undefined ? {} : { groups: await shrink(groups, scheduler, bounds).catch(() => groups) }),
    ...(broken === undefined ? {} : { broken }),
    open: scheduler.machine,
  };
}

/** A budget as it is spent. */
export const spendingOf = (budget: Limit | Spending | undefined, processes?: number): Spending =>
  budget instanceof Spending ? budget : new Spending(secondsIn(budget), processes);

const asItIs = (judgeCases: JudgeCases) => judgeCases;
const asTheyAre = async (groups: FailureGroup[]) => groups;

/** Cases before one that is asked for in a new process, in which that may be begun. */
const AHEAD = 100;

/** One after the other, on one machine; a lost device costs the case it was lost in, and is replaced. */
function inTurn(scheduler: Scheduler, { thresholds, baselines, onBegin, stop }: GateOptions): JudgeCases {
  return async (planned, tell, budget) => {
    let isFirst = true;
    for (const [at, value] of quickFirst(planned)) {
      await onBegin?.(value);
      if (stop?.() === true) return true;
      if (!budget.affords(value)) continue;
      const start = performance.now();
      budget.begin(value);
      const { machine } = scheduler;
      await scheduler.kernel(choiceOf(value));
      scheduler.ahead(planned.slice(at + 1, at + AHEAD));
      foresee(planned, at + 1, machine, (one) => scheduler.known(one));
      const limits = { ...thresholds, baseline: lookUp(baselines.cases, formatCase(value)) };
      const { series, detailed = false, after = [] } = value;
      const ended = () => stop?.() === true || budget.isOver();
      const about = { limits, series, detailed, stop: ended };
      const judged = await (after.length === 0
        ? scheduler.alone(value, about)
        : scheduler.after(after, value, about));
      // The first of a process waits for it to begin.
      const begins = isFirst || after.length > 0;
      isFirst = false;
      const isUndecided = judged.evidence === undefined && judged.result.verdict === 'inconclusive';
      if (isUndecided && stop?.() === true) return true;
      const isCut = isUndecided && budget.isOver();
      budget.spent([value], (performance.now() - start) / 1000, !begins && !isLongLife(value));
      // What the budget ended in the middle was not judged.
      if (isCut) {
        budget.leaveOut(value);
        continue;
      }
      const behind = performance.now();
      budget.begin(value);
      const { result, lost } = await scheduler.blamed(judged, about);
      budget.spent([value], (performance.now() - behind) / 1000, false);
      const isDeviceless = lost && !(await isReplaced(scheduler, machine));
      tell(at, { ...result, took: Number(((performance.now() - start) / 1000).toPrecision(3)) });
      // Lets signals and timers in: judging small cases may never leave this thread otherwise.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (isDeviceless) return true;
    }
    return false;
  };
}

/** Cases with their places, before all the first two that ask for one product each: one begins the process, and what the other takes says what calls do. */
function quickFirst(planned: readonly PlannedCase[]): [number, PlannedCase][] {
  const all = [...planned.entries()];
  const quick = all
    .filter(([, value]) => callsOf(value) === 1 && (value.after ?? []).length === 0)
    .slice(0, 2);
  return [...quick, ...all.filter((one) => !quick.includes(one))];
}

/** False where there is no other machine any more: what was judged before is still worth having. */
async function isReplaced(scheduler: Scheduler, lost: Machine): Promise<boolean> {
  try {
    await scheduler.replace(lost);
    return true;
  } catch (error) {
    if (error instanceof ParanoiaError) return false;
    throw error;
  }
}
