import { expect, it } from 'vitest';
import { EXIT } from '../base/errors.ts';
import { itWhole } from '../base/in-short.testing.ts';
import { defaultCampaign } from '../gate/campaign.ts';
import { planCampaign } from '../gate/plan-campaign.ts';
import { parseCase } from '../problem/case.ts';
import { checkCase, checkWrittenCase } from './check-case.ts';

itWhole('accepts every case of the default campaign', () => {
  for (const value of planCampaign(defaultCampaign)) checkCase(value);
});

it.each([
  ['kernel=clasical:naive;m=5;k=5;n=5', /Unknown kernel .* Did you mean "classical:naive"\?/],
  ['kernel=classical;m=5;k=5;n=5', /Unknown kernel "classical"/],
  ['kernel=classical:naive;m=5;k=5;n=5;precision=tf32-f23', /Unknown precision .* Did you mean "tf32-f32"\?/],
  ['kernel=classical:naive;m=5;k=5;n=5;input=unifrom', /Unknown input .* Did you mean "uniform"\?/],
  [
    'kernel=classical:naive;m=5;k=5;n=5;fault=dropped-last',
    /Unknown planted fault .* Did you mean "dropped-last-k"/,
  ],
  ['kernel=classical:naive;m=5;k=5;n=6;input=inverse-pair', /does not support the shape 5×5×6, because/],
  ['kernel=strassen:naive;m=512;k=512;n=512;levels=15', /levels must be so few/],
])('refuses %s before anything is run', async (text, message) => {
  const check = () => checkWrittenCase(parseCase(text));
  await expect(check).rejects.toThrow(message);
  await expect(check).rejects.toThrow(expect.objectContaining({ exitCode: EXIT.usage }));
});

it('takes no imaginary parts of alpha and beta for kernels of ours', () => {
  for (const factor of ['alpha=0.5-2i', 'beta=2i'])
    expect(() =>
      checkCase(parseCase(`kernel=classical:register;precision=c32;m=3;k=4;n=5;${factor}`)),
    ).toThrow(
      'because it does not accept alpha and beta with imaginary parts (accepts.complexFactors is not true)',
    );
  checkCase(parseCase('kernel=classical:register;precision=c32;m=3;k=4;n=5;alpha=0.5;beta=2'));
});

it.each([
  ['f64', 'bias:row', 'because it computes epilogues of sums in binary32, and f64 has others'],
  ['int8-i32', 'relu', 'because it computes epilogues of sums in binary32, and int8-i32 has others'],
  ['f32', 'gelu', 'because it computes no gelu'],
])('takes no epilogue of kernels of ours in %s behind which is %s', (precision, epilogue, why) => {
  const check = (behind: string) =>
    checkCase(
      parseCase(
        `kernel=classical:register;precision=${precision};m=3;k=4;n=5;input=integers;epilogue=${behind}`,
      ),
    );
  expect(() => check(epilogue)).toThrow(why);
  expect(() => check('none')).not.toThrow();
});

it.each(['f32', 'bf16-f32-bf16', 'e4m3-f32'])('takes an epilogue of kernels of ours in %s', (precision) => {
  checkCase(
    parseCase(`kernel=strassen:register;precision=${precision};m=3;k=4;n=5;epilogue=bias:row,silu:wgsl`),
  );
});
