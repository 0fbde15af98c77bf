import { group } from 'd3-array';
import type { CaseResult } from '../../evidence/case-result.ts';
import { columnsOf, count, type Table, tally } from '../../report/table.ts';
import { countsOf } from '../glance.ts';
import { mirrorCell } from './kernels.ts';

/** Tabulates the precisions, in the order of the run; empty where there is only one. */
export function precisionTable(cases: readonly CaseResult[]): Table {
  const all = [...group(cases, ({ precision }) => precision)];
  const rows = all.map(([precision, own]) => {
    const { pass, fail, waived, inconclusive } = countsOf(own);
    const mirrored = own.filter(({ mirrorEqual }) => mirrorEqual !== undefined);
    const equal = mirrored.filter(({ mirrorEqual }) => mirrorEqual === true);
    return [
      precision,
      count(own.length),
      count(pass),
      tally(fail + waived, 'bad'),
      tally(inconclusive, 'unsure'),
      mirrorCell(equal.length, mirrored.length),
    ];
  });
  return {
    title: 'By precision',
    columns: [
      ...columnsOf('text', 'precision'),
      ...columnsOf('number', 'cases', 'pass', 'fail', 'incon.', 'mirror'),
    ],
    rows: rows.length > 1 ? rows : [],
    note: 'Results of each precision that equal the bit-exact model, among those compared.',
  };
}
