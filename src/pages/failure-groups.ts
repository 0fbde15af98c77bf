import { toOneLine } from '../base/printable.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { formatCount } from '../report/numbers.ts';
import type { FailureGroup } from '../run/groups/group.ts';
import type { Results } from '../run/results.ts';
import { standingOf } from './standing.ts';

/** A group of failures as reports show it: an example, and the facts that it shares with others. */
export interface GroupView {
  /** Its number among the failures that results show, from 1. */
  readonly number: number;
  /** "mine: 35 of 120 cases failed, …"; absent where failures were not grouped. */
  readonly headline?: string;
  /** The mistake that most of these failures resemble, in the headline's words. */
  readonly likeness?: string | undefined;
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
