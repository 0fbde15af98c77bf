import { oneLine } from '../base/printable.ts';
import { counted, duration } from '../report/numbers.ts';
import type { Look } from '../report/terminal/look.ts';
import { terminalTable } from '../report/terminal/table.ts';
import { displayWidth, firstLines } from '../report/terminal/width.ts';
import { sayDisproved } from '../run/overall.ts';
import type { Results } from '../run/results.ts';
import { fitted } from './budget.ts';
import { overviewRows } from './overview.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { overviewTable } from './sections/overview.ts';
import { paint, placeInWords, verdictSentence } from './verdict.ts';

/** Lines of a run that passes, and of any other, at most; kernels that have one each. */
const LINES = { pass: 15, other: 40 } as const;
const KERNELS = { pass: 8, other: 10 } as const;
/** Lines of the header and of the verdict, at most. */
const [HEADER_LINES, VERDICT_LINES] = [2, 3];

/**
 * The report of a run that fits a screen: a line a kernel, then what fails as far as there is room, and in one line what was left out
 * and where it is. The verdict is its last line.
 * @param file that holds everything
 */
export function screenReport(results: Results, look: Look, file: string | undefined): string {
  const is = results.verdict === 'pass' ? 'pass' : 'other';
  const kernels = KERNELS[is] - (look.width < NARROW ? 2 : 0);
  const top = [
    ...firstLines(headerOf(results), look.width, HEADER_LINES),
    '',
    ...overviewLines(results, look, kernels),
  ];
  const verdict = shortVerdict(results, look);
  const pieces = piecesOf(results, look, file);
  const measured = pieces.map(({ versions }) => ({
    versions: versions.map((lines) => rowsOfAll(lines, look)),
  }));
  const withRoom = (room: number): string[] => {
    const chosen = fitted(measured, room);
    const shown = pieces.flatMap(({ versions }, at) => versions[chosen[at]] ?? []);
    const left = pieces.filter((_, at) => chosen[at] < 0);
    const lines = [...top, ...shown, '', ...leftOut(left, file), ...verdict];
    // How long the line is that says what was left out depends on that.
    const excess = rowsOfAll(lines, look).length - LINES[is];
    return excess > 0 && room > 0 ? withRoom(room - excess) : lines;
  };
  const room = LINES[is] - rowsOfAll([...top, ...verdict], look).length - 1;
  return `${withRoom(room).join('\n')}\n`;
}

/** Columns below which a line of a table or a sentence is likely to be broken. */
const NARROW = 90;

/** As many lines as the lines take rows of the terminal. */
const rowsOfAll = (lines: readonly string[], look: Look): string[] =>
  lines.flatMap((line) => new Array<string>(rowsOf(line, look)).fill(''));

/** Rows of the terminal that a line takes: commands are not broken into lines, so that they can be copied. */
const rowsOf = (line: string, { width }: Look): number =>
  Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, width)));

/** What was run, on what, how long. */
function headerOf({ version, adapter, summary, seed, shard }: Results): string {
  const { run, planned, seconds } = summary;
  const ran = run === planned ? counted(run, 'case') : `${run} of ${counted(planned, 'case')}`;
  const part = shard === undefined ? '' : ` (shard ${shard.index} of ${shard.of})`;
  return `gemm-paranoia ${oneLine(version, 20)} on ${placeInWords(adapter)}: ${ran}${part} in ${duration(seconds)}, seed ${seed}`;
}

function overviewLines(results: Results, look: Look, most: number): string[] {
  if (results.cases.length === 0) return ['No case ran.'];
  return terminalTable(overviewTable(overviewRows(results, most)), look);
}

/** The verdict; what outputs disprove is told by itself. */
function shortVerdict(results: Results, look: Look): string[] {
  const { inspections = [] } = results;
  const disproved = inspections.filter(({ contradictions = [] }) => contradictions.length > 0);
  const told = disproved.flatMap(({ kernel, contradictions = [] }) =>
    contradictions.map((sentence) => sayDisproved(kernel, sentence)),
  );
  const rest = told.reduce((reason, sentence) => reason.replace(sentence, ''), results.reason).trim();
  const claims = `The outputs of ${counted(disproved.length, 'kernel')} disprove what is claimed.`;
  const reason = rest === '' && disproved.length > 0 ? claims : rest;
  return firstLines(verdictSentence({ ...results, reason }), look.width, VERDICT_LINES).map(
    paint(results, look),
  );
}

const SEVERAL: Readonly<Record<Piece['counts'], string>> = {
  'group of failures': 'groups of failures',
  'disproved claim': 'disproved claims',
  'reason why cases are inconclusive': 'reasons why cases are inconclusive',
  waiver: 'waivers',
  note: 'notes',
};

/** What was left out, and where it is. */
function leftOut(left: readonly Piece[], file: string | undefined): string[] {
  const kinds = [...new Set(left.map(({ counts }) => counts))];
  if (kinds.length === 0) return [];
  const counts = kinds.map((kind) => {
    const count = left.filter((piece) => piece.counts === kind).length;
    return count === 1 ? `1 ${kind}` : `${count} ${SEVERAL[kind]}`;
  });
  const where = file === undefined ? '' : ` all in ${oneLine(file)};`;
  return [`… and ${counts.join(', ')}:${where} --verbose prints them.`];
}
