import { group } from 'd3-array';
import { toOneLine } from '../base/printable.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { formatCount } from '../report/numbers.ts';
import { columnsOf, countCell, firstRows, type Table, tallyCell } from '../report/table.ts';
import { terminalTable } from '../report/terminal/table.ts';
import { type TerminalStyle, wrapText } from '../report/terminal/text.ts';
import type { Results } from '../run/results.ts';
import { excerptText } from './excerpt.ts';
import { describeFailure, type GroupView, INDENT, listFailureGroups } from './failure.ts';
import { inconclusiveTable } from './sections/failures.ts';
import { growthTable } from './sections/growth.ts';
import { countTables, studyTables, studyTally } from './sections/study.ts';
import { kernelTable, modelCell, waiverTable } from './sections/tables.ts';
import { countStandings, relevantWaivers } from './standing.ts';
import { kindOf, paintVerdict, tallySentence, verdictSentence } from './verdict.ts';

/** Most failures shown in full, one of a group. The results file has them all. */
const SHOWN_FAILURES = 20;
const SHOWN_ROWS = 200;
const SHOWN_REASONS = 10;

/** Renders the final report for a terminal; the verdict is its last line. */
export function tableReport(results: Results, look: TerminalStyle): string {
  const { cases, growth } = results;
  const table = (shown: Table, most = SHOWN_ROWS) =>
    shown.rows.length === 0 ? [] : terminalTable(firstRows(shown, most), look);
  return inSections([
    heading(results, look),
    cases.length === 0 ? ['No case ran.'] : table(kernelTable(cases)),
    table(precisionTable(cases)),
    growth.length === 0 ? [] : table(growthTable(growth)),
    failureSection(results, look),
    table(inconclusiveTable(cases), SHOWN_REASONS),
    table(waiverTable(relevantWaivers(results)), SHOWN_REASONS),
    inspectionSection(results, look),
    noteSection(results, look),
    [tallySentence(results), paintVerdict(results, look)(verdictSentence(results))],
  ]);
}

/** Renders a study: every cell beside its published value, figure by figure, notes below. The verdict is the last line. */
export function studyText(results: Results, look: TerminalStyle): string {
  const { study } = results;
  if (study === undefined) return '';
  const unequal = { counts: study.counts.filter(({ equal }) => !equal) };
  const tables = [...studyTables(study), ...countTables(unequal)];
  return inSections([
    [
      ...wrapText(`${toOneLine(study.name)}: ${toOneLine(study.source)}`, look.width),
      ...heading(results, look),
    ],
    wrapText(toOneLine(study.method), look.width),
    ...tables.map((table) => terminalTable(table, look)),
    [...studyTally(study), paintVerdict(results, look)(verdictSentence(results))],
  ]);
}

const inSections = (sections: readonly (readonly string[])[]): string =>
  `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;

function heading({ adapter, version }: Results, { colors }: TerminalStyle): string[] {
  return [
    `${colors.bold('gemm-paranoia')} ${toOneLine(version)} on ${toOneLine(adapter.name)} (${kindOf(adapter)})`,
    colors.dim(`${toOneLine(adapter.id)}, ${toOneLine(adapter.driver)}, ${toOneLine(adapter.dawn)}`),
  ];
}

function failureSection(results: Results, look: TerminalStyle): string[] {
  const groups = listFailureGroups(results);
  const shown = groups.slice(0, SHOWN_FAILURES).map((group) => describeGroup(group, look).join('\n'));
  const left = groups.length - shown.length;
  if (left > 0) shown.push(`… and ${left} more failures; the results file has them all.`);
  return shown.length === 0 ? [] : [shown.join('\n\n')];
}

/** Describes the shared facts of failures, above the smallest of them. */
function describeGroup({ headline, example, more, smaller }: GroupView, look: TerminalStyle): string[] {
  const lines = describeFailure(example, look);
  if (headline === undefined) return lines;
  const rest =
    more === 0 ? [] : [`${INDENT}… and ${formatCount(more, 'more case')}; the results file has them.`];
  const shrunk =
    smaller === undefined
      ? []
      : [
          `${look.colors.dim('smaller:')} ${toOneLine(smaller.replay)}`,
          ...excerptText(smaller, look.width - INDENT.length),
        ].map((line) => `${INDENT}${line}`);
  return [
    ...wrapText(look.colors.bold(toOneLine(headline, LONGEST_HEADLINE)), look.width),
    ...lines,
    ...shrunk,
    ...rest,
  ];
}

/** Longest headline in full: names of kernels may be long. */
const LONGEST_HEADLINE = 600;

/** Renders the findings on external kernels: the proved and measured answers, and the contradictions to their claims. */
function inspectionSection({ inspections = [] }: Results, { colors, width }: TerminalStyle): string[] {
  return inspections.slice(0, SHOWN_REASONS).flatMap(({ kernel, findings, contradictions = [] }) => {
    const sure = findings.filter(({ confidence }) => confidence === 'proved' || confidence === 'measured');
    const answers = sure.map(({ id, answer }) => `${toOneLine(id)}: ${toOneLine(answer)}`);
    const shown = answers.length === 0 ? 'nothing certain' : answers.join('; ');
    return [
      ...wrapText(`The outputs of ${toOneLine(kernel)} show ${shown}.`, width),
      ...contradictions
        .flatMap((one) => wrapText(toOneLine(one), width - INDENT.length))
        .map((line) => `${INDENT}${colors.red(line)}`),
    ];
  });
}

function noteSection({ notes = [] }: Results, { width }: TerminalStyle): string[] {
  const shown = notes.slice(0, SHOWN_REASONS).flatMap((note) => wrapText(toOneLine(note), width));
  const left = notes.length - SHOWN_REASONS;
  return left > 0 ? [...shown, `… and ${formatCount(left, 'other note')}`] : shown;
}

/** Tabulates the precisions, in the order of the run; empty where there is only one. */
export function precisionTable(cases: readonly CaseResult[]): Table {
  const all = [...group(cases, ({ precision }) => precision)];
  const rows = all.map(([precision, own]) => {
    const { pass, fail, waived, inconclusive } = countStandings(own);
    const mirrored = own.filter(({ equalsModel }) => equalsModel !== undefined);
    const equal = mirrored.filter(({ equalsModel }) => equalsModel === true);
    return [
      precision,
      countCell(own.length),
      countCell(pass),
      tallyCell(fail + waived, 'bad'),
      tallyCell(inconclusive, 'unsure'),
      modelCell(equal.length, mirrored.length),
    ];
  });
  return {
    title: 'By precision',
    columns: [
      ...columnsOf('text', 'precision'),
      ...columnsOf('number', 'cases', 'pass', 'fail', 'incon.', 'model'),
    ],
    rows: rows.length > 1 ? rows : [],
    note: 'Results of each precision that equal the bit-exact model, among those compared.',
  };
}
