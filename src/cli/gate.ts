import type { CAC } from 'cac';
import { campaignOf } from '../config/campaign-of.ts';
import { parseText } from '../config/flags.ts';
import type { Options } from '../config/options.ts';
import { precisionNames } from '../formats/precision.ts';
import { corpusPlan } from '../fuzz/corpus.ts';
import { readCorpus } from '../fuzz/node/corpus-files.ts';
import { withMissing } from '../gate/baselines.ts';
import type { PlannedCase } from '../gate/campaign.ts';
import { formatCase, parseCase } from '../gate/case.ts';
import { checkCase } from '../gate/check-case.ts';
import { defaultSample } from '../gate/default-sample.ts';
import { describeRefused, refusedBy } from '../gate/foreign-campaign.ts';
import { judge } from '../gate/node/judge.ts';
import { planCampaign } from '../gate/plan-campaign.ts';
import { parseShard, type Shard } from '../gate/shard.ts';
import { readWaiver } from '../gate/waivers.ts';
import type { Catalogue } from '../kernel/catalogue.ts';
import { problem } from '../problems.ts';
import { colorsFor } from '../report/node/colors.ts';
import { ensureWritable } from '../report/node/write-report.ts';
import { counted } from '../report/numbers.ts';
import { type Progress, startProgress } from '../report/progress.ts';
import { readBaselines, writeBaselines } from './baseline-file.ts';
import { invocation } from './invocation.ts';
import { optionsOf } from './options-of.ts';
import { publish } from './publish.ts';
import { resultsOf } from './results-of.ts';
import { stopper } from './stopper.ts';
import { storedFolder } from './stored-folder.ts';
import { timingHelp, watch } from './timing-text.ts';

/** Adds the command `gate` to the command line. */
export function registerGate(cli: CAC): void {
  cli
    .command('gate', 'Judge kernels: pass, fail or inconclusive, case by case')
    .option('--config <file>', 'The config (default: the nearest paranoia.config.ts)')
    .option(
      '--adapter <name>',
      'hardware, software, or part of an adapter name (default: hardware, else software)',
    )
    .option(
      '--kernel <names>',
      'strassen, :tiled, strassen:register, one of the config, … (default: those of the config, else all of ours)',
    )
    .option('--input <names>', 'Families of test matrices (default: those that apply to binary32)')
    .option('--levels <list>', 'Levels of recursion (default: 0,1,2,3)')
    .option('--size <list>', 'Sizes: 64 or 129x65x33 (default: 1, primes, tile edges ±1, rectangles)')
    .option('--precision <list>', `${precisionNames.join(', ')} (default: f32)`)
    .option('--border <list>', 'pad, peel (default: both)')
    .option('--edge <list>', 'guard, pad (default: both)')
    .option('--seed <n>', 'What all random numbers come from (default: 1)')
    .option('--replicates <n>', 'Seeds for each point of the growth series (default: 3)')
    .option('--sigmas <x>', 'The largest error allowed, in sigmas (default: 6)')
    .option('--drift <x>', 'The largest growth of the mean error over its baseline (default: 2)')
    .option(
      '--toggle <names>',
      'Dawn toggles to enable, such as vulkan_enable_f16_on_nvidia; Dawn ignores those it does not know',
    )
    .option('--case <case>', 'Run this case alone: what a failure prints')
    .option('--shard <i/n>', 'Run this part of the cases: 2/8; auto and auto/8 ask the scheduler')
    .option('--reporter <list>', 'Files to write: table, json, junit, markdown (default: json)')
    .option('--out <folder>', 'Where to write them (default: reports/local)')
    .option('--baselines <folder>', 'Where baselines are (default: fixtures/baselines)')
    .option('--corpus <folder>', 'Found failures, run before all else (default: fixtures/corpus)')
    .option('--time-limit <seconds>', 'Begin no case after so long; the verdict is then inconclusive')
    .option('--timing', timingHelp)
    .option('-u, --update', 'Write the baselines that are missing; refused where CI is set')
    .example('gemm-paranoia gate --kernel strassen --size 64,129x65x33')
    .action((flags: Flags) => gate(flags));
}

/** The flags of `gate` that no config has, and the others. */
interface Flags extends Record<string, unknown> {
  readonly config?: string;
  readonly case?: string | string[];
  readonly update?: boolean;
  readonly shard?: string;
  readonly corpus?: string;
  readonly timing?: boolean;
}

const inCi = (): boolean => !['', '0', 'false'].includes(process.env.CI ?? '');

async function gate(flags: Flags): Promise<number> {
  if (flags.update === true && inCi()) throw problem('no-update-in-ci', {});
  if (flags.update === true && flags.shard !== undefined) {
    throw problem('conflicting-options', { one: '--update', other: '--shard' });
  }
  const { options, catalogue, sessionOf } = await optionsOf(flags);
  const folder = storedFolder('baselines', options.baselines, flags.update);
  const campaign = plan(options, flags, catalogue);
  if (campaign.length === 0) throw problem('no-cases', {});
  for (const value of campaign) checkCase(value, catalogue);
  const old = await corpusOf(flags, campaign, catalogue);
  const asked = [...old.cases, ...campaign.filter((value) => !old.has(value))];
  const shard = shardOf(flags);
  await ensureWritable(options.out);
  if (flags.update === true) await ensureWritable(folder);
  const colors = colorsFor(process.stderr);
  const watched = flags.timing === true ? watch() : undefined;
  const stop = stopper(options.timeLimit);
  let progress: Progress | undefined;
  try {
    const { machine, baselines, ...outcome } = await judge({
      ...{ catalogue, sessionOf },
      ...{ adapter: options.adapter, toggles: options.toggles, thresholds: options.thresholds },
      ...{ asked, sample: sampleOf(options, flags, catalogue), shard, whole: isWhole(flags) },
      ...{
        waivers: options.waivers?.map(readWaiver) ?? [],
        notes: [...old.notes, ...refusals(options, flags, catalogue)],
      },
      ...{ inspect: flags.case === undefined, stop: stop.asked, timing: watched?.timing },
      baselines: (id) => readBaselines(folder, id),
      onStart(machine, planned, notes) {
        for (const note of notes) process.stderr.write(`${note}\n`);
        const { name } = machine.fingerprint;
        process.stderr.write(`On ${name} (${machine.chosenBecause}): ${counted(planned.length, 'case')}.\n`);
        progress = startProgress({ stream: process.stderr, planned: planned.length, colors });
      },
      onCase: (result) => progress?.done(result),
      replay: (text) => `${invocation()} gate --case '${text}'${sameJudge(flags)}`,
    });
    progress?.finish();
    const results = resultsOf(machine, options.seed, outcome);
    const code = await publish(results, options);
    process.stderr.write(watched?.text() ?? '');
    if (flags.update === true) {
      const { updated, added } = withMissing(baselines, results.cases);
      await writeBaselines(folder, updated);
      process.stderr.write(`${counted(added, 'baseline')} added for ${updated.adapter}.\n`);
    }
    return code;
  } finally {
    stop.release();
  }
}

/** Options that change how a case is judged: a replay repeats them. */
const OF_A_JUDGE = ['config', 'adapter', 'toggle', 'sigmas', 'drift', 'baselines'];

function sameJudge(flags: Flags): string {
  return OF_A_JUDGE.flatMap((name) =>
    flags[name] === undefined ? [] : [` --${name} '${flags[name]}'`],
  ).join('');
}

/** What a case says itself. */
const OF_A_CASE = ['kernel', 'precision', 'input', 'levels', 'size', 'border', 'edge', 'seed', 'replicates'];

const isWhole = (flags: Flags) => ['case', ...OF_A_CASE].every((name) => flags[name] === undefined);

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
  const known = new Set(cases.map(formatCase));
  const all = [...problems.map(({ message }) => message), ...notes];
  return { cases, notes: all, has: (value) => known.has(formatCase(value)) };
}

/** What kernels that are not ours leave out of a campaign. */
function refusals(options: Options, flags: Flags, catalogue: Catalogue): string[] {
  if (flags.case !== undefined) return [];
  const campaign = campaignOf(options);
  return [...new Set(campaign.kernels.flatMap((pattern) => catalogue.expand(pattern)))].flatMap((name) => {
    const spec = catalogue.foreign(name);
    const refused = spec === undefined ? undefined : refusedBy(campaign, spec);
    return refused === undefined ? [] : [describeRefused(refused)];
  });
}

function plan(options: Options, flags: Flags, catalogue: Catalogue): PlannedCase[] {
  if (flags.case === undefined) return planCampaign(campaignOf(options), catalogue);
  const other = OF_A_CASE.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw problem('conflicting-options', { one: '--case', other: `--${other}` });
  return [flags.case].flat().map((text) => ({ ...parseCase(String(text)), series: false }));
}

/** A run that names neither cases nor sizes nor precisions also samples the other precisions and fused products. */
function sampleOf(options: Options, flags: Flags, catalogue: Catalogue): PlannedCase[] {
  const named = flags.case ?? options.sizes ?? options.precisions;
  return named === undefined ? defaultSample(campaignOf(options), catalogue) : [];
}
