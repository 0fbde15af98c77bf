import { group } from 'd3-array';
import { formatCount, formatExponent, formatShort } from '../../report/numbers.ts';
import { columnsOf, type Table, type TableCell, tonedCell } from '../../report/table.ts';
import type { StudyCell, StudyResult } from '../../run/results.ts';

type Count = StudyResult['counts'][number];

/** Tabulates every cell of a study beside the published value: a table for each figure, with rows and columns in the order of the cells. */
export const studyTables = ({ cells }: Pick<StudyResult, 'cells'>): Table[] =>
  figureTables(cells, measuredCell);

/** Tabulates the published formulas and percentages beside the values that follow from the plan. */
export const countTables = ({ counts }: Pick<StudyResult, 'counts'>): Table[] =>
  figureTables(counts, countCell);

/** Counts the reproduced cells, and the counts that follow from the plan, a sentence each. */
export function studyTally({ cells, counts }: StudyResult): string[] {
  const of = (status: StudyCell['status']) => cells.filter((cell) => cell.status === status).length;
  const equal = counts.filter((count) => count.equal).length;
  const shrunk = cells.filter(isShrunk).length;
  const others = [
    ...(shrunk === 0 ? [] : [`${shrunk} were measured at other sizes and not compared`]),
    `${of('not-measured') - shrunk} were not measured`,
  ].join(', ');
  const values = `Of ${formatCount(cells.length, 'printed value')}, ${of('close')} come out close, ${of('departs')} depart (marked ≠) and ${others}.`;
  return [
    cells.length === 0 ? 'No cell was measured.' : values,
    ...(counts.length === 0
      ? []
      : [`${equal} of ${counts.length} published formulas and percentages follow from the plans exactly.`]),
  ];
}

/** True if a cell was measured at a size without a published value. */
const isShrunk = ({ status, measured }: Pick<StudyCell, 'status' | 'measured'>): boolean =>
  status === 'not-measured' && measured !== undefined;

function figureTables<T extends StudyCell | Count>(
  cells: readonly T[],
  show: (cell: T, notes: string[]) => TableCell,
): Table[] {
  return [...group(cells, ({ figure, title }) => `${figure}. ${title}`)].map(([title, own]) => {
    const headings = [...new Set(own.map(({ column }) => column))];
    const notes: string[] = [];
    const rows = [...group(own, ({ row }) => row)].map(([row, some]) => [
      row,
      ...headings.map((column) => {
        const cell = some.find((one) => one.column === column);
        return cell === undefined ? '' : show(cell, notes);
      }),
    ]);
    const note = notes.map((text, at) => `[${at + 1}] ${text}`).join('\n');
    return { title, columns: [...columnsOf('text', ''), ...columnsOf('number', ...headings)], rows, note };
  });
}

function measuredCell(cell: StudyCell, notes: string[]): TableCell {
  const { measured, published, ratio, interval, decimals, status, note } = cell;
  if (note !== undefined && !notes.includes(note)) notes.push(note);
  const mark = note === undefined ? '' : ` [${notes.indexOf(note) + 1}]`;
  const times = ratio === undefined ? '' : `, ${formatShort(ratio)} ×`;
  const within = interval === undefined ? '' : `, ${interval.map((end) => formatExponent(end)).join(' to ')}`;
  const under = `printed ${decimals === undefined ? asPrinted(published) : Number(published).toFixed(decimals)}${times}${within}`;
  const text = (value: NonNullable<typeof measured>) =>
    decimals === undefined ? formatExponent(value) : Number(value).toFixed(decimals);
  if (measured === undefined) return { ...tonedCell(`not measured${mark}`, 'faint'), under };
  if (status === 'not-measured') return { ...tonedCell(`${text(measured)}${mark}`, 'faint'), under };
  const departs = status === 'departs';
  const shown = `${departs ? '≠ ' : ''}${text(measured)}${mark}`;
  return { ...tonedCell(shown, departs ? 'bad' : undefined), under };
}

/** Writes a published number with its published digits. */
function asPrinted(value: StudyCell['published']): string {
  const text = Number(value).toExponential();
  return Number.isFinite(Number(value)) && text.length <= 9 ? text : formatExponent(value);
}

const countCell = ({ computed, published, equal }: Count): TableCell =>
  equal ? computed : { ...tonedCell(`≠ ${computed}`, 'bad'), under: `printed ${published}` };
