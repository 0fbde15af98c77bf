import type { CaseResult } from '../../evidence/case-result.ts';
import { BITS_CAP } from '../../evidence/tally.ts';
import {
  columnsOf,
  countCell,
  digitsCell,
  magnitudeCell,
  shareCell,
  type Table,
  tallyCell,
} from '../../report/table.ts';
import { summarizeKernels } from '../summary.ts';

/** Tabulates the worst case of each kernel and number of levels. */
export function kernelTable(cases: readonly CaseResult[]): Table {
  const all = summarizeKernels(cases);
  const anyWaived = all.some(({ waived }) => waived > 0);
  const counts = ['levels', 'cases', 'pass', 'fail', ...(anyWaived ? ['waived'] : []), 'incon.'];
  const rows = all.map((row) => [
    row.kernel,
    countCell(row.levels),
    countCell(row.cases),
    countCell(row.pass),
    tallyCell(row.fail, 'bad'),
    ...(anyWaived ? [tallyCell(row.waived, 'unsure')] : []),
    tallyCell(row.inconclusive, 'unsure'),
    magnitudeCell(row.sigmas),
    shareCell(row.used),
    row.bits === BITS_CAP ? 'all' : digitsCell(row.bits),
    modelCell(row.equalToModel, row.comparedWithModel),
  ]);
  return {
    title: 'By kernel',
    columns: [
      ...columnsOf('text', 'kernel'),
      ...columnsOf('number', ...counts, 'sigmas', 'of bound', 'bits', 'model'),
    ],
    rows,
    note: 'The worst value of each row: the error in sigmas (random inputs), the used share of the running bound (over 100 % proves a defect), and the significant bits of the least accurate entry relative to |A||B| (fast algorithms: uniform inputs only). The last column counts results that equal the bit-exact model.',
  };
}

/** Renders the number of results equal to the model, among those compared with it. */
export function modelCell(equal: number, comparedWithModel: number) {
  if (comparedWithModel === 0) return '–';
  const tone = equal === comparedWithModel ? undefined : ('bad' as const);
  return { value: `${equal}/${comparedWithModel}`, as: 'text' as const, tone };
}
