import type { CaseResult } from '../../evidence/case-result.ts';
import { BITS_CAP } from '../../evidence/tally.ts';
import { columnsOf, count, digits, magnitudeOf, share, type Table, tally } from '../../report/table.ts';
import { summarise } from '../summary.ts';

/** Tabulates the worst case of each kernel and number of levels. */
export function kernelTable(cases: readonly CaseResult[]): Table {
  const all = summarise(cases);
  const anyWaived = all.some(({ waived }) => waived > 0);
  const counts = ['levels', 'cases', 'pass', 'fail', ...(anyWaived ? ['waived'] : []), 'incon.'];
  const rows = all.map((row) => [
    row.kernel,
    count(row.levels),
    count(row.cases),
    count(row.pass),
    tally(row.fail, 'bad'),
    ...(anyWaived ? [tally(row.waived, 'unsure')] : []),
    tally(row.inconclusive, 'unsure'),
    magnitudeOf(row.sigmas),
    share(row.used),
    row.bits === BITS_CAP ? 'all' : digits(row.bits),
    mirrorCell(row.mirrorEqual, row.mirrored),
  ]);
  return {
    title: 'By kernel',
    columns: [
      ...columnsOf('text', 'kernel'),
      ...columnsOf('number', ...counts, 'sigmas', 'of bound', 'bits', 'mirror'),
    ],
    rows,
    note: 'The worst value of each row: the error in sigmas (random inputs), the used share of the running bound (over 100 % proves a defect), and the significant bits of the least accurate entry relative to |A||B| (fast algorithms: uniform inputs only). The last column counts results that equal the bit-exact model.',
  };
}

/** Renders the number of results equal to the mirror, among those compared with it. */
export function mirrorCell(equal: number, mirrored: number) {
  if (mirrored === 0) return '–';
  const tone = equal === mirrored ? undefined : ('bad' as const);
  return { value: `${equal}/${mirrored}`, as: 'text' as const, tone };
}
