import { OURS } from '../../base/registry.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { checks as builtin } from '../../evidence/checks/checks.ts';
import { verdictOf } from '../../evidence/result-of.ts';
import { describeLeftOut } from '../../run/left-out.ts';
import { overall } from '../../run/overall.ts';
import { ofCases, type Plausible } from './plausible.ts';

/** Checks that every run may have beside the registered ones: whether there was a product, and what came before it. */
const OTHERS = ['runs', 'state'];

export const verdicts: Plausible = {
  name: 'verdicts',
  what: 'Do verdicts follow from what the checks say, and the whole from its cases?',
  source: OURS,
  faults(results) {
    const { summary, waivers, inspections, cases, leftOut = [], verdict, shard } = results;
    const wrong = cases.flatMap((result) => {
      const follows = followingFrom(result);
      return follows === undefined || follows === result.verdict
        ? []
        : [{ case: result.case, why: `its verdict is ${result.verdict}, and its checks make it ${follows}` }];
    });
    const whole = overall(summary, { waivers, inspections, leftOut: describeLeftOut(leftOut, cases) });
    // What a run says beside its cases, as that a kernel takes few shapes, makes a pass inconclusive, nothing more.
    const mayBe =
      whole.verdict === 'pass' || shard !== undefined ? [whole.verdict, 'inconclusive'] : [whole.verdict];
    return [
      ...ofCases(wrong),
      ...(mayBe.includes(verdict)
        ? []
        : [
            `its verdict is ${verdict}, and its cases make it ${whole.verdict} (${whole.reason.replace(/\.$/, '')})`,
          ]),
    ];
  },
};

/** The verdict that the checks of a case make; undefined where a check of somebody's own may decide. */
function followingFrom({ checks }: CaseResult): CaseResult['verdict'] | undefined {
  const known = [...builtin.items.map(({ name }) => name), ...OTHERS];
  if (checks.some(({ name, status }) => status === 'pass' && !known.includes(name))) return undefined;
  return verdictOf(checks).verdict;
}
