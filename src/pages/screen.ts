import { fromJsonNumber } from '../base/numbers.ts';
import { toOneLine } from '../base/printable.ts';
import {
  formatCount,
  formatDuration,
  formatMagnitude,
  formatShort,
  type MeasuredNumber,
} from '../report/numbers.ts';
import { type Column, columnsOf, type Table, type TableCell, type Tone, tonedCell } from '../report/table.ts';
import { terminalTable } from '../report/terminal/table.ts';
import { displayWidth, firstLines, type TerminalStyle } from '../report/terminal/text.ts';
import { describeDisprovedClaim } from '../run/overall.ts';
import type { Results } from '../run/results.ts';
import { type OverviewRow, overviewRows } from './overview.ts';
import { fitParts, listReportPieces, type ReportPiece } from './pieces.ts';
import { markOf } from './standing.ts';
import { paintVerdict, placeInWords, verdictSentence } from './verdict.ts';

/** Most lines of a passing run, and of any other; most kernels with a line each. */
const LINES = { pass: 15, other: 40 } as const;
const KERNELS = { pass: 8, other: 10 } as const;
/** Most lines of the header, and of the verdict. */
const [HEADER_LINES, VERDICT_LINES] = [2, 3];

/**
 * Renders a report that fits a screen: a line for each kernel, the failures that fit, and one line on the parts left out and their file.
 * The verdict is its last line.
 * @param file the file that holds everything
 */
export function screenReport(results: Results, look: TerminalStyle, file: string | undefined): string {
  const is = results.verdict === 'pass' ? 'pass' : 'other';
  const kernels = KERNELS[is] - (look.width < NARROW ? 2 : 0);
  const top = [
    ...firstLines(headerOf(results), look.width, HEADER_LINES),
    '',
    ...overviewLines(results, look, kernels),
  ];
  const verdict = shortVerdict(results, look);
  const pieces = listReportPieces(results, look, file);
  const measured = pieces.map(({ versions }) => ({
    versions: versions.map((lines) => rowsOfAll(lines, look)),
  }));
  const withRoom = (room: number): string[] => {
    const chosen = fitParts(measured, room);
    const shown = pieces.flatMap(({ versions }, at) => versions[chosen[at]] ?? []);
    const left = pieces.filter((_, at) => chosen[at] < 0);
    const lines = [...top, ...shown, '', ...leftOut(left, file), ...verdict];
    // The length of the line on the parts left out depends on the room.
    const excess = rowsOfAll(lines, look).length - LINES[is];
    return excess > 0 && room > 0 ? withRoom(room - excess) : lines;
  };
  const room = LINES[is] - rowsOfAll([...top, ...verdict], look).length - 1;
  return `${withRoom(room).join('\n')}\n`;
}

/** Columns below which a line of a table or a sentence is likely to be broken. */
const NARROW = 90;

/** Returns one empty line for each row of the terminal that the lines take. */
const rowsOfAll = (lines: readonly string[], look: TerminalStyle): string[] =>
  lines.flatMap((line) => new Array<string>(rowsOf(line, look)).fill(''));

/** Returns the rows of the terminal that a line takes. Commands are not broken into lines, so that they can be copied. */
const rowsOf = (line: string, { width }: TerminalStyle): number =>
  Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, width)));

/** Describes the program, the device, the cases and the duration. */
function headerOf({ version, adapter, summary, seed, shard }: Results): string {
  const { run, planned, seconds } = summary;
  const ran = run === planned ? formatCount(run, 'case') : `${run} of ${formatCount(planned, 'case')}`;
  const part = shard === undefined ? '' : ` (shard ${shard.index} of ${shard.of})`;
  return `gemm-paranoia ${toOneLine(version, 20)} on ${placeInWords(adapter)}: ${ran}${part}${run === 0 ? '' : ` in ${formatDuration(seconds)}`}, seed ${seed}`;
}

function overviewLines(results: Results, look: TerminalStyle, most: number): string[] {
  if (results.cases.length === 0) return ['No case finished.'];
  return terminalTable(overviewTable(overviewRows(results, most)), look);
}

/** Returns the verdict without the disproved claims, which are shown separately. */
function shortVerdict(results: Results, look: TerminalStyle): string[] {
  const { inspections = [] } = results;
  const disproved = inspections.filter(({ contradictions = [] }) => contradictions.length > 0);
  const told = disproved.flatMap(({ kernel, contradictions = [] }) =>
    contradictions.map((sentence) => describeDisprovedClaim(kernel, sentence)),
  );
  const rest = told.reduce((reason, sentence) => reason.replace(sentence, ''), results.reason).trim();
  const claims = `Inspection found ${formatCount(disproved.length, 'wrong kernel')}.`;
  const reason = rest === '' && disproved.length > 0 ? claims : rest;
  return firstLines(verdictSentence({ ...results, reason }), look.width, VERDICT_LINES).map(
    paintVerdict(results, look),
  );
}

const SEVERAL: Readonly<Record<ReportPiece['counts'], string>> = {
  'group of failures': 'groups of failures',
  'disproved claim': 'disproved claims',
  'reason why cases are inconclusive': 'reasons why cases are inconclusive',
  waiver: 'waivers',
  note: 'notes',
};

/** Names the parts left out, and the file that has them. */
function leftOut(left: readonly ReportPiece[], file: string | undefined): string[] {
  const kinds = [...new Set(left.map(({ counts }) => counts))];
  if (kinds.length === 0) return [];
  const counts = kinds.map((kind) => {
    const count = left.filter((piece) => piece.counts === kind).length;
    return count === 1 ? `1 ${kind}` : `${count} ${SEVERAL[kind]}`;
  });
  const isOne = left.length === 1;
  const where = file === undefined ? 'not shown' : `in ${toOneLine(file)}`;
  const listed = counts.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  return [`${listed} ${isOne ? 'is' : 'are'} ${where}; --verbose prints ${isOne ? 'it' : 'them'}.`];
}

/** Longest name of a kernel in full. */
const LONGEST_NAME = 32;

interface Told {
  readonly column: Column;
  readonly cell: (row: OverviewRow) => TableCell | undefined;
}

const told = (column: Column, cell: Told['cell']): Told => ({ column, cell });

const COLUMNS: readonly Told[] = [
  told(columnsOf('text', '')[0], (row) => tonedCell(signOf(row), toneOf(row))),
  told(columnsOf('text', 'kernel')[0], (row) => tonedCell(toOneLine(row.name, LONGEST_NAME), toneOf(row))),
  told(columnsOf('number', 'cases')[0], (row) => tonedCell(casesOf(row), toneOf(row))),
  told(columnsOf('number', 'max sigmas')[0], ({ sigmas }) =>
    sigmas === undefined ? undefined : formatMagnitude(sigmas),
  ),
  told(columnsOf('number', 'baseline')[0], ({ sinceBaseline }) => changeInWords(sinceBaseline)),
  told(columnsOf('number', 'grade')[0], ({ grade }) => grade),
  told(columnsOf('number', 'time')[0], ({ seconds }) =>
    seconds === undefined ? undefined : formatDuration(seconds),
  ),
];

/** Tabulates each kernel: its cases, worst error, change since the baseline, grade and time. Columns without values are left out. */
function overviewTable(rows: readonly OverviewRow[]): Table {
  const shown = COLUMNS.filter(({ cell }) => rows.some((row) => cell(row) !== undefined));
  return {
    title: '',
    columns: shown.map(({ column }) => column),
    rows: rows.map((row) => shown.map(({ cell }) => cell(row) ?? '–')),
  };
}

const standing = ({ fail, disproved, inconclusive }: OverviewRow) =>
  fail > 0 || disproved ? 'fail' : inconclusive > 0 ? 'inconclusive' : 'pass';

const signOf = (row: OverviewRow): string => markOf(standing(row)).value.split(' ')[0];

function toneOf(row: OverviewRow): Tone | undefined {
  const is = standing(row);
  return is === 'pass' ? undefined : markOf(is).tone;
}

function casesOf({ cases, fail, inconclusive, waived, disproved }: OverviewRow): string {
  const [open, all] = [`${inconclusive} inconclusive`, `of ${cases}`];
  const counts =
    fail > 0
      ? [`${fail} ${all} fail`, ...(inconclusive > 0 ? [open] : [])]
      : [inconclusive > 0 ? `${inconclusive} ${all} inconclusive` : `${cases - waived} pass`];
  return [
    ...counts,
    ...(waived > 0 ? [`${waived} waived`] : []),
    ...(disproved && fail === 0 ? ['inspection fails'] : []),
  ].join(', ');
}

/** Describes a mean error in units of the baseline's. */
function changeInWords(ratio: MeasuredNumber): string | undefined {
  if (ratio === undefined) return undefined;
  return fromJsonNumber(ratio) === 1
    ? 'same'
    : `${fromJsonNumber(ratio) < 1000 ? formatShort(ratio) : formatMagnitude(ratio)} ×`;
}
