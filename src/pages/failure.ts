import { escapeControls, toOneLine } from '../base/printable.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { formatCount, formatPrecise, formatShort } from '../report/numbers.ts';
import { columnsOf, digitsCell, type Table } from '../report/table.ts';
import { terminalTable } from '../report/terminal/table.ts';
import {
  cutAtWord,
  displayWidth,
  firstLines,
  type TerminalStyle,
  wrapText,
} from '../report/terminal/text.ts';
import type { FailureGroup } from '../run/groups/group.ts';
import type { Results } from '../run/results.ts';
import { caseInWords, shapeInWords } from './case-words.ts';
import { excerptText } from './excerpt.ts';
import { standingOf } from './standing.ts';

/** A group of failures as reports show it: an example, and the facts that it shares with others. */
export interface GroupView {
  /** Its number among the failures that results show, from 1. */
  readonly number: number;
  /** "mine: 35 of 120 cases failed, …"; absent where failures were not grouped. */
  readonly headline?: string;
  /** The mistake that most of these failures resemble, in the headline's words. */
  readonly likeness?: string | undefined;
  /** True if the headline names the cases that failed by their properties. A smaller case, tried later, may not have them. */
  readonly isRuled?: boolean;
  /** True if the group covers failures that earlier groups of its kernels leave over. */
  readonly later?: boolean;
  /** The smallest case of the group. */
  readonly example: CaseResult;
  /** Number of further cases. */
  readonly more: number;
  /** A smaller case that also fails. */
  readonly smaller?: FailureGroup['smallerExample'];
}

/** Returns the groups of results, with the smallest example of each. Without groups, every failing case stands by itself. */
export function listFailureGroups({ groups, cases }: Pick<Results, 'groups' | 'cases'>): GroupView[] {
  const failing = cases.filter((result) => standingOf(result) === 'fail');
  if (groups === undefined) return failing.map((example, at) => ({ number: at + 1, example, more: 0 }));
  return groups.flatMap((group, at) => {
    const members = group.cases.flatMap((at) => cases[at] ?? []);
    const example = members.find((result) => result.case === group.example);
    return example === undefined
      ? []
      : [
          {
            number: at + 1,
            ...{ headline: headlineOf(group), likeness: group.looksLike?.says, later: group.later },
            ...{ example, more: members.length - 1, smaller: group.smallerExample },
            isRuled: group.rule !== undefined,
          },
        ];
  });
}

/** Maps the index of every grouped case to its group. */
export function groupsByPlace({ groups = [] }: Pick<Results, 'groups'>): ReadonlyMap<number, FailureGroup> {
  return new Map(groups.flatMap((group) => group.cases.map((at) => [at, group] as const)));
}

/** Most kernels that a headline names, and the longest of their names, so that names do not crowd out the message. */
const [MOST_NAMED, LONGEST_NAME] = [3, 40];

/** Writes the headline of a group, in a sentence: its kernels, the facts that they share, and the mistake that they resemble. */
export function headlineOf({ kernels, says, looksLike, failing }: FailureGroup): string {
  const named = kernels
    .slice(0, MOST_NAMED)
    .map((name) => toOneLine(name, LONGEST_NAME))
    .join(', ');
  const more = kernels.length > MOST_NAMED ? ` and ${kernels.length - MOST_NAMED} more` : '';
  const like =
    looksLike === undefined || failing === 1
      ? ''
      : `. Likely mistake${looksLike.count === failing ? '' : ` in ${formatCount(looksLike.count, 'failure')}`}: ${looksLike.says}`;
  return `${named}${more}: ${says}${like}.`;
}

/** The indent of lines that belong to another. */
export const INDENT = '  ';

/** Describes a failing case in full: found and allowed values, the reason, and the command that repeats it. */
export function describeFailure(result: CaseResult, { colors, width }: TerminalStyle): string[] {
  const failed = result.checks.filter(({ status }) => status === 'fail');
  const messages = [...new Set([result.reason, ...failed.map(({ message }) => message)])];
  const inner = width - INDENT.length;
  const table = checksTable({ ...result, checks: failed });
  const body = [
    ...(failed.length > 0 ? terminalTable(table, { colors, width: inner }) : []),
    ...messages.flatMap((message) => wrapText(escapeControls(message), inner)),
    ...describeWorst(result),
    ...excerptText(result, inner),
    `${colors.dim('replay:')} ${toOneLine(result.replay)}`,
  ];
  return [heading(result, colors), ...body.map((line) => `${INDENT}${line}`)];
}

const heading = ({ case: text }: CaseResult, colors: TerminalStyle['colors']) =>
  `${colors.red(colors.bold('FAIL'))} ${toOneLine(text)}`;

/** Describes a failing case and its reason in one line: as much of the reason as fits, in whole clauses. */
export const failureLine = (
  { kernel, case: text, reason }: CaseResult,
  { colors, width }: TerminalStyle,
): string => {
  const room = Math.max(1, width - 'FAIL '.length);
  const of = `${toOneLine(kernel, LONGEST_IN_LINE)}, ${shapeInWords(text)}`;
  const why = toOneLine(reason).replace(/\.$/, '');
  const said = [why, why.split('; ')[0], why.split(': ')[0]].map((part) => `${of}: ${part}`);
  const shown = said.find((line) => displayWidth(line) <= room) ?? cutAtWord(said[0], room);
  return `${colors.red(colors.bold('FAIL'))} ${shown}`;
};

const LONGEST_IN_LINE = 32;

function describeWorst({ exact }: CaseResult): string[] {
  if (exact?.worst === undefined) return [];
  const { i, j, computed, expected, error, quadrant } = exact.worst;
  const where = quadrant === '' ? '' : ` in ${toOneLine(quadrant)}`;
  return [
    `worst entry (${i}, ${j})${where}: found ${formatPrecise(computed)}, expected ${formatPrecise(expected)}, error ${formatShort(error)}`,
  ];
}

/** Returns the checks that keep a case from passing. */
export const decisiveChecks = ({ checks }: CaseResult) =>
  checks.filter(({ status }) => status === 'fail' || status === 'inconclusive');

/** Tabulates the failed and inconclusive checks of a case, with found and allowed values. */
function checksTable(result: CaseResult): Table {
  const rows = decisiveChecks(result).map(({ name, status, found, allowed }) => [
    status === 'fail' ? name : `${name} (${status})`,
    { ...digitsCell(found), tone: status === 'fail' ? ('bad' as const) : ('unsure' as const) },
    digitsCell(allowed),
  ]);
  const columns = [...columnsOf('text', 'check'), ...columnsOf('number', 'found', 'allowed')];
  return { title: '', columns, rows };
}

/** The smallest known case of a group, with its excerpt and maps. */
interface SmallestCase {
  readonly case: string;
  readonly replay: string;
  readonly reason: string;
  readonly excerpt: CaseResult['excerpt'];
}

export const smallestOf = ({ example, smaller }: GroupView): SmallestCase => {
  const { case: text, replay, reason, excerpt } = smaller ?? example;
  return { case: text, replay, reason, excerpt };
};

/** Returns the title of a group: the headline, or the kernel of a single case. */
export const groupTitle = ({ headline, example }: GroupView): string =>
  toOneLine(headline ?? `${example.kernel}: a case failed.`);

/** Most lines of a headline, and of a reason: in a short text, and in a full one. */
const [HEAD_LINES, WHY_LINES, FULL_WHY_LINES] = [3, 2, 4];

/** Describes the smallest case of a group, and the reason why it fails. */
export const describeSmallest = (group: GroupView): string =>
  `${group.isRuled === true && group.smaller !== undefined ? 'a search after the run found that a smaller case fails too' : 'smallest'}, ${caseInWords(smallestOf(group).case)}: ${whyOf(group)}`;

/**
 * Returns versions of a group's text, the shortest first: headline and replay command, then the reason, then the likely mistake.
 * @param file the file that holds all results, if there is one
 */
export function groupVersions(group: GroupView, look: TerminalStyle, file?: string): string[][] {
  const { colors, width } = look;
  const inner = width - INDENT.length;
  const smallest = smallestOf(group);
  const told = (headLines: number, whyLines: number, seen: readonly string[]) => [
    '',
    ...firstLines(groupTitle(group), width, headLines).map((line) => colors.bold(line)),
    ...[
      ...firstLines(describeSmallest(group), inner, whyLines),
      ...seen,
      ...repeating(group, file).map(([title, text]) => `${colors.dim(title)} ${toOneLine(text)}`),
    ].map((line) => `${INDENT}${line}`),
  ];
  const seen = excerptText(smallest, inner).map((line, at) => (at === 0 ? colors.dim(line) : line));
  return [told(1, 0, []), told(2, WHY_LINES, []), told(HEAD_LINES, FULL_WHY_LINES, seen)];
}

/** The default path of reports. */
const USUAL = 'reports/local/results.json';

/** Returns the replay command of a group's smallest case: by its number in a results file, beside its text; else by its text alone. */
function repeating(group: GroupView, file: string | undefined): [title: string, text: string][] {
  const { case: text, replay } = smallestOf(group);
  const folder = /^([^']*)\/results\.json$/.exec(file ?? '')?.[1];
  // An untrusted kernel is replayed by the text of the case alone.
  if (folder === undefined || replay.includes(' --untrusted')) return [['replay:', replay]];
  const out = file === USUAL ? '' : ` --out '${folder}'`;
  const byNumber = replay.replace(/--case '.*?'(?= --(?!case)|$)/, `--replay ${group.number}${out}`);
  return [
    ['replay:', byNumber],
    ['case:', text],
  ];
}

/** Returns the reason why the smallest case of a group fails, without the parts that headline and excerpt state. */
function whyOf(group: GroupView): string {
  const { headline, likeness } = group;
  const { reason, excerpt } = smallestOf(group);
  // The mistake of the group is not told again, nor another one that fits the smallest case alone.
  const isTold = likeness !== undefined && headline?.includes('. Likely mistake') === true;
  const isSaid = (part: string) =>
    (excerpt !== undefined && /^(worst at|found) /.test(part)) ||
    (isTold && part.startsWith('likely mistake: ')) ||
    (likeness !== undefined && part.endsWith(likeness) && headline?.includes(likeness) === true);
  const [first, ...others] = toOneLine(reason).replace(/\.$/, '').split('; ');
  return `${[first, ...others.filter((part) => !isSaid(part))].join('; ')}.`;
}
