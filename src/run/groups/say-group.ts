import type { FailureGroup } from './group.ts';

/**
 * Describes what failures share. The text follows "the kernel: " and precedes a full stop.
 * @param verb what the cases of the group did.
 */
export function sayGroup(group: Omit<FailureGroup, 'says'>, verb = 'failed'): string {
  const { failing, judged, passing, apart, rule, later } = group;
  if (failing === judged) return judged === 1 ? `the case that ran ${verb}` : `all ${judged} cases ${verb}`;
  const counted = `${failing}${later ? ' more' : ''} of ${judged} cases ${verb}`;
  if (rule === undefined) return counted;
  const which = rule.join(' and ');
  if (apart === 0)
    return passing === 0
      ? `${counted}, exactly those with ${which}`
      : `${counted}, all with ${which}; ${passing} other such ${passing === 1 ? 'case' : 'cases'} passed`;
  const those = passing === 0 ? `all ${failing}` : `${failing} of ${failing + passing}`;
  return `${those}${later ? ' remaining' : ''} cases with ${which} ${verb}`;
}
