import { EXIT, settling } from '../base/errors.ts';
import { ensureWritable } from '../base/node/write-file.ts';
import { oneLine } from '../base/printable.ts';
import { campaignOf, secondsFor, seedOf } from '../config/campaign-of.ts';
import type { Flags } from '../config/flags.ts';
import { parseNumber } from '../config/flags.ts';
import type { Options } from '../config/options.ts';
import { OF_A_CASE, OF_A_JUDGE } from '../config/run-options.ts';
import { casesOption } from '../evidence/result-of.ts';
import { casesBeside } from '../gate/external-campaign.ts';
import { withShrunk } from '../gate/shrink-example.ts';
import type { Catalogue } from '../kernels/catalogue.ts';
import { requireReportable } from '../pages/node/reporters.ts';
import type { Progress } from '../pages/progress.ts';
import { placeInWords } from '../pages/verdict.ts';
import { formatCase } from '../problem/case.ts';
import type { Around } from '../problem/draws.ts';
import { ranges } from '../problem/ranges.ts';
import { counted } from '../report/numbers.ts';
import { type Baselines, withMissing } from '../run/baselines.ts';
import { brokenCode } from '../run/broken-off.ts';
import { judge } from '../run/node/judge.ts';
import { readWaiver } from '../run/waivers.ts';
import { readBaselines, writeBaselines } from './baseline-file.ts';
import { storedFolder } from './files.ts';
import { jobsOf } from './gate-jobs.ts';
import { planGate } from './gate-plan.ts';
import { startLive } from './live-reports.ts';
import { conflictingOptions, noUpdateInCi, noWatchInCi, vainOption } from './messages.ts';
import { namesCases } from './named-cases.ts';
import { invocation } from './program.ts';
import { publish, resultsOf } from './publish.ts';
import { filesText } from './replay.ts';
import { say } from './say.ts';
import { stopper } from './stopper.ts';
import { watch } from './timing-text.ts';
import { unfinished } from './unfinished.ts';

/** Characters of the name of a kernel that progress shows. */
const LONGEST = 60;

const inCi = (): boolean => !['', '0', 'false'].includes(process.env.CI ?? '');

/** @returns the exit code of the verdict. */
export async function runGate(flags: Flags): Promise<number> {
  if (flags.json !== undefined && flags.list !== true) {
    throw vainOption({ option: '--json', without: '--list' });
  }
  if (flags.watch === true) {
    if (inCi()) throw noWatchInCi();
    const { runWatch } = await import('./watch-gate.ts');
    return runWatch(flags);
  }
  if (flags.update === true && inCi()) throw noUpdateInCi();
  if (flags.update === true && flags.shard !== undefined) {
    throw conflictingOptions({ one: '--update', other: '--shard' });
  }
  if (flags.update === true && flags.fault !== undefined) {
    throw conflictingOptions({ one: '--update', other: '--fault' });
  }
  const bail = bailOf(flags);
  const plan = await planGate(flags);
  if (plan === undefined) return EXIT.pass;
  const { options, catalogue, sessionOf, files, asked, sample, shard, isNamed } = plan;
  if (flags.list === true) {
    const { listCases } = await import('./list-cases.ts');
    return listCases(plan, flags.json === true);
  }
  if (flags.open === true && !options.reporters.includes('html')) {
    throw vainOption({ option: '--open', without: 'html among --reporter' });
  }
  const folder = storedFolder('baselines', options.baselines, flags.update === true);
  const drawn = new Set(asked.filter((value) => value.drawn === true).map(formatCase));
  requireReportable(options.reporters, options.out);
  if (flags.update === true) ensureWritable(folder);
  const live = startLive(options.reporters, plan.definedAt);
  const watched = flags.timing === true ? watch() : undefined;
  const stop = stopper(options.timeLimit);
  const seed = seedOf(campaignOf(options));
  const where = { ...options, live, verbose: flags.verbose === true };
  const sofar = unfinished(seed, where);
  let isTold = false;
  let failures = 0;
  const ended = () => failures >= bail || stop.asked();
  let progress: Progress | undefined;
  const replay = (...texts: string[]) =>
    `${invocation()} gate ${filesText(files, flags)}${casesOption(...texts)}${sameJudge(flags)}`;
  try {
    const { machine, baselines, broken, ...outcome } = await judge({
      ...{ catalogue, sessionOf },
      ...{ adapter: options.adapter, toggles: options.toggles, thresholds: options.thresholds },
      ...{ asked, sample, shard, whole: isWhole(flags), thin: plan.thin, notes: plan.notes },
      ...(isNamed ? {} : { beside: besideOf(options, catalogue), budget: secondsFor(options) }),
      ...{ waivers: options.waivers?.map(readWaiver) ?? [] },
      ...{ inspect: !isNamed, stop: ended, timing: watched?.timing },
      jobs: jobsOf(options.jobs, flags, [...asked, ...sample], catalogue),
      baselines: (id) => readBaselines(folder, id, say),
      onStart(machine, planned) {
        sofar.begin(machine, planned.length);
        const place = placeInWords(machine.fingerprint);
        say(`On ${place}, as ${machine.chosenBecause}: ${counted(planned.length, 'case')}.`);
        progress = live.progress(process.stderr, planned.length);
      },
      onCase(result) {
        sofar.add(result);
        if (result.verdict === 'fail' && result.waived === undefined) failures++;
        progress?.done(result);
      },
      onInspect: (kernel, question) => progress?.say(`Inspecting ${oneLine(kernel, LONGEST)}`, question),
      shrink: (groups, scheduler) =>
        withShrunk(groups, { judge: scheduler, stop: orAfter(SHRINKING, stop.asked), replay }),
      replay,
    });
    progress?.finish();
    const results = resultsOf(machine, seed, outcome);
    const fixed = results.cases.filter((result) => !drawn.has(result.case));
    const { updated, added } = withMissing(baselines, fixed);
    const unkept = flags.update === true ? await settling(writeBaselines(folder, updated)) : undefined;
    isTold = true;
    const code = await publish(results, { ...where, open: flags.open === true, lost: unkept ?? undefined });
    process.stderr.write(watched?.text() ?? '');
    if (isRecordable(flags) && results.verdict === 'pass') process.stderr.write(withoutDrift(baselines));
    if (flags.update === true && unkept === undefined)
      say(`${counted(added, 'baseline')} added for ${updated.adapter}.`);
    return code === EXIT.inconclusive && broken !== undefined ? brokenCode(broken) : code;
  } catch (thrown) {
    if (isTold) throw thrown;
    progress?.finish();
    return await sofar.publish(thrown);
  } finally {
    stop.release();
  }
}

/** How many failures end a run. */
function bailOf({ bail }: Flags): number {
  if (bail === undefined) return Number.POSITIVE_INFINITY;
  return bail === true ? 1 : parseNumber('--bail', bail, ranges.bail);
}

/** Whether the same command with --update would record baselines. */
const isRecordable = (flags: Flags): boolean =>
  !namesCases(flags) && flags.shard === undefined && flags.update !== true && !inCi();

/** Whether errors have grown cannot be told where none were recorded. */
function withoutDrift({ cases, adapter }: Baselines): string {
  if (Object.keys(cases).length > 0) return '';
  return `Drift is not judged: there are no baselines of ${adapter}; --update records them.\n`;
}

/** Seconds that smaller examples are looked for. */
const SHRINKING = 5;

function orAfter(seconds: number, asked: () => boolean): () => boolean {
  const end = performance.now() + 1000 * seconds;
  return () => asked() || performance.now() > end;
}

function sameJudge(flags: Flags): string {
  return OF_A_JUDGE.flatMap((name) =>
    flags[name] === undefined ? [] : [` --${name} '${flags[name]}'`],
  ).join('');
}

const isWhole = (flags: Flags) =>
  !namesCases(flags) && ['files', ...OF_A_CASE].every((name) => flags[name] === undefined);

/** What is drawn where a kernel is seen to take another path. */
function besideOf(options: Options, catalogue: Catalogue) {
  const campaign = campaignOf(options);
  return (kernel: string, around: Around) => {
    const spec = catalogue.external(kernel);
    return spec === undefined ? [] : casesBeside(campaign, spec, around);
  };
}
