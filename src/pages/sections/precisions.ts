import { group } from 'd3-array';
import type { CaseResult } from '../../evidence/case-result.ts';
import { columnsOf, countCell, type Table, tallyCell } from '../../report/table.ts';
import { countStandings } from '../glance.ts';
import { modelCell } from './kernels.ts';

/** Tabulates the precisions, in the order of the run; empty where there is only one. */
export function precisionTable(cases: readonly CaseResult[]): Table {
  const all = [...group(cases, ({ precision }) => precision)];
  const rows = all.map(([precision, own]) => {
    const { pass, fail, waived, inconclusive } = countStandings(own);
    const mirrored = own.filter(({ equalsModel }) => equalsModel !== undefined);
    const equal = mirrored.filter(({ equalsModel }) => equalsModel === true);
    return [
      precision,
      countCell(own.length),
      countCell(pass),
      tallyCell(fail + waived, 'bad'),
      tallyCell(inconclusive, 'unsure'),
      modelCell(equal.length, mirrored.length),
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
