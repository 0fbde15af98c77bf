import { expect, test } from 'vitest';
import fixture from '../../fixtures/published/strassen-gpu-2011.json' with { type: 'json' };
import { published2011 } from './published-2011.ts';

test('the numbers that ship are those of the transcribed tables', () => {
  const { misprint: _, ...fig34 } = fixture.fig34_meanError_byLevel_n16384_f32;
  const { what: __, ...fig44 } = fixture.fig44_f64_n8192_tau2_4096_random;
  const transcribed: Record<string, unknown> = {
    ...fixture,
    fig34_meanError_byLevel_n16384_f32: fig34,
    fig44_f64_n8192_tau2_4096_random: fig44,
  };
  for (const [table, values] of Object.entries(published2011))
    expect(values, table).toEqual(transcribed[table]);
  const counts = Object.keys(fixture).filter((key) => /^fig1[4-9]|^fig3[0-4]|^fig4[34]|^percent/.test(key));
  expect(Object.keys(published2011).sort()).toEqual(counts.sort());
});
