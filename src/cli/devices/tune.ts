import { EXIT } from '../../base/errors.ts';
import { unknownName } from '../../base/messages.ts';
import { say } from '../../base/node/say.ts';
import type { OpenDevice } from '../../gpu/device.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { candidates, isWorthwhile, ratesOf, tuningSizes } from '../../gpu/tuning/candidates.ts';
import { requireWritableTuning, writeTuning } from '../../gpu/tuning/node/tuning-file.ts';
import type { LeafRefusal, LeafTime } from '../../gpu/tuning/time-leaves.ts';
import { timeLeaves } from '../../gpu/tuning/time-leaves.ts';
import type { SizedRates } from '../../gpu/tuning/tuning.ts';
import { type Leaf, whyExceeded } from '../../gpu/wgsl/leaves/leaf.ts';
import { leaves } from '../../gpu/wgsl/leaves/leaves.ts';
import { leafRefused } from '../../kernels/messages.ts';
import type { Shape } from '../../matrix/dense.ts';
import { shapeOf } from '../../options/kinds.ts';
import { formatShort } from '../../report/numbers.ts';
import { columnsOf, digitsCell, type Table, tonedCell } from '../../report/table.ts';
import { requireExactRoom } from '../../run/node/host-room.ts';
import type { TuneRequest } from '../options.ts';
import { printTables } from '../print-tables.ts';

/** The Dawn toggle that disables bounds checks of buffers and arrays. */
const UNCHECKED = 'disable_robustness';
/** The least seconds of a timed run: clocks of GPUs are coarse, and software adapters need no repetition. */
const LEAST = { hardware: 0.005, software: 0 };

/** The leaf kernels and shapes to time. */
interface Task {
  readonly shapes: readonly Shape[] | undefined;
  readonly leaf: readonly string[] | undefined;
  readonly runs: number;
  readonly json: boolean;
}

/** True if the tuning is stored: partial timings do not decide which kernel is fastest. */
const isKept = ({ shapes, leaf }: Task): boolean => shapes === undefined && leaf === undefined;

/** Times leaf kernels, and stores the fastest. @returns the exit code */
export async function runTune(request: TuneRequest): Promise<number> {
  const { adapter, toggles = [], robustness: modes = ['on'] } = request;
  const { size: shapes, leaf, runs = 5, json = false } = request;
  const task: Task = { shapes, leaf, runs, json };
  for (const shape of task.shapes ?? []) requireExactRoom(shape);
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

async function tuneDevice(open: OpenDevice, robustness: string, task: Task): Promise<TuningTable[]> {
  const { kind, name } = open.fingerprint;
  const { runs, json } = task;
  let chosen = task.leaf === undefined ? candidates(open) : chosenLeaves(task.leaf, open);
  const shapes = task.shapes ?? tuningSizes[kind].map(shapeOf);
  say(`Timing ${chosen.length} leaf kernels on ${name} (${open.chosenBecause}).`);
  const tables: TuningTable[] = [];
  const rates: SizedRates[] = [];
  for (const shape of shapes) {
    const start = performance.now();
    const found = await timeLeaves(open, shape, chosen, { runs, least: LEAST[kind] });
    const seconds = (performance.now() - start) / 1000;
    const table = { adapter: name, robustness, shape, seconds, ...found };
    tables.push(table);
    rates.push(ratesOf(Math.sqrt(shape.m * shape.n), found.times));
    if (!json) printTables(tuningTable(table));
    chosen = isWorthwhile(chosen, found.times);
  }
  if (isKept(task)) {
    const path = writeTuning(open.fingerprint, rates);
    say(`Stored in ${path}, for later runs with this adapter and these toggles.`);
  }
  return tables;
}

/** Selects the leaf kernels. @throws ParanoiaError `unknown-name`, `leaf-refused` if a kernel given by its full name cannot run */
function chosenLeaves(wanted: readonly string[], open: OpenDevice): Leaf[] {
  return wanted.flatMap((start) => {
    const named = leaves.filter(({ name }) => name.startsWith(start));
    if (named.length === 0) {
      throw unknownName({
        what: 'leaf kernel',
        given: start,
        known: leaves.map(({ name }) => name),
      });
    }
    const fitting = named.filter((leaf) => whyExceeded(leaf, open) === undefined);
    if (fitting.length > 0) return fitting;
    throw leafRefused({ kernel: named[0].name, why: whyExceeded(named[0], open) ?? '' });
  });
}

/** The times of leaf kernels on one product. */
interface TuningTable {
  readonly adapter: string;
  /** The state of Dawn's bounds checks. */
  readonly robustness: string;
  readonly shape: Shape;
  readonly clock: string;
  /** The total time. */
  readonly seconds: number;
  readonly times: readonly LeafTime[];
  readonly refusals: readonly LeafRefusal[];
}

const milliseconds = (seconds: number) => digitsCell(1e3 * seconds, 4);

/** The table of leaf kernels and their times, the fastest first, then those that were refused. */
function tuningTable({ robustness, shape, clock, seconds, times, refusals }: TuningTable): Table {
  const { m, k, n } = shape;
  const checks = robustness === 'off' ? ', without bounds checks' : '';
  const sorted = [...times].sort((a, b) => a.median - b.median);
  const rows = sorted.map(({ leaf, median, seconds, teraflops, differing }) => [
    leaf,
    milliseconds(median),
    milliseconds(Math.min(...seconds)),
    milliseconds(Math.max(...seconds)),
    digitsCell(1e3 * teraflops, 4),
    tonedCell(differing === 0 ? '' : `${differing} entries differ from those of ${times[0].leaf}`, 'bad'),
  ]);
  return {
    title: `${m}×${k}×${n}${checks}, by ${clock}, ${formatShort(seconds)} s in all`,
    columns: [
      ...columnsOf('text', 'leaf kernel'),
      ...columnsOf('number', 'median ms', 'least', 'most', 'Gflop/s'),
      ...columnsOf('text', ''),
    ],
    rows: [...rows, ...refusals.map(({ leaf, why }) => [leaf, '', '', '', '', why])],
  };
}
