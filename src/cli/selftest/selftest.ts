import { EXIT } from '../../base/errors.ts';
import { Evaluator } from '../../evidence/evaluate.ts';
import { exactProduct } from '../../exact/exact.ts';
import { type FaultOutcome, selfTest } from '../../gate/self-test.ts';
import { isAsExpected, summarizeFaults } from '../../gate/self-test-summary.ts';
import { compareBinary64 } from '../../gpu/compare-f64.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { faults, findFault, rungs } from '../../kernels/faults/faults.ts';
import { formatCount } from '../../report/numbers.ts';
import { columnsOf, countCell, type Table } from '../../report/table.ts';
import type { SelfTestRequest } from '../options.ts';
import { printTables } from '../print-tables.ts';
import { createStopper } from '../stopper.ts';

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

function faultJson({ fault, failed, run, pointed, unlike }: FaultOutcome) {
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

/** Runs the self-test. @returns the exit code */
export const runSelfTest = (request: SelfTestRequest): Promise<number> =>
  request.binary64 === undefined ? plantFaults(request) : compareOnDevice(request, request.binary64);

async function plantFaults({ fault, json, adapter }: SelfTestRequest): Promise<number> {
  const planted = fault?.map(findFault) ?? [...faults, ...rungs];
  const open = await openNodeDevice({ adapter });
  const onFault = (outcome: FaultOutcome) => {
    if (json !== true) console.log(faultText(outcome));
  };
  if (json !== true)
    console.log(`On ${open.fingerprint.name}: ${formatCount(planted.length, 'planted fault')}.\n`);
  const stop = createStopper(undefined);
  try {
    const evaluator = new Evaluator(exactProduct);
    const outcomes = await selfTest(open, evaluator, { planted, onFault, stop: stop.asked });
    if (json === true) {
      const adapter = open.fingerprint.name;
      const found = { adapter, faults: outcomes.map(faultJson), classes: summarizeFaults(outcomes) };
      console.log(JSON.stringify(found, undefined, 2));
    } else {
      printTables(...classTables(outcomes));
      console.log(`\n${verdictText(outcomes)}`);
    }
    if (!outcomes.every(isAsExpected)) return EXIT.fail;
    return outcomes.length === planted.length ? EXIT.pass : EXIT.inconclusive;
  } finally {
    stop.release();
    open.close();
  }
}

async function compareOnDevice(
  { json, seed = 1, adapter }: SelfTestRequest,
  random: number,
): Promise<number> {
  const open = await openNodeDevice({ adapter });
  const { compared, mismatches, first } = await compareBinary64(open, { random, seed });
  open.close();
  const { name } = open.fingerprint;
  if (json === true)
    console.log(JSON.stringify({ adapter: name, compared, mismatches, first }, undefined, 2));
  else {
    console.log(`On ${name}: ${compared} results of binary64 sums, products and multiply-adds compared.`);
    console.log(mismatches === 0 ? 'All have the same bits.' : `${mismatches} differ; the first: ${first}`);
  }
  return mismatches === 0 ? EXIT.pass : EXIT.fail;
}
