import type { FailureGroup } from './group.ts';

/** What failures share, in a sentence without its full stop: "35 of 120 cases fail: exactly those with k ≡ 1 mod 16". */
export function sayGroup({
  failing,
  judged,
  passing,
  exact,
  rule,
  later,
}: Omit<FailureGroup, 'says'>): string {
  if (failing === judged) return judged === 1 ? 'The one case fails' : `All ${judged} cases fail`;
  const counted = `${failing}${later ? ' more' : ''} of ${judged} cases ${failing === 1 ? 'fails' : 'fail'}`;
  if (rule === undefined) {
    return failing === 1 ? counted : `${counted}, which nothing tells from those that pass`;
  }
  const all = passing === 0 ? 'all with' : `all but ${passing} with`;
  const which = exact ? 'exactly those with' : later ? `of those that are left ${all}` : all;
  return `${counted}: ${which} ${rule.join(' and ')}`;
}
