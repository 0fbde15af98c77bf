import type { Colors } from 'picocolors/types.js';
import type { CaseResult, Results } from '../gate/results.ts';
import { type Cell, columnsOf, wrap } from './columns.ts';
import { counted, precise, short } from './numbers.ts';
import { oneLine, printable } from './printable.ts';
import { describeWaiver, standingOf, tellingWaivers } from './standing.ts';
import { byReason, describeSlope, growthRows, missingFits, summarise } from './summary.ts';
import { tallySentence, verdictSentence } from './verdict.ts';

/** How a report for people looks. */
export interface Look {
  readonly colors: Colors;
  /** Columns of the terminal. */
  readonly width: number;
}

/** Failing cases shown in full; the results file has them all. */
const SHOWN_FAILURES = 20;
const SHOWN_REASONS = 10;

/** The final report for a terminal; the verdict is its last line. */
export function tableReport(results: Results, look: Look): string {
  const sections = [
    heading(results, look),
    summarySection(results, look),
    growthSection(results, look),
    failureSection(results, look),
    inconclusiveSection(results, look),
    waiverSection(results, look),
    inspectionSection(results, look),
    noteSection(results, look),
    verdictSection(results, look),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function heading({ adapter, version }: Results, { colors }: Look): string[] {
  return [
    `${colors.bold('gemm-paranoia')} ${oneLine(version)} on ${oneLine(adapter.name)} (${adapter.kind})`,
    colors.dim(`${oneLine(adapter.id)}, ${oneLine(adapter.driver)}, ${oneLine(adapter.dawn)}`),
  ];
}

function summarySection({ cases }: Results, { colors, width }: Look): string[] {
  if (cases.length === 0) return ['No case ran.'];
  const all = summarise(cases);
  const anyWaived = all.some(({ waived }) => waived > 0);
  const columns = [
    { heading: 'kernel', text: true },
    ...['levels', 'cases', 'pass', 'fail'].map((heading) => ({ heading })),
    ...(anyWaived ? [{ heading: 'waived' }] : []),
    ...['incon.', 'sigmas', 'of bound', 'bits', 'mirror'].map((heading) => ({ heading })),
  ];
  const some = (count: number, paint: (text: string) => string): Cell =>
    count === 0 ? { text: '0', paint: colors.dim } : { text: String(count), paint };
  const rows = all.map((row): Cell[] => [
    oneLine(row.kernel),
    String(row.levels),
    String(row.cases),
    some(row.pass, colors.green),
    some(row.fail, colors.red),
    ...(anyWaived ? [some(row.waived, colors.yellow)] : []),
    some(row.inconclusive, colors.yellow),
    short(row.sigmas),
    short(row.used),
    short(row.bits),
    {
      text: row.mirrored === 0 ? '–' : `${row.mirrorEqual}/${row.mirrored}`,
      paint: row.mirrorEqual === row.mirrored ? String : colors.red,
    },
  ]);
  return [
    ...columnsOf(columns, rows, width, colors.bold),
    ...wrap(
      'The worst of each row: the error in sigmas (of random inputs), the part of the running bound it used, the significant bits of its least accurate entry, beside |A||B| (of fast algorithms on uniform inputs alone: they owe small entries nothing); and how many results equal the mirror.',
      width,
    ).map(colors.dim),
  ];
}

function growthSection({ growth }: Results, { colors, width }: Look): string[] {
  if (growth.length === 0) return [];
  const columns = [
    { heading: 'growth of the error', text: true },
    { heading: 'input', text: true },
    { heading: 'over', text: true },
    { heading: 'largest' },
    { heading: 'mean' },
  ];
  const rows = growthRows(growth).map((row) => [
    oneLine(row.kernel),
    oneLine(row.input),
    row.series,
    describeSlope(row.maxError),
    describeSlope(row.meanError),
  ]);
  const notes = missingFits(growth).slice(0, SHOWN_REASONS);
  return [
    ...columnsOf(columns, rows, width, colors.bold),
    ...wrap('Slopes s of error ~ n^s over size, ~ 2^(s·levels) over levels; 95 % intervals.', width).map(
      colors.dim,
    ),
    ...notes.flatMap(({ reason, count }) => wrap(`No fit (${count}): ${oneLine(reason)}`, width)),
  ];
}

function failureSection({ cases }: Results, look: Look): string[] {
  const failing = cases.filter((result) => standingOf(result) === 'fail');
  const shown = failing.slice(0, SHOWN_FAILURES).map((result) => describeFailure(result, look).join('\n'));
  const left = failing.length - shown.length;
  if (left > 0) shown.push(`… and ${left} more that fail; the results file has them all.`);
  return shown.length === 0 ? [] : [shown.join('\n\n')];
}

const INDENT = '  ';

/** A failing case in full: what was found and allowed, why that is a failure, and how to repeat it. */
export function describeFailure(result: CaseResult, { colors, width }: Look): string[] {
  const failed = result.checks.filter(({ status }) => status === 'fail');
  const columns = [{ heading: 'check', text: true }, { heading: 'found' }, { heading: 'allowed' }];
  const rows = failed.map(({ name, found, allowed }): Cell[] => [
    oneLine(name),
    { text: short(found), paint: colors.red },
    short(allowed),
  ]);
  const messages = [...new Set([result.reason, ...failed.map(({ message }) => message)])];
  const inner = width - INDENT.length;
  const body = [
    ...(rows.length > 0 ? columnsOf(columns, rows, inner, colors.dim) : []),
    ...messages.flatMap((message) => wrap(printable(message), inner)),
    ...describeWorst(result),
    `${colors.dim('replay:')} ${oneLine(result.replay)}`,
  ];
  return [
    `${colors.red(colors.bold('FAIL'))} ${oneLine(result.case)}`,
    ...body.map((line) => `${INDENT}${line}`),
  ];
}

function describeWorst({ exact }: CaseResult): string[] {
  if (exact?.worst === undefined) return [];
  const { i, j, computed, expected, error, quadrant } = exact.worst;
  const where = quadrant === '' ? '' : ` in ${oneLine(quadrant)}`;
  return [
    `worst entry (${i}, ${j})${where}: ${precise(computed)} for ${precise(expected)}, error ${short(error)}`,
  ];
}

function inconclusiveSection({ cases }: Results, { colors, width }: Look): string[] {
  const reasons = byReason(cases.filter(({ verdict }) => verdict === 'inconclusive'));
  if (reasons.length === 0) return [];
  const lines = reasons
    .slice(0, SHOWN_REASONS)
    .flatMap(({ reason, count, example }) => [
      ...wrap(`${count} × ${oneLine(reason)}`, width - INDENT.length).map((line) => `${INDENT}${line}`),
      colors.dim(`${INDENT}${INDENT}${count === 1 ? '' : 'such as '}${oneLine(example.case)}`),
    ]);
  const left = reasons.length - SHOWN_REASONS;
  if (left > 0) lines.push(`${INDENT}… and ${counted(left, 'other reason')}`);
  return [colors.yellow('Inconclusive:'), ...lines];
}

const PAINT = { used: 'yellow', unused: 'red', expired: 'red', idle: 'dim' } as const;

function waiverSection(results: Results, { colors, width }: Look): string[] {
  const telling = tellingWaivers(results);
  if (telling.length === 0) return [];
  const lines = telling.slice(0, SHOWN_REASONS).flatMap((waiver) => {
    const { state, reason } = waiver;
    const head = `${state}: ${oneLine(waiver.case)} (${oneLine(describeWaiver(waiver))})`;
    return [
      `${INDENT}${colors[PAINT[state]](head)}`,
      ...wrap(oneLine(reason), width - 2 * INDENT.length).map((line) => `${INDENT}${INDENT}${line}`),
    ];
  });
  const left = telling.length - SHOWN_REASONS;
  if (left > 0) lines.push(`${INDENT}… and ${counted(left, 'other waiver')}`);
  return ['Waivers:', ...lines];
}

/** What outputs show of kernels that are not ours: the answers that are sure, and what contradicts their claims. */
function inspectionSection({ inspections = [] }: Results, { colors, width }: Look): string[] {
  return inspections.slice(0, SHOWN_REASONS).flatMap(({ kernel, findings, contradictions = [] }) => {
    const sure = findings.filter(({ confidence }) => confidence === 'proved' || confidence === 'measured');
    const answers = sure.map(({ id, answer }) => `${id}: ${oneLine(answer)}`).join('; ');
    return [
      ...wrap(`The outputs of ${oneLine(kernel)} show ${answers}.`, width),
      ...contradictions
        .flatMap((one) => wrap(oneLine(one), width - INDENT.length))
        .map((line) => `${INDENT}${colors.red(line)}`),
    ];
  });
}

function noteSection({ notes = [] }: Results, { width }: Look): string[] {
  const shown = notes.slice(0, SHOWN_REASONS).flatMap((note) => wrap(oneLine(note), width));
  const left = notes.length - SHOWN_REASONS;
  return left > 0 ? [...shown, `… and ${counted(left, 'other note')}`] : shown;
}

function verdictSection(results: Results, { colors }: Look): string[] {
  const paint = { pass: colors.green, fail: colors.red, inconclusive: colors.yellow }[results.verdict];
  return [tallySentence(results), paint(colors.bold(verdictSentence(results)))];
}
