import type { CAC } from 'cac';
import { kernelNames } from '../config/campaign-of.ts';
import { parseNumbers } from '../config/flags.ts';
import type { Options } from '../config/options.ts';
import { ranges } from '../config/ranges.ts';
import { type PrecisionName, precisionNames } from '../formats/precision.ts';
import { openWorkshop } from '../gate/node/workshop.ts';
import { contradictions, promisesOf } from '../inspect/contradictions.ts';
import { inspectKernel } from '../inspect/inspect-kernel.ts';
import type { Inspection } from '../inspect/inspection.ts';
import type { Catalogue } from '../kernel/catalogue.ts';
import type { Manner } from '../kernel/kernel.ts';
import { EXIT, problem } from '../problems.ts';
import { displayWidth, wrap } from '../report/columns.ts';
import { oneLine } from '../report/printable.ts';
import { optionsOf } from './options-of.ts';
import { stopper } from './stopper.ts';

/** Adds the command `inspect` to the command line. */
export function registerInspect(cli: CAC): void {
  cli
    .command('inspect', 'Unmask a kernel from its outputs: algorithm, precision, order of sums')
    .option('--config <file>', 'The config (default: the nearest paranoia.config.ts)')
    .option('--kernel <names>', 'As for gate: strassen:register, tfjs:wasm, one of the config')
    .option('--precision <list>', `Of kernels of ours: ${precisionNames.join(', ')} (default: f32)`)
    .option('--levels <list>', 'Levels that kernels of ours run at (default: 0)')
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

interface Flags extends Readonly<Record<string, unknown>> {
  readonly quick?: boolean;
  readonly json?: boolean;
}

/** A kernel in one precision and one manner. */
interface Asked {
  readonly kernel: string;
  readonly precision: PrecisionName;
  readonly manner: Manner;
}

async function runInspect(flags: Flags): Promise<number> {
  if (flags.kernel === undefined)
    throw problem('missing-option', { option: '--kernel', need: 'the name of a kernel' });
  const { options, catalogue, sessionOf } = await optionsOf(flags);
  const asked = askedOf(options, catalogue);
  const { adapter, toggles, seed } = options;
  const sizes = flags.size === undefined ? undefined : parseNumbers('--size', flags.size, ranges.size);
  const names = [...new Set(asked.map(({ kernel }) => kernel))];
  const workshop = await openWorkshop(names, { catalogue, sessionOf, adapter, toggles });
  const stop = stopper(undefined);
  try {
    const { machine } = workshop;
    await workshop.start(names);
    const inspections: Inspection[] = [];
    for (const one of asked) {
      if (stop.asked()) break;
      const kernel = await workshop.kernelOf({ ...one, ...one.manner, ...ANY }, machine);
      const found = await inspectKernel(kernel, {
        ...{ seed, sizes, manner: one.manner, quick: flags.quick === true, stop: stop.asked },
        onFinding: progress,
      });
      const inspection = { ...found, contradictions: contradictions(found, promisesOf(kernel, one.manner)) };
      inspections.push(inspection);
      const versions = (await workshop.versions())[one.kernel];
      if (flags.json !== true) print(one, inspection, machine.fingerprint.name, versions);
    }
    if (flags.json === true) {
      const adapter = { id: machine.fingerprint.id, name: machine.fingerprint.name };
      console.log(
        JSON.stringify({ adapter, versions: await workshop.versions(), inspections }, undefined, 2),
      );
    }
    // A claim that no answer has disproved yet may still be wrong.
    const cut = stop.asked() ? [EXIT.inconclusive] : [];
    return worst([...inspections.map(exitCode), ...cut]);
  } finally {
    stop.release();
    clearProgress();
    await workshop.close();
  }
}

/** What a case needs beside its kernel. */
const ANY = { input: 'uniform', m: 1, k: 1, n: 1, seed: 1 };

/** Every kernel that is named, in each precision and at each number of levels; others than ours have one of both. */
function askedOf(
  { kernels = [], precisions = ['f32'], levels = [0] }: Options,
  catalogue: Catalogue,
): Asked[] {
  const manner = (level: number): Manner => ({ levels: level, border: 'pad', edge: 'guard' });
  return [...new Set(kernelNames(kernels).flatMap((pattern) => catalogue.expand(pattern)))].flatMap(
    (kernel) => {
      const foreign = catalogue.foreign(kernel);
      if (foreign !== undefined)
        return [{ kernel, precision: foreign.precision ?? 'f32', manner: manner(0) }];
      return precisions.flatMap((precision) =>
        levels.map((level) => ({ kernel, precision, manner: manner(level) })),
      );
    },
  );
}

function print(
  { kernel, precision, manner }: Asked,
  inspection: Inspection,
  machine: string,
  versions: Readonly<Record<string, string>> = {},
): void {
  clearProgress();
  const level = manner.levels === 0 ? '' : ` with ${manner.levels} levels`;
  const of = Object.entries(versions).map(([what, version]) => `, ${oneLine(what)} ${oneLine(version)}`);
  console.log(`${kernel}${level} on ${oneLine(machine)}${of.join('')}, claimed to compute in ${precision}\n`);
  console.log(`${describeInspection(inspection, process.stdout.columns ?? WIDTH)}\n`);
}

/** A disproved claim counts most, then a kernel that could not be asked. */
function worst(codes: readonly number[]): number {
  if (codes.includes(EXIT.fail)) return EXIT.fail;
  return codes.length === 0 || codes.includes(EXIT.inconclusive) ? EXIT.inconclusive : EXIT.pass;
}

const CLEAR = '\r\u001b[K';

/** Says on a terminal what is known so far. */
function progress({ id }: Inspection['findings'][number]): void {
  if (process.stderr.isTTY === true) process.stderr.write(`${CLEAR}${id} …`);
}

function clearProgress(): void {
  if (process.stderr.isTTY === true) process.stderr.write(CLEAR);
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
  const cost = `${findings.length} ${findings.length === 1 ? 'answer' : 'answers'} from ${products} products in ${seconds.toFixed(1)} s.`;
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
