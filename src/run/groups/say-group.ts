import type { FailureGroup } from './group.ts';

/** The verbs for cases of a group, and for the others. */
export interface GroupVerbs {
  readonly inside: string;
  readonly outside: string;
}

const VERDICTS: GroupVerbs = { inside: 'failed', outside: 'passed' };

/** Describes what failures share. The text follows "the kernel: " and precedes a full stop. */
export function sayGroup(
  group: Omit<FailureGroup, 'says'>,
  { inside, outside }: GroupVerbs = VERDICTS,
): string {
  const { failing, judged, passing, apart, rule, later } = group;
  if (failing === judged) return judged === 1 ? `the only case ${inside}` : `all ${judged} cases ${inside}`;
  const counted = `${failing}${later ? ' more' : ''} of ${judged} cases ${inside}`;
  if (rule === undefined) return counted;
  const which = rule.join(' and ');
  if (apart === 0)
    return passing === 0
      ? `${counted}, exactly those with ${which}`
      : `${counted}: ${failing} of the ${failing + passing} with ${which}, and no other`;
  const those = passing === 0 ? `all ${failing}` : `${failing} of ${failing + passing}`;
  return `${those}${later ? ' remaining' : ''} cases with ${which} ${inside}`;
}
