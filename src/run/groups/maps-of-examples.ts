import type { CaseResult } from '../../evidence/case-result.ts';
import type { FailureGroup } from './group.ts';

/** Cases without pictures, but for the examples of groups: of thousands of failures they would make results huge. */
export function withMapsOfExamples(
  cases: readonly CaseResult[],
  groups: readonly Pick<FailureGroup, 'example' | 'cases'>[],
): CaseResult[] {
  const kept = new Set(groups.map((group) => group.cases.find((at) => cases[at].case === group.example)));
  return cases.map((result, at) => {
    if (result.maps === undefined || kept.has(at)) return result;
    const { maps: _, ...rest } = result;
    return rest;
  });
}
