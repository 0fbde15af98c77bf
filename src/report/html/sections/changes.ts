import { type CaseResult, type GrowthResult, type Results, toReal } from '../../../gate/results.ts';
import { counted } from '../../numbers.ts';
import { standingOf } from '../../standing.ts';
import { type Comparison, compare, NOTABLE_FACTOR } from '../compare.ts';
import { html, type Markup } from '../markup.ts';
import type { Section } from '../section.ts';
import { type Row, table } from '../table.ts';
import { fixed, levelsInWords, name, scientific, sentence } from '../text.ts';
import { leftOut } from './errors.ts';
import { verdictMark } from './head.ts';

const MOST_ROWS = 25;

/** What changed since another run. */
export function changesSection(results: Results, against: Results | undefined): Section | undefined {
  if (against === undefined) return undefined;
  const found = compare(results, against);
  const { common, verdicts, errors, added, missing, growth } = found;
  const other =
    against.adapter.id === results.adapter.id
      ? 'the same adapter'
      : `another adapter, ${name(against.adapter.name)} (${name(against.adapter.id)})`;
  const intro = html`<p>Against the run of <time>${name(against.createdAt)}</time> by gemm-paranoia ${name(against.version)} on ${other}: ${counted(common, 'case')} in both, ${added.length} new, ${missing.length} missing; ${counted(verdicts.length, 'verdict')} and ${counted(errors.length, 'mean error')} changed.</p>`;
  const parts = [
    verdictTable(found),
    errorTable(found),
    growthTable(growth),
    caseList('New cases', added),
    caseList('Missing cases', missing),
  ];
  return { id: 'changes', title: 'What changed', body: html`${intro}${parts}` };
}

const text = (heading: string) => ({ heading });
const number = (heading: string) => ({ heading, number: true });

function verdictTable({ verdicts }: Comparison): Markup | undefined {
  const columns = ['case', 'before', 'now', 'why'].map(text);
  return part('Verdicts', columns, verdicts, ({ before, after }) => ({
    cells: [
      caseName(after),
      verdictMark(standingOf(before)),
      verdictMark(standingOf(after)),
      sentence(after.reason),
    ],
  }));
}

function errorTable({ errors }: Comparison): Markup | undefined {
  const columns = [text('case'), number('before'), number('now'), number('now / before')];
  return part(
    `Mean errors that changed by more than ${NOTABLE_FACTOR} ×`,
    columns,
    errors,
    ({ result, before, after, ratio }) => ({
      cells: [
        caseName(result),
        ...[before, after].map((x) => scientific(toReal(x))),
        fixed(toReal(ratio), 2),
      ],
    }),
  );
}

function growthTable(growth: Comparison['growth']): Markup | undefined {
  const columns = [text('series'), text('of'), number('slope before'), number('slope now')];
  return part('Growth outside its interval', columns, growth, ({ before, after }) => ({
    cells: [
      html`<code>${name(after.kernel)}</code> ${name(after.input)}, ${name(after.precision)}, along ${after.over}, ${after.over === 'size' ? levelsInWords(after.fixed) : `n = ${after.fixed}`}`,
      after.measure === 'maxError' ? 'largest error' : 'mean error',
      slope(before),
      slope(after),
    ],
  }));
}

function slope({ slope, interval }: GrowthResult): string {
  if (slope === undefined) return 'no fit';
  return interval === undefined
    ? fixed(slope, 2)
    : `${fixed(slope, 2)} (${fixed(interval[0], 2)} to ${fixed(interval[1], 2)})`;
}

function caseList(title: string, cases: readonly CaseResult[]): Markup | undefined {
  return part(title, ['case', 'verdict'].map(text), cases, (result) => ({
    cells: [caseName(result), verdictMark(standingOf(result))],
  }));
}

function part<T>(
  title: string,
  columns: Parameters<typeof table>[0],
  items: readonly T[],
  row: (item: T) => Row,
): Markup | undefined {
  if (items.length === 0) return undefined;
  const shown = items.slice(0, MOST_ROWS);
  const more = leftOut(items.length - shown.length, 'row', 'rows');
  return html`<h3>${title}</h3>${table(columns, shown.map(row), html` data-kind="changes"`)}${more}`;
}

function caseName(result: CaseResult): Markup {
  return html`<code>${sentence(result.case)}</code>`;
}
