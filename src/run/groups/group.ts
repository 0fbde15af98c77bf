import * as z from 'zod/mini';
import { recordSchemaOf } from '../../base/record-schema.ts';
import { type CaseResult, excerpt } from '../../evidence/case-result.ts';
import { productMaps } from '../../evidence/heat-map.ts';
import { formatCount } from '../../report/numbers.ts';

/** Failures of a run that have something in common. */
export const failureGroup = z.object({
  /** The kernels that the description applies to. */
  kernels: z.array(z.string()).check(z.minLength(1)),
  /** The description of the kernels: "35 of 120 cases failed, exactly those with k ≡ 1 mod 16". */
  says: z.string(),
  /** The shared properties, such as "k ≡ 1 mod 16". Absent where no rule separates failing from passing cases, or all cases fail. */
  rule: z.optional(z.array(z.string())),
  /** True if the rule applies only to cases that the earlier groups of these kernels leave. */
  later: z.boolean(),
  failing: z.int().check(z.gte(1)),
  /** Cases of the kernels that passed or failed. */
  judged: z.int().check(z.gte(1)),
  /** Passing cases for which the rule is true; for a later group, among the remaining cases. */
  passing: z.int().check(z.gte(0)),
  /** Failing cases of the kernels in other groups. */
  apart: z.int().check(z.gte(0)),
  /** Number of failures by the first failed check. */
  checks: recordSchemaOf(z.int().check(z.gte(1))),
  /** The mistake that most failures look like, in a clause, and the number of these. */
  looksLike: z.optional(z.object({ cause: z.string(), says: z.string(), count: z.int().check(z.gte(1)) })),
  /** The smallest case of the group. */
  example: z.string(),
  /** A still smaller failing case, where shrinking was requested. */
  smallerExample: z.optional(
    z.object({
      case: z.string(),
      replay: z.string(),
      reason: z.string(),
      excerpt: z.optional(excerpt),
      maps: z.optional(productMaps),
    }),
  ),
  /** Indices of the failures in `cases`, from 0. */
  cases: z.array(z.int().check(z.gte(0))),
});
export type FailureGroup = z.infer<typeof failureGroup>;

/**
 * Describes what failures share. The text follows "the kernel: " and precedes a full stop.
 * @param verb what the cases of the group did.
 */
export function sayGroup(group: Omit<FailureGroup, 'says'>, verb = 'failed'): string {
  const { failing, judged, passing, apart, rule, later } = group;
  if (failing === judged) return judged === 1 ? `1 case ${verb}` : `all ${judged} cases ${verb}`;
  const counted = `${failing}${later ? ' more' : ''} of ${judged} cases ${verb}`;
  if (rule === undefined) return counted;
  const which = rule.join(' and ');
  if (apart === 0)
    return passing === 0
      ? `${counted}, exactly those with ${which}`
      : `${counted}, all with ${which}; ${formatCount(passing, 'other such case')} passed`;
  const those = passing === 0 ? `all ${failing}` : `${failing} of ${failing + passing}`;
  return `${those}${later ? ' remaining' : ''} cases with ${which} ${verb}`;
}

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
