import { columnsOf, type Table } from '../../report/table.ts';
import type { GrowthResult } from '../../run/results.ts';
import { describeSlope, growthRows, missingFits } from '../summary.ts';

const MOST_REASONS = 10;

/** The slopes of every series of growing problems, and why there is none. */
export function growthTable(growth: readonly GrowthResult[]): Table {
  const rows = growthRows(growth).map((row) => [
    row.kernel,
    row.input,
    row.series,
    describeSlope(row.maxError),
    describeSlope(row.meanError),
  ]);
  const none = missingFits(growth).map(({ reason, count }) => `No fit (${count}): ${reason}`);
  return {
    title: 'Growth of the error',
    columns: [
      ...columnsOf('text', 'kernel', 'input', 'over'),
      ...columnsOf('number', 'largest error', 'mean error'),
    ],
    rows,
    note: [
      'Slopes s of error ~ n^s over size, ~ 2^(s·levels) over levels; 95 % intervals of least squares on the replicates.',
      ...none.slice(0, MOST_REASONS),
    ].join('\n'),
  };
}
