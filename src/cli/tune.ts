import type { CAC } from 'cac';
import { parseChoices, parseList, parseNumber, parseSizes, parseText } from '../config/flags.ts';
import { ranges } from '../config/ranges.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { exceeds, type Leaf } from '../gpu/leaves/leaf.ts';
import { leaves } from '../gpu/leaves/leaves.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { candidates, ratesOf, tuningSizes, worthwhile } from '../gpu/tuning/candidates.ts';
import { requireWritableTuning, writeTuning } from '../gpu/tuning/node/tuning-file.ts';
import { timeLeaves } from '../gpu/tuning/time-leaves.ts';
import type { SizedRates } from '../gpu/tuning/tuning.ts';
import type { Shape } from '../matrix/dense.ts';
import { EXIT, problem } from '../problems.ts';
import { type TuningTable, tableText } from './tune-text.ts';

/** Adds the command `tune` to the command line. */
export function registerTune(cli: CAC): void {
  cli
    .command('tune', 'Time the leaf kernels on an adapter, and keep which are fastest for later runs')
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option('--toggle <list>', 'Dawn toggles to enable')
    .option('--size <list>', 'Time these sizes n or mxkxn, and keep nothing')
    .option('--leaf <list>', 'Time these leaf kernels, or all whose names begin so, and keep nothing')
    .option('--runs <n>', 'Timed runs of each leaf kernel and size (default: 5)')
    .option('--robustness <list>', "Dawn's checks of indices: on, off or both as on,off (default: on)")
    .option('--json', 'Print JSON')
    .example('gemm-paranoia tune --size 4096 --leaf staged,gpu8 --robustness on,off')
    .action((flags: Flags) => tune(flags));
}

interface Flags {
  readonly adapter?: unknown;
  readonly toggle?: unknown;
  readonly size?: unknown;
  readonly leaf?: unknown;
  readonly runs?: unknown;
  readonly robustness?: unknown;
  readonly json?: boolean;
}

/** The Dawn toggle that leaves out the checks that keep indices within buffers and arrays. */
const UNCHECKED = 'disable_robustness';
/** Seconds that a timed run lasts at least: clocks of GPUs are coarse, those of software adapters need no repetition. */
const LEAST = { hardware: 0.005, software: 0 };

/** What is to be timed. */
interface Task {
  readonly shapes: readonly Shape[] | undefined;
  readonly leaf: readonly string[] | undefined;
  readonly runs: number;
  readonly json: boolean;
}

/** What is not timed in full says nothing of what is fastest. */
const isKept = ({ shapes, leaf }: Task): boolean => shapes === undefined && leaf === undefined;

async function tune(flags: Flags): Promise<number> {
  const toggles = flags.toggle === undefined ? [] : parseList('--toggle', flags.toggle);
  const { robustness = 'on' } = flags;
  const modes = parseChoices('--robustness', robustness, ['on', 'off']);
  const task: Task = {
    shapes: flags.size === undefined ? undefined : parseSizes('--size', flags.size).map(shapeOf),
    leaf: flags.leaf === undefined ? undefined : parseList('--leaf', flags.leaf),
    runs: flags.runs === undefined ? 5 : parseNumber('--runs', flags.runs, ranges.runs),
    json: flags.json === true,
  };
  const adapter = flags.adapter === undefined ? undefined : parseText('--adapter', flags.adapter);
  if (isKept(task)) requireWritableTuning();
  const tables: TuningTable[] = [];
  for (const mode of modes) {
    const open = await openNodeDevice({
      adapter,
      toggles: mode === 'on' ? toggles : [...toggles, UNCHECKED],
    });
    try {
      tables.push(...(await tuneDevice(open, mode, task)));
    } finally {
      open.close();
    }
  }
  if (task.json) console.log(JSON.stringify(tables, undefined, 1));
  return tables.some(({ times }) => times.some(({ differing }) => differing > 0)) ? EXIT.fail : EXIT.pass;
}

const shapeOf = (size: number | readonly [number, number, number]): Shape => {
  const [m, k, n] = typeof size === 'number' ? [size, size, size] : size;
  return { m, k, n };
};

async function tuneDevice(open: OpenDevice, robustness: string, task: Task): Promise<TuningTable[]> {
  const { kind, name } = open.fingerprint;
  const { runs, json } = task;
  let chosen = task.leaf === undefined ? candidates(open) : chosenLeaves(task.leaf, open);
  const shapes = task.shapes ?? tuningSizes[kind].map(shapeOf);
  process.stderr.write(`Timing ${chosen.length} leaf kernels on ${name} (${open.chosenBecause}).\n`);
  const tables: TuningTable[] = [];
  const rates: SizedRates[] = [];
  for (const shape of shapes) {
    const start = performance.now();
    const found = await timeLeaves(open, shape, chosen, { runs, least: LEAST[kind] });
    const seconds = (performance.now() - start) / 1000;
    const table = { adapter: name, robustness, shape, seconds, ...found };
    tables.push(table);
    rates.push(ratesOf(Math.sqrt(shape.m * shape.n), found.times));
    if (!json) console.log(tableText(table));
    chosen = worthwhile(chosen, found.times);
  }
  if (isKept(task)) {
    const path = writeTuning(open.fingerprint, rates);
    process.stderr.write(`Kept for later runs on this adapter, and with these toggles, in ${path}.\n`);
  }
  return tables;
}

/** @throws Problem `unknown-name`, `leaf-refused` where a kernel named in full cannot run */
function chosenLeaves(wanted: readonly string[], open: OpenDevice): Leaf[] {
  return wanted.flatMap((start) => {
    const named = leaves.filter(({ name }) => name.startsWith(start));
    if (named.length === 0) {
      throw problem('unknown-name', {
        what: 'leaf kernel',
        given: start,
        known: leaves.map(({ name }) => name),
      });
    }
    const fitting = named.filter((leaf) => exceeds(leaf, open) === undefined);
    if (fitting.length > 0) return fitting;
    throw problem('leaf-refused', { kernel: named[0].name, why: exceeds(named[0], open) ?? '' });
  });
}
