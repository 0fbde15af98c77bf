import type { CaseResult } from '../../evidence/case-result.ts';
import { formatCount } from '../../report/numbers.ts';
import { columnsOf, type Table, type Tone, tonedCell } from '../../report/table.ts';
import type { WaiverResult } from '../../run/results.ts';
import { describeWaiver, whyWaived } from '../standing.ts';

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
