import { markdownCode, markdownSection, markdownTable, plainText } from '../report/markdown/table.ts';
import { formatCount } from '../report/numbers.ts';
import { firstRows, type Table } from '../report/table.ts';
import type { Results } from '../run/results.ts';
import { excerptText } from './excerpt.ts';
import { describeSmallest, type GroupView, groupTitle, listFailureGroups, smallestOf } from './failure.ts';
import { deviceFacts, runFacts } from './sections/device.ts';
import { checksInWords, inconclusiveTable } from './sections/failures.ts';
import { growthTable } from './sections/growth.ts';
import { findingsTable, kernelTable, waivedTable, waiverTable } from './sections/tables.ts';
import { relevantWaivers, standingOf } from './standing.ts';
import { kindOf, tallySentence, verdictSentence } from './verdict.ts';

const SHOWN_FAILURES = 50;
const SHOWN_ROWS = 200;

const SIGNS = { pass: '✅', fail: '❌', inconclusive: '⚠️' } as const;

/** Renders a summary in GitHub's Markdown: the verdict, the device, the failures and their replay commands. */
export function markdownReport(results: Results): string {
  const { adapter, cases, growth, verdict, notes = [] } = results;
  const standing = (wanted: string) => cases.filter((result) => standingOf(result) === wanted);
  const waivers = [waiverTable(relevantWaivers(results)), waivedTable(standing('waived'))];
  return joinWithinLimit([
    `## ${SIGNS[verdict]} gemm-paranoia: ${verdict}`,
    plainText(verdictSentence(results)),
    `${plainText(tallySentence(results))} On ${plainText(adapter.name)} (${kindOf(adapter)}, ${markdownCode(adapter.id)}).`,
    ...failureParts(listFailureGroups(results)),
    cases.length === 0 ? 'No case ran.' : markdownSection(firstRows(kernelTable(cases), SHOWN_ROWS), 3),
    ...shown([growthTable(growth), inconclusiveTable(cases), ...waivers]).map(details),
    ...inspectionParts(results),
    notes
      .slice(0, SHOWN_ROWS)
      .map((note) => `- ${plainText(note)}`)
      .join('\n'),
    ...[runFacts(results), deviceFacts(results)].map(details),
  ]);
}

const shown = (tables: readonly Table[], most = SHOWN_ROWS): Table[] =>
  tables.filter(({ rows }) => rows.length > 0).map((table) => firstRows(table, most));

function details(table: Table): string {
  return `<details><summary>${plainText(table.title)}</summary>\n\n${markdownTable(table)}\n\n</details>`;
}

/** Renders the failures group by group: the shared facts, the smallest case, the likely mistake, and the replay command. */
function failureParts(groups: readonly GroupView[]): string[] {
  const failing = groups.reduce((sum, { more }) => sum + more + 1, 0);
  const left = groups.length - SHOWN_FAILURES;
  if (groups.length === 0) return [];
  return [
    `### ${formatCount(failing, 'case')} failed`,
    ...groups.slice(0, SHOWN_FAILURES).map(failurePart),
    left > 0
      ? `… and ${formatCount(left, groups[0].headline === undefined ? 'more case' : 'more group')}; the results file has them all.`
      : '',
  ];
}

function failurePart(group: GroupView): string {
  const smallest = smallestOf(group);
  const seen = excerptText(smallest, EXCERPT_WIDTH);
  return [
    `**${plainText(groupTitle(group))}**`,
    `${plainText(describeSmallest(group))}${group.smaller === undefined ? ` (${plainText(checksInWords(group.example))})` : ''}`,
    ...(seen.length === 0 ? [] : [['```text', ...seen, '```'].join('\n')]),
    `replay: ${markdownCode(smallest.replay)}`,
  ].join('\n\n');
}

/** Columns of a block of code that GitHub shows without scrolling. */
const EXCERPT_WIDTH = 110;

/** Renders the findings on each kernel, below the claims that they disprove. */
function inspectionParts({ inspections = [] }: Results): string[] {
  return inspections
    .slice(0, SHOWN_ROWS)
    .flatMap(({ kernel, findings, contradictions = [] }) => [
      contradictions.map((one) => `- ${plainText(one)}`).join('\n'),
      details(findingsTable(`Inspection of ${kernel}`, findings)),
    ]);
}

// GitHub refuses a summary of more than 1 MiB altogether.
const LARGEST = 1_000_000;

/** Joins the sections, without those that would make the whole too large. */
function joinWithinLimit(sections: readonly string[]): string {
  let left = LARGEST;
  const kept = sections.filter((section) => {
    const bytes = new TextEncoder().encode(section).length + 2;
    if (section === '' || bytes > left) return false;
    left -= bytes;
    return true;
  });
  const missing = sections.filter((section) => section !== '').length - kept.length;
  const note =
    missing > 0 ? [`${formatCount(missing, 'section')} omitted for length; the results file has all.`] : [];
  return `${[...kept, ...note].join('\n\n')}\n`;
}
