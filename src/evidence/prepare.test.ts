import { describe, expect, it } from 'vitest';
import { defaultCampaign } from '../gate/campaign.ts';
import { planCampaign } from '../gate/plan-campaign.ts';
import { isRepeated } from './prepare.ts';

describe('what is multiplied twice', () => {
  const cases = planCampaign(defaultCampaign);

  it('is about one case in four, of every kernel some that round', () => {
    const chosen = cases.filter((value) => isRepeated(value, {}));
    expect(chosen.length / cases.length).toBeGreaterThan(0.2);
    expect(chosen.length / cases.length).toBeLessThan(0.3);
    const kernels = chosen
      .filter(({ problem: { input } }) => input !== 'integers')
      .map(({ kernel }) => kernel);
    expect(new Set(kernels)).toEqual(new Set(cases.map(({ kernel }) => kernel)));
  });

  it('is the same with a fault, and nothing of a kernel that claims no determinism', () => {
    for (const value of cases) {
      expect(isRepeated({ ...value, fault: 'stale-tile' }, {})).toBe(isRepeated(value, {}));
      expect(isRepeated(value, { claims: { deterministic: false } })).toBe(false);
    }
  });
});
