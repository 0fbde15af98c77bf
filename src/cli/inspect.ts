import type { CAC } from 'cac';
import { parseList, parseNumber, parseNumbers, parseText } from '../config/flags.ts';
import { ranges } from '../config/ranges.ts';
import { findPrecision, type PrecisionName, precisionNames } from '../formats/precision.ts';
import { kernelOf } from '../gate/run-gate.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { contradictions, promisesOf } from '../inspect/contradictions.ts';
import { inspectKernel } from '../inspect/inspect-kernel.ts';
import type { Inspection } from '../inspect/inspection.ts';
import type { Kernel, Manner } from '../kernel/kernel.ts';
import { EXIT, problem } from '../problems.ts';
import { displayWidth, wrap } from '../report/columns.ts';
import { oneLine } from '../report/printable.ts';
import { stopper } from './stopper.ts';

/** Adds the command `inspect` to the command line. */
export function registerInspect(cli: CAC): void {
  cli
    .command('inspect', 'Unmask a kernel from its outputs: algorithm, precision, order of sums')
    .option('--kernel <name>', 'The kernel, as strassen:register')
    .option('--precision <name>', `${precisionNames.join(', ')} (default: f32)`)
    .option('--levels <n>', 'Levels that a kernel of ours runs at (default: 0)')
    .option(
      '--size <list>',
      'Sizes n of n×n×n at which the algorithm is asked (default: while it takes little time)',
    )
    .option('--seed <n>', 'What random entries come from (default: 1)')
    .option('--quick', 'About 100 small products')
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option('--toggle <names>', 'Dawn toggles to enable, such as vulkan_enable_f16_on_nvidia')
    .option('--json', 'Print JSON')
    .example('gemm-paranoia inspect --kernel winograd:register --levels 2')
    .action((flags: Flags) => runInspect(flags));
}

type Flags = Readonly<Record<string, unknown>>;

async function runInspect(flags: Flags): Promise<number> {
  if (flags.kernel === undefined)
    throw problem('missing-option', { option: '--kernel', need: 'the name of a kernel' });
  const name = parseText('--kernel', flags.kernel);
  const precision = findPrecision(
    flags.precision === undefined ? 'f32' : parseText('--precision', flags.precision),
  ).name;
  const levels = flags.levels === undefined ? 0 : parseNumber('--levels', flags.levels, ranges.levels);
  const seed = flags.seed === undefined ? 1 : parseNumber('--seed', flags.seed, ranges.seed);
  const sizes = flags.size === undefined ? undefined : parseNumbers('--size', flags.size, ranges.size);
  const open = await openNodeDevice({
    adapter: flags.adapter === undefined ? undefined : parseText('--adapter', flags.adapter),
    toggles: flags.toggle === undefined ? [] : parseList('--toggle', flags.toggle),
  });
  const stop = stopper(undefined);
  try {
    const kernel = await resolve(name, precision, open);
    const manner: Manner = { levels, border: 'pad', edge: 'guard' };
    const asked = await inspectKernel(kernel, {
      ...{ seed, sizes, manner, quick: flags.quick === true, stop: stop.asked },
      onFinding: progress,
    });
    const inspection = { ...asked, contradictions: contradictions(asked, promisesOf(kernel, manner)) };
    if (flags.json === true) console.log(JSON.stringify(inspection, undefined, 2));
    else {
      console.log(`${name} on ${oneLine(open.fingerprint.name)}, claimed to compute in ${precision}\n`);
      console.log(describeInspection(inspection, process.stdout.columns ?? WIDTH));
    }
    return exitCode(inspection);
  } finally {
    stop.release();
    if (process.stderr.isTTY === true) process.stderr.write(CLEAR);
    open.close();
  }
}

/** The kernel of a name. @throws Problem `unknown-name`, `precision-unserved` */
function resolve(kernel: string, precision: PrecisionName, open: OpenDevice): Promise<Kernel> {
  return kernelOf(
    {
      kernel,
      precision,
      levels: 0,
      border: 'pad',
      edge: 'guard',
      input: 'uniform',
      m: 1,
      k: 1,
      n: 1,
      seed: 1,
    },
    open,
  );
}

const CLEAR = '\r\u001b[K';

/** Says on a terminal what is known so far. */
function progress({ id }: Inspection['findings'][number]): void {
  if (process.stderr.isTTY === true) process.stderr.write(`${CLEAR}${id} …`);
}

/** 1 for a claim that is disproved, 4 where nothing could be asked. */
export function exitCode({ findings, contradictions = [] }: Inspection): number {
  if (contradictions.length > 0) return EXIT.fail;
  return findings.every(({ confidence }) => confidence === 'unknown') ? EXIT.inconclusive : EXIT.pass;
}

const WIDTH = 150;
const SHARES = [0.22, 0.3, 0.48];
const CONFIDENCE = 'confidence'.length;

/** The findings as text, in four columns of at most `width` characters together, then what they disprove. */
export function describeInspection(inspection: Inspection, width: number): string {
  const { findings, contradictions = [], products, seconds } = inspection;
  const room = Math.max(width, 80) - CONFIDENCE - 6;
  const [questions, answers, evidence] = SHARES.map((share) => Math.floor(room * share));
  const widths = [questions, answers, CONFIDENCE, evidence];
  const rows = [
    ['question', 'answer', 'confidence', 'evidence'],
    ...findings.map((one) => [one.question, one.answer, one.confidence, one.evidence]),
  ];
  const verdict =
    contradictions.length === 0
      ? ['No claim is disproved.']
      : ['Disproved:', ...contradictions.flatMap((one) => wrap(`- ${oneLine(one)}`, width))];
  const cost = `${findings.length} answers from ${products} products in ${seconds.toFixed(1)} s.`;
  return [...rows.flatMap((cells) => row(cells, widths)), '', ...verdict, cost].join('\n');
}

function row(cells: readonly string[], widths: readonly number[]): string[] {
  const columns = cells.map((cell, c) =>
    wrap(oneLine(cell), widths[c]).flatMap((line) => broken(line, widths[c])),
  );
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, i) =>
    columns
      .map((lines, c) => {
        const text = lines[i] ?? '';
        return text + ' '.repeat(Math.max(0, widths[c] - displayWidth(text)));
      })
      .join('  ')
      .trimEnd(),
  );
}

/** A line without spaces to break it at, cut into pieces. */
function broken(line: string, width: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < line.length; at += width) pieces.push(line.slice(at, at + width));
  return pieces.length === 0 ? [''] : pieces;
}
