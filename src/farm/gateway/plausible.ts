import type { CaseResult } from '../../evidence/case-result.ts';
import { findInput } from '../../inputs/inputs.ts';
import { parseCase } from '../../problem/case.ts';
import { reported } from '../../problem/schema.ts';
import { canonicalJson } from './canonical.ts';
import type { Found } from './protocol.ts';

/** Why results cannot be those of the cases that were leased, as a clause; undefined where they can. */
export function implausible(texts: readonly string[], found: Found): string | undefined {
  const asked = new Set(texts);
  const told = [...found.cases.map((result) => result.case), ...found.leftOut];
  const isWhole =
    told.length === asked.size && new Set(told).size === asked.size && told.every((text) => asked.has(text));
  if (!isWhole) return 'its cases are not those that were leased';
  for (const result of found.cases) {
    const why = contradiction(result);
    if (why !== undefined) return `of ${result.case} ${why}`;
  }
  return undefined;
}

function contradiction(result: CaseResult): string | undefined {
  const { kernel, m, k, n, seed, input, levels, precision } = result;
  const told = { kernel, m, k, n, seed, input, levels, precision };
  const { fringe: _f, tail: _t, case: _c, ...own } = reported(parseCase(result.case));
  if (canonicalJson(told) !== canonicalJson(own)) return 'the fields are not those of its text';
  const has = (status: string) => result.checks.some((check) => check.status === status);
  if ((result.verdict === 'fail') !== has('fail')) return 'the verdict does not follow from the checks';
  if (result.verdict === 'pass' && !has('pass')) return 'no check passes, and the case does';
  const { maxError = 0, meanError = 0 } = result.exact ?? {};
  if (Number(maxError) < 0 || Number(meanError) > Number(maxError) * (1 + 1e-12))
    return 'the mean error is larger than the largest';
  return undefined;
}

/**
 * Whether who did not multiply a case cannot know what to say of it: its product is rounded, so that its errors follow from every
 * bit of it. Of whole numbers all errors are zero, as anybody knows.
 */
export const isTelling = (text: string): boolean =>
  findInput(parseCase(text).problem.input).exactness !== 'integers';

/**
 * Whether two results that both claim the bits of our mirror can be true: the errors against the exact product then follow from the
 * case, on whatever machine.
 */
export const agree = (one: CaseResult, other: CaseResult): boolean =>
  one.verdict === other.verdict && canonicalJson(one.exact ?? null) === canonicalJson(other.exact ?? null);
