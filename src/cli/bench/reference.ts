import { cpus } from 'node:os';
import { EXIT } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { writeWhole } from '../../base/node/write-file.ts';
import type { Certificate } from '../../exact/exact-product.ts';
import { goldProduct } from '../../exact/gold.ts';
import { findInput } from '../../inputs/inputs.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { precisions } from '../../precision/precisions.ts';
import { formatCount } from '../../report/numbers.ts';
import { columnsOf, digitsCell, type NumberCell, type Table } from '../../report/table.ts';
import { terminalTables } from '../../report/terminal/table.ts';
import type { TerminalStyle } from '../../report/terminal/text.ts';
import { requireExactRoom } from '../../run/node/host-room.ts';
import { jsonFile } from '../../run/node/stored-folder.ts';
import {
  type MethodResult,
  type MissingMethod,
  openWays,
  type ReferenceMethod,
} from '../../study/bench/node/reference-ways.ts';
import { referencesDiffer } from '../messages.ts';
import type { OutputStream } from '../product/reference.ts';
import type { BenchReferenceRequest } from './options.ts';

const COLUMNS = [
  ...columnsOf('text', 'way'),
  ...columnsOf('number', 'threads', 'size', 'least s', 'median s', 'products/s', 'the first is faster by'),
];

/** Renders the tables of `bench reference` for a person. */
export function benchReferenceText(
  { machine, size, runs, inputs, skipped }: BenchReference,
  look: TerminalStyle,
): string {
  const head = [
    `Exact products, every entry correctly rounded, on ${formatCount(machine.cores, 'core')} (${machine.cpu}), Node ${machine.node}.`,
    `Seconds of ${formatCount(runs, 'run')}, taken in turns. All ways gave the same bits before they were timed, and the same in every run.`,
  ];
  const tables = inputs.map(
    ({ input, precision, times }): Table => ({
      title: `${input} ${precision}, ${size}³`,
      columns: COLUMNS,
      rows: times.map((time) => rowOf(time, times[0])),
      note: howDecided(times[0].certificate),
    }),
  );
  const missing = skipped.map(({ name, why }) => `Left out: ${name}, because ${why}.\n`);
  return `${head.join('\n')}\n\n${terminalTables(tables, look)}${missing.length === 0 ? '' : `\n${missing.join('')}`}`;
}

function rowOf({ way, threads, size, least, median, products }: WayTime, first: WayTime) {
  const rate: NumberCell = { value: products, as: 'exponent' };
  const ratio = digitsCell(first.products / products);
  return [way, String(threads), `${size}³`, digitsCell(least, 4), digitsCell(median, 4), rate, ratio];
}

function howDecided(certificate: Certificate | undefined): string | undefined {
  if (certificate === undefined) return undefined;
  const { byExactSum, byDoubleDouble, byExpansion, byBigInt, worstAbsolute } = certificate;
  const tiers: readonly (readonly [number, string])[] = [
    [byExactSum, 'exact sums'],
    [byDoubleDouble, 'double-double sums'],
    [byExpansion, 'expansions'],
    [byBigInt, 'integers'],
  ];
  const used = tiers.filter(([entries]) => entries > 0).map(([entries, name]) => `${name} ${entries}`);
  const error = worstAbsolute === 0 ? '0' : `at most ${worstAbsolute.toExponential(2)}`;
  return `entries decided by ${used.join(', ')}; error before rounding ${error}`;
}

/** Times of one method on one input, in seconds. */
interface WayTime {
  readonly way: string;
  readonly threads: number;
  /** The size of the timed product. */
  readonly size: number;
  readonly least: number;
  readonly median: number;
  /** Multiplications a second, from the least time. */
  readonly products: number;
  readonly certificate?: Certificate | undefined;
}

/** The output of `bench reference --json`. */
export interface BenchReference {
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string };
  readonly size: number;
  readonly runs: number;
  readonly inputs: readonly {
    readonly input: string;
    readonly precision: string;
    readonly times: readonly WayTime[];
  }[];
  readonly skipped: readonly MissingMethod[];
}

/** Inputs to time: all methods on the first, ours on each. */
const timed: readonly { readonly input: string; readonly precision: string }[] = [
  { input: 'uniform', precision: 'f32' },
  { input: 'wide-exponents', precision: 'f32' },
  { input: 'uniform', precision: 'f16' },
  { input: 'uniform', precision: 'f64' },
];

/**
 * Times methods of computing an exact product, after checking that their bits agree.
 * @returns the exit code
 * @throws ParanoiaError `json-unwritable`, `references-differ`
 */
export async function runBenchReference(
  request: BenchReferenceRequest,
  output: OutputStream,
): Promise<number> {
  const { size = 1024, runs = 3, json } = request;
  requireExactRoom({ m: size, k: size, n: size });
  const file = await jsonFile(json);
  const { ways, skipped } = await openWays();
  try {
    for (const { input, precision } of timed) {
      await requireSameBits(input === 'uniform' && precision === 'f32' ? ways : ours(ways), input, precision);
    }
    const inputs: BenchReference['inputs'][number][] = [];
    for (const { input, precision } of timed) {
      say(`Timing ${input} ${precision}, ${size}³.`);
      const asked =
        inputs.length === 0 ? ways : ours(ways).filter(({ threads }) => threads === ways[0].threads);
      inputs.push({ input, precision, times: await timeWays(asked, { input, precision, size, runs }) });
    }
    const [{ model }, ...others] = cpus();
    const machine = { cpu: model, cores: others.length + 1, node: process.version };
    const report: BenchReference = { machine, size, runs, inputs, skipped };
    const data = `${JSON.stringify(report, null, 2)}\n`;
    if (file !== undefined) writeWhole(file, data);
    output.write(json === true ? data : benchReferenceText(report, lookFor(process.stdout)));
    return EXIT.pass;
  } finally {
    for (const { close } of ways) await close?.();
  }
}

const ours = (ways: readonly ReferenceMethod[]) => ways.filter(({ isOurs }) => isOurs);

function pairOf(input: string, precision: string, m: number, k: number, n: number) {
  return findInput(input).generate({ m, k, n, seed: 1, precision: precisions.find(precision) });
}

/** Compares every method bit for bit with decimal arithmetic. @throws ParanoiaError `references-differ` */
async function requireSameBits(ways: readonly ReferenceMethod[], input: string, precision: string) {
  const { a, b } = pairOf(input, precision, 13, 31, 11);
  const gold = goldProduct(a, b);
  for (const way of ways) requireEqual(way.name, (await way.product(a, b)).product, gold);
}

function requireEqual(way: string, found: Matrix, expected: Matrix): void {
  const at = found.data.findIndex((x, e) => !Object.is(x, expected.data[e]));
  if (at < 0) return;
  throw referencesDiffer({
    way,
    entry: `(${Math.floor(at / expected.cols)}, ${at % expected.cols})`,
    shape: `${expected.rows}×${expected.cols}`,
    found: found.data[at],
    expected: expected.data[at],
  });
}

interface Timing {
  readonly input: string;
  readonly precision: string;
  readonly size: number;
  readonly runs: number;
}

/** Times the methods in turns, so that other load on the machine affects all of them. Their products of one size must be equal. */
async function timeWays(
  ways: readonly ReferenceMethod[],
  { input, precision, size, runs }: Timing,
): Promise<WayTime[]> {
  const seconds = ways.map((): number[] => []);
  const certificates: (Certificate | undefined)[] = [];
  const first = new Map<number, MethodResult>();
  for (let run = 0; run < runs; run++) {
    for (const [at, way] of ways.entries()) {
      const own = Math.min(size, way.upTo);
      const { a, b } = pairOf(input, precision, own, own, own);
      if (way.time !== undefined) {
        seconds[at].push(await way.time(a, b));
        continue;
      }
      const start = performance.now();
      const computed = await way.product(a, b);
      seconds[at].push((performance.now() - start) / 1000);
      certificates[at] = computed.certificate;
      const before = first.get(own);
      if (before === undefined) first.set(own, computed);
      else requireEqual(way.name, computed.product, before.product);
    }
  }
  return ways.map((way, at) => {
    const own = Math.min(size, way.upTo);
    const sorted = seconds[at].sort((x, y) => x - y);
    const [least, median] = [sorted[0], sorted[Math.floor(sorted.length / 2)]];
    const { name, threads } = way;
    const products = own ** 3 / least;
    return { way: name, threads, size: own, least, median, products, certificate: certificates[at] };
  });
}
