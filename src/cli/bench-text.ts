import type { BenchReport } from '../bench/report.ts';
import type { Table } from '../bench/table.ts';
import { tablesOf } from '../bench/tables.ts';
import { AWAKE_AFTER } from '../gpu/time-program.ts';
import { displayWidth } from '../report/columns.ts';

/** What a run says before its tables: on what, how, with which clock. */
export function headOf({ adapter, timing, timestamps, tuning, notes, study }: BenchReport): string[] {
  const clock = timestamps
    ? 'it has timestamps'
    : 'it has no timestamps, so that the wall clock tells the time';
  const tuned =
    tuning === undefined ? 'the leaf kernels are not tuned for it' : `its leaf kernels are tuned: ${tuning}`;
  const { trials, warmUp, least, most } = timing;
  const awake = adapter.kind === 'hardware' ? ` and ${AWAKE_AFTER} s of work` : '';
  return [
    ...(study === undefined ? [] : [study.source]),
    `On ${adapter.name} (${adapter.kind}, ${adapter.backend}, ${adapter.driver}; ${adapter.chosenBecause}); ${clock}; ${tuned}.`,
    `${trials} trials after ${warmUp} to warm up${awake}, each of at least ${1000 * least} ms; no new trial after ${most} s, unless fewer than ${timing.fewest} were made.`,
    ...notes,
  ];
}

/** A report for a terminal. */
export function benchText(report: BenchReport): string {
  const tables = tablesOf(report).map(plainTable);
  return `${[[report.title, ...headOf(report)].join('\n'), ...tables].join('\n\n')}\n`;
}

function plainTable({ title, headings, rows, numbers, note }: Table): string {
  const widths = headings.map((heading, c) =>
    Math.max(displayWidth(heading), ...rows.map((row) => displayWidth(row[c] ?? ''))),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, c) => {
        const fill = ' '.repeat(widths[c] - displayWidth(cell));
        return c >= numbers ? fill + cell : cell + fill;
      })
      .join('  ')
      .trimEnd();
  return [title, ...(note === undefined ? [] : [note]), line(headings), ...rows.map(line)].join('\n');
}

/** A report in GitHub's Markdown. */
export function benchMarkdown(report: BenchReport): string {
  const head = headOf(report).map(escaped);
  const command = `\`${report.command}\`, gemm-paranoia ${report.version}, ${report.createdAt}`;
  const tables = tablesOf(report).map(markdownTable);
  return `${[`# ${escaped(report.title)}`, ...head, command, ...tables].join('\n\n')}\n`;
}

function markdownTable({ title, headings, rows, numbers, note }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  const rule = headings.map((_, c) => (c >= numbers ? '---:' : '---'));
  return [
    `## ${escaped(title)}`,
    ...(note === undefined ? [] : [escaped(note)]),
    [line(headings), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n'),
  ].join('\n\n');
}

const escaped = (text: string) =>
  text.replace(/[\\|<>*_`]/g, (character) => `\\${character}`).replace(/\s+/g, ' ');
