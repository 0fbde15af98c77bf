import { ensureWritable } from '../base/node/write-file.ts';
import { oneLine } from '../base/printable.ts';
import { campaignOf, secondsFor, seedOf } from '../config/campaign-of.ts';
import type { Flags } from '../config/flags.ts';
import { parseNumber, parseText } from '../config/flags.ts';
import { optionsOf } from '../config/node/options-of.ts';
import type { Options } from '../config/options.ts';
import { OF_A_CASE, OF_A_JUDGE } from '../config/run-options.ts';
import { thorough } from '../evidence/reference.ts';
import { casesOption } from '../evidence/result-of.ts';
import { noCases } from '../fuzz/messages.ts';
import { defaultSample } from '../gate/default-sample.ts';
import { casesBeside, describeRefused, describeUntaken, refusedBy } from '../gate/external-campaign.ts';
import { planCampaign } from '../gate/plan-campaign.ts';
import { withShrunk } from '../gate/shrink-example.ts';
import { describeThin } from '../gate/thin.ts';
import type { Catalogue } from '../kernels/catalogue.ts';
import { checkCase } from '../kernels/check-case.ts';
import { colorsFor } from '../pages/node/colors.ts';
import { type Progress, startProgress } from '../pages/progress.ts';
import { placeInWords } from '../pages/verdict.ts';
import { formatCase, parseCase } from '../problem/case.ts';
import type { Around } from '../problem/draws.ts';
import { saysOldWords } from '../problem/old-names.ts';
import { ranges } from '../problem/ranges.ts';
import { counted } from '../report/numbers.ts';
import { type Baselines, withMissing } from '../run/baselines.ts';
import { corpusPlan } from '../run/corpus.ts';
import { readCorpus } from '../run/node/corpus-files.ts';
import { requireHostRoom } from '../run/node/host-room.ts';
import { judge } from '../run/node/judge.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { parseShard, type Shard } from '../run/shard.ts';
import { readWaiver } from '../run/waivers.ts';
import { readBaselines, writeBaselines } from './baseline-file.ts';
import { storedFolder } from './files.ts';
import { jobsOf } from './gate-jobs.ts';
import { conflictingOptions, idleOption, noUpdateInCi, vainOption } from './messages.ts';
import { invocation } from './program.ts';
import { publish, resultsOf } from './publish.ts';
import { filesText } from './replay.ts';
import { stopper } from './stopper.ts';
import { watch } from './timing-text.ts';

/** Characters of the name of a kernel that progress shows. */
const LONGEST = 60;

const inCi = (): boolean => !['', '0', 'false'].includes(process.env.CI ?? '');

/** @returns the exit code of the verdict. */
export async function runGate(flags: Flags): Promise<number> {
  if (flags.update === true && inCi()) throw noUpdateInCi();
  if (flags.update === true && flags.shard !== undefined) {
    throw conflictingOptions({ one: '--update', other: '--shard' });
  }
  const { options, notes: onConfig, catalogue, sessionOf, files } = await optionsOf(flags);
  if (flags.open === true && !options.reporters.includes('html')) {
    throw vainOption({ option: '--open', without: 'html among --reporter' });
  }
  const folder = storedFolder('baselines', options.baselines, flags.update === true);
  requireUseful(options, flags, catalogue);
  const campaign = plan(options, flags, catalogue);
  if (campaign.length === 0) throw noCases();
  for (const value of campaign) {
    checkCase(value, catalogue);
    requireHostRoom(value, thorough);
  }
  const old = await corpusOf(flags, campaign, catalogue);
  const asked = [...old.cases, ...campaign.filter((value) => !old.has(value))];
  const sample = sampleOf(options, flags, catalogue);
  const drawn = new Set(asked.filter((value) => value.drawn === true).map(formatCase));
  const shard = shardOf(flags);
  await ensureWritable(options.out);
  if (flags.update === true) await ensureWritable(folder);
  const colors = colorsFor(process.stderr);
  const watched = flags.timing === true ? watch() : undefined;
  const stop = stopper(options.timeLimit);
  const bail = bailOf(flags);
  let failures = 0;
  const ended = () => failures >= bail || stop.asked();
  let progress: Progress | undefined;
  const replay = (...texts: string[]) =>
    `${invocation()} gate ${filesText(files, flags)}${casesOption(...texts)}${sameJudge(flags)}`;
  try {
    const { machine, baselines, ...outcome } = await judge({
      ...{ catalogue, sessionOf },
      ...{ adapter: options.adapter, toggles: options.toggles, thresholds: options.thresholds },
      ...{ asked, sample, shard, whole: isWhole(flags), thin: thinIn(options, flags, catalogue) },
      ...(flags.case === undefined ? { beside: besideOf(options, catalogue) } : {}),
      ...{
        waivers: options.waivers?.map(readWaiver) ?? [],
        notes: [...onConfig, ...old.notes, ...refusals(options, flags, catalogue)],
      },
      ...{ budget: flags.case === undefined ? secondsFor(options) : undefined },
      ...{ inspect: flags.case === undefined, stop: ended, timing: watched?.timing },
      jobs: jobsOf(options.jobs, flags, [...asked, ...sample], catalogue),
      baselines: (id) => readBaselines(folder, id, (sentence) => process.stderr.write(`${sentence}\n`)),
      onStart(machine, planned) {
        const where = placeInWords(machine.fingerprint);
        process.stderr.write(
          `On ${where}, as ${machine.chosenBecause}: ${counted(planned.length, 'case')}.\n`,
        );
        progress = startProgress({ stream: process.stderr, planned: planned.length, colors });
      },
      onCase(result) {
        if (result.verdict === 'fail' && result.waived === undefined) failures++;
        progress?.done(result);
      },
      onInspect: (kernel, question) => progress?.say(`Inspecting ${oneLine(kernel, LONGEST)}`, question),
      shrink: (groups, scheduler) =>
        withShrunk(groups, { judge: scheduler, stop: orAfter(SHRINKING, stop.asked), replay }),
      replay,
    });
    progress?.finish();
    const results = resultsOf(machine, seedOf(campaignOf(options)), outcome);
    const code = await publish(results, {
      ...options,
      open: flags.open === true,
      verbose: flags.verbose === true,
    });
    process.stderr.write(watched?.text() ?? '');
    if (isRecordable(flags) && results.verdict === 'pass') process.stderr.write(withoutDrift(baselines));
    if (flags.update === true) {
      const fixed = results.cases.filter((result) => !drawn.has(result.case));
      const { updated, added } = withMissing(baselines, fixed);
      await writeBaselines(folder, updated);
      process.stderr.write(`${counted(added, 'baseline')} added for ${updated.adapter}.\n`);
    }
    return code;
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
const isRecordable = ({ case: named, shard, update }: Flags): boolean =>
  named === undefined && shard === undefined && update !== true && !inCi();

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

const isWhole = (flags: Flags) => ['case', 'files', ...OF_A_CASE].every((name) => flags[name] === undefined);

function shardOf({ shard }: Flags): Shard | undefined {
  if (shard === undefined) return undefined;
  const { because, ...chosen } = parseShard(parseText('--shard', shard), process.env);
  if (because !== undefined) {
    process.stderr.write(`Shard ${chosen.index} of ${chosen.of}, by ${because}.\n`);
  }
  return chosen;
}

interface Corpus {
  readonly cases: readonly PlannedCase[];
  readonly notes: readonly string[];
  /** Whether a case is among them. */
  has(value: PlannedCase): boolean;
}

/** The failures that were found before in the kernels of a campaign; those that can no longer be run are named. */
async function corpusOf(
  flags: Flags,
  campaign: readonly PlannedCase[],
  catalogue: Catalogue,
): Promise<Corpus> {
  const named = flags.corpus === undefined ? undefined : parseText('--corpus', flags.corpus);
  const folder = storedFolder('corpus', named);
  if (flags.case !== undefined) return { cases: [], notes: [], has: () => false };
  const { entries, problems } = await readCorpus(folder);
  const kernels = new Set(campaign.map(({ kernel }) => kernel));
  const { cases, notes } = corpusPlan(
    entries,
    (kernel) => kernels.has(kernel),
    (value) => checkCase(value, catalogue),
  );
  const known = new Set(cases.filter(({ after }) => after === undefined).map(formatCase));
  const all = [...problems.map(({ message }) => message), ...notes];
  return { cases, notes: all, has: (value) => known.has(formatCase(value)) };
}

/** The kernels of a campaign, and those of them that are not ours. */
function kernelsIn(options: Options, catalogue: Catalogue) {
  const names = [...new Set(campaignOf(options).kernels.flatMap((pattern) => catalogue.expand(pattern)))];
  return { names, external: names.flatMap((name) => catalogue.external(name) ?? []) };
}

/** Options that say how kernels of ours multiply. */
const OF_OURS = ['levels', 'fringe', 'tail'];

/** @throws ParanoiaError `idle-option` where one changes nothing for any kernel of the run. */
function requireUseful(options: Options, flags: Flags, catalogue: Catalogue): void {
  const { names, external } = kernelsIn(options, catalogue);
  if (external.length === 0 || external.length < names.length) return;
  const idle = OF_OURS.find((name) => flags[name] !== undefined);
  const kernels = external.map(({ name }) => name);
  if (idle !== undefined)
    throw idleOption({ option: `--${idle}`, kernels, why: 'claims say how such a kernel multiplies' });
  const wanted = flags.precision === undefined ? undefined : options.precisions;
  if (wanted === undefined || external.some(({ precision = 'f32' }) => wanted.includes(precision))) return;
  throw idleOption({
    option: '--precision',
    kernels,
    why: 'such a kernel computes in the precision that it names',
  });
}

/** Sentences on kernels that take few of the shapes that a default campaign draws. */
function thinIn(options: Options, flags: Flags, catalogue: Catalogue): string[] {
  if (flags.case !== undefined || options.sizes !== undefined) return [];
  return kernelsIn(options, catalogue).external.flatMap((spec) => describeThin(spec) ?? []);
}

/** What kernels that are not ours leave out of a campaign. */
function refusals(options: Options, flags: Flags, catalogue: Catalogue): string[] {
  if (flags.case !== undefined) return [];
  const campaign = campaignOf(options);
  return kernelsIn(options, catalogue).external.flatMap((spec) => {
    const refused = refusedBy(campaign, spec);
    const untaken = campaign.plain ? undefined : describeUntaken(spec);
    return [
      ...(refused === undefined ? [] : [describeRefused(refused)]),
      ...(untaken === undefined ? [] : [untaken]),
    ];
  });
}

function plan(options: Options, flags: Flags, catalogue: Catalogue): PlannedCase[] {
  if (flags.case === undefined) return planCampaign(campaignOf(options), catalogue);
  // The precision of a kernel in a file that does not say it is part of how it is read.
  const of = flags.files === undefined ? OF_A_CASE : OF_A_CASE.filter((name) => name !== 'precision');
  const other = of.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw conflictingOptions({ one: '--case', other: `--${other}` });
  for (const text of [flags.case].flat()) {
    for (const note of saysOldWords('The case', String(text))) process.stderr.write(`${note}\n`);
  }
  return [flags.case].flat().map((text) => ({ ...parseCase(String(text)), series: false }));
}

/** What is drawn where a kernel is seen to take another path. */
function besideOf(options: Options, catalogue: Catalogue) {
  const campaign = campaignOf(options);
  return (kernel: string, around: Around) => {
    const spec = catalogue.external(kernel);
    return spec === undefined ? [] : casesBeside(campaign, spec, around);
  };
}

/** A run that names neither cases nor sizes nor precisions also samples the other precisions and fused products. */
function sampleOf(options: Options, flags: Flags, catalogue: Catalogue): PlannedCase[] {
  const named = flags.case ?? options.sizes ?? options.precisions;
  return named === undefined ? defaultSample(campaignOf(options), catalogue) : [];
}
