import type { FaultOutcome } from '../gate/self-test.ts';
import { isAsExpected, summarizeFaults } from '../gate/self-test-summary.ts';
import { formatCount } from '../report/numbers.ts';
import { columnsOf, countCell, type Table } from '../report/table.ts';

/** Describes the gate's verdict on one fault in some lines; on one rung of a ladder, in two. */
export function faultText({ fault, failed, run, pointed, unlike }: FaultOutcome): string {
  const lines = [`${fault.name} (${where(fault)}): ${fault.what}`];
  if (run === 0) lines.push('  NOT PLANTED: it changes no result of its cases');
  else if (failed === undefined) {
    const bits =
      unlike === 0 ? '' : `; ${unlike} of them differ from the bit-exact model, which decides no verdict`;
    const because = fault.unseen === undefined ? '' : `, because ${fault.unseen}`;
    lines.push(
      `  ${fault.rung === undefined ? 'MISSED' : 'missed'} in all ${formatCount(run, 'case')}${because}${bits}`,
    );
  } else if (fault.rung !== undefined) lines.push(`  failed at case ${run}`);
  else {
    lines.push(`  failed at case ${run}`, `  ${failed.reason}`, `  ${failed.replay}`);
    if (!pointed) lines.push('  The message does not name the cause.');
  }
  return `${lines.join('\n')}\n`;
}

const where = ({ kernel, precision }: FaultOutcome['fault']) =>
  precision === undefined ? kernel : `${kernel} in ${precision}`;

/** Returns the gate's verdict on one fault, as JSON. */
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

/** Tabulates the outcomes by class: planted and failed faults, and the smallest detected ones. */
export function classTables(outcomes: readonly FaultOutcome[]): Table[] {
  const classes = summarizeFaults(outcomes);
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
      rows: classes.map((one) => [one.class, countCell(one.planted), countCell(one.killed), missed(one)]),
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

/** Returns the last line: the number of detected faults among all. */
export function verdictText(outcomes: readonly FaultOutcome[]): string {
  const single = outcomes.filter(({ fault, run }) => fault.rung === undefined && run > 0);
  const killed = single.filter(({ failed }) => failed !== undefined);
  const pointed = killed.filter(isAsExpected).length;
  const unseen = single.filter(({ fault, failed }) => failed === undefined && fault.unseen !== undefined);
  const known =
    unseen.length === 0 ? '' : ` ${formatCount(unseen.length, 'fault')} out of the gate's sight, as known.`;
  return `${killed.length} of ${single.length} faults failed the gate; ${pointed} messages name the cause.${known}`;
}
