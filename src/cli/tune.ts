import type { CAC } from 'cac';
import { parseList, parseNumber, parseSizes, parseText } from '../config/flags.ts';
import { ranges } from '../config/ranges.ts';
import type { OpenDevice } from '../gpu/device.ts';
import type { Leaf } from '../gpu/leaves/leaf.ts';
import { leaves } from '../gpu/leaves/leaves.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { type LeafRefusal, type LeafTime, timeLeaves } from '../gpu/tuning/time-leaves.ts';
import type { Shape } from '../matrix/dense.ts';
import { EXIT, problem } from '../problems.ts';

/** Adds the command `tune` to the command line. */
export function registerTune(cli: CAC): void {
  cli
    .command('tune', 'Time the leaf kernels on this adapter')
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option('--toggle <list>', 'Dawn toggles to enable')
    .option('--size <list>', 'Sizes n or mxkxn')
    .option(
      '--leaf <list>',
      'Leaf kernels, or the beginnings of their names (default: those that fit the adapter)',
    )
    .option('--runs <n>', 'Timed runs of each leaf kernel and size (default: 5)')
    .option('--robustness <on|off|both>', "Dawn's bounds checks (default: on)")
    .option('--json', 'Print JSON')
    .action((flags: Flags) => runTune(flags));
}

interface Flags {
  readonly adapter?: string;
  readonly toggle?: unknown;
  readonly size?: unknown;
  readonly leaf?: unknown;
  readonly runs?: unknown;
  readonly robustness?: unknown;
  readonly json?: boolean;
}

const UNCHECKED = 'disable_robustness';
/** Seconds that a timed run lasts at least. */
const LEAST = { hardware: 0.005, software: 0 };

async function runTune(flags: Flags): Promise<number> {
  const sizes = flags.size === undefined ? [1024] : parseSizes('--size', flags.size);
  const shapes = sizes.map((size): Shape => {
    const [m, k, n] = typeof size === 'number' ? [size, size, size] : size;
    return { m, k, n };
  });
  const runs = flags.runs === undefined ? 5 : parseNumber('--runs', flags.runs, ranges.runs);
  const toggles = flags.toggle === undefined ? [] : parseList('--toggle', flags.toggle);
  const robustness = flags.robustness === undefined ? 'on' : parseText('--robustness', flags.robustness);
  const modes = { on: [toggles], off: [[...toggles, UNCHECKED]], both: [toggles, [...toggles, UNCHECKED]] };
  if (!(robustness in modes))
    throw problem('unknown-name', { what: '--robustness', given: robustness, known: Object.keys(modes) });
  const tables: Table[] = [];
  for (const mode of modes[robustness as keyof typeof modes]) {
    const open = await openNodeDevice({ adapter: flags.adapter, toggles: mode });
    try {
      const chosen = chosenLeaves(flags.leaf, open);
      for (const shape of shapes) {
        const start = performance.now();
        const found = await timeLeaves(open, shape, chosen, { runs, least: LEAST[open.fingerprint.kind] });
        const seconds = (performance.now() - start) / 1000;
        const table = { adapter: open.fingerprint.name, toggles: mode, shape, seconds, ...found };
        tables.push(table);
        if (flags.json !== true) print(table);
      }
    } finally {
      open.close();
    }
  }
  if (flags.json === true) console.log(JSON.stringify(tables, undefined, 1));
  return tables.some(({ times }) => times.some(({ differing }) => differing > 0)) ? EXIT.fail : EXIT.pass;
}

interface Table {
  readonly adapter: string;
  readonly toggles: readonly string[];
  readonly shape: Shape;
  readonly clock: string;
  readonly seconds: number;
  readonly times: readonly LeafTime[];
  readonly refusals: readonly LeafRefusal[];
}

function chosenLeaves(given: unknown, { fingerprint }: OpenDevice): readonly Leaf[] {
  if (given === undefined) {
    return leaves.filter(({ name }) => fingerprint.kind === 'hardware' || !name.startsWith('staged'));
  }
  const wanted = parseList('--leaf', given);
  const chosen = leaves.filter(({ name }) => wanted.some((start) => name.startsWith(start)));
  if (chosen.length === 0)
    throw problem('unknown-name', {
      what: 'leaf kernel',
      given: wanted[0],
      known: leaves.map(({ name }) => name),
    });
  return chosen;
}

function print({ adapter, toggles, shape, clock, seconds, times, refusals }: Table): void {
  const { m, k, n } = shape;
  console.log(
    `\n${m}×${k}×${n} on ${adapter}${toggles.length > 0 ? ` (${toggles.join(', ')})` : ''}, by ${clock}, ${seconds.toFixed(1)} s in all:`,
  );
  for (const { leaf, median, teraflops, seconds: runs, differing } of [...times].sort(
    (a, b) => a.median - b.median,
  )) {
    const range = `${(1e3 * Math.min(...runs)).toFixed(3)}–${(1e3 * Math.max(...runs)).toFixed(3)}`;
    const bits = differing === 0 ? '' : `  ${differing} entries differ from ${times[0].leaf}`;
    console.log(
      `${leaf.padEnd(36)}${(1e3 * median).toFixed(3).padStart(10)} ms  ${range.padStart(18)}${teraflops.toFixed(3).padStart(9)} Tflop/s${bits}`,
    );
  }
  for (const { leaf, why } of refusals) console.log(`${leaf.padEnd(36)} ${why}`);
}
