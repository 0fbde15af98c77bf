import type { CaseResult } from '../../evidence/case-result.ts';
import type { FailureGroup } from './group.ts';

/** Returns results whose entries and pictures are kept only for the examples of groups, so that a file of many failures stays small. */
export function withShownExamples(
  cases: readonly CaseResult[],
  groups: readonly Pick<FailureGroup, 'example' | 'cases'>[],
): CaseResult[] {
  const shown = new Set(
    groups.map(({ example, cases: places }) => places.find((place) => cases[place]?.case === example)),
  );
  return cases.map((result, place) => {
    if (shown.has(place) || (result.excerpt === undefined && result.maps === undefined)) return result;
    const { excerpt: _e, maps: _m, ...rest } = result;
    return rest;
  });
}
