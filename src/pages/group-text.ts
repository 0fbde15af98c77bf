import { oneLine } from '../base/printable.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Look } from '../report/terminal/look.ts';
import { firstLines } from '../report/terminal/width.ts';
import { caseInWords } from './case-words.ts';
import { excerptText } from './excerpt.ts';
import { INDENT } from './failure.ts';
import type { ShownGroup } from './failure-groups.ts';

/** The smallest case that is known of a group, and what is to be seen of it. */
export interface Smallest {
  readonly case: string;
  readonly replay: string;
  readonly reason: string;
  readonly excerpt: CaseResult['excerpt'];
}

export const smallestOf = ({ example, smaller }: ShownGroup): Smallest => {
  const { case: text, replay, reason, excerpt } = smaller ?? example;
  return { case: text, replay, reason, excerpt };
};

/** What a group is called: what its cases share, or the kernel of the one. */
export const titleOf = ({ headline, example }: ShownGroup): string =>
  oneLine(headline ?? `${example.kernel}: a case fails.`);

/** Lines of a headline and of a reason, at most. */
const [HEAD_LINES, WHY_LINES] = [3, 2];

/** The smallest case of a group in words, and why it fails. */
export const sayingSmallest = (group: ShownGroup): string =>
  `smallest, ${caseInWords(smallestOf(group).case)}: ${whyOf(group)}`;

/** A group as it is told, the shortest first: its headline and how to repeat it; why it fails; what that looks like. */
export function groupVersions(group: ShownGroup, look: Look): string[][] {
  const { colors, width } = look;
  const inner = width - INDENT.length;
  const smallest = smallestOf(group);
  const told = (headLines: number, whyLines: number, seen: readonly string[]) => [
    '',
    ...firstLines(titleOf(group), width, headLines).map((line) => colors.bold(line)),
    ...[
      ...firstLines(sayingSmallest(group), inner, whyLines),
      ...seen,
      `${colors.dim('replay:')} ${oneLine(smallest.replay)}`,
    ].map((line) => `${INDENT}${line}`),
  ];
  const seen = excerptText(smallest, inner).map((line, at) => (at === 0 ? colors.dim(line) : line));
  return [told(1, 0, []), told(2, 1, []), told(HEAD_LINES, WHY_LINES, seen)];
}

/** Why the smallest case of a group fails, but for what headline and excerpt say already. */
export function whyOf(group: ShownGroup): string {
  const { headline, likeness } = group;
  const { reason, excerpt } = smallestOf(group);
  const isSaid = (part: string) =>
    (excerpt !== undefined && part.startsWith('worst at ')) ||
    (part === likeness && headline?.includes(part) === true);
  const [first, ...others] = oneLine(reason).replace(/\.$/, '').split('; ');
  return `${[first, ...others.filter((part) => !isSaid(part))].join('; ')}.`;
}
