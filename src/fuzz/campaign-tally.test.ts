import { expect, it } from 'vitest';
import { checks } from '../evidence/checks/checks.ts';
import type { CaseOutcome } from '../run/scheduler.ts';
import { CampaignTally } from './campaign-tally.ts';
import type { Target } from './target.ts';

it('keeps a few cases that differ from the model, however small their errors', () => {
  const target = {} as Target;
  const tally = new CampaignTally([target], checks);
  tally.coverage.add = () => {};
  for (let at = 0; at < 9; at++) {
    const result = {
      case: `m=${at}`,
      kernel: 'mine',
      precision: 'f32',
      verdict: 'pass',
      checks: [],
      equalsModel: at < 3,
    };
    tally.add({ result } as unknown as CaseOutcome, target);
  }
  expect(tally.count).toMatchObject({ run: 9, comparedWithModel: 9, equalToModel: 3 });
  expect(tally.worst.results().map((result) => result.case)).toEqual(['m=3', 'm=4', 'm=5']);
});
