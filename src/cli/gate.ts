import type { CAC } from 'cac';
import { algorithms } from '../algorithms/algorithms.ts';
import { campaignOf } from '../config/campaign-of.ts';
import { parseFlags, parseText } from '../config/flags.ts';
import { loadConfig } from '../config/node/load.ts';
import { mergeOptions, type Options } from '../config/options.ts';
import { type PrecisionName, precisionNames } from '../formats/precision.ts';
import { withMissing } from '../gate/baselines.ts';
import { type PlannedCase, planCampaign } from '../gate/campaign.ts';
import { parseCase } from '../gate/case.ts';
import { checkCase } from '../gate/check-case.ts';
import { Laboratory } from '../gate/evidence.ts';
import { precisionSample } from '../gate/precision-sample.ts';
import type { Results } from '../gate/results.ts';
import { runGate } from '../gate/run-gate.ts';
import { computationIn } from '../gpu/computation.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { leafFamilies } from '../gpu/leaves/leaves.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { probeDevice } from '../gpu/probe/probe.ts';
import { inputs } from '../inputs/inputs.ts';
import { allBuiltinNames } from '../kernel/builtin.ts';
import { EXIT, Problem, problem } from '../problems.ts';
import { openExactPool } from '../reference/node/pool.ts';
import { colorsFor } from '../report/node/colors.ts';
import { reporters } from '../report/node/reporters.ts';
import { appendStepSummary, ensureWritable, writeReports } from '../report/node/write-report.ts';
import { counted } from '../report/numbers.ts';
import { DEFAULT_WIDTH, startProgress } from '../report/progress.ts';
import { tableReport } from '../report/table.ts';
import { readBaselines, writeBaselines } from './baseline-file.ts';
import { invocation } from './invocation.ts';
import { resultsOf } from './results-of.ts';
import { stopper } from './stopper.ts';

/** Adds the command `gate` to the command line. */
export function registerGate(cli: CAC): void {
  cli
    .command('gate', 'Judge kernels: pass, fail or inconclusive, case by case')
    .option('--config <file>', 'The config (default: the nearest paranoia.config.ts)')
    .option(
      '--adapter <name>',
      'hardware, software, or part of an adapter name (default: hardware, else software)',
    )
    .option('--kernel <names>', 'strassen, :tiled, strassen:register, … (default: all)')
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
    .option('--toggle <names>', 'Dawn toggles to enable, such as vulkan_enable_f16_on_nvidia')
    .option('--case <case>', 'Run this case alone: what a failure prints')
    .option('--reporter <list>', 'Files to write: table, json, junit, markdown (default: json)')
    .option('--out <folder>', 'Where to write them (default: reports/local)')
    .option('--baselines <folder>', 'Where baselines are (default: fixtures/baselines)')
    .option('--time-limit <seconds>', 'Begin no case after so long; the verdict is then inconclusive')
    .option('-u, --update', 'Write the baselines that are missing; refused where CI is set')
    .example('gemm-paranoia gate --kernel strassen --size 64,129x65x33')
    .action((flags: Flags) => gate(flags));
}

/** The flags of `gate` that no config has, and the others. */
interface Flags extends Record<string, unknown> {
  readonly config?: string;
  readonly case?: string | string[];
  readonly update?: boolean;
}

/** Names a config and the flags may use. */
const known = {
  kernels: [
    ...algorithms.map(({ name }) => name),
    ...leafFamilies.map((leaf) => `:${leaf}`),
    ...allBuiltinNames,
  ],
  inputs: inputs.map(({ name }) => name),
  reporters: reporters.map(({ name }) => name),
};

const inCi = (): boolean => !['', '0', 'false'].includes(process.env.CI ?? '');

async function gate(flags: Flags): Promise<number> {
  if (flags.update === true && inCi()) throw problem('no-update-in-ci', {});
  const path = flags.config === undefined ? undefined : parseText('--config', flags.config);
  const { config } = await loadConfig(known, { path });
  const options = mergeOptions(config, parseFlags(flags, known));
  const asked = plan(options, flags);
  if (asked.length === 0) throw problem('no-cases', {});
  for (const value of asked) checkCase(value);
  await ensureWritable(options.out);
  if (flags.update === true) await ensureWritable(options.baselines);
  const { adapter, toggles = [] } = options;
  const first = await openNodeDevice({ adapter, toggles });
  for (const precision of precisionsOf(asked)) await computationIn(first, precision);
  const planned = [...asked, ...(await served(first, sampleOf(options, flags)))];
  const baselines = await readBaselines(options.baselines, first.fingerprint.id);
  process.stderr.write(
    `On ${first.fingerprint.name} (${first.chosenBecause}): ${counted(planned.length, 'case')}.\n`,
  );
  const probe = await probeDevice(first);
  const pool = openExactPool();
  const colors = colorsFor(process.stderr);
  const progress = startProgress({ stream: process.stderr, planned: planned.length, colors });
  const stop = stopper(options.timeLimit);
  try {
    const { open, ...outcome } = await runGate(planned, {
      open: first,
      reopen: () => openNodeDevice({ adapter, toggles }),
      laboratory: new Laboratory(pool.product),
      thresholds: options.thresholds,
      baselines,
      onCase: (result) => progress.done(result),
      stop: stop.asked,
      replay: (text) => `${invocation()} gate --case '${text}'${sameJudge(flags)}`,
    });
    open.close();
    progress.finish();
    const results = resultsOf(first, options.seed, { probe, ...outcome });
    await publish(results, options);
    if (flags.update === true) {
      const { updated, added } = withMissing(baselines, results.cases);
      await writeBaselines(options.baselines, updated);
      process.stderr.write(`${added} baselines added for ${updated.adapter}.\n`);
    }
    return { pass: EXIT.pass, fail: EXIT.fail, inconclusive: EXIT.inconclusive }[results.verdict];
  } finally {
    stop.release();
    await pool.close();
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

function plan(options: Options, flags: Flags): PlannedCase[] {
  if (flags.case === undefined) return planCampaign(campaignOf(options));
  const other = OF_A_CASE.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw problem('conflicting-options', { one: '--case', other: `--${other}` });
  return [flags.case].flat().map((text) => ({ ...parseCase(String(text)), series: false }));
}

const precisionsOf = (cases: readonly PlannedCase[]): PrecisionName[] => [
  ...new Set(cases.map(({ precision }) => precision ?? 'f32')),
];

/** A run that names neither cases nor sizes nor precisions also samples the other precisions. */
function sampleOf(options: Options, flags: Flags): PlannedCase[] {
  const named = flags.case ?? options.sizes ?? options.precisions;
  return named === undefined ? precisionSample(campaignOf(options)) : [];
}

/** The cases whose precision the device serves; says which it does not. */
async function served(open: OpenDevice, cases: readonly PlannedCase[]): Promise<PlannedCase[]> {
  const refused = new Set<PrecisionName>();
  for (const precision of precisionsOf(cases)) {
    try {
      await computationIn(open, precision);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'precision-unserved') throw error;
      refused.add(precision);
      process.stderr.write(`${error.message}\n`);
    }
  }
  return cases.filter(({ precision }) => precision === undefined || !refused.has(precision));
}

async function publish(results: Results, options: Options): Promise<void> {
  const width = process.stdout.columns ?? DEFAULT_WIDTH;
  process.stdout.write(tableReport(results, { colors: colorsFor(process.stdout), width }));
  const files = await writeReports(results, options);
  try {
    await appendStepSummary(results);
  } catch (error) {
    // The summary is a courtesy: the verdict and its exit code stand without it.
    process.stderr.write(`${(error as Error).message}\n`);
  }
  for (const file of files) process.stderr.write(`Wrote ${file}\n`);
}
