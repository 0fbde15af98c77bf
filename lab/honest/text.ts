import { toJsonNumber } from '../../src/base/numbers.ts';
import { formatCount } from '../../src/report/numbers.ts';
import {
  columnsOf,
  countCell,
  digitsCell,
  type Table,
  type TableCell,
  tallyCell,
} from '../../src/report/table.ts';
import { terminalTables } from '../../src/report/terminal/table.ts';
import type { TerminalStyle } from '../../src/report/terminal/text.ts';
import type { HonestOutcome } from './run.ts';
import type { SigmaBin, SigmaTally } from './tally.ts';

/** Formats the outcome of a run. */
export function honestText(outcome: HonestOutcome, look: TerminalStyle): string {
  const { planned, run, pass, alarms, unmade, inconclusive, seconds } = outcome;
  const undecided = inconclusive.reduce((sum, { cases }) => sum + cases, 0);
  const rate = (run / seconds).toFixed(0);
  const head = `${run} of ${planned} correct cases in ${seconds.toFixed(0)} s (${rate} per second): ${pass} passed, ${formatCount(alarms.length, 'false alarm')}, ${undecided} inconclusive${unmade.length === 0 ? '' : `, ${unmade.length} not made`}.`;
  const said = alarms.map(({ reason, replay }) => `\nFALSE ALARM ${replay}\n  ${reason}\n`);
  const lost = unmade.map((one) => `\nNOT MADE ${one.case}\n  ${one.reason}\n`);
  return `${head}\n\n${terminalTables(honestTables(outcome), look)}${[...said, ...lost].join('')}`;
}

function honestTables(outcome: HonestOutcome): Table[] {
  const { checks, coverage, sigmas, kinds, histogram, inconclusive, undecided, alarm } = outcome;
  return [
    {
      title: '',
      columns: [
        ...columnsOf('text', 'feature'),
        ...columnsOf('number', 'all', 'covered'),
        ...columnsOf('text', 'not covered'),
      ],
      rows: coverage.map(({ of, met, unmet }) => [
        ...[of, countCell(met.length + unmet.length), countCell(met.length)],
        unmet.join(', ') || '-',
      ]),
    },
    {
      title: '',
      columns: [...columnsOf('text', 'check'), ...columnsOf('number', 'pass', 'fail', 'undecided')],
      rows: checks.map((one) => [
        one.name,
        countCell(one.pass),
        tallyCell(one.fail, 'bad'),
        countCell(one.undecided),
      ]),
    },
    {
      title: 'Errors in sigmas, and expected counts for independent normal errors of one sigma',
      columns: columnsOf('number', 'from', 'entries', 'normal', 'worst of a case', 'normal'),
      rows: histogram.map(histogramRow),
    },
    sigmaTable('precision', sigmas),
    sigmaTable('terms and order of summation', kinds),
    {
      title: 'Upper bound on the probability of a false alarm in all these cases',
      columns: [...columnsOf('number', 'probability'), ...columnsOf('text', 'if rounding errors')],
      rows: ALARMS.map(([key, when]) => [
        { value: toJsonNumber(alarm[key]), as: 'exponent', digits: 2 },
        when,
      ]),
    },
    reasonTable('inconclusive cases', 'families', inconclusive),
    reasonTable('undecided checks', 'check', undecided),
    ...coverage.map(({ of, met }) => ({
      title: '',
      columns: [...columnsOf('text', of), ...columnsOf('number', 'cases', 'pass', 'inconclusive')],
      rows: met.map((one) => [
        one.name,
        ...[one.cases, one.pass, one.undecided].map((cases) => countCell(cases)),
      ]),
    })),
  ];
}

/** The table of reasons, the most frequent first, with their family or check. */
function reasonTable(what: string, of: string, all: HonestOutcome['undecided']): Table {
  const reasons = [...new Set(all.map(({ reason }) => reason))].map((reason) => {
    const own = all.filter((one) => one.reason === reason);
    const cases = own.reduce((sum, one) => sum + one.cases, 0);
    return { reason, cases, of: own.map((one) => `${one.of} ${one.cases}`).join(', ') };
  });
  return {
    title: '',
    columns: [...columnsOf('number', what), ...columnsOf('text', 'reason', of)],
    rows: reasons.sort((x, y) => y.cases - x.cases).map((one) => [countCell(one.cases), one.reason, one.of]),
  };
}

/** The assumption behind each of the probabilities. */
const ALARMS: readonly (readonly [keyof HonestOutcome['alarm'], string])[] = [
  ['bounded', 'have mean zero and are at most u·|v|, and sums are as large as expected'],
  ['uniform', 'are uniform as well'],
  ['varying', 'are uniform, and sums as large as random terms in a row make them'],
];

const histogramRow = ({ from, entries, modeled, worst, worstModeled }: SigmaBin): TableCell[] => [
  digitsCell(from),
  ...[entries, modeled, worst, worstModeled].map((value) =>
    Number.isInteger(value) ? countCell(value) : digitsCell(value, 2),
  ),
];

function sigmaTable(what: string, rows: readonly SigmaTally[]): Table {
  return {
    title: '',
    columns: [
      ...columnsOf('text', what),
      ...columnsOf('number', 'cases', 'entries', 'worst', 'normal', 'root mean square'),
    ],
    rows: rows.map(({ of, cases, entries, worst, modeled, typical }) => [
      ...[of, countCell(cases), countCell(entries)],
      ...[digitsCell(worst), digitsCell(modeled), digitsCell(typical)],
    ]),
  };
}
