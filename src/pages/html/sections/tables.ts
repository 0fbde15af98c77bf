import { toJsonNumber } from '../../../base/numbers.ts';
import { toOneLine } from '../../../base/printable.ts';
import type { CaseResult } from '../../../evidence/case-result.ts';
import { html, type Markup, type Section } from '../../../report/html/markup.ts';
import { htmlTable } from '../../../report/html/table.ts';
import { formatCount } from '../../../report/numbers.ts';
import { columnsOf, digitsCell, firstRows, type Table, type TableCell } from '../../../report/table.ts';
import type { Results, StudyResult } from '../../../run/results.ts';
import { compareRuns, NOTABLE_FACTOR, type RunComparison } from '../../compare.ts';
import { deviceFacts, probeTable, runFacts } from '../../sections/device.ts';
import { countTables, studyTables, studyTally } from '../../sections/study.ts';
import { findingsTable, kernelTable, waiverTable } from '../../sections/tables.ts';
import { markOf, standingOf } from '../../standing.ts';
import { describeSeries, describeSlope, groupByReason } from '../../summary.ts';
import { linkTo, renderCommand } from './links.ts';

/** Most rows of one table, and most tables of one section. The raw data has all. */
const MOST_ROWS = 120;
const MOST_TABLES = 40;
const LONGEST = 4000;

const paragraph = (text: string): Markup => html`<p>${toOneLine(text, LONGEST)}</p>`;

/** Makes a section of one table, whose note explains how to read it. */
const sectionOf = (id: string, table: Table, title = table.title): Section => ({
  id,
  title,
  body: htmlTable(firstRows(table, MOST_ROWS)),
});

/** Renders tables under headings, without empty tables. */
function listed(tables: readonly Table[]): Markup {
  const some = tables.filter(({ rows }) => rows.length > 0);
  const left = some.length - MOST_TABLES;
  const more =
    left > 0 ? html`<p class="note">${formatCount(left, 'more table')} in the raw data.</p>` : undefined;
  const shown = some
    .slice(0, MOST_TABLES)
    .map(
      (table) =>
        html`<div class="study"><h3>${toOneLine(table.title, LONGEST)}</h3>${htmlTable(firstRows(table, MOST_ROWS))}</div>`,
    );
  return html`<div class="studies">${shown}</div>${more}`;
}

/** Most rows of a table that is not folded. */
const FEW_ROWS = 12;

/** Renders a row for each kernel and number of levels. */
export function byKernel({ cases }: Results): Section | undefined {
  if (cases.length === 0) return undefined;
  const table = kernelTable(cases);
  return { ...sectionOf('kernels', table), folded: table.rows.length > FEW_ROWS };
}

/** Renders the reasons why cases are inconclusive, the most frequent first, with the replay command of an example. */
export function inconclusiveSection({ cases }: Results): Section | undefined {
  const undecided = cases.filter(({ verdict }) => verdict === 'inconclusive');
  if (undecided.length === 0) return undefined;
  const reasons = groupByReason(undecided);
  const items = reasons
    .slice(0, FEW_ROWS)
    .map(
      ({ reason, count, example }) =>
        html`<li><b class="unsure">${formatCount(count, 'case')}</b>: ${toOneLine(reason, LONGEST_NOTE)} ${renderCommand(example.replay)}`,
    );
  const left = reasons.length - items.length;
  const more = left > 0 ? html`<li>${formatCount(left, 'more reason')} in the list of cases.` : undefined;
  return {
    id: 'inconclusive',
    title: 'Inconclusive cases',
    body: html`<ul class="reasons">${items}${more}</ul>`,
  };
}

/** Renders the facts and notes of the run. */
export function runSection(results: Results, raw: string | undefined): Section {
  const { notes = [] } = results;
  const left = notes.length - MOST_NOTES;
  const more = left > 0 ? html`<li>${formatCount(left, 'more note')} in ${linkTo(raw)}.` : undefined;
  const list =
    notes.length === 0
      ? undefined
      : html`<ul>${notes.slice(0, MOST_NOTES).map((note) => html`<li>${toOneLine(note, LONGEST_NOTE)}`)}${more}</ul>`;
  const about = notes.length === 0 ? '' : ` (${formatCount(notes.length, 'note')})`;
  const body = html`${htmlTable(runFacts(results))}${list}<p class="note">All numbers: ${linkTo(raw)}.</p>`;
  return { id: 'run', title: `Run details${about}`, body, folded: true };
}

const MOST_NOTES = 20;
const LONGEST_NOTE = 600;

/** Renders the waivers of the config. */
export const waiversSection = ({ waivers = [] }: Results): Section | undefined =>
  waivers.length === 0 ? undefined : sectionOf('waivers', waiverTable(waivers), 'Waivers');

/** Renders the findings on external kernels, and the claims that they disprove. */
export function inspectionsSection({ inspections = [] }: Results): Section | undefined {
  if (inspections.length === 0) return undefined;
  const wrong = inspections.flatMap(({ kernel, contradictions = [] }) =>
    contradictions
      .slice(0, MOST_ROWS)
      .map((one) => html`<p class="bad">${toOneLine(`${kernel}: ${one}`, LONGEST)}</p>`),
  );
  const tables = inspections.map(({ kernel, findings }) => findingsTable(kernel, findings));
  const folded = wrong.length === 0;
  const answers = folded
    ? listed(tables)
    : html`<details><summary>All answers</summary>${listed(tables)}</details>`;
  const note = paragraph(
    'Properties of each kernel, inferred from its outputs. Proved or measured answers that contradict its claims fail the gate.',
  );
  return { id: 'inspections', title: 'Inspection', body: html`${note}${wrong}${answers}`, folded };
}

/** Renders the changes since another run. */
export function changesSection(results: Results, against: Results | undefined): Section | undefined {
  if (against === undefined) return undefined;
  const found = compareRuns(results, against);
  const tables = changesTables(found).map((table) => firstRows(table, MOST_CHANGES));
  const intro = paragraph(changesSentence(results, against, found));
  return { id: 'changes', title: 'Changes', body: html`${intro}${listed(tables)}` };
}

const MOST_CHANGES = 25;

/** Renders the tables of a published study, measured again. */
export function studySection(study: StudyResult | undefined): Section | undefined {
  if (study === undefined) return undefined;
  const intro = [study.source, study.method, ...studyTally(study)].map(paragraph);
  const unequal = { counts: study.counts.filter(({ equal }) => !equal) };
  const counts =
    study.counts.length === 0
      ? undefined
      : html`<details><summary>All formulas and percentages</summary>${listed(countTables(study))}</details>`;
  const body = html`${intro}${listed(studyTables(study))}${listed(countTables(unequal))}${counts}`;
  return { id: 'study', title: `Study: ${toOneLine(study.name, LONGEST)}`, body };
}

/** Renders the device and its arithmetic. */
export function deviceSection(results: Results): Section {
  const { probe = [] } = results;
  const tables = probe.length === 0 ? [] : [probeTable(probe)];
  const facts = firstRows(deviceFacts(results), MOST_ROWS);
  return { id: 'device', title: facts.title, body: html`${htmlTable(facts)}${listed(tables)}`, folded: true };
}

/** Describes the other run of a comparison and the amount of change, in a sentence. */
function changesSentence(results: Results, against: Results, found: RunComparison): string {
  const { common, verdicts, errors, added, missing } = found;
  const other =
    against.adapter.id === results.adapter.id
      ? 'the same adapter'
      : `another adapter, ${against.adapter.name} (${against.adapter.id})`;
  return `Against the run of ${against.createdAt} by gemm-paranoia ${against.version} on ${other}: ${formatCount(common, 'case')} in both, ${added.length} new, ${missing.length} missing; ${formatCount(verdicts.length, 'verdict')} and ${formatCount(errors.length, 'mean error')} changed.`;
}

function changesTables({ verdicts, errors, growth, added, missing }: RunComparison): Table[] {
  const exponential = (value: number): TableCell => ({ value: toJsonNumber(value), as: 'exponent' });
  return [
    {
      title: 'Verdicts',
      columns: [...columnsOf('code', 'case'), ...columnsOf('text', 'before', 'now', 'why')],
      rows: verdicts.map(({ before, after }) => [
        after.case,
        markOf(standingOf(before)),
        markOf(standingOf(after)),
        after.reason,
      ]),
    },
    {
      title: `Mean errors that changed by more than ${NOTABLE_FACTOR} ×`,
      columns: [...columnsOf('code', 'case'), ...columnsOf('number', 'before', 'now', 'now / before')],
      rows: errors.map(({ result, before, after, ratio }) => [
        result.case,
        exponential(before),
        exponential(after),
        { ...digitsCell(toJsonNumber(ratio)), tone: ratio < 1 ? ('good' as const) : ('bad' as const) },
      ]),
    },
    {
      title: 'Error growth outside its interval',
      columns: [...columnsOf('text', 'series', 'of'), ...columnsOf('number', 'slope before', 'slope now')],
      rows: growth.map(({ before, after }) => [
        `${after.kernel}, ${after.input}, ${after.precision}, ${describeSeries(after)}`,
        after.measure === 'maxError' ? 'largest error' : 'mean error',
        describeSlope(before),
        describeSlope(after),
      ]),
    },
    caseTable('New cases', added),
    caseTable('Missing cases', missing),
  ];
}

const caseTable = (title: string, cases: readonly CaseResult[]): Table => ({
  title,
  columns: [...columnsOf('code', 'case'), ...columnsOf('text', 'verdict')],
  rows: cases.map((result) => [result.case, markOf(standingOf(result))]),
});
