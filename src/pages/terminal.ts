import { oneLine } from '../base/printable.ts';
import { counted } from '../report/numbers.ts';
import { firstRows, type Table } from '../report/table.ts';
import type { Look } from '../report/terminal/look.ts';
import { terminalTable } from '../report/terminal/table.ts';
import { wrap } from '../report/terminal/width.ts';
import type { Results } from '../run/results.ts';
import { excerptText } from './excerpt.ts';
import { describeFailure, INDENT } from './failure.ts';
import { type ShownGroup, shownGroups } from './failure-groups.ts';
import { inconclusiveTable } from './sections/failures.ts';
import { growthTable } from './sections/growth.ts';
import { kernelTable } from './sections/kernels.ts';
import { precisionTable } from './sections/precisions.ts';
import { countTables, studyTables, studyTally } from './sections/study.ts';
import { waiverTable } from './sections/waivers.ts';
import { tellingWaivers } from './standing.ts';
import { kindOf, paint, tallySentence, verdictSentence } from './verdict.ts';

/** Most failures shown in full, one of a group. The results file has them all. */
const SHOWN_FAILURES = 20;
const SHOWN_ROWS = 200;
const SHOWN_REASONS = 10;

/** Renders the final report for a terminal; the verdict is its last line. */
export function tableReport(results: Results, look: Look): string {
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
    table(waiverTable(tellingWaivers(results)), SHOWN_REASONS),
    inspectionSection(results, look),
    noteSection(results, look),
    [tallySentence(results), paint(results, look)(verdictSentence(results))],
  ]);
}

/** Renders a study: every cell beside its published value, figure by figure, notes below. The verdict is the last line. */
export function studyText(results: Results, look: Look): string {
  const { study } = results;
  if (study === undefined) return '';
  const unequal = { counts: study.counts.filter(({ equal }) => !equal) };
  const tables = [...studyTables(study), ...countTables(unequal)];
  return inSections([
    [...wrap(`${oneLine(study.name)}: ${oneLine(study.source)}`, look.width), ...heading(results, look)],
    wrap(oneLine(study.method), look.width),
    ...tables.map((table) => terminalTable(table, look)),
    [...studyTally(study), paint(results, look)(verdictSentence(results))],
  ]);
}

const inSections = (sections: readonly (readonly string[])[]): string =>
  `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;

function heading({ adapter, version }: Results, { colors }: Look): string[] {
  return [
    `${colors.bold('gemm-paranoia')} ${oneLine(version)} on ${oneLine(adapter.name)} (${kindOf(adapter)})`,
    colors.dim(`${oneLine(adapter.id)}, ${oneLine(adapter.driver)}, ${oneLine(adapter.dawn)}`),
  ];
}

function failureSection(results: Results, look: Look): string[] {
  const groups = shownGroups(results);
  const shown = groups.slice(0, SHOWN_FAILURES).map((group) => describeGroup(group, look).join('\n'));
  const left = groups.length - shown.length;
  if (left > 0) shown.push(`… and ${left} more failures; the results file has them all.`);
  return shown.length === 0 ? [] : [shown.join('\n\n')];
}

/** Describes the shared facts of failures, above the smallest of them. */
function describeGroup({ headline, example, more, smaller }: ShownGroup, look: Look): string[] {
  const lines = describeFailure(example, look);
  if (headline === undefined) return lines;
  const rest = more === 0 ? [] : [`${INDENT}… and ${counted(more, 'more case')}; the results file has them.`];
  const shrunk =
    smaller === undefined
      ? []
      : [
          `${look.colors.dim('smaller:')} ${oneLine(smaller.replay)}`,
          ...excerptText(smaller, look.width - INDENT.length),
        ].map((line) => `${INDENT}${line}`);
  return [
    ...wrap(look.colors.bold(oneLine(headline, LONGEST_HEADLINE)), look.width),
    ...lines,
    ...shrunk,
    ...rest,
  ];
}

/** Longest headline in full: names of kernels may be long. */
const LONGEST_HEADLINE = 600;

/** Renders the findings on external kernels: the proved and measured answers, and the contradictions to their claims. */
function inspectionSection({ inspections = [] }: Results, { colors, width }: Look): string[] {
  return inspections.slice(0, SHOWN_REASONS).flatMap(({ kernel, findings, contradictions = [] }) => {
    const sure = findings.filter(({ confidence }) => confidence === 'proved' || confidence === 'measured');
    const answers = sure.map(({ id, answer }) => `${oneLine(id)}: ${oneLine(answer)}`);
    const shown = answers.length === 0 ? 'nothing certain' : answers.join('; ');
    return [
      ...wrap(`The outputs of ${oneLine(kernel)} show ${shown}.`, width),
      ...contradictions
        .flatMap((one) => wrap(oneLine(one), width - INDENT.length))
        .map((line) => `${INDENT}${colors.red(line)}`),
    ];
  });
}

function noteSection({ notes = [] }: Results, { width }: Look): string[] {
  const shown = notes.slice(0, SHOWN_REASONS).flatMap((note) => wrap(oneLine(note), width));
  const left = notes.length - SHOWN_REASONS;
  return left > 0 ? [...shown, `… and ${counted(left, 'other note')}`] : shown;
}
