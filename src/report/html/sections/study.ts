import type { Study, StudyCell } from '../../../gate/results.ts';
import { counted } from '../../numbers.ts';
import { type Content, html, type Markup } from '../markup.ts';
import type { Section } from '../section.ts';
import { table } from '../table.ts';
import { asPrinted, fixed, name, paragraph, scientific, sentence } from '../text.ts';

type Count = Study['counts'][number];
type AnyCell = StudyCell | Count;

/** The tables of a published study, measured again. */
export function studySection(study: Study | undefined): Section | undefined {
  if (study === undefined) return undefined;
  const { source, method, cells, counts } = study;
  const of = (status: StudyCell['status']) => cells.filter((cell) => cell.status === status).length;
  const tally =
    cells.length === 0
      ? 'No cell was measured.'
      : `Of ${counted(cells.length, 'printed value')}, ${of('close')} come out close, ${of('departs')} depart (marked ≠) and ${of('not-measured')} were not measured.`;
  const equal = counts.filter((count) => count.equal).length;
  const plan =
    counts.length === 0
      ? undefined
      : html`<h3>Counts that follow from the plan</h3><p>${equal} of ${counts.length} printed counts and percentages are equal to what the plan gives.</p>${figuresOf(counts, countCell)}`;
  const body = html`<p>${paragraph(source)}</p><p>${paragraph(method)}</p><p>${tally}</p>${figuresOf(cells, measuredCell)}${plan}`;
  return { id: 'study', title: `Study: ${name(study.name)}`, body };
}

const MOST_FIGURES = 40;
const MOST_CELLS = 400;

/** A table for each figure, its rows and columns in the order in which they first appear. */
function figuresOf<T extends AnyCell>(
  cells: readonly T[],
  show: (cell: T, notes: string[]) => Content,
): Markup {
  const figures = new Map<string, T[]>();
  for (const cell of cells.slice(0, MOST_CELLS)) {
    const key = JSON.stringify([cell.figure, cell.title]);
    const figure = figures.get(key);
    if (figure === undefined) figures.set(key, [cell]);
    else figure.push(cell);
  }
  const shown = [...figures.values()].slice(0, MOST_FIGURES);
  const left = cells.length - shown.reduce((sum, figure) => sum + figure.length, 0);
  const more =
    left === 0 ? undefined : html`<p class="note">${counted(left, 'more cell')} in the raw data.</p>`;
  return html`${shown.map((figure) => figureTable(figure, show))}${more}`;
}

function figureTable<T extends AnyCell>(
  cells: readonly T[],
  show: (cell: T, notes: string[]) => Content,
): Markup {
  const columns = [...new Set(cells.map(({ column }) => column))];
  const notes: string[] = [];
  const rows = [...new Set(cells.map(({ row }) => row))].map((row) => ({
    cells: [
      name(row),
      ...columns.map((column) => {
        const cell = cells.find((one) => one.row === row && one.column === column);
        return cell === undefined ? '' : show(cell, notes);
      }),
    ],
  }));
  const headings = [{ heading: '' }, ...columns.map((column) => ({ heading: name(column), number: true }))];
  const list =
    notes.length === 0
      ? undefined
      : html`<ol class="note">${notes.map((note) => html`<li>${sentence(note)}`)}</ol>`;
  const { figure, title } = cells[0];
  return html`<div class="study"><h4>${name(figure)}. ${name(title)}</h4>${table(headings, rows)}${list}</div>`;
}

function measuredCell({ measured, published, ratio, status, note }: StudyCell, notes: string[]): Markup {
  if (note !== undefined && !notes.includes(note)) notes.push(note);
  const mark = note === undefined ? undefined : html`<sup>${notes.indexOf(note) + 1}</sup>`;
  const printed = html`<small>printed ${asPrinted(published)}</small>`;
  if (measured === undefined) return html`not measured${mark}${printed}`;
  const times =
    ratio === undefined
      ? undefined
      : html`<small class="${status}">${status === 'departs' ? '≠ ' : ''}${fixed(ratio, 2)} ×</small>`;
  return html`${scientific(measured)}${mark}${printed}${times}`;
}

function countCell({ computed, published, equal }: Count): Markup {
  if (equal) return html`${name(computed)}`;
  return html`${name(computed)}<small class="departs">≠ printed ${name(published)}</small>`;
}
