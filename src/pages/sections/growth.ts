import { algorithmRegistry } from '../../algorithms/algorithms.ts';
import { growthFactor } from '../../algorithms/growth.ts';
import { columnsOf, type Table, type TableCell, type TextCell } from '../../report/table.ts';
import type { GrowthResult } from '../../run/results.ts';
import { growthRows, missingFits } from '../summary.ts';

const MOST_REASONS = 10;

/** Tabulates the slopes of all series of growing problems beside theory, and the reason where there is no slope. */
export function growthTable(growth: readonly GrowthResult[]): Table {
  const rows = growthRows(growth).map((row) => [
    row.kernel,
    row.input,
    row.series,
    slopeCell(row.maxError),
    slopeCell(row.meanError),
  ]);
  const none = missingFits(growth).map(({ reason, count }) => `No fit (${count}): ${reason}`);
  return {
    title: 'Error growth',
    columns: [
      ...columnsOf('text', 'kernel', 'input', 'over'),
      ...columnsOf('number', 'largest error', 'mean error'),
    ],
    rows,
    note: [
      'Slope s: errors grow like n^s over size, and like 2^(s·levels) over levels. The 95 % interval is in parentheses. Below it: the expected slope of independent roundings, and the slope of the running bound.',
      ...none.slice(0, MOST_REASONS),
    ].join('\n'),
  };
}

const fixed = (value: number): string => value.toFixed(2).replace(/^-(0\.00)$/, '$1');

/** Renders a slope with its interval, and below it the comparison with theory. */
function slopeCell(fit: GrowthResult | undefined): TableCell {
  if (fit === undefined) return '–';
  if (fit.slope === undefined) return 'no fit';
  const value = `${fixed(fit.slope)}${fit.interval === undefined ? '' : ` (${fit.interval.map(fixed).join(' to ')})`}`;
  const theory = [
    ...(fit.expected === undefined ? [] : [comparisonOf(fit, fit.expected)]),
    ...(fit.bound === undefined ? [] : [`bound ${fixed(fit.bound)}`]),
  ];
  return { value, as: 'text', under: theory.length === 0 ? undefined : theory.join(', ') } satisfies TextCell;
}

/** Compares the interval of a measured slope with the expected slope: "as expected (1.00)". */
function comparisonOf(
  { slope = Number.NaN, interval = [slope, slope] }: GrowthResult,
  expected: number,
): string {
  const [least, most] = interval;
  const side = most < expected ? 'slower than' : least > expected ? 'faster than' : 'as';
  return `${side} expected (${fixed(expected)})`;
}

/**
 * Compares a slope with theory, in a sentence; undefined where nothing was fitted.
 * @param series the subject of the errors: "strassen".
 */
export function growthSentence(fit: GrowthResult, series: string, algorithm: string): string | undefined {
  const { slope, interval, expected, bound, over } = fit;
  if (slope === undefined) return undefined;
  const law = over === 'size' ? `n^${fixed(slope)}` : `2^(${fixed(slope)}·levels)`;
  const ends = interval === undefined ? '' : ` (${interval.map(fixed).join(' to ')})`;
  const factor = over === 'levels' ? ofFactor(algorithm) : '';
  const theory = [
    ...(expected === undefined ? [] : [comparisonOf(fit, expected)]),
    ...(bound === undefined ? [] : [`bound ${fixed(bound)}${factor}`]),
  ];
  return `${series} ~ ${law}${ends}${theory.length === 0 ? '' : `, ${theory.join('; ')}`}.`;
}

/** Explains how the growth factor E of a built-in algorithm enlarges a bound in k² of the leaves: log2(E/k₀²) a level. */
function ofFactor(name: string): string {
  // Results are also read without a config.
  const algorithm = algorithmRegistry.get(name);
  if (algorithm === undefined) return '';
  const factor = growthFactor(algorithm);
  const blocks = algorithm.base.k ** 2;
  return `, log2(E/k₀²) = log2(${factor}/${blocks}) = ${fixed(Math.log2(factor / blocks))}`;
}
