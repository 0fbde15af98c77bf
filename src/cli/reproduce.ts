import { join } from 'node:path';
import type { CAC } from 'cac';
import picocolors from 'picocolors';
import { parseChoices, parseList, parseNumber, parseText } from '../config/flags.ts';
import { type Range, ranges } from '../config/ranges.ts';
import { formatCase } from '../gate/case.ts';
import type { Results } from '../gate/results.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { EXIT } from '../problems.ts';
import { openExactPool } from '../reference/node/pool.ts';
import { colorsFor } from '../report/node/colors.ts';
import { ensureWritable, writeReports, writeWhole } from '../report/node/write-report.ts';
import { counted, duration } from '../report/numbers.ts';
import { DEFAULT_WIDTH } from '../report/progress.ts';
import { Bench } from '../study/bench.ts';
import type { MeasuredProduct } from '../study/measured-product.ts';
import { type Provenance, readPartial, writePartial } from '../study/node/partial-file.ts';
import { productsOf, runStudy, type StudyRun } from '../study/run-study.ts';
import { findStudy, studies } from '../study/studies.ts';
import type { CellPlan, StudyProduct, StudyRecord } from '../study/study.ts';
import { judge } from '../study/study-cells.ts';
import { studyOutcome } from '../study/study-outcome.ts';
import { studyText } from '../study/study-text.ts';
import { invocation } from './invocation.ts';
import { resultsOf } from './results-of.ts';
import { type Stopper, stopper } from './stopper.ts';
import { packageVersion } from './version.ts';

/** Adds the command `reproduce` to the command line. */
export function registerReproduce(cli: CAC): void {
  cli
    .command('reproduce <study>', `Measure a published study again: ${studies.map(({ name }) => name)}`)
    .option('--figures <list>', 'Only these figures: 30,31 (default: all)')
    .option('--max-size <n>', 'No product larger than this (default: 2048 in software, else any)')
    .option('--pairs <n>', 'Random pairs, where a table is over several (default: as published)')
    .option('--shrink <factor>', 'Divide all sizes, to see the machinery work: nothing is then compared')
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option('--toggle <names>', 'Dawn toggles to enable, such as vulkan_enable_f16_on_nvidia')
    .option('--out <folder>', 'Where results are written, and taken up again (default: reports/local)')
    .option('--fresh', 'Measure again what an earlier run has finished')
    .option('--time-limit <seconds>', 'Begin no product after so long; the same command goes on later')
    .example('gemm-paranoia reproduce strassen-2011 --figures 30,31 --max-size 4096')
    .action((name: string, flags: Flags) => reproduce(findStudy(name), optionsOf(findStudy(name), flags)));
}

type Flags = Readonly<Record<string, unknown>>;

interface Options {
  readonly figures: readonly string[];
  readonly maxSize: number | undefined;
  readonly pairs: number;
  readonly shrink: number;
  readonly device: { readonly adapter?: string | undefined; readonly toggles: readonly string[] };
  readonly out: string;
  readonly fresh: boolean;
  readonly timeLimit: number | undefined;
  /** What the command that repeats a product says of the adapter. */
  readonly sameDevice: string;
}

const whole = (least: number, most: number): Range => ({
  least,
  most,
  whole: true,
  need: `a whole number from ${least} to ${most}`,
});

function optionsOf({ figures, pairs }: StudyRecord, flags: Flags): Options {
  const number = (name: string, option: string, range: Range) =>
    flags[name] === undefined ? undefined : parseNumber(option, flags[name], range);
  const { adapter, toggle } = flags;
  return {
    figures: flags.figures === undefined ? figures : parseChoices('--figures', flags.figures, figures),
    maxSize: number('maxSize', '--max-size', ranges.size),
    pairs: number('pairs', '--pairs', whole(1, 1000)) ?? pairs,
    shrink: number('shrink', '--shrink', whole(1, 1024)) ?? 1,
    device: {
      adapter: adapter === undefined ? undefined : parseText('--adapter', adapter),
      toggles: toggle === undefined ? [] : parseList('--toggle', toggle),
    },
    out: flags.out === undefined ? 'reports/local' : parseText('--out', flags.out),
    fresh: flags.fresh === true,
    timeLimit: number('timeLimit', '--time-limit', ranges.timeLimit),
    sameDevice: [
      ...(adapter === undefined ? [] : [` --adapter '${adapter}'`]),
      ...(toggle === undefined ? [] : [` --toggle '${toggle}'`]),
    ].join(''),
  };
}

/** Sizes up to which a software adapter multiplies in tolerable time. */
const SOFTWARE_SIZE = 2048;

async function reproduce(study: StudyRecord, options: Options): Promise<number> {
  const start = performance.now();
  const { figures, out, device } = options;
  await ensureWritable(out);
  const open = await openNodeDevice(device);
  const maxSize =
    options.maxSize ?? (open.fingerprint.kind === 'software' ? SOFTWARE_SIZE : ranges.size.most);
  const asked = study
    .cells(options)
    .filter(({ figure }) => figures.some((number) => figure === `Figure ${number}`));
  const products = productsOf(asked).filter(({ case: { n } }) => n <= maxSize);
  process.stderr.write(
    `On ${open.fingerprint.name} (${open.chosenBecause}): ${counted(products.length, 'product')} for ${asked.length} cells.\n`,
  );
  const stop = stopper(options.timeLimit);
  try {
    const run = await measureAll(study, products, open, options, stop);
    const whyNot = ({ case: value }: StudyProduct) =>
      value.n > maxSize
        ? `n = ${value.n} is more than --max-size, ${maxSize}.`
        : (run.failures.get(formatCase(value)) ?? 'The run ended before it.');
    const findings = { finished: run.finished, whyNot, shrink: options.shrink };
    const outcome = studyOutcome({
      study,
      cells: asked.map((cell: CellPlan) => judge(cell, study, findings)),
      products,
      finished: run.finished,
      stopped: run.stopped,
      seconds: (performance.now() - start) / 1000,
      replay: (product) => `${invocation()} ${measureCommand(product)}${options.sameDevice}`,
    });
    const results = resultsOf(open, 1, outcome);
    await publish(results, out);
    if (run.stopped !== undefined) {
      process.stderr.write(`${run.stopped} What is finished is kept: the same command goes on from there.\n`);
    }
    return { pass: EXIT.pass, fail: EXIT.fail, inconclusive: EXIT.inconclusive }[results.verdict];
  } finally {
    stop.release();
  }
}

/** Measures what an earlier run has not, and keeps every product as soon as it is finished. */
async function measureAll(
  study: StudyRecord,
  products: readonly StudyProduct[],
  first: OpenDevice,
  { out, fresh, device }: Options,
  stop: Stopper,
): Promise<StudyRun> {
  const file = join(out, `${study.name}.partial.json`);
  const { id: adapter, toggles } = first.fingerprint;
  const provenance: Provenance = { study: study.name, version: packageVersion(), adapter, toggles };
  const kept = fresh ? new Map<string, MeasuredProduct>() : await readPartial(file, provenance);
  const before = products.filter((product) => kept.has(formatCase(product.case))).length;
  if (before > 0)
    process.stderr.write(`${counted(before, 'product')} of them finished before: taken from ${file}.\n`);
  const pool = openExactPool();
  let open = first;
  const bench = new Bench(open, pool.product);
  let begun = performance.now();
  try {
    return await runStudy({
      products,
      finished: kept,
      measure: (product) => bench.measure(product),
      reopen: async () => {
        process.stderr.write('The device was lost; opening it again.\n');
        open = await openNodeDevice(device);
        bench.moveTo(open);
      },
      stop: stop.asked,
      onBegin: (product, left) => {
        begun = performance.now();
        process.stderr.write(`${counted(left, 'product')} left: ${titleOf(product)} … `);
      },
      onDone: async (_, finished) => {
        process.stderr.write(`${duration((performance.now() - begun) / 1000)}\n`);
        await writePartial(file, provenance, finished);
      },
    });
  } finally {
    open.close();
    await pool.close();
  }
}

function titleOf({ case: { kernel, levels, n, input, seed, precision = 'f32' } }: StudyProduct): string {
  return `${kernel}, ${counted(levels, 'level')}, ${precision}, ${input}, n = ${n}, seed ${seed}`;
}

/** The `measure` command of a product. */
function measureCommand({ case: value }: StudyProduct): string {
  const { kernel, levels, input, n, seed, init, precision } = value;
  const [algorithm, leaf] = kernel.split(':');
  const words = { algorithm, levels, leaf, input, size: n, seed, init, precision };
  const given = Object.entries(words).filter(([, word]) => word !== undefined);
  return ['measure', ...given.map(([name, word]) => `--${name} ${word}`)].join(' ');
}

const plain = { colors: picocolors.createColors(false), width: DEFAULT_WIDTH };

async function publish(results: Results, out: string): Promise<void> {
  const width = process.stdout.columns ?? DEFAULT_WIDTH;
  process.stdout.write(studyText(results, { colors: colorsFor(process.stdout), width }));
  const files = await writeReports(results, { reporters: ['json'], out });
  await writeWhole(join(out, 'study.txt'), studyText(results, plain));
  for (const file of [...files, join(out, 'study.txt')]) process.stderr.write(`Wrote ${file}\n`);
}
