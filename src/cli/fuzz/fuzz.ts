import { join } from 'node:path';
import { catchParanoiaErrorAsync, ParanoiaError } from '../../base/errors.ts';
import { inCi, invocation } from '../../base/node/invocation.ts';
import { say } from '../../base/node/say.ts';
import { type Clock, stillClock, wallClock } from '../../base/time.ts';
import { VERSION } from '../../base/version.ts';
import { kernelNames, seedOfDay } from '../../config/campaign-of.ts';
import { optionsOf } from '../../config/node/options-of.ts';
import type { RunOptions } from '../../config/options.ts';
import { Evaluator } from '../../evidence/evaluate.ts';
import { casesOption } from '../../evidence/result-of.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { runFuzz } from '../../fuzz/run-fuzz.ts';
import { type Target, targetOf } from '../../fuzz/target.ts';
import { listDefaultInputs } from '../../inputs/inputs.ts';
import { describePaths, knownPaths } from '../../inspect/code-paths.ts';
import { builtinNames } from '../../kernels/builtin-plan.ts';
import { checkWrittenCase } from '../../kernels/check-case.ts';
import { findFault } from '../../kernels/faults/faults.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import { missingOption } from '../../options/messages.ts';
import { formatOptions, pickOptions } from '../../options/option.ts';
import { championsText, coverageLine, coverageText, replayText, startRate } from '../../pages/fuzz.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { requireReportable } from '../../pages/node/reporters.ts';
import { startRunTimer } from '../../pages/node/timing.ts';
import type { Progress } from '../../pages/progress.ts';
import type { NearbySizes } from '../../problem/draws.ts';
import { formatCount } from '../../report/numbers.ts';
import { corpusPlan, readCorpus, toCorpusEntry, writeCorpus } from '../../run/node/corpus-files.ts';
import { openNodeMachine } from '../../run/node/open-machine.ts';
import type { CampaignFinding } from '../../run/results.ts';
import { Scheduler } from '../../run/scheduler.ts';
import { filesText } from '../gate/options.ts';
import { ownFolder } from '../gate/plan.ts';
import { publish, stampCommandResults, startLive } from '../gate/publish.ts';
import { collectUntilPublished, publishAndExit } from '../gate/unfinished.ts';
import { createStopper } from '../stopper.ts';
import { type FuzzPlan, type FuzzRequest, formatAround, fuzzOptions, fuzzPlan } from './options.ts';

/** Runs a campaign of drawn cases. @returns the exit code of the verdict */
export async function runFuzzing(request: FuzzRequest): Promise<number> {
  const plan = fuzzPlan(request);
  if (plan.shard?.because !== undefined) {
    say(`Shard ${plan.shard.index} of ${plan.shard.of}, by ${plan.shard.because}.`);
  }
  const { options: given, catalog, sessionOf, files, definedAt } = await optionsOf(request);
  const options = { ...given, out: ownFolder(given.out, plan.shard, request) };
  const { seed = seedOfDay() } = options;
  const names = kernelsOf(options, plan, catalog);
  requireReportable(options.reporters, options.out, catalog.reporters);
  const { entries, problems } = await readCorpus(plan.corpus);
  const opened = await openNodeMachine(names, {
    ...{ catalog, sessionOf },
    ...{ adapter: options.adapter, toggles: options.toggles },
  });
  const pool = openExactPool();
  const live = startLive(options.reporters, definedAt, catalog.reporters);
  const watched = request.timing === true ? startRunTimer() : undefined;
  const where = { ...options, known: catalog.reporters, live, verbose: request.verbose === true };
  const sofar = collectUntilPublished(seed, where, ({ verdict }) => verdict === 'fail');
  const signals = createStopper(plan.time, publishAndExit(sofar));
  let isTold = false;
  let progress: Progress | undefined;
  try {
    const { machine } = opened;
    sofar.begin(machine, plan.runs * names.length);
    await opened.start(names);
    const judge = new Scheduler({
      ...{ machine, reopen: opened.reopen, kernelOf: opened.kernelOf },
      ...{
        evaluator: new Evaluator(pool.product, { items: catalog, timing: watched?.timing }),
        limits: options.thresholds,
      },
      clock: clockOf(plan),
      replay: (...texts) =>
        `${invocation()} gate ${filesText(files, request)}${casesOption(...texts)}${formatOptions(fuzzOptions, request, 'judging')}`,
    });
    const targets = await targetsOf(names, options, plan, judge, catalog);
    for (const { kernel, around } of targets)
      if (plan.around === undefined && around !== undefined) say(describePaths(kernel, around));
    if (plan.path !== undefined && targets.length !== 1) {
      throw missingOption({
        option: '--kernel',
        need: 'exactly one kernel, because --path replays a case of one',
      });
    }
    const corpus = await corpusPlan(
      entries,
      (kernel) => plan.fault === undefined && names.includes(kernel),
      (value) => checkWrittenCase(value, catalog),
    );
    const notes = [...problems.map(({ message }) => message), ...corpus.notes];
    for (const note of notes) say(note);
    process.stderr.write(introduction(machine.fingerprint.name, targets, plan, corpus.cases.length, seed));
    const look = lookFor(process.stdout);
    progress = live.progress({ stream: process.stderr, planned: plan.runs }, startRate);
    const written: Promise<string | ParanoiaError>[] = [];
    const saved = new Set<string>();
    const outcome = await runFuzz({
      ...{ targets, judge, corpus: corpus.cases, seed, runs: plan.runs, stop: signals.asked },
      isLate: signals.isLate,
      ...{ path: plan.path, objective: plan.objective },
      space: { maxSize: plan.maxSize, families: familiesOf(options, catalog) },
      mine: mineOf(plan),
      onJudged({ result }) {
        sofar.add(result);
        progress?.done(result);
      },
      onFinding(finding, isSaved = false) {
        progress?.finish();
        const own = targets.find(({ kernel }) => kernel === finding.result.kernel);
        const again = replayOf(finding, { request, files, around: own?.around });
        const isKnown = saved.has(finding.case);
        if (isSaved) saved.add(finding.case);
        const how = { gate: finding.result.replay, fuzz: again, isSaved, isKnown };
        process.stdout.write(replayText(finding, how, look));
        written.push(...kept(finding, plan, options, machine.fingerprint.id).map(catchParanoiaErrorAsync));
      },
      onChampion({ value, result }, { unit }) {
        progress?.finish();
        say(`${Number(value.toPrecision(4))} ${unit}: ${result.case}`);
      },
    });
    progress.finish();
    const { findings: _, ...found } = outcome;
    const results = stampCommandResults(machine, seed, {
      ...found,
      ...partOf(plan),
      versions: await opened.versions(),
      ...(notes.length === 0 ? {} : { notes }),
    });
    const corpusFiles = await Promise.all(written);
    const tell = where.verbose ? coverageText : coverageLine;
    process.stdout.write(`${tell(outcome.fuzz, look)}\n`);
    process.stdout.write(championsText(outcome.fuzz.champions ?? []));
    const lost = corpusFiles.find((one) => one instanceof ParanoiaError);
    isTold = true;
    const code = await publish(results, { ...where, lost });
    for (const file of new Set(corpusFiles)) if (typeof file === 'string') say(`Wrote ${file}`);
    process.stderr.write(watched?.text() ?? '');
    return code;
  } catch (thrown) {
    if (isTold) throw thrown;
    progress?.finish();
    return await sofar.publish(thrown);
  } finally {
    signals.release();
    await opened.close();
    await pool.close();
  }
}

/** The clock of a plan. It stands still where no time limit ends the campaign, so that time cannot change the findings. */
const clockOf = ({ time }: FuzzPlan): Clock => (time === undefined ? stillClock : wallClock);

/** The requested kernels, or the one with a planted fault. */
function kernelsOf({ kernels }: RunOptions, { fault }: FuzzPlan, catalog: KernelCatalog): string[] {
  const planted = fault === undefined ? undefined : findFault(fault).kernel;
  const patterns = planted === undefined ? ((kernels && kernelNames(kernels)) ?? builtinNames) : [planted];
  return [...new Set(patterns.flatMap((pattern) => catalog.expand(pattern)))];
}

/** Makes the targets of a campaign. @throws ParanoiaError `precision-unserved` for a requested precision */
async function targetsOf(
  names: readonly string[],
  { precisions = ['f32'], levels }: RunOptions,
  plan: FuzzPlan,
  judge: Scheduler,
  catalog: KernelCatalog,
): Promise<Target[]> {
  const { fault, path, around: given } = plan;
  const targets: Target[] = [];
  for (const kernel of names) {
    const own = catalog.external(kernel);
    const each: readonly string[] = own === undefined ? precisions : [own.precision ?? 'f32'];
    for (const precision of each) {
      const found = await judge.kernel({ kernel, precision, fault });
      const isAsked = own !== undefined && given === undefined && path === undefined;
      const around = isAsked ? await knownPaths(found, { clock: clockOf(plan) }) : given;
      targets.push(targetOf(found, { fault, levels, around }));
    }
  }
  return targets;
}

const familiesOf = ({ inputs: names }: RunOptions, { inputs }: KernelCatalog) =>
  names === undefined ? listDefaultInputs(inputs) : inputs.items.filter(({ name }) => names.includes(name));

/** The part of the campaign that the results cover; drawn cases have no places in it. */
const partOf = ({ shard }: FuzzPlan) =>
  shard === undefined ? {} : { shard: { index: shard.index, of: shard.of, places: [] } };

const mineOf = ({ shard }: FuzzPlan) =>
  shard === undefined ? () => true : (run: number) => run % shard.of === shard.index - 1;

function introduction(
  machine: string,
  targets: readonly Target[],
  { runs, time, path, objective }: FuzzPlan,
  corpus: number,
  seed: number,
): string {
  const kernels = targets.length === 1 ? targets[0].kernel : `${targets.length} kernels`;
  const long = time === undefined ? '' : ` for ${time} s`;
  const of = targets.length === 1 ? '' : ' of each kernel';
  const many = Number.isFinite(runs) ? ` ${formatCount(runs, 'case')}${of}` : '';
  const what =
    path !== undefined
      ? `the case at path ${path}`
      : `searching${many} for ${objective === undefined ? 'violations' : `the largest ${objective.name}`}${long}`;
  const first =
    corpus === 0 || path !== undefined
      ? ''
      : `running ${formatCount(corpus, 'case')} saved by earlier runs, then `;
  return `On ${machine}: ${kernels}, ${first}${what}, seed ${seed}.\n`;
}

/** Options that change the draws, which a replay repeats. */
const ofDraws = pickOptions(fuzzOptions, 'inputs', 'levels', 'maxSize', 'fault');

/** The command that draws a violation again from its seed. */
function replayOf(
  { path, seed, result }: CampaignFinding,
  {
    request,
    files,
    around = {},
  }: { request: FuzzRequest; files: readonly string[]; around: NearbySizes | undefined },
): string | undefined {
  if (path === undefined) return undefined;
  const precision = result.precision === 'f32' ? '' : ` --precision ${result.precision}`;
  const kernel = files.length === 0 ? `--kernel ${result.kernel}${precision} ` : filesText(files, request);
  const drawn = `${kernel}--seed ${seed} --path ${path}`;
  const beside = Object.keys(around).length === 0 ? '' : ` --around '${formatAround(around)}'`;
  return `${invocation()} fuzz ${drawn}${beside}${formatOptions(ofDraws, request, 'cases')}${formatOptions(fuzzOptions, request, 'judging')}`;
}

/** Writes a finding beside the results. It is also added to the corpus, unless this is CI or the fault was planted. */
function kept(
  finding: CampaignFinding,
  { corpus, fault }: FuzzPlan,
  { out }: RunOptions,
  adapter: string,
): Promise<string>[] {
  const entry = toCorpusEntry(finding, { version: VERSION, adapter, date: new Date().toISOString() });
  const folders = [join(out, 'corpus'), ...(inCi() || fault !== undefined ? [] : [corpus])];
  return folders.map((folder) => {
    const path = writeCorpus(folder, entry);
    // An unwritable folder is reported at the end; until then the campaign goes on.
    path.catch(() => {});
    return path;
  });
}
