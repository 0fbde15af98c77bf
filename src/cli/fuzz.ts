import { join } from 'node:path';
import type { CAC } from 'cac';
import { kernelNames } from '../config/campaign-of.ts';
import { parseText } from '../config/flags.ts';
import type { Options } from '../config/options.ts';
import { type PrecisionName, precisionNames } from '../formats/precision.ts';
import { corpusPlan, entryOf } from '../fuzz/corpus.ts';
import type { Finding } from '../fuzz/finding.ts';
import { Judge } from '../fuzz/judge.ts';
import { readCorpus, writeCorpus } from '../fuzz/node/corpus-files.ts';
import { runFuzz } from '../fuzz/run-fuzz.ts';
import { type Target, targetOf } from '../fuzz/target.ts';
import { checkCase } from '../gate/check-case.ts';
import { Laboratory } from '../gate/evidence.ts';
import { openWorkshop } from '../gate/node/workshop.ts';
import { inputs } from '../inputs/inputs.ts';
import { builtinNames } from '../kernel/builtin.ts';
import type { Catalogue } from '../kernel/catalogue.ts';
import { findFault } from '../kernel/faults/faults.ts';
import { problem } from '../problems.ts';
import { openExactPool } from '../reference/node/pool.ts';
import { colorsFor } from '../report/node/colors.ts';
import { ensureWritable } from '../report/node/write-report.ts';
import { DEFAULT_WIDTH } from '../report/progress.ts';
import type { Look } from '../report/table.ts';
import { type FuzzFlags, type FuzzPlan, fuzzPlan } from './fuzz-options.ts';
import { startRate } from './fuzz-rate.ts';
import { championsText, coverageText, replayText } from './fuzz-text.ts';
import { invocation } from './invocation.ts';
import { optionsOf } from './options-of.ts';
import { publish } from './publish.ts';
import { resultsOf } from './results-of.ts';
import { stopper } from './stopper.ts';
import { timingHelp, watch } from './timing-text.ts';
import { packageVersion } from './version.ts';

/** Adds the command `fuzz` to the command line. */
export function registerFuzz(cli: CAC): void {
  cli
    .command('fuzz', 'Draw cases at random, and shrink what fails to the smallest case')
    .option('--config <file>', 'The config (default: the nearest paranoia.config.ts)')
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option('--kernel <names>', 'As for gate (default: those of the config, else all of ours)')
    .option('--precision <list>', `${precisionNames.join(', ')} (default: f32)`)
    .option('--input <names>', 'Families of test matrices (default: all)')
    .option('--levels <list>', 'Levels of recursion (default: 0 to 3, deep ones rarely)')
    .option('--max-size <n>', 'The largest m, k and n (default: 64)')
    .option('--runs <n>', 'Cases of each kernel (default: 500, or until --time is over)')
    .option('--time <time>', 'Draw no more after so long: 90s, 10m, 2h')
    .option('--seed <n>', 'What everything is drawn from (default: 1)')
    .option('--path <path>', 'Run this case of the seed alone, and shrink it: what a violation prints')
    .option('--maximize', 'Search the worst error instead of a violation')
    .option(
      '--of <what>',
      'What to search the largest of: sigmas or bound (default, with --maximize: sigmas)',
    )
    .option('--sigmas <x>', 'The largest error allowed, in sigmas (default: 6)')
    .option('--toggle <names>', 'Dawn toggles to enable')
    .option('--corpus <folder>', 'Where found failures are kept (default: fixtures/corpus)')
    .option('--shard <i/n>', 'Run this part of the cases: 2/8; auto and auto/8 ask the scheduler')
    .option('--fault <name>', 'Plant a fault of the self-test in the kernel, to see it found')
    .option('--reporter <list>', 'Files to write: table, json, junit, markdown (default: json)')
    .option('--out <folder>', 'Where to write them (default: reports/local)')
    .option('--timing', timingHelp)
    .example('gemm-paranoia fuzz --kernel strassen --time 10m')
    .action((flags: FuzzFlags) => fuzz(flags));
}

async function fuzz(flags: FuzzFlags): Promise<number> {
  const plan = fuzzPlan(flags);
  if (plan.shard?.because !== undefined) {
    process.stderr.write(`Shard ${plan.shard.index} of ${plan.shard.of}, by ${plan.shard.because}.\n`);
  }
  const { options, catalogue, sessionOf } = await optionsOf(flags);
  const names = kernelsOf(options, plan, catalogue);
  await ensureWritable(options.out);
  const { entries, problems } = await readCorpus(plan.corpus);
  const workshop = await openWorkshop(names, {
    ...{ catalogue, sessionOf },
    ...{ adapter: options.adapter, toggles: options.toggles },
  });
  const pool = openExactPool();
  const watched = flags.timing === true ? watch() : undefined;
  const signals = stopper(plan.time);
  try {
    const { machine } = workshop;
    await workshop.start(names);
    const judge = new Judge({
      ...{ machine, reopen: workshop.reopen, kernelOf: workshop.kernelOf },
      ...{ laboratory: new Laboratory(pool.product, watched?.timing), thresholds: options.thresholds },
      replay: (text) => `${invocation()} gate --case '${text}'${said(flags, OF_A_JUDGE)}`,
    });
    const targets = await targetsOf(names, options, plan, judge, catalogue);
    if (plan.path !== undefined && targets.length !== 1) {
      throw problem('missing-option', { option: '--kernel', need: 'one kernel: a path belongs to one' });
    }
    const corpus = corpusPlan(
      entries,
      (kernel) => plan.fault === undefined && names.includes(kernel),
      (value) => checkCase(value, catalogue),
    );
    const notes = [...problems.map(({ message }) => message), ...corpus.notes];
    for (const note of notes) process.stderr.write(`${note}\n`);
    process.stderr.write(
      introduction(machine.fingerprint.name, targets, plan, corpus.cases.length, options.seed),
    );
    const look: Look = { colors: colorsFor(process.stdout), width: process.stdout.columns ?? DEFAULT_WIDTH };
    const rate = startRate(process.stderr);
    const written: Promise<string>[] = [];
    const outcome = await runFuzz({
      ...{ targets, judge, corpus: corpus.cases, seed: options.seed, runs: plan.runs, stop: signals.asked },
      ...{ path: plan.path, objective: plan.objective },
      space: { maxSize: plan.maxSize, families: familiesOf(options) },
      mine: mineOf(plan),
      onJudged: () => rate.judged(),
      onFinding(finding) {
        rate.clear();
        process.stdout.write(replayText(finding, finding.result.replay, replayOf(finding, flags), look));
        written.push(...kept(finding, plan, options, machine.fingerprint.id));
      },
      onChampion({ value, result }, { unit }) {
        rate.clear();
        process.stderr.write(`${Number(value.toPrecision(4))} ${unit}: ${result.case}\n`);
      },
    });
    rate.clear();
    const { findings: _, ...found } = outcome;
    const results = resultsOf(machine, options.seed, {
      ...found,
      ...partOf(plan),
      versions: await workshop.versions(),
      ...(notes.length === 0 ? {} : { notes }),
    });
    process.stdout.write(`${coverageText(outcome.fuzz, look)}\n`);
    process.stdout.write(championsText(outcome.fuzz.champions ?? []));
    const code = await publish(results, options);
    for (const file of await Promise.all(written)) process.stderr.write(`Wrote ${file}\n`);
    process.stderr.write(watched?.text() ?? '');
    return code;
  } finally {
    signals.release();
    await workshop.close();
    await pool.close();
  }
}

/** The kernels asked for, or the one that a fault is planted in. */
function kernelsOf({ kernels }: Options, { fault }: FuzzPlan, catalogue: Catalogue): string[] {
  const planted = fault === undefined ? undefined : findFault(fault).kernel;
  const patterns = planted === undefined ? ((kernels && kernelNames(kernels)) ?? builtinNames) : [planted];
  return [...new Set(patterns.flatMap((pattern) => catalogue.expand(pattern)))];
}

/** @throws Problem `precision-unserved` for a precision that was asked for */
async function targetsOf(
  names: readonly string[],
  { precisions = ['f32'], levels }: Options,
  { fault }: FuzzPlan,
  judge: Judge,
  catalogue: Catalogue,
): Promise<Target[]> {
  const targets: Target[] = [];
  for (const kernel of names) {
    const own = catalogue.foreign(kernel);
    const each: readonly PrecisionName[] = own === undefined ? precisions : [own.precision ?? 'f32'];
    for (const precision of each) {
      targets.push(targetOf(await judge.kernel({ kernel, precision, fault }), { fault, levels }));
    }
  }
  return targets;
}

const familiesOf = ({ inputs: names }: Options) =>
  names === undefined ? inputs : inputs.filter(({ name }) => names.includes(name));

/** Which part of the campaign results are: its cases are drawn, so that they have no places in it. */
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
  const many = Number.isFinite(runs) ? ` ${runs} cases each` : '';
  const what =
    path !== undefined
      ? `the case at ${path}`
      : `${objective === undefined ? 'searching violations' : `searching the largest ${objective.name}`}${many}${long}`;
  const first = corpus === 0 || path !== undefined ? '' : `, after ${corpus} of the corpus`;
  return `On ${machine}: ${kernels}, ${what}, seed ${seed}${first}.\n`;
}

/** Options that change how a case is judged, and those that change what is drawn: a replay repeats them. */
const OF_A_JUDGE = ['config', 'adapter', 'toggle', 'sigmas'];
const OF_A_DRAW = ['input', 'levels', 'max-size', 'fault'];

function said(flags: FuzzFlags, names: readonly string[]): string {
  return names
    .flatMap((name) => {
      const value = flags[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
      return value === undefined ? [] : [` --${name} '${parseText(name, value)}'`];
    })
    .join('');
}

/** The command that draws a violation again from its seed. */
function replayOf({ path, seed, result }: Finding, flags: FuzzFlags): string | undefined {
  if (path === undefined) return undefined;
  const precision = result.precision === 'f32' ? '' : ` --precision ${result.precision}`;
  const drawn = `--kernel ${result.kernel}${precision} --seed ${seed} --path ${path}`;
  return `${invocation()} fuzz ${drawn}${said(flags, [...OF_A_DRAW, ...OF_A_JUDGE])}`;
}

const inCi = (): boolean => !['', '0', 'false'].includes(process.env.CI ?? '');

/** Writes what was found beside the results; also into the corpus, unless this is CI or the fault was planted. */
function kept(
  finding: Finding,
  { corpus, fault }: FuzzPlan,
  { out }: Options,
  adapter: string,
): Promise<string>[] {
  const entry = entryOf(finding, { version: packageVersion(), adapter, date: new Date().toISOString() });
  const folders = [join(out, 'corpus'), ...(inCi() || fault !== undefined ? [] : [corpus])];
  return folders.map((folder) => {
    const path = writeCorpus(folder, entry);
    // A folder that cannot be written to is told of at the end; until then the campaign goes on.
    path.catch(() => {});
    return path;
  });
}
