import { oneLine } from '../base/printable.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { FailureGroup } from '../run/groups/group.ts';
import type { Results } from '../run/results.ts';
import { standingOf } from './standing.ts';

/** Failures as they are shown: one of them, and what it shares with others. */
export interface ShownGroup {
  /** Its place among the failures that results show, from 1. */
  readonly number: number;
  /** "mine: 35 of 120 cases fail: …"; absent where failures were not grouped. */
  readonly headline?: string;
  /** The mistake that most of them look like, as the headline says it. */
  readonly likeness?: string | undefined;
  /** Whether it is about what the groups of its kernels before it leave. */
  readonly later?: boolean;
  /** The smallest case of the group. */
  readonly example: CaseResult;
  /** How many more there are. */
  readonly more: number;
  /** An even smaller case that fails. */
  readonly smaller?: FailureGroup['shrunk'];
}

/** The groups of results, the smallest example of each; where these have none, every failing case by itself. */
export function shownGroups({ groups, cases }: Pick<Results, 'groups' | 'cases'>): ShownGroup[] {
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
            ...{ example, more: members.length - 1, smaller: group.shrunk },
          },
        ];
  });
}

/** The group of every case that is in one, by its place. */
export function groupsByPlace({ groups = [] }: Pick<Results, 'groups'>): ReadonlyMap<number, FailureGroup> {
  return new Map(groups.flatMap((group) => group.cases.map((at) => [at, group] as const)));
}

/** Kernels that are named, and how long their names may be: what is said of them is not to be lost behind them. */
const [MOST_NAMED, LONGEST_NAME] = [3, 40];

/** What is to be said of a group, in a sentence: of which kernels, what they share, what they look like. */
export function headlineOf({ kernels, says, looksLike, failing }: FailureGroup): string {
  const named = kernels
    .slice(0, MOST_NAMED)
    .map((name) => oneLine(name, LONGEST_NAME))
    .join(', ');
  const more = kernels.length > MOST_NAMED ? ` and ${kernels.length - MOST_NAMED} more` : '';
  const like =
    looksLike === undefined || failing === 1
      ? ''
      : `; ${looksLike.count === failing ? 'all' : looksLike.count} of them ${looksLike.count === 1 ? 'looks' : 'look'} like this: ${looksLike.says}`;
  return `${named}${more}: ${says}${like}.`;
}
