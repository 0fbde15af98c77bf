import { describe, expect, it } from 'vitest';
import { defaultCampaign } from '../gate/campaign.ts';
import { planCampaign } from '../gate/plan-campaign.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { parseCase } from '../problem/case.ts';
import { isRepeated, operandsKey } from './prepare.ts';

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

describe('operands that cases share', () => {
  const keyOf = (text: string, bits?: number) => {
    const claims = bits === undefined ? {} : { arithmetic: { accumulator: { bits } } };
    const spec = { name: 'mine', precision: 'bf16-f32', claims, multiply: () => new Float32Array(1) };
    const precision = applyClaims(precisions.find('bf16-f32'), claims);
    return operandsKey(
      parseCase(`kernel=mine;precision=bf16-f32;m=3;k=300;n=3;${text}`),
      externalKernel(spec, openFunctionKernel(spec), precision),
    );
  };

  it.each(['input=integers', 'input=uniform-0-1;edit=ones', 'input=wild;edit=spread:2,ones'])(
    'are of kernels of as many bits, where %s makes them whole',
    (text) => {
      expect(keyOf(text, 8)).not.toBe(keyOf(text));
      expect(keyOf(text, 24)).toBe(keyOf(text));
    },
  );

  it('are of all kernels, where they are not', () => {
    expect(keyOf('input=integers;edit=spread:2', 8)).toBe(keyOf('input=integers;edit=spread:2'));
  });
});
