import fc from 'fast-check';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Case } from '../problem/case.ts';
import type { Finding } from '../run/finding.ts';
import type { FailureGroup } from '../run/groups/group.ts';
import { groupFailures } from '../run/groups/group-failures.ts';
import type { Judged, Scheduler } from '../run/scheduler.ts';
import { seedOfRound } from './seed-of-round.ts';
import type { Target } from './target.ts';

/** Cases before a failure that are remembered, and such that are asked after it. */
export const BEFORE = 144;
const AFTER = 48;

/** A round that no campaign has. */
const ROUND = -1;

/** What was judged of each target until it failed, and some more: what failures share shows only beside what passes. */
export class Alike {
  private readonly recent = new Map<string, CaseResult[]>();
  private readonly of: CaseResult[] = [];

  /** Remembers what was judged of a target. */
  add(judged: readonly Pick<Judged, 'result'>[], target: Named): void {
    const key = keyOf(target);
    const all = [...(this.recent.get(key) ?? []), ...judged.map(({ result }) => result)];
    this.recent.set(key, all.slice(-BEFORE));
  }

  /**
   * Asks some more of a target that failed, unless what failed does so after others or by chance.
   * @returns what was asked.
   */
  async failed(
    { after, unsteady, check, result }: Finding,
    { target, arbitrary }: { readonly target: Target; readonly arbitrary: fc.Arbitrary<Case> },
    { judge, seed, stop }: { readonly judge: Scheduler; readonly seed: number; readonly stop: () => boolean },
  ): Promise<readonly Judged[]> {
    // What does not run may take its whole time limit each time.
    const isAsked = after === undefined && unsteady === undefined && check !== 'runs' && !stop();
    const own = seedOfRound(seed, target, ROUND);
    const more = isAsked ? await judge.judge(fc.sample(arbitrary, { seed: own, numRuns: AFTER })) : [];
    this.known({ result }, target, more);
    return more;
  }

  /** Remembers a failure, and what was asked after it: where that is nothing, what came before tells nothing either. */
  known({ result }: Pick<Finding, 'result'>, target: Named, more: readonly Pick<Judged, 'result'>[]): void {
    const before = more.length === 0 ? [] : (this.recent.get(keyOf(target)) ?? []);
    this.of.push(result, ...before, ...more.map((one) => one.result));
  }

  /** What failures share, and the results that are told: these failures, and what else is to be shown. */
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

/** What tells targets apart. */
type Named = Pick<Target, 'kernel' | 'precision'>;

const keyOf = ({ kernel, precision }: Named): string => `${kernel} ${precision}`;

const distinct = (results: readonly CaseResult[]): CaseResult[] => [
  ...new Map(results.map((result) => [result.case, result])).values(),
];
