import { toReal } from '../base/real.ts';
import type { HonestOutcome } from '../gate/honest-run.ts';
import type { SigmaBin, SigmaTally } from '../gate/honest-tally.ts';
import type { FaultOutcome } from '../gate/self-test.ts';
import { isAsExpected, summarise } from '../gate/self-test-summary.ts';
import { counted } from '../report/numbers.ts';
import { type Cell, columnsOf, count, digits, type Table, tally } from '../report/table.ts';
import type { Look } from '../report/terminal/look.ts';
import { terminalTables } from '../report/terminal/table.ts';

/** What the gate said of one fault, in some lines; of one rung of a ladder, in two. */
export function faultText({ fault, failed, run, pointed, unlike }: FaultOutcome): string {
  const lines = [`${fault.name} (${where(fault)}): ${fault.what}`];
  if (run === 0) lines.push('  NOT PLANTED: it changes nothing in any of its cases');
  else if (failed === undefined) {
    const bits =
      unlike === 0 ? '' : `; ${unlike} of them have other bits than the mirror, which no verdict goes by`;
    const because = fault.unseen === undefined ? '' : `, because ${fault.unseen}`;
    lines.push(
      `  ${fault.rung === undefined ? 'MISSED' : 'missed'} in all ${counted(run, 'case')}${because}${bits}`,
    );
  } else if (fault.rung !== undefined) lines.push(`  failed at case ${run}`);
  else {
    lines.push(`  failed at case ${run}`, `  ${failed.reason}`, `  ${failed.replay}`);
    if (!pointed) lines.push('  The message does not point at the cause.');
  }
  return `${lines.join('\n')}\n`;
}

const where = ({ kernel, precision }: FaultOutcome['fault']) =>
  precision === undefined ? kernel : `${kernel} in ${precision}`;

/** What the gate said of one fault, as JSON. */
export function faultJson({ fault, failed, run, pointed, unlike }: FaultOutcome) {
  const { name, what, kernel, precision = 'f32', levels, unseen, rung } = fault;
  return {
    name,
    class: fault.class,
    what,
    kernel,
    precision,
    levels,
    ...(rung === undefined ? {} : { rung }),
    ...(unseen === undefined ? {} : { unseen }),
    killed: failed !== undefined,
    pointed,
    run,
    unlike,
    case: failed?.case,
    reason: failed?.reason,
  };
}

/** The outcomes by class: how many faults were planted and failed, and how small they may be. */
export function classTables(outcomes: readonly FaultOutcome[]): Table[] {
  const classes = summarise(outcomes);
  const missed = ({ unseen, missed, unplanted }: (typeof classes)[number]) =>
    [
      ...unseen.map((name) => `${name} (out of sight)`),
      ...missed,
      ...unplanted.map((name) => `${name} (not planted)`),
    ].join(', ') || '-';
  const ladders = classes.flatMap((one) => one.ladders.map((ladder) => ({ ...ladder, class: one.class })));
  return [
    {
      title: '',
      columns: [
        ...columnsOf('text', 'class'),
        ...columnsOf('number', 'planted', 'killed'),
        ...columnsOf('text', 'missed'),
      ],
      rows: classes.map((one) => [one.class, count(one.planted), count(one.killed), missed(one)]),
    },
    {
      title: '',
      columns: columnsOf(
        'text',
        ...['class', 'ladder', 'smallest caught', 'largest missed', 'at the smallest caught'],
      ),
      rows: ladders.map((one) => [
        one.class,
        one.ladder,
        one.smallestCaught ?? 'none',
        one.largestMissed ?? 'none',
        one.what,
      ]),
    },
  ];
}

/** The last line: how many of how many. */
export function verdictText(outcomes: readonly FaultOutcome[]): string {
  const single = outcomes.filter(({ fault, run }) => fault.rung === undefined && run > 0);
  const killed = single.filter(({ failed }) => failed !== undefined);
  const pointed = killed.filter(isAsExpected).length;
  const unseen = single.filter(({ fault, failed }) => failed === undefined && fault.unseen !== undefined);
  const known =
    unseen.length === 0 ? '' : ` ${counted(unseen.length, 'fault')} out of the gate's sight, as known.`;
  return `${killed.length} of ${single.length} faults failed the gate; ${pointed} messages point at the cause.${known}`;
}

/** What an honest run found. */
export function honestText(outcome: HonestOutcome, look: Look): string {
  const { planned, run, pass, alarms, inconclusive, seconds } = outcome;
  const undecided = inconclusive.reduce((sum, { cases }) => sum + cases, 0);
  const rate = (run / seconds).toFixed(0);
  const head = `${run} of ${planned} honest cases in ${seconds.toFixed(0)} s (${rate} a second): ${pass} passed, ${counted(alarms.length, 'false alarm')}, ${undecided} inconclusive.`;
  const said = alarms.map(({ reason, replay }) => `\nFALSE ALARM ${replay}\n  ${reason}\n`);
  return `${head}\n\n${terminalTables(honestTables(outcome), look)}${said.join('')}`;
}

function honestTables(outcome: HonestOutcome): Table[] {
  const { checks, coverage, sigmas, kinds, histogram, inconclusive, undecided, alarm } = outcome;
  return [
    {
      title: '',
      columns: [
        ...columnsOf('text', 'what there is'),
        ...columnsOf('number', 'of it', 'met'),
        ...columnsOf('text', 'not met'),
      ],
      rows: coverage.map(({ of, met, unmet }) => [
        ...[of, count(met.length + unmet.length), count(met.length)],
        unmet.join(', ') || '-',
      ]),
    },
    {
      title: '',
      columns: [...columnsOf('text', 'check'), ...columnsOf('number', 'pass', 'fail', 'could not decide')],
      rows: checks.map((one) => [one.name, count(one.pass), tally(one.fail, 'bad'), count(one.undecided)]),
    },
    {
      title: 'Errors in sigmas, and what as many independent normal errors of one sigma would give',
      columns: columnsOf('number', 'from', 'entries', 'normal', 'worst of a case', 'normal'),
      rows: histogram.map(histogramRow),
    },
    sigmaTable('precision', sigmas),
    sigmaTable('what is added up, and how', kinds),
    {
      title: 'The chance of a false alarm in all these cases, at most',
      columns: [...columnsOf('number', 'chance'), ...columnsOf('text', 'if rounding errors')],
      rows: ALARMS.map(([key, when]) => [{ value: toReal(alarm[key]), as: 'exponent', digits: 2 }, when]),
    },
    reasonTable('inconclusive cases', 'families', inconclusive),
    reasonTable('checks that could not decide', 'check', undecided),
    ...coverage.map(({ of, met }) => ({
      title: '',
      columns: [...columnsOf('text', of), ...columnsOf('number', 'cases', 'pass', 'inconclusive')],
      rows: met.map((one) => [
        one.name,
        ...[one.cases, one.pass, one.undecided].map((cases) => count(cases)),
      ]),
    })),
  ];
}

/** Reasons, most cases first, each with what it was the reason of. */
function reasonTable(what: string, of: string, all: HonestOutcome['undecided']): Table {
  const reasons = [...new Set(all.map(({ reason }) => reason))].map((reason) => {
    const own = all.filter((one) => one.reason === reason);
    const cases = own.reduce((sum, one) => sum + one.cases, 0);
    return { reason, cases, of: own.map((one) => `${one.of} ${one.cases}`).join(', ') };
  });
  return {
    title: '',
    columns: [...columnsOf('number', what), ...columnsOf('text', 'because', of)],
    rows: reasons.sort((x, y) => y.cases - x.cases).map((one) => [count(one.cases), one.reason, one.of]),
  };
}

/** What each of the chances assumes. */
const ALARMS: readonly (readonly [keyof HonestOutcome['alarm'], string])[] = [
  ['bounded', 'have mean zero and are at most u·|v|, and sums are as large as expected'],
  ['uniform', 'are uniform as well'],
  ['varying', 'are uniform, and sums as large as random terms in a row make them'],
];

const histogramRow = ({ from, entries, modelled, worst, worstModelled }: SigmaBin): Cell[] => [
  digits(from),
  ...[entries, modelled, worst, worstModelled].map((value) =>
    Number.isInteger(value) ? count(value) : digits(value, 2),
  ),
];

function sigmaTable(what: string, rows: readonly SigmaTally[]): Table {
  return {
    title: '',
    columns: [
      ...columnsOf('text', what),
      ...columnsOf('number', 'cases', 'entries', 'worst', 'normal', 'root mean square'),
    ],
    rows: rows.map(({ of, cases, entries, worst, modelled, typical }) => [
      ...[of, count(cases), count(entries)],
      ...[digits(worst), digits(modelled), digits(typical)],
    ]),
  };
}
