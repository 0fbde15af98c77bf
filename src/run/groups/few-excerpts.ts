import type { CaseResult } from '../../evidence/case-result.ts';
import type { FailureGroup } from './group.ts';

/** The results, excerpts but for those of the examples of groups left out: a file of many failures stays small. */
export function withFewExcerpts(
  cases: readonly CaseResult[],
  groups: readonly Pick<FailureGroup, 'example' | 'cases'>[],
): CaseResult[] {
  const kept = new Set(
    groups.map(({ example, cases: places }) => places.find((place) => cases[place]?.case === example)),
  );
  return cases.map((result, place) => {
    if (result.excerpt === undefined || kept.has(place)) return result;
    const { excerpt: _, ...rest } = result;
    return rest;
  });
}
