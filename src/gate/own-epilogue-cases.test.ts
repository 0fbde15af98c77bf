import { describe, expect, it } from 'vitest';
import { readChain } from '../epilogue/chain-text.ts';
import { whyNotOnDevice } from '../epilogue/device-steps.ts';
import { epilogueSteps } from '../epilogue/epilogues.ts';
import { isPlain } from '../matrix/gemm.ts';
import { formatCase, parseCase } from '../problem/case.ts';
import { toGemm } from '../problem/gemm-of.ts';
import { defaultCampaign } from './campaign.ts';
import { planCampaign } from './plan-campaign.ts';

const cases = planCampaign(defaultCampaign);
const behind = cases.filter(({ problem }) => problem.epilogue !== 'none');

describe('epilogues of our kernels in a campaign', () => {
  it('are few, and leave the other cases', () => {
    expect(behind.length).toBeGreaterThan(6);
    expect(behind.length).toBeLessThan(cases.length / 64);
    const few = planCampaign({
      ...defaultCampaign,
      kernels: ['strassen:naive'],
      levels: [0],
      inputs: ['uniform'],
    });
    expect(few.filter(({ problem }) => problem.epilogue !== 'none')).toHaveLength(0);
  });

  it('have every step that our kernels compute', () => {
    const met = behind.flatMap(({ problem }) =>
      readChain(problem.epilogue).steps.map(({ record }) => record.name),
    );
    const settings = { accuracy: 'wgsl', to: 'int8', rounding: 'nearest', overflow: 'saturate' };
    const computed = epilogueSteps.items.filter(
      (record) => whyNotOnDevice({ steps: [{ record, settings }] }) === undefined,
    );
    expect(computed).toHaveLength(12);
    expect([...new Set(met)].sort()).toEqual(computed.map(({ name }) => name).sort());
  });

  it('follow leaf products of dense matrices, others, levels and several kernels', () => {
    const isDense = ({ method, problem }: (typeof behind)[number]) =>
      method.levels === 0 && isPlain({ ...toGemm(problem), chain: undefined });
    expect(behind.filter(isDense).length).toBeGreaterThan(2);
    expect(behind.every(isDense)).toBe(false);
    expect(behind.some(({ method }) => method.levels > 0)).toBe(true);
    expect(new Set(behind.map(({ kernel }) => kernel)).size).toBeGreaterThan(4);
  });

  it('are possible, and their texts give the same cases', () => {
    for (const value of behind) expect(formatCase(parseCase(formatCase(value)))).toBe(formatCase(value));
  });

  it('are left out of a plain campaign', () => {
    const plain = planCampaign({ ...defaultCampaign, plain: true });
    expect(plain.every(({ problem }) => problem.epilogue === 'none')).toBe(true);
  });
});
