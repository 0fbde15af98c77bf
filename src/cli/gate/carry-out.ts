import { EXIT } from '../../base/errors.ts';
import { invocation } from '../../base/node/invocation.ts';
import { say } from '../../base/node/say.ts';
import { toOneLine } from '../../base/printable.ts';
import type { Clock } from '../../base/time.ts';
import { VERSION } from '../../base/version.ts';
import { digestOfSources } from '../../config/node/sources.ts';
import { casesOption } from '../../evidence/result-of.ts';
import { drawCasesAround } from '../../gate/external-campaign.ts';
import { formatOptions, givenFlag } from '../../options/option.ts';
import type { Progress } from '../../pages/progress.ts';
import { placeInWords } from '../../pages/verdict.ts';
import { formatCount } from '../../report/numbers.ts';
import type { Baselines } from '../../run/baselines.ts';
import { brokenRunExitCode } from '../../run/broken-off.ts';
import { clockOf } from '../../run/budget.ts';
import { type CampaignOptions, kernelsOf } from '../../run/campaign-on.ts';
import { FailureLimiter } from '../../run/enough-failures.ts';
import type { JudgeOptions, RunOutcome } from '../../run/judge.ts';
import type { Keeper } from '../../run/keeper.ts';
import { judgeInNode } from '../../run/node/judge.ts';
import type { NodeMachineOptions } from '../../run/node/open-machine.ts';
import type { Results } from '../../run/results.ts';
import { readWaiver } from '../../run/waivers.ts';
import { createStopper } from '../stopper.ts';
import { jobsOf } from './jobs-of.ts';
import { namesCases } from './named-cases.ts';
import { filesText, type GateRequest, gateOptions } from './options.ts';
import type { GatePlan } from './plan.ts';
import { type LiveReports, stampCommandResults } from './publish.ts';
import { publishAndExit, type UnfinishedResults } from './unfinished.ts';

/** The most characters of a kernel's name in progress. */
const LONGEST = 60;

/** The outcome of a run that ended. */
export interface FinishedRun {
  readonly results: Results;
  readonly baselines: Baselines;
  /** Returns the exit code of the run for that of its verdict: an inconclusive run has that of the error that interrupted it, if any. */
  exitCode(ofVerdict: number): number;
  /** The breakdown of its time, in lines; empty unless requested. */
  readonly timing: string;
  /** Restores the default effect of signals. */
  release(): void;
}

/** Observers of a run. */
interface Live extends Pick<LiveReports, 'progress'> {
  /** Receives the machine and each result. */
  readonly sofar?: UnfinishedResults | undefined;
  /** Holds results of earlier runs. */
  readonly keeper?: Keeper | undefined;
}

/** Judges a plan, and shows the progress on standard error. @throws ParanoiaError as {@link judgeInNode} does */
export async function carryOut(
  plan: GatePlan,
  request: GateRequest,
  live: Live,
  baselines: JudgeOptions['baselines'],
): Promise<FinishedRun> {
  const { options } = plan;
  const watched =
    request.timing === true ? (await import('../../pages/node/timing.ts')).startRunTimer() : undefined;
  const { sofar } = live;
  const stop = createStopper(options.timeLimit, sofar && publishAndExit(sofar));
  let progress: Progress | undefined;
  const replay = (...texts: string[]) => {
    const { before, behind } = replayParts(plan, request);
    return `${before}${casesOption(...texts)}${behind}`;
  };
  const along: Along = {
    ...{ baselines, stop: stop.asked, isLate: stop.isLate, replay },
    ...{ timing: watched?.timing, keeper: live.keeper },
    onStart(machine, planned) {
      live.sofar?.begin(machine, planned.length);
      const where = placeInWords(machine.fingerprint);
      const isPlain = machine.fingerprint.backend === 'processor' && request.verbose !== true;
      const because = isPlain ? '' : ` (${machine.chosenBecause})`;
      say(`On ${where}: ${formatCount(planned.length, 'case')}${because}.`);
      const within = secondsFor(plan, kernelsOf(planned).length);
      progress = live.progress({ stream: process.stderr, planned: planned.length, within });
    },
    onCase(result) {
      live.sofar?.add(result);
      progress?.done(result);
    },
    onInspect: (kernel, question) => progress?.say(`Inspecting ${toOneLine(kernel, LONGEST)}`, question),
    async shrink(groups, scheduler, bounds) {
      const { withShrunk } = await import('../../gate/shrink-example.ts');
      return withShrunk(groups, {
        judge: scheduler,
        bounds,
        stop: orAfter(SHRINKING, stop.asked, clockOf(plan.limit)),
        replay,
      });
    },
  };
  try {
    const { machine, broken, baselines: known, ...outcome } = await judgedBy(plan, request, along);
    progress?.finish();
    const results = stampCommandResults(machine, plan.seed, outcome);
    return {
      ...{ results, baselines: known, timing: watched?.text() ?? '', release: stop.release },
      exitCode: (code) =>
        code === EXIT.inconclusive && broken !== undefined ? brokenRunExitCode(broken) : code,
    };
  } catch (error) {
    progress?.finish();
    stop.release();
    throw error;
  }
}

/** The time limit in seconds for the cases of so many kernels: their budget, or the run's time limit. */
function secondsFor({ seconds, options, referee }: GatePlan, kernels: number): number {
  // A referee's budget includes the time since the command began.
  const before = referee === undefined ? 0 : performance.now() / 1000;
  return Math.min(kernels * seconds - before, options.timeLimit ?? Number.POSITIVE_INFINITY);
}

/** Options of judging that do not depend on where a plan is judged. */
type Along = Pick<
  JudgeOptions,
  | 'baselines'
  | 'stop'
  | 'isLate'
  | 'replay'
  | 'timing'
  | 'onStart'
  | 'onCase'
  | 'onInspect'
  | 'shrink'
  | 'keeper'
>;

/** Judges a plan: here, or in another runtime. */
async function judgedBy(plan: GatePlan, request: GateRequest, along: Along): Promise<RunOutcome> {
  const { options, catalog, asked, sample, shard, isNamed, elsewhere } = plan;
  const waivers = options.waivers?.map((waiver) => readWaiver(waiver)) ?? [];
  const part = { shard, thin: plan.thin, notes: plan.notes };
  const budget = isNamed ? {} : { budget: plan.limit };
  const chosen = campaignOptions(plan, request, along.baselines);
  if (elsewhere !== undefined) {
    const { thresholds, whole, inspect = false, sources } = chosen;
    const { judgeIn } = await import('../../runtimes/node/judge-in.ts');
    return judgeIn(elsewhere.runtime, {
      ...{ ...elsewhere, ...along, catalog, asked, sample, waivers, origins: plan.origins },
      judging: { thresholds, whole, inspect, sources, ...part, ...budget },
      ...{
        replay: replayParts(plan, request),
        endsEarly: endsEarly(request),
        shrinking: SHRINKING,
        verbose: request.verbose === true,
      },
      campaign: isNamed ? undefined : plan.campaign,
    });
  }
  const all = { kernels: kernelsOf([...asked, ...sample]), count: asked.length + sample.length };
  const wanted = jobsOf(options.jobs, request, { ...all, limit: plan.limit }, catalog);
  const cautious =
    plan.referee === undefined
      ? {}
      : (await import('./untrusted.ts')).refereeOptions(plan, plan.referee.terms);
  return judgeInNode({
    ...{ ...chosen, ...part, ...budget, ...along, waivers },
    enough: endsEarly(request) ? new FailureLimiter() : undefined,
    jobs: wanted,
    started: plan.ahead?.takeJobs(wanted),
    ...cautious,
  });
}

/** Returns the options that decide which cases of a plan are judged, and on which machine. */
export const campaignOptions = (
  plan: GatePlan,
  request: GateRequest,
  baselines: JudgeOptions['baselines'],
): NodeMachineOptions & CampaignOptions => ({
  ...{ catalog: plan.catalog, sessionOf: plan.sessionOf, baselines, inspect: !plan.isNamed },
  ...{ adapter: plan.options.adapter, toggles: plan.options.toggles, thresholds: plan.options.thresholds },
  ...{ asked: plan.asked, sample: plan.sample, whole: isWhole(request) },
  sources: digestOfSources(VERSION, plan.sources()),
  ...(plan.referee === undefined && !plan.isNamed
    ? { beside: drawCasesAround(plan.campaign, plan.catalog) }
    : {}),
});

/** Returns text before and after the cases in the command that runs them again. */
export const replayParts = ({ files }: Pick<GatePlan, 'files'>, request: GateRequest) => ({
  before: `${invocation()} gate ${filesText(files, request)}`,
  behind: formatOptions(gateOptions, request, 'judging'),
});

/**
 * True if the cases of a failing kernel end early. They do not if all cases are requested, or if stored results must cover the whole run.
 */
const endsEarly = ({ all, resume, case: text, lastFailed, replay }: GateRequest): boolean =>
  all !== true && [resume, text, lastFailed, replay].every((flag) => flag === undefined);

/** Seconds for the search for smaller examples. */
const SHRINKING = 5;

function orAfter(seconds: number, asked: () => boolean, clock: Clock): () => boolean {
  const end = clock() + 1000 * seconds;
  return () => asked() || clock() > end;
}

/** True if a request covers all that a gate runs. */
const isWhole = (request: GateRequest) =>
  !namesCases(request) &&
  (request.files ?? request.ours) === undefined &&
  givenFlag(gateOptions, request, ({ scope }) => scope === 'cases') === undefined;
