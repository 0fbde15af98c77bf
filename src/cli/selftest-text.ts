import type { HonestOutcome, SigmaTally } from '../gate/honest-run.ts';
import type { FaultOutcome } from '../gate/self-test.ts';
import { isAsExpected, summarise } from '../gate/self-test-summary.ts';
import { columnsOf } from '../report/columns.ts';
import { counted } from '../report/numbers.ts';

/** What the gate said of one fault, in some lines; of one rung of a ladder, in two. */
export function faultText({ fault, failed, run, pointed, unlike }: FaultOutcome): string {
  const lines = [`${fault.name} (${where(fault)}): ${fault.what}`];
  if (failed === undefined) {
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
export function classesText(outcomes: readonly FaultOutcome[]): string {
  const classes = summarise(outcomes);
  const rows = classes.map((one) => [
    one.class,
    String(one.planted),
    String(one.killed),
    [...one.unseen.map((name) => `${name} (out of sight)`), ...one.missed].join(', ') || '-',
  ]);
  const sizes = classes.flatMap(({ ladders }) =>
    ladders.map((one) => [
      one.class,
      one.ladder,
      one.smallestCaught ?? 'none',
      one.largestMissed ?? 'none',
      one.what,
    ]),
  );
  return [
    tableText([['class', 'planted', 'killed', 'missed'], ...rows]),
    ...(sizes.length === 0
      ? []
      : [
          tableText([
            ['class', 'ladder', 'smallest caught', 'largest missed', 'at the smallest caught'],
            ...sizes,
          ]),
        ]),
  ].join('\n\n');
}

/** The last line: how many of how many. */
export function verdictText(outcomes: readonly FaultOutcome[]): string {
  const single = outcomes.filter(({ fault }) => fault.rung === undefined);
  const killed = single.filter(({ failed }) => failed !== undefined);
  const pointed = killed.filter(isAsExpected).length;
  const unseen = single.filter(({ fault, failed }) => failed === undefined && fault.unseen !== undefined);
  const known =
    unseen.length === 0 ? '' : ` ${counted(unseen.length, 'fault')} out of the gate's sight, as known.`;
  return `${killed.length} of ${single.length} faults failed the gate; ${pointed} messages point at the cause.${known}`;
}

/** What an honest run found, as a table a person reads. */
export function honestText({
  planned,
  run,
  pass,
  alarms,
  inconclusive,
  checks,
  sigmas,
  seconds,
}: HonestOutcome): string {
  const undecided = inconclusive.reduce((sum, { cases }) => sum + cases, 0);
  const rate = (run / seconds).toFixed(0);
  const lines = [
    `${run} of ${planned} honest cases in ${seconds.toFixed(0)} s (${rate} a second): ${pass} passed, ${counted(alarms.length, 'false alarm')}, ${undecided} inconclusive.`,
    '',
    tableText([
      ['check', 'pass', 'fail', 'could not decide'],
      ...checks.map((one) => [one.name, one.pass, one.fail, one.undecided].map(String)),
    ]),
    '',
    'Worst errors in sigmas, and what as many independent normal errors would give:',
    tableText([
      ['precision', 'cases', 'entries', 'worst', 'model', ...beyondTitles(sigmas), 'chance of an alarm'],
      ...sigmas.map(sigmaRow),
    ]),
  ];
  if (inconclusive.length > 0) {
    const rows = inconclusive.map(({ input, cases, reason }) => [String(cases), input, reason]);
    lines.push('', tableText([['inconclusive', 'input', 'because'], ...rows]));
  }
  for (const { reason, replay } of alarms) lines.push('', `FALSE ALARM ${replay}`, `  ${reason}`);
  return lines.join('\n');
}

const beyondTitles = ([first]: readonly SigmaTally[]) =>
  (first?.beyond ?? []).map(({ sigmas }) => `beyond ${sigmas} (model)`);

function sigmaRow({ precision, cases, entries, worst, modelled, beyond, alarm }: SigmaTally): string[] {
  return [
    precision,
    String(cases),
    String(entries),
    worst.toFixed(2),
    modelled.toFixed(2),
    ...beyond.map((one) => `${one.cases} (${one.modelled.toPrecision(2)})`),
    alarm.toExponential(1),
  ];
}

/** Aligned columns; the first row is the head. */
function tableText([head, ...rows]: readonly (readonly string[])[]): string {
  const columns = head.map((heading) => ({ heading, text: true }));
  return columnsOf(columns, rows, Number.POSITIVE_INFINITY, (text) => text)
    .map((line) => line.trimEnd())
    .join('\n');
}
