import { startProcessorClock } from '../../base/node/processor-clock.ts';
import { stillClock } from '../../base/time.ts';
import { limitFor } from '../../config/campaign-of.ts';
import type { RunRequest } from '../../config/command-options.ts';
import { makeCatalogFor } from '../../config/node/mentioned-tables.ts';
import { optionsOf } from '../../config/node/options-of.ts';
import { plannedText } from '../../evidence/case-result.ts';
import { resultOf } from '../../evidence/result-of.ts';
import { Timing } from '../../evidence/timing.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { judgeRound } from '../../fuzz/round.ts';
import { isDevice } from '../../gpu/device.ts';
import { parseCase } from '../../problem/case.ts';
import { noBaselines } from '../../run/baselines.ts';
import { isCounted, type RunLimit, secondsIn } from '../../run/budget.ts';
import { inspectOne } from '../../run/inspect-external.ts';
import { describeTuning, openJudges } from '../../run/judge.ts';
import type { PlannedInspection } from '../../run/keeper.ts';
import { choiceOf } from '../../run/kernel-of.ts';
import type { DrawRound, JobCase, JobMachine, JobMessage, JobRequest } from '../../run/node/job-process.ts';
import { openNodeMachine } from '../../run/node/open-machine.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { probeMachine } from '../../run/probe-machine.ts';
import { runGate } from '../../run/run-gate.ts';
import { type BlameAccount, Scheduler } from '../../run/scheduler.ts';
import { Spending } from '../../run/spending.ts';
import { endedWorkers } from '../messages.ts';

/** Arguments of a judging process. */
export interface JobArgs {
  /** The request of the command that started it. */
  readonly request: RunRequest;
  readonly kernels: readonly string[];
  /** True if it reports all that results say of its machine. @defaultValue false */
  readonly describes?: boolean;
}

/**
 * Judges the cases that this process receives, and inspects kernels, on its own device, until its parent disconnects.
 * @param say sends an answer to the parent
 * @param fail reports an error to the parent
 */
export async function serveJob(
  { request, kernels, describes = false }: JobArgs,
  say: (answer: JobMessage) => void,
  fail: (error: unknown) => void,
): Promise<void> {
  const { options, sessionOf, ...found } = await optionsOf(request, () => undefined);
  const catalog = await makeCatalogFor(found.catalog, kernels);
  const { adapter, toggles, thresholds } = options;
  const opened = await openNodeMachine(kernels, { catalog, sessionOf, adapter, toggles });
  // A kernel that all cases need starts now. Its error is told by the products.
  if (kernels.length === 1) opened.start(kernels).catch(() => {});
  const clock = startProcessorClock();
  let budget = new Spending(Number.POSITIVE_INFINITY, { clock });
  let stopping = false;
  const timing = new Timing();
  const judges = openJudges(opened, {
    ...{ processor: openExactPool(), timing, ends: () => stopping || budget.isOver() },
  });
  let open = opened.machine;
  let seconds = Number.POSITIVE_INFINITY;
  const own = limitFor(options);
  const blamings = new Map<string, BlameAccount>();
  const judge = async (
    cases: readonly JobCase[],
    limit: RunLimit | undefined = isCounted(own) ? own : undefined,
    { spent = 0 }: { readonly spent?: number | undefined } = {},
  ) => {
    // Durations measured for one list of cases are kept for the next.
    const given = secondsIn(limit);
    budget = given === seconds ? budget.renewed() : new Spending(given, { clock });
    seconds = given;
    const before = new Map(cases.map(({ text }) => [parseCase(text).kernel, spent]));
    for (const kernel of before.keys()) budget.spentBefore(kernel, spent);
    const known = cases.flatMap(({ text, baseline }) => (baseline === undefined ? [] : [[text, baseline]]));
    const baselines = { ...noBaselines(open.fingerprint.id), cases: Object.fromEntries(known) };
    const places = new Map(cases.map(({ text, at }) => [text, at]));
    const outcome = await runGate(cases.map(plannedCase), {
      ...{
        ...judges.options,
        open,
        thresholds,
        baselines,
        blamings,
        budget: isCounted(limit) ? limit : budget,
        clock,
        spending: budget,
        stop: () => stopping,
      },
      onCase(result) {
        const all = budget.state(result.kernel).spent;
        const seconds = all - (before.get(result.kernel) ?? 0);
        before.set(result.kernel, all);
        say({ at: places.get(plannedText(result)) as number, result, seconds });
      },
    });
    open = outcome.open;
    const { interrupted } = outcome.summary;
    const said = judges.said.splice(0);
    say({ aside: { versions: await opened.versions(), said, interrupted, spent: timing.take() } });
  };
  const inspect = async (value: PlannedInspection, limit?: RunLimit) => {
    const onInspect = () => say('busy');
    try {
      say({
        inspection: await inspectOne(value, opened, { onInspect, budget: limit, stop: () => stopping }),
      });
    } catch (error) {
      say({ uninspected: String((error as Error).message) });
    }
  };
  const draw = async ({ plan, place, seed }: DrawRound) => {
    const scheduler = new Scheduler({
      ...judges.options,
      machine: open,
      limits: thresholds,
      clock: stillClock,
    });
    const how = { judge: scheduler, seed, stop: () => stopping, onJudged: () => say('busy') };
    const round = await judgeRound(plan, place, how);
    open = scheduler.machine;
    const said = judges.said.splice(0);
    say({ round, aside: { versions: await opened.versions(), said, interrupted: stopping } });
  };
  const lose = async (lost: JobCase, count: number) => {
    const value = plannedCase(lost);
    const kernel = await opened.kernelOf(choiceOf(value), open);
    const error = endedWorkers({ what: `the case ${lost.text}`, count });
    const result = await resultOf(value, kernel, error, thresholds, { series: value.series });
    say({ at: lost.at, result, seconds: 0 });
    say({ aside: { versions: {}, said: [], interrupted: false } });
  };
  const carryOut = (words: Exclude<JobRequest, 'stop'>) => {
    if ('inspect' in words) return inspect(words.inspect, words.budget);
    if ('round' in words) return draw(words.round);
    return 'lost' in words ? lose(words.lost, words.count) : judge(words.cases, words.budget, words);
  };
  process.on('message', (words: JobRequest) => {
    if (words === 'stop') stopping = true;
    else carryOut(words).catch(fail);
  });
  process.on('disconnect', () => judges.close().finally(() => process.exit()));
  const { fingerprint, arithmetic, chosenBecause } = open;
  const about: JobMachine = { fingerprint, arithmetic, chosenBecause };
  if (!describes) return say({ ready: about });
  const answers = isDevice(open) ? { probe: await probeMachine(open) } : {};
  say({ ready: { ...about, ...answers, notes: describeTuning(open) } });
}

const plannedCase = ({ text, after, series, detailed, needed }: JobCase): PlannedCase => ({
  ...parseCase(text),
  ...{ after: after.map((other) => parseCase(other)), series, detailed, needed },
});
