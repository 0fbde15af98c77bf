import { oneLine, printable } from '../base/printable.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { precise, short } from '../report/numbers.ts';
import { columnsOf, digits, type Table } from '../report/table.ts';
import type { Look } from '../report/terminal/look.ts';
import { terminalTable } from '../report/terminal/table.ts';
import { cut, wrap } from '../report/terminal/width.ts';
import { caseInWords } from './case-words.ts';
import { excerptText } from './excerpt.ts';

/** The indent of lines that belong to another. */
export const INDENT = '  ';

/** Describes a failing case in full: found and allowed values, the reason, and the command that repeats it. */
export function describeFailure(result: CaseResult, { colors, width }: Look): string[] {
  const failed = result.checks.filter(({ status }) => status === 'fail');
  const messages = [...new Set([result.reason, ...failed.map(({ message }) => message)])];
  const inner = width - INDENT.length;
  const table = checksTable({ ...result, checks: failed });
  const body = [
    ...(failed.length > 0 ? terminalTable(table, { colors, width: inner }) : []),
    ...messages.flatMap((message) => wrap(printable(message), inner)),
    ...describeWorst(result),
    ...excerptText(result, inner),
    `${colors.dim('replay:')} ${oneLine(result.replay)}`,
  ];
  return [heading(result, colors), ...body.map((line) => `${INDENT}${line}`)];
}

const heading = ({ case: text }: CaseResult, colors: Look['colors']) =>
  `${colors.red(colors.bold('FAIL'))} ${oneLine(text)}`;

/** Describes a failing case and its reason in one line. */
export const failureLine = ({ kernel, case: text, reason }: CaseResult, { colors, width }: Look): string => {
  const said = `${oneLine(kernel, LONGEST_NAME)}, ${caseInWords(text)}: ${oneLine(reason)}`;
  return `${colors.red(colors.bold('FAIL'))} ${cut(said, Math.max(1, width - 'FAIL '.length))}`;
};

const LONGEST_NAME = 32;

function describeWorst({ exact }: CaseResult): string[] {
  if (exact?.worst === undefined) return [];
  const { i, j, computed, expected, error, quadrant } = exact.worst;
  const where = quadrant === '' ? '' : ` in ${oneLine(quadrant)}`;
  return [
    `worst entry (${i}, ${j})${where}: found ${precise(computed)}, expected ${precise(expected)}, error ${short(error)}`,
  ];
}

/** Returns the checks that keep a case from passing. */
export const telling = ({ checks }: CaseResult) =>
  checks.filter(({ status }) => status === 'fail' || status === 'inconclusive');

/** Tabulates the failed and inconclusive checks of a case, with found and allowed values. */
export function checksTable(result: CaseResult): Table {
  const rows = telling(result).map(({ name, status, found, allowed }) => [
    status === 'fail' ? name : `${name} (${status})`,
    { ...digits(found), tone: status === 'fail' ? ('bad' as const) : ('unsure' as const) },
    digits(allowed),
  ]);
  const columns = [...columnsOf('text', 'check'), ...columnsOf('number', 'found', 'allowed')];
  return { title: '', columns, rows };
}
