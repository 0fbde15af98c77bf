import { ParanoiaError } from '../base/errors.ts';
import { loadPart } from '../base/part.ts';
import type { Clock } from '../base/time.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Thresholds } from '../evidence/checks/check.ts';
import type { Evaluator } from '../evidence/evaluate.ts';
import { isLongLife } from '../evidence/long-life.ts';
import { type ReplayCommand, replayCommand } from '../evidence/result-of.ts';
import { isDevice, type Machine } from '../gpu/device.ts';
import { formatCase } from '../problem/case.ts';
import type { Baselines } from './baselines.ts';
import { clockOf, type RunLimit, secondsIn } from './budget.ts';
import type { FailureLimiter } from './enough-failures.ts';
import type { FailureGroup } from './groups/group.ts';
import type { GroupConstraints } from './groups/group-failures.ts';
import { choiceOf, type KernelResolver } from './kernel-of.ts';
import { CaseQueue } from './order/case-queue.ts';
import type { CasesOutcome } from './outcome.ts';
import type { PlannedCase } from './planned-case.ts';
import { type BlameAccount, Scheduler } from './scheduler.ts';
import { type CaseBudget, Spending, type SpendingOptions } from './spending.ts';
import { type ReadWaiver, waive } from './waivers.ts';

export interface GateOptions {
  readonly open: Machine;
  /** Opens another machine after a device is lost. */
  readonly reopen: () => Promise<Machine>;
  /** Returns the kernels of cases. @defaultValue the built-in ones, on an open device */
  readonly kernelOf?: KernelResolver;
  readonly evaluator: Evaluator;
  readonly thresholds: Thresholds;
  readonly baselines: Baselines;
  /** Called after every case. */
  readonly onCase?: ((result: CaseResult, done: number, planned: number) => void) | undefined;
  /** Returns the command that runs cases, as failures print it. @defaultValue through `npx` */
  readonly replay?: ReplayCommand | undefined;
  /** Awaited before every case, where one process judges. */
  readonly onBegin?: ((value: PlannedCase) => Promise<void>) | undefined;
  /** True if the run must end with what is finished. Asked before every case. */
  readonly stop?: (() => boolean) | undefined;
  /**
   * Seconds for the cases of each kernel, or the remaining ones; cases that exceed them are left out. Or a number of cases of each kernel,
   * which does not depend on a clock. @defaultValue unlimited
   */
  readonly budget?: RunLimit | Spending | undefined;
  /** True if the order of a kernel's cases follows its measured speed. @defaultValue cases stay in their order */
  readonly followsSpeed?: ((kernel: string) => boolean) | undefined;
  /** Clock of the budget. @defaultValue this machine's */
  readonly clock?: Clock | undefined;
  /** The running account of the budget, where the caller needs it as well. @defaultValue made from `budget` */
  readonly spending?: Spending | undefined;
  /** Earlier time of each kernel on failures of its own. @defaultValue none */
  readonly blamings?: Map<string, BlameAccount> | undefined;
  /** Judges the cases instead, elsewhere than on `open`. */
  readonly judgeCases?: JudgeCases;
  /** Has some of the cases judged, and knows the results of others. @defaultValue all are judged */
  readonly keeping?: ((judgeCases: JudgeCases) => JudgeCases) | undefined;
  /** Number of processes that judge at once. @defaultValue 1 */
  readonly processes?: number;
  /** Known failures that are let through. @defaultValue none */
  readonly waivers?: readonly ReadWaiver[] | undefined;
  /** Searches smaller cases for groups, each within its bounds. @defaultValue no search */
  readonly shrink?:
    | ((
        groups: FailureGroup[],
        scheduler: Scheduler,
        bounds: readonly GroupConstraints[],
      ) => Promise<FailureGroup[]>)
    | undefined;
  /** Ends the cases of a failing kernel. @defaultValue all are run */
  readonly enough?: FailureLimiter | undefined;
  /** True if these are all cases that the config requests, so that unused waivers can be told. @defaultValue false */
  readonly whole?: boolean;
}

/** Outcome of a gate: the parts of a results file that come from running. */
export interface GateOutcome extends CasesOutcome {
  /** The machine at the end. It is not the first one where a device was lost. */
  readonly open: Machine;
  /** The error that ended the run in the middle, if any. What was finished before is there. */
  readonly broken?: ParanoiaError | undefined;
}

/**
 * Judges cases, in any order, and reports each result with its place. Cases that the budget does not afford are left out.
 * @returns true if it was ended before the last case.
 */
export type JudgeCases = (
  planned: readonly PlannedCase[],
  tell: (at: number, result: CaseResult) => void,
  budget: CaseBudget,
) => Promise<boolean>;

/** Runs cases one after the other, or through `judgeCases`. The results are in the order of the cases. */
export async function runGate(planned: readonly PlannedCase[], options: GateOptions): Promise<GateOutcome> {
  const { waivers = [], whole = false, replay = replayCommand, shrink = asTheyAre, onCase } = options;
  const now = new Date();
  const start = performance.now();
  const results: (CaseResult | undefined)[] = planned.map(() => undefined);
  const scheduler = new Scheduler({
    ...options,
    machine: options.open,
    clock: clockOf(options.budget, options.clock),
  });
  const { keeping = asItIs, enough } = options;
  const judgeCases = keeping(options.judgeCases ?? inTurn(scheduler, options));
  let done = 0;
  const tell = (at: number, result: CaseResult) => {
    const text = formatCase(planned[at]);
    const about = {
      ...(result.case === text ? {} : { sweep: text }),
      replay: replay(...(result.after ?? []), result.case),
    };
    const told = waive({ ...result, ...about }, waivers, now);
    results[at] = told;
    enough?.told(told);
    done++;
    onCase?.(told, done, planned.length);
  };
  const { budget: given, processes, clock, spending = spendingOf(given, { processes, clock }) } = options;
  const budget = enough?.within(spending) ?? spending;
  let broken: ParanoiaError | undefined;
  const interrupted = await judgeCases(planned, tell, budget).catch(async (thrown: unknown) => {
    if (done === 0) throw thrown;
    const { makeBrokenRunError } = await loadPart('says why a run ended', () => import('./broken-off.ts'));
    broken = makeBrokenRunError(thrown, done, planned.length);
    return true;
  });
  const judged = results.filter((result) => result !== undefined);
  const missing = planned.filter((_, at) => results[at] === undefined).map(formatCase);
  const { computeOutcome } = await loadPart('sums up a run', () => import('./outcome.ts'));
  const { groups, lack, bounds, ...found } = await computeOutcome(judged, {
    ...{ planned: planned.length, skipped: interrupted ? [] : missing, interrupted },
    ...{ seconds: (performance.now() - start) / 1000, waivers, whole: whole && missing.length === 0, now },
    ...{ missing: broken?.message ?? enough?.sentence() },
  });
  broken ??= lack;
  return {
    ...found,
    ...(groups === undefined ? {} : { groups: await shrink(groups, scheduler, bounds).catch(() => groups) }),
    ...(broken === undefined ? {} : { broken }),
    open: scheduler.machine,
  };
}

/** Returns the running account of a budget. */
export const spendingOf = (budget: RunLimit | Spending | undefined, options: SpendingOptions): Spending =>
  budget instanceof Spending ? budget : new Spending(secondsIn(budget), options);

const asItIs = (judgeCases: JudgeCases) => judgeCases;
const asTheyAre = async (groups: FailureGroup[]) => groups;

/** Number of cases ahead within which the new process for a case may be started. */
const AHEAD = 100;

/** Judges cases one after the other, on one machine. A lost device costs the current case, and is replaced. */
function inTurn(
  scheduler: Scheduler,
  { thresholds, baselines, onBegin, stop, followsSpeed }: GateOptions,
): JudgeCases {
  return async (planned, tell, budget) => {
    const queue = new CaseQueue(planned, { budget, followsSpeed });
    const recorded = new Map(Object.entries(baselines.cases));
    budget.reserve(planned);
    let isFirst = true;
    for (let at = await queue.next(); at !== undefined; at = await queue.next()) {
      const value = planned[at];
      await onBegin?.(value);
      if (stop?.() === true) return true;
      if (!budget.affords(value)) continue;
      const start = performance.now();
      budget.begin(value);
      const { machine } = scheduler;
      await scheduler.kernel(choiceOf(value));
      const next = queue.ahead(AHEAD);
      scheduler.ahead(next);
      await compileAhead(next, machine, scheduler);
      const limits = { ...thresholds, baseline: recorded.get(formatCase(value)) };
      const { series, detailed = false, after = [] } = value;
      const ended = () => stop?.() === true || budget.isOver();
      const about = { limits, series, detailed, stop: ended };
      const judged = await (after.length === 0
        ? scheduler.alone(value, about)
        : scheduler.after(after, value, about));
      // The first case of a process waits for the process to start.
      const begins = isFirst || after.length > 0;
      isFirst = false;
      const isUndecided = judged.evidence === undefined && judged.result.verdict === 'inconclusive';
      if (isUndecided && stop?.() === true) return true;
      const isCut = isUndecided && budget.isOver();
      budget.spent([value], undefined, !begins && !isLongLife(value));
      // A case that the budget cut off is not judged.
      if (isCut) {
        budget.leaveOut(value);
        continue;
      }
      budget.begin(value);
      const { result, lost } = await scheduler.blamed(judged, about);
      budget.spent([value], undefined, false, result.seconds);
      const isDeviceless = lost && !(await isReplaced(scheduler, machine));
      tell(at, { ...result, judgingSeconds: Number(((performance.now() - start) / 1000).toPrecision(3)) });
      // Yields to signals and timers: small cases may never leave this thread otherwise.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (isDeviceless) return true;
    }
    return false;
  };
}

/** Starts to compile what the next cases need on a device. */
async function compileAhead(
  next: readonly PlannedCase[],
  machine: Machine,
  scheduler: Scheduler,
): Promise<void> {
  if (!isDevice(machine)) return;
  const { compileAheadOfCases } = await loadPart('compiles shaders ahead', () => import('./foresee.ts'));
  compileAheadOfCases(next, machine, (one) => scheduler.known(one));
}

/** True if another machine replaced the lost one. Without one, earlier results are still useful. */
async function isReplaced(scheduler: Scheduler, lost: Machine): Promise<boolean> {
  try {
    await scheduler.replace(lost);
    return true;
  } catch (error) {
    if (error instanceof ParanoiaError) return false;
    throw error;
  }
}
