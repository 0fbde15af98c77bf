import { join } from 'node:path';
import type { CAC } from 'cac';
import picocolors from 'picocolors';
import { ranges } from '../config/ranges.ts';
import { formatCase } from '../gate/case.ts';
import type { Results } from '../gate/results.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { probeDevice } from '../gpu/probe/probe.ts';
import { EXIT } from '../problems.ts';
import { colorsFor } from '../report/node/colors.ts';
import { ensureWritable, writeReports, writeWhole } from '../report/node/write-report.ts';
import { counted } from '../report/numbers.ts';
import { DEFAULT_WIDTH } from '../report/progress.ts';
import { measureStudy } from '../study/node/measure-study.ts';
import { productsOf } from '../study/run-study.ts';
import { findStudy } from '../study/studies.ts';
import type { CellPlan, StudyProduct, StudyRecord } from '../study/study.ts';
import { judge } from '../study/study-cells.ts';
import { studyOutcome } from '../study/study-outcome.ts';
import { studyText } from '../study/study-text.ts';
import { invocation } from './invocation.ts';
import { describeReproduce, type ReproduceOptions, reproduceOptions } from './reproduce-options.ts';
import { resultsOf } from './results-of.ts';
import { stopper } from './stopper.ts';
import { packageVersion } from './version.ts';

/** Adds the command `reproduce` to the command line. */
export function registerReproduce(cli: CAC): void {
  describeReproduce(cli).action((name: string, flags: Readonly<Record<string, unknown>>) => {
    const study = findStudy(name);
    return reproduce(study, reproduceOptions(study, flags));
  });
}

/** Sizes up to which a software adapter multiplies in tolerable time. */
const SOFTWARE_SIZE = 2048;

async function reproduce(study: StudyRecord, options: ReproduceOptions): Promise<number> {
  const start = performance.now();
  const { figures, out, device, shrink } = options;
  await ensureWritable(out);
  const open = await openNodeDevice(device);
  const stop = stopper(options.timeLimit);
  try {
    const usual = open.fingerprint.kind === 'software' ? SOFTWARE_SIZE : ranges.size.most;
    const maxSize = options.maxSize ?? usual;
    const cells = study
      .cells(options)
      .filter(({ figure }) => figures.includes(figure.replace(/^Figure (\d+).*/, '$1')));
    const products = productsOf(cells).filter(({ case: { n } }) => n <= maxSize);
    if (products.length === 0 && cells.length > 0)
      process.stderr.write(`${noneSoSmall(cells, maxSize, shrink)}\n`);
    const found = `${counted(products.length, 'product')} for ${counted(cells.length, 'cell')}`;
    process.stderr.write(`On ${open.fingerprint.name} (${open.chosenBecause}): ${found}.\n`);
    const probe = await probeDevice(open);
    const run = await measureStudy({
      ...{ name: study.name, version: packageVersion(), products, open, out, fresh: options.fresh },
      reopen: () => openNodeDevice(device),
      stop: stop.asked,
      tell: (text) => process.stderr.write(text),
    });
    const whyNot = ({ case: value }: StudyProduct) =>
      value.n > maxSize
        ? `n = ${value.n} is more than --max-size, ${maxSize}.`
        : (run.failures.get(formatCase(value)) ?? 'The run ended before it.');
    const outcome = studyOutcome({
      study,
      cells: cells.map((cell) => judge(cell, study, { finished: run.finished, whyNot, shrink })),
      products,
      finished: run.finished,
      stopped: run.stopped,
      seconds: (performance.now() - start) / 1000,
      replay: (product) => `${invocation()} ${measureCommand(product)}${options.sameDevice}`,
    });
    const results = resultsOf(open, 1, { probe, ...outcome });
    await publish(results, out);
    if (run.stopped !== undefined) {
      process.stderr.write(`${run.stopped} What is finished is kept: the same command goes on from there.\n`);
    }
    return { pass: EXIT.pass, fail: EXIT.fail, inconclusive: EXIT.inconclusive }[results.verdict];
  } finally {
    open.close();
    stop.release();
  }
}

/** Why a run measures nothing, and what would. */
function noneSoSmall(cells: readonly CellPlan[], maxSize: number, shrink: number): string {
  const least = Math.min(...productsOf(cells).map(({ case: { n } }) => n));
  const factor = shrink * Math.ceil(least / maxSize);
  return `Nothing will be measured: the smallest product of these figures has n = ${least}, and --max-size is ${maxSize}. Give --max-size ${least}, or --shrink ${factor} to see the machinery work without comparing anything.`;
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
  const text = join(out, 'study.txt');
  await writeWhole(text, studyText(results, plain));
  for (const file of [...files, text]) process.stderr.write(`Wrote ${file}\n`);
}
