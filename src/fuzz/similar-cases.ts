import fc from 'fast-check';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Case } from '../problem/case.ts';
import type { FailureGroup } from '../run/groups/group.ts';
import { groupFailures } from '../run/groups/group-failures.ts';
import type { CampaignFinding } from '../run/results.ts';
import type { CaseOutcome, Scheduler } from '../run/scheduler.ts';
import type { Target } from './target.ts';

/** Number of remembered cases before a failure, and of cases run after it. */
export const BEFORE = 144;
const AFTER = 48;

/** A round number that no campaign uses. */
const ROUND = -1;

/** Collector of the cases of each target up to its failure, and some more. Only passing cases reveal what failures share. */
export class SimilarCases {
  private readonly recent = new Map<string, CaseResult[]>();
  private readonly of: CaseResult[] = [];

  /** Remembers judged cases of a target. */
  add(judged: readonly Pick<CaseOutcome, 'result'>[], target: Named): void {
    const key = keyOf(target);
    const all = [...(this.recent.get(key) ?? []), ...judged.map(({ result }) => result)];
    this.recent.set(key, all.slice(-BEFORE));
  }

  /**
   * Runs more cases of a target that failed, unless it fails only after others or by chance.
   * @returns the further cases.
   */
  async failed(
    { after, unsteady, check, result, drawnCase }: CampaignFinding,
    { target, arbitrary }: { readonly target: Target; readonly arbitrary: fc.Arbitrary<Case> },
    { judge, seed, stop }: { readonly judge: Scheduler; readonly seed: number; readonly stop: () => boolean },
  ): Promise<readonly CaseOutcome[]> {
    // A case that does not run may take its whole time limit each time.
    const isAsked = after === undefined && unsteady === undefined && check !== 'runs' && !stop();
    const own = seedOfRound(seed, target, ROUND);
    const more = isAsked ? await judge.judge(fc.sample(arbitrary, { seed: own, numRuns: AFTER })) : [];
    this.known({ result, drawnCase }, target, more);
    return more;
  }

  /**
   * Remembers a failure, in place of the drawn case, and the further cases. Without further cases, the earlier ones are ignored too.
   */
  known(
    { result, drawnCase }: Pick<CampaignFinding, 'result' | 'drawnCase'>,
    target: Named,
    more: readonly Pick<CaseOutcome, 'result'>[],
  ): void {
    const before = more.length === 0 ? [] : (this.recent.get(keyOf(target)) ?? []);
    const others = before.filter((one) => one.case !== drawnCase);
    this.of.push(result, ...others, ...more.map((one) => one.result));
  }

  /** Returns the groups of failures, and the results to report: these failures, and what else must be shown. */
  told(shown: readonly CaseResult[]): { readonly cases: CaseResult[]; readonly groups: FailureGroup[] } {
    const sample = distinct([...shown.filter(({ verdict }) => verdict === 'fail'), ...this.of]);
    const cases = distinct([...sample.filter(({ verdict }) => verdict === 'fail'), ...shown]);
    const places = new Map(cases.map((result, at) => [result.case, at]));
    const groups = groupFailures(sample).map((group) => ({
      ...group,
      cases: group.cases.map((at) => places.get(sample[at].case) as number),
    }));
    return { cases, groups };
  }
}

/** The fields that identify a target. */
type Named = Pick<Target, 'kernel' | 'precision'>;

const keyOf = ({ kernel, precision }: Named): string => `${kernel} ${precision}`;

const distinct = (results: readonly CaseResult[]): CaseResult[] => [
  ...new Map(results.map((result) => [result.case, result])).values(),
];

/** Derives the seed of a target's round from that of the campaign, so that no two targets draw the same. */
export function seedOfRound(
  seed: number,
  { kernel, precision }: Pick<Target, 'kernel' | 'precision'>,
  round: number,
): number {
  let mixed = seed;
  for (const character of `${kernel} ${precision} ${round}`) {
    mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x9e3779b1);
    mixed ^= mixed >>> 15;
  }
  return mixed >>> 0;
}
