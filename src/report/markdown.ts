import type { CaseResult, Results, WaiverResult } from '../gate/results.ts';
import { counted, short } from './numbers.ts';
import { oneLine } from './printable.ts';
import { describeWaiver, standingOf, tellingWaivers, whyWaived } from './standing.ts';
import { byReason, describeSlope, growthRows, missingFits, summarise } from './summary.ts';
import { tallySentence, verdictSentence } from './verdict.ts';

const SHOWN_FAILURES = 50;
const SHOWN_CHECKS = 5;
const SHOWN_ROWS = 200;
const LONGEST_TEXT = 300;
// Names and commands are copied: they are cut only where they cannot be real.
const LONGEST_CODE = 2000;

const SIGNS = { pass: '✅', fail: '❌', inconclusive: '⚠️' } as const;

/** A summary in GitHub's Markdown: the verdict, where it was reached, what failed and how to repeat it. */
export function markdownReport(results: Results): string {
  const { adapter, cases, growth, verdict } = results;
  const failing = cases.filter((result) => standingOf(result) === 'fail');
  const waived = cases.filter((result) => standingOf(result) === 'waived');
  const waivers = tellingWaivers(results);
  const inconclusive = byReason(cases.filter((result) => result.verdict === 'inconclusive'));
  return joinWithinLimit([
    `## ${SIGNS[verdict]} gemm-paranoia: ${verdict}`,
    plainText(verdictSentence(results)),
    `${plainText(tallySentence(results))} On ${plainText(adapter.name)} (${adapter.kind}, ${code(adapter.id)}).`,
    failing.length === 0 ? '' : `### ${counted(failing.length, 'case')} failed\n\n${failureTable(failing)}`,
    `### By kernel\n\n${summaryTable(cases)}`,
    growth.length === 0
      ? ''
      : details('How the error grows', `${growthTable(results)}${missingFitList(results)}`),
    inconclusive.length === 0
      ? ''
      : details(`${counted(results.summary.inconclusive, 'case')} inconclusive`, reasonTable(inconclusive)),
    waivers.length === 0
      ? ''
      : details(
          `${counted(waivers.length, 'waiver')}, ${counted(waived.length, 'case')} waived`,
          waiverTables(waivers, waived),
        ),
    inspectionList(results),
    noteList(results),
    details('Device', deviceTable(results)),
  ]);
}

// GitHub refuses a summary of more than 1 MiB altogether.
const LARGEST = 1_000_000;

/** The sections one after the other, without those that would make the whole too large. */
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
    missing > 0 ? [`${counted(missing, 'section')} left out for length; the results file has all.`] : [];
  return `${[...kept, ...note].join('\n\n')}\n`;
}

function failureTable(failing: readonly CaseResult[]): string {
  const rows = failing.slice(0, SHOWN_FAILURES).map((result) => {
    const failed = result.checks.filter(({ status }) => status === 'fail').slice(0, SHOWN_CHECKS);
    const found = failed.map(
      (check) => `${plainText(check.name)}: ${short(check.found)}, allowed ${short(check.allowed)}`,
    );
    return [code(result.case), found.join('<br>'), plainText(result.reason), code(result.replay)];
  });
  const left = failing.length - rows.length;
  const more = left > 0 ? `\n\n… and ${left} more; the results file has them all.` : '';
  return `${table(['case', 'found', 'why', 'replay'], rows)}${more}`;
}

function summaryTable(cases: readonly CaseResult[]): string {
  const all = summarise(cases);
  const anyWaived = all.some(({ waived }) => waived > 0);
  const headings = [
    ...['kernel', 'levels', 'cases', 'pass', 'fail'],
    ...(anyWaived ? ['waived'] : []),
    'inconclusive',
    'sigmas',
    'of bound',
    'bits',
    'mirror',
  ];
  const rows = all.map((row) => [
    code(row.kernel),
    String(row.levels),
    String(row.cases),
    String(row.pass),
    row.fail === 0 ? '0' : `**${row.fail}**`,
    ...(anyWaived ? [String(row.waived)] : []),
    String(row.inconclusive),
    short(row.sigmas),
    short(row.used),
    short(row.bits),
    row.mirrored === 0 ? '–' : `${row.mirrorEqual}/${row.mirrored}`,
  ]);
  return rows.length === 0 ? 'No case ran.' : table(headings, rows, 1);
}

function growthTable({ growth }: Results): string {
  const rows = growthRows(growth).map((row) => [
    code(row.kernel),
    plainText(row.input),
    row.series,
    describeSlope(row.maxError),
    describeSlope(row.meanError),
  ]);
  return table(['kernel', 'input', 'over', 'largest error', 'mean error'], rows, 3);
}

function missingFitList({ growth }: Results): string {
  const reasons = missingFits(growth).slice(0, SHOWN_ROWS);
  if (reasons.length === 0) return '';
  return `\n\n${reasons.map(({ reason, count }) => `- no fit (${count}): ${plainText(reason)}`).join('\n')}`;
}

function reasonTable(reasons: ReturnType<typeof byReason<CaseResult>>): string {
  const rows = reasons.map(({ reason, count, example }) => [
    String(count),
    plainText(reason),
    code(example.replay),
  ]);
  return table(['cases', 'why', 'replay one'], rows);
}

function waiverTables(waivers: readonly WaiverResult[], waived: readonly CaseResult[]): string {
  const rows = waivers.map((waiver) => [
    waiver.state,
    code(waiver.case),
    plainText(describeWaiver(waiver)),
    plainText(waiver.reason),
  ]);
  const cases = waived.map((result) => [
    code(result.case),
    plainText(result.reason),
    plainText(whyWaived(result)),
    code(result.replay),
  ]);
  const list = cases.length === 0 ? '' : `\n\n${table(['case', 'why', 'waived', 'replay'], cases)}`;
  return `${table(['', 'cases', 'fail', 'reason'], rows)}${list}`;
}

function inspectionList({ inspections = [] }: Results): string {
  const parts = inspections.slice(0, SHOWN_ROWS).map(({ kernel, findings, contradictions = [] }) => {
    const wrong = contradictions.map((one) => `- ${plainText(one)}\n`).join('');
    const rows = findings.map(({ question, answer, confidence }) => [
      plainText(question),
      plainText(answer),
      plainText(confidence),
    ]);
    return details(
      `What the outputs of ${plainText(kernel)} show`,
      `${wrong}\n${table(['question', 'answer', 'confidence'], rows)}`,
    );
  });
  return parts.join('\n\n');
}

function noteList({ notes = [] }: Results): string {
  return notes
    .slice(0, SHOWN_ROWS)
    .map((note) => `- ${plainText(note)}`)
    .join('\n');
}

function deviceTable({ adapter, version, command, createdAt }: Results): string {
  const { chosenBecause, backend, driver, dawn, vendor, architecture, device } = adapter;
  const facts = { backend, driver, dawn, vendor, architecture, device, 'chosen because': chosenBecause };
  const all = { ...facts, 'gemm-paranoia': version, command, at: createdAt };
  return table(
    ['', ''],
    Object.entries(all).map(([key, value]) => [key, plainText(value)]),
  );
}

/** A table; from column `numbers` on, cells are aligned right. */
function table(headings: readonly string[], rows: readonly string[][], numbers = headings.length): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = headings.map((_, c) => (c >= numbers ? '---:' : '---'));
  const left = rows.length - SHOWN_ROWS;
  const more = left > 0 ? [`\n… and ${counted(left, 'more row')}.`] : [];
  return [line(headings), line(rule), ...rows.slice(0, SHOWN_ROWS).map(line), ...more].join('\n');
}

function details(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function code(text: string): string {
  return `<code>${asEntities(oneLine(text, LONGEST_CODE))}</code>`;
}

function plainText(text: string): string {
  return asEntities(oneLine(text, LONGEST_TEXT));
}

// As entities these are never markup, neither in a table's cell nor in a code element.
const MARKUP = /[&<>|`*_~[\]\\$@]/g;

function asEntities(text: string): string {
  return text.replace(MARKUP, (character) => `&#${character.charCodeAt(0)};`);
}
