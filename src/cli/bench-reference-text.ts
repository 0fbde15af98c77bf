import { counted } from '../report/numbers.ts';
import type { BenchReference, WayTime } from './bench-reference-times.ts';

const columns = ['', 'threads', 'size', 'least', 'median', 'products/s', 'the first is faster by'] as const;

/** The tables of `bench reference` for a person. */
export function benchReferenceText({ machine, size, runs, inputs, leftOut }: BenchReference): string {
  const lines = [
    `Exact products, every entry correctly rounded, on ${counted(machine.cores, 'core')} (${machine.cpu}), Node ${machine.node}.`,
    `Seconds of ${counted(runs, 'run')}, taken in turns. All ways gave the same bits before they were timed, and the same in every run.`,
  ];
  for (const { input, precision, times } of inputs) {
    lines.push(
      '',
      `${input} ${precision}, ${size}³`,
      ...table([[...columns], ...times.map((time) => rowOf(time, times[0]))]),
    );
    lines.push(...howDecided(times[0]));
  }
  if (leftOut.length > 0)
    lines.push('', ...leftOut.map(({ name, why }) => `Left out: ${name}, because ${why}.`));
  return `${lines.join('\n')}\n`;
}

function rowOf({ way, threads, size, least, median, products }: WayTime, first: WayTime): string[] {
  const ratio = first.products / products;
  return [
    way,
    String(threads),
    `${size}³`,
    least.toFixed(4),
    median.toFixed(4),
    products.toExponential(2),
    ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(2),
  ];
}

function howDecided({ certificate: c }: WayTime): string[] {
  if (c === undefined) return [];
  const tiers: readonly (readonly [number, string])[] = [
    [c.byExactSum, 'exact sums'],
    [c.byDoubleDouble, 'double-double sums'],
    [c.byExpansion, 'expansions'],
    [c.byBigInt, 'integers'],
  ];
  const used = tiers.filter(([entries]) => entries > 0).map(([entries, name]) => `${name} ${entries}`);
  const error = c.worstAbsolute === 0 ? '0' : `at most ${c.worstAbsolute.toExponential(2)}`;
  return [`  entries decided by ${used.join(', ')}; error before rounding ${error}`];
}

/** Columns as wide as their longest cell; all but the first to the right. */
function table(rows: readonly string[][]): string[] {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at] + 2)))
      .join('')
      .trimEnd(),
  );
}
