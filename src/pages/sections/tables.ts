import type { CaseResult } from '../../evidence/case-result.ts';
import { BITS_CAP } from '../../evidence/tally.ts';
import { formatCount } from '../../report/numbers.ts';
import {
  columnsOf,
  countCell,
  digitsCell,
  magnitudeCell,
  shareCell,
  type Table,
  type Tone,
  tallyCell,
  tonedCell,
} from '../../report/table.ts';
import type { Results, WaiverResult } from '../../run/results.ts';
import { describeWaiver, whyWaived } from '../standing.ts';
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

const TONES: Readonly<Record<WaiverResult['state'], Tone>> = {
  used: 'unsure',
  unused: 'bad',
  expired: 'bad',
  idle: 'faint',
};

/** Tabulates the waivers of the config: state, cases, reason and expiry. */
export function waiverTable(waivers: readonly WaiverResult[]): Table {
  const rows = waivers.map((waiver) => [
    tonedCell(waiver.state, TONES[waiver.state]),
    describeWaiver(waiver),
    waiver.reason,
    waiver.case,
  ]);
  return {
    title: formatCount(waivers.length, 'waiver'),
    columns: [...columnsOf('text', 'state', 'fail', 'reason'), ...columnsOf('code', 'cases')],
    rows,
    note: 'Known failures that are waived until a date. A waiver that has expired or that no failure needs fails the gate. A waiver is idle if too few of its cases ran.',
  };
}

/** Tabulates the waived failures. */
export function waivedTable(waived: readonly CaseResult[]): Table {
  const rows = waived.map((result) => [result.case, result.reason, whyWaived(result), result.replay]);
  const columns = [
    ...columnsOf('code', 'case'),
    ...columnsOf('text', 'why', 'waived'),
    ...columnsOf('code', 'replay'),
  ];
  return { title: `${formatCount(waived.length, 'case')} waived`, columns, rows };
}

type Finding = NonNullable<Results['inspections']>[number]['findings'][number];

/** Tabulates the findings on a kernel, question by question. */
export function findingsTable(
  title: string,
  findings: readonly Pick<Finding, 'question' | 'answer' | 'confidence' | 'evidence'>[],
): Table {
  const rows = findings.map(({ question, answer, confidence, evidence }) => [
    question,
    answer,
    confidence,
    evidence,
  ]);
  return { title, columns: columnsOf('text', 'question', 'answer', 'confidence', 'evidence'), rows };
}
