import { escapeControls, toOneLine } from '../base/printable.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { formatPrecise, formatShort } from '../report/numbers.ts';
import { columnsOf, digitsCell, type Table } from '../report/table.ts';
import type { TerminalStyle } from '../report/terminal/look.ts';
import { terminalTable } from '../report/terminal/table.ts';
import { cutAtWord, displayWidth, wrapText } from '../report/terminal/width.ts';
import { shapeInWords } from './case-words.ts';
import { excerptText } from './excerpt.ts';

/** The indent of lines that belong to another. */
export const INDENT = '  ';

/** Describes a failing case in full: found and allowed values, the reason, and the command that repeats it. */
export function describeFailure(result: CaseResult, { colors, width }: TerminalStyle): string[] {
  const failed = result.checks.filter(({ status }) => status === 'fail');
  const messages = [...new Set([result.reason, ...failed.map(({ message }) => message)])];
  const inner = width - INDENT.length;
  const table = checksTable({ ...result, checks: failed });
  const body = [
    ...(failed.length > 0 ? terminalTable(table, { colors, width: inner }) : []),
    ...messages.flatMap((message) => wrapText(escapeControls(message), inner)),
    ...describeWorst(result),
    ...excerptText(result, inner),
    `${colors.dim('replay:')} ${toOneLine(result.replay)}`,
  ];
  return [heading(result, colors), ...body.map((line) => `${INDENT}${line}`)];
}

const heading = ({ case: text }: CaseResult, colors: TerminalStyle['colors']) =>
  `${colors.red(colors.bold('FAIL'))} ${toOneLine(text)}`;

/** Describes a failing case and its reason in one line: as much of the reason as fits, in whole clauses. */
export const failureLine = (
  { kernel, case: text, reason }: CaseResult,
  { colors, width }: TerminalStyle,
): string => {
  const room = Math.max(1, width - 'FAIL '.length);
  const of = `${toOneLine(kernel, LONGEST_NAME)}, ${shapeInWords(text)}`;
  const why = toOneLine(reason).replace(/\.$/, '');
  const said = [why, why.split('; ')[0], why.split(': ')[0]].map((part) => `${of}: ${part}`);
  const shown = said.find((line) => displayWidth(line) <= room) ?? cutAtWord(said[0], room);
  return `${colors.red(colors.bold('FAIL'))} ${shown}`;
};

const LONGEST_NAME = 32;

function describeWorst({ exact }: CaseResult): string[] {
  if (exact?.worst === undefined) return [];
  const { i, j, computed, expected, error, quadrant } = exact.worst;
  const where = quadrant === '' ? '' : ` in ${toOneLine(quadrant)}`;
  return [
    `worst entry (${i}, ${j})${where}: found ${formatPrecise(computed)}, expected ${formatPrecise(expected)}, error ${formatShort(error)}`,
  ];
}

/** Returns the checks that keep a case from passing. */
export const decisiveChecks = ({ checks }: CaseResult) =>
  checks.filter(({ status }) => status === 'fail' || status === 'inconclusive');

/** Tabulates the failed and inconclusive checks of a case, with found and allowed values. */
function checksTable(result: CaseResult): Table {
  const rows = decisiveChecks(result).map(({ name, status, found, allowed }) => [
    status === 'fail' ? name : `${name} (${status})`,
    { ...digitsCell(found), tone: status === 'fail' ? ('bad' as const) : ('unsure' as const) },
    digitsCell(allowed),
  ]);
  const columns = [...columnsOf('text', 'check'), ...columnsOf('number', 'found', 'allowed')];
  return { title: '', columns, rows };
}
