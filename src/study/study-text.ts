import type { Results, Study, StudyCell } from '../gate/results.ts';
import { type Cell, columnsOf, wrap } from '../report/columns.ts';
import { short } from '../report/numbers.ts';
import type { Look } from '../report/table.ts';
import { verdictSentence } from '../report/verdict.ts';

/** A study as text: every cell beside what was printed, figure by figure, notes below; the verdict is the last line. */
export function studyText(results: Results, look: Look): string {
  const { study, adapter, version } = results;
  if (study === undefined) return '';
  const { colors, width } = look;
  const sections = [
    [
      `${colors.bold(study.name)}: ${study.source}`,
      colors.dim(`gemm-paranoia ${version} on ${adapter.name} (${adapter.id}, ${adapter.driver})`),
    ],
    wrap(study.method, width),
    ...figuresOf(study.cells).map((cells) => figureSection(cells, look)),
    countsSection(study.counts, look),
    verdictSection(results, look),
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function figuresOf(cells: readonly StudyCell[]): StudyCell[][] {
  const figures = new Map<string, StudyCell[]>();
  for (const cell of cells) {
    const key = `${cell.figure} ${cell.title}`;
    figures.set(key, [...(figures.get(key) ?? []), cell]);
  }
  return [...figures.values()];
}

const HEADINGS = [
  { heading: '', text: true },
  { heading: '', text: true },
  { heading: 'published' },
  { heading: 'measured' },
  { heading: 'ratio' },
  { heading: '', text: true },
];

function figureSection(cells: readonly StudyCell[], { colors, width }: Look): string[] {
  const notes = [...new Set(cells.flatMap(({ note }) => note ?? []))];
  const rows = cells.map((cell, at): Cell[] => {
    const { row, column, published, measured, ratio, status, note } = cell;
    const mark = note === undefined ? '' : ` [${notes.indexOf(note) + 1}]`;
    return [
      cells[at - 1]?.row === row ? '' : row,
      column,
      Number(published).toExponential(1),
      short(measured),
      ratio === undefined ? '–' : Number(ratio).toFixed(3),
      { text: `${status}${mark}`, paint: colors[PAINTS[status]] },
    ];
  });
  return [
    colors.bold(`${cells[0].figure}. ${cells[0].title}`),
    ...columnsOf(HEADINGS, rows, width, colors.dim),
    ...notes.flatMap((note, at) => wrap(`[${at + 1}] ${note}`, width)).map(colors.dim),
  ];
}

const PAINTS = { close: 'green', departs: 'red', 'not-measured': 'dim' } as const;

function countsSection(counts: Study['counts'], { colors }: Look): string[] {
  const unequal = counts.filter(({ equal }) => !equal);
  return [
    `Counts: ${counts.length - unequal.length} of ${counts.length} published formulas and percentages follow from the plans exactly.`,
    ...unequal.map(({ figure, row, column, published, computed }) =>
      colors.red(`  ${figure}, ${row}, ${column}: published ${published}, computed ${computed}`),
    ),
  ];
}

function verdictSection(results: Results, { colors }: Look): string[] {
  const paint = { pass: colors.green, fail: colors.red, inconclusive: colors.yellow }[results.verdict];
  const of = (status: StudyCell['status']) =>
    results.study?.cells.filter((cell) => cell.status === status).length ?? 0;
  return [
    `Cells: ${of('close')} close, ${of('departs')} depart, ${of('not-measured')} not measured.`,
    paint(colors.bold(verdictSentence(results))),
  ];
}
