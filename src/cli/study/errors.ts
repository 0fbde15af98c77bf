import { join } from 'node:path';
import { EXIT } from '../../base/errors.ts';
import { invocation } from '../../base/node/invocation.ts';
import { say } from '../../base/node/say.ts';
import { ensureWritable, writeWhole } from '../../base/node/write-file.ts';
import { VERSION } from '../../base/version.ts';
import { numbersOf, ours, type TableNumbers } from '../../collection/figures.ts';
import { readTable } from '../../collection/node/read-tables.ts';
import type { CommandOptions } from '../../config/node/options-of.ts';
import { runOptions } from '../../config/run-options.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { probeDevice } from '../../gpu/probe/probe.ts';
import { formatOptions, pickOptions } from '../../options/option.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { writeReports } from '../../pages/node/write-report.ts';
import { studyText } from '../../pages/terminal.ts';
import { formatCase } from '../../problem/case.ts';
import { ranges } from '../../problem/ranges.ts';
import { formatCount } from '../../report/numbers.ts';
import { plainLook } from '../../report/terminal/text.ts';
import type { Results } from '../../run/results.ts';
import { judgeComputed } from '../../study/computed-cells.ts';
import { judgeCellPlan } from '../../study/judged-cells.ts';
import { measureStudy } from '../../study/node/measure-study.ts';
import { listStudyProducts } from '../../study/run-study.ts';
import {
  type CellPlan,
  type ErrorStudy,
  figureOf,
  type Study,
  type StudyProduct,
} from '../../study/study.ts';
import { decideStudyOutcome } from '../../study/study-outcome.ts';
import { stampCommandResults } from '../gate/publish.ts';
import { createStopper } from '../stopper.ts';
import type { ErrorTask, StudyRequest, StudyTask } from './options.ts';

/** The largest size that a software adapter multiplies in tolerable time. */
const SOFTWARE_SIZE = 2048;

interface Given extends StudyTask, ErrorTask {
  readonly request: StudyRequest;
  readonly command: CommandOptions;
}

/**
 * Measures a paper's errors again, prints them beside the published ones, and writes results.
 * @returns the exit code, and true if the run ended early
 * @throws ParanoiaError of the device, `partial-unusable`, `report-unwritable`
 */
export async function runErrors(
  study: Study,
  errors: ErrorStudy,
  given: Given,
): Promise<{ code: number; stopped: boolean }> {
  const start = performance.now();
  const { figures, out, shrink, command } = given;
  const device = { adapter: command.options.adapter, toggles: command.options.toggles ?? [] };
  ensureWritable(out, ['results.json', TEXT]);
  const open = await openNodeDevice(device);
  const stop = createStopper(given.timeLimit);
  try {
    const usual = open.fingerprint.kind === 'software' ? SOFTWARE_SIZE : ranges.size.most;
    const maxSize = given.maxSize ?? usual;
    const cells = errors.cells(given).filter((cell) => figures.includes(figureOf(cell)));
    const products = listStudyProducts(cells).filter((product) => sizeOf(product) <= maxSize);
    const numbers = (errors.computed?.() ?? []).filter((cell) => figures.includes(figureOf(cell)));
    if (products.length === 0 && cells.length > 0) say(noneSoSmall(cells, maxSize, shrink));
    const found = `${formatCount(products.length, 'product')} for ${formatCount(cells.length, 'cell')}${numbers.length === 0 ? '' : `, and ${formatCount(numbers.length, 'number')} that the CPU computes`}`;
    say(`On ${open.fingerprint.name} (${open.chosenBecause}): ${found}.`);
    const probe = await probeDevice(open);
    const run = await measureStudy({
      ...{
        name: study.name,
        version: VERSION,
        products,
        open,
        out,
        fresh: given.fresh,
        items: command.catalog,
      },
      reopen: () => openNodeDevice(device),
      stop: stop.asked,
      tell: (text) => process.stderr.write(text),
    });
    const whyNot = (product: StudyProduct) =>
      sizeOf(product) > maxSize
        ? `n = ${sizeOf(product)} exceeds --max-size ${maxSize}.`
        : (run.failures.get(formatCase(product.case)) ?? 'The run ended before it.');
    const { finished, stopped } = run;
    const outcome = decideStudyOutcome({
      ...{ study, errors, products, finished, stopped },
      cells: cells.map((cell) => judgeCellPlan(cell, errors, { finished, whyNot, shrink })),
      // Numbers that this processor computes take no longer on a slow adapter.
      computed: judgeComputed(numbers, { maxSize: given.maxSize ?? ranges.size.most, tableOf }, stop.asked),
      seconds: (performance.now() - start) / 1000,
      replay: (product) =>
        `${invocation()} ${measureCommand(product)}${formatOptions(ofDevice, given.request, 'judging')}`,
    });
    const results = stampCommandResults(open, 1, { probe, ...outcome });
    await publish(results, out);
    if (stopped !== undefined) {
      say(`${stopped} Finished products are kept. Run the same command to resume.`);
    }
    return { code: EXIT[results.verdict], stopped: stopped !== undefined };
  } finally {
    open.close();
    stop.release();
  }
}

/** Returns the numbers of a fast algorithm table. @throws ParanoiaError `table-unreadable` */
const tableOf = (name: string): TableNumbers =>
  numbersOf(ours.find((one) => one.name === name) ?? readTable(name));

const sizeOf = (product: StudyProduct): number => product.case.problem.n;

/** The reason why a run measures nothing, and the remedy. */
function noneSoSmall(cells: readonly CellPlan[], maxSize: number, shrink: number): string {
  const least = Math.min(...listStudyProducts(cells).map(sizeOf));
  const factor = shrink * Math.ceil(least / maxSize);
  return `No product will be measured: the smallest of these figures has n = ${least}, above --max-size ${maxSize}. Give --max-size ${least}, or --shrink ${factor} for a dry run without comparison.`;
}

/** The `measure` command of a product. */
function measureCommand({ case: value }: StudyProduct): string {
  const { kernel, method, problem } = value;
  const { input, n, seed, init } = problem;
  const [algorithm, leaf] = kernel.split(':');
  // Default values are left out.
  const precision = problem.precision === 'f32' ? undefined : problem.precision;
  const words = { algorithm, levels: method.levels, leaf, input, size: n, seed, init, precision };
  const given = Object.entries(words).filter(([, word]) => word !== undefined);
  return ['measure', ...given.map(([name, word]) => `--${name} ${word}`)].join(' ');
}

/** Options by which a command gets the same device. */
const ofDevice = pickOptions(runOptions, 'adapter', 'toggles');

/** The file with the printed text. */
const TEXT = 'study.txt';

async function publish(results: Results, out: string): Promise<void> {
  const files = await writeReports(results, { reporters: ['json'], out });
  const text = join(out, TEXT);
  writeWhole(text, studyText(results, plainLook));
  process.stdout.write(studyText(results, lookFor(process.stdout)));
  for (const file of [...files, text]) say(`Wrote ${file}`);
}
