import type { Certificate } from '../../exact/exact-product.ts';
import { formatCount } from '../../report/numbers.ts';
import { columnsOf, digitsCell, type NumberCell, type Table } from '../../report/table.ts';
import { terminalTables } from '../../report/terminal/table.ts';
import type { TerminalStyle } from '../../report/terminal/text.ts';
import type { MissingMethod } from '../../study/bench/node/reference-ways.ts';

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
export interface WayTime {
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
