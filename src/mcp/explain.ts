import { z } from 'zod';
import { type CaseResult, excerpt, verdicts } from '../evidence/case-result.ts';
import { checkResult } from '../evidence/check-result.ts';
import { checks } from '../evidence/checks/checks.ts';
import { type FailureGroup, failureGroup } from '../run/groups/group.ts';
import type { Results } from '../run/results.ts';
import { notInRun } from './messages.ts';

/** Features that the failures of a group share; the smallest example comes without pictures. */
const { smallerExample } = failureGroup.shape;
const shared = z
  .object(failureGroup.shape)
  .pick({ says: true, rule: true, looksLike: true, example: true })
  .extend({ smallerExample: z.object(smallerExample.def.innerType.shape).omit({ maps: true }).optional() });

/** The explanation of a case: each check with its question, its metric and threshold, and the pattern of its wrong entries. */
export const explanation = z.object({
  case: z.string(),
  verdict: z.enum(verdicts),
  /** The message of the check that decided. */
  reason: z.string(),
  /** Cases after which it fails in one process, though it passes alone. */
  after: z.array(z.string()).optional(),
  checks: z.array(z.object(checkResult.shape).extend({ asks: z.string().optional() })),
  /** Entries around the worst one; present for the smallest case of each group of failures. */
  excerpt: z.object(excerpt.shape).optional(),
  /** Features that it shares with other failures. */
  group: shared.optional(),
  replay: z.string(),
});
export type Explanation = z.infer<typeof explanation>;

/**
 * Explains a case of a run.
 * @param text the case. @defaultValue the smallest case of the first group of failures, else the first case that does not pass
 * @returns undefined if no case is named and all pass
 * @throws ParanoiaError `not-in-run`
 */
export function explain(results: Results, text?: string): Explanation | undefined {
  const { cases, groups = [] } = results;
  const asked = text ?? groups[0]?.example;
  const at =
    asked === undefined
      ? cases.findIndex(({ verdict }) => verdict !== 'pass')
      : cases.findIndex((one) => one.case === asked);
  if (at < 0 && text === undefined) return undefined;
  if (at < 0) throw notInRun({ case: asked as string });
  const group = groups.find((one) => one.cases.includes(at));
  return explained(cases[at], group);
}

function explained(result: CaseResult, group: FailureGroup | undefined): Explanation {
  const { verdict, reason, after, replay } = result;
  return {
    ...{ case: result.case, verdict, reason, after, replay },
    checks: result.checks.map((one) => ({ ...one, asks: askedBy(one.name) })),
    excerpt: result.excerpt,
    group: group && shared.parse(group),
  };
}

const askedBy = (name: string) => checks.get(name)?.what;
