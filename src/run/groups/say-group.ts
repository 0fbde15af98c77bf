import type { FailureGroup } from './group.ts';

/** Describes what failures share. The text follows "the kernel: " and precedes a full stop. */
export function sayGroup(group: Omit<FailureGroup, 'says'>): string {
  const { failing, judged, passing, apart, rule, later } = group;
  if (failing === judged) return judged === 1 ? 'the one case fails' : `all ${judged} cases fail`;
  const counted = `${failing}${later ? ' more' : ''} of ${judged} cases ${failing === 1 ? 'fails' : 'fail'}`;
  if (rule === undefined) {
    return failing === 1 ? counted : `${counted}; nothing tells them from those that pass`;
  }
  const which = rule.join(' and ');
  if (apart === 0) {
    return `${counted}: ${passing === 0 ? 'exactly those' : `all but ${passing} of those`} with ${which}`;
  }
  const with_ = passing === 0 ? `all ${failing} cases` : `${failing} of ${failing + passing} cases`;
  return `${later ? 'of the others ' : ''}${with_} with ${which} fail`;
}
