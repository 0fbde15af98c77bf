import { expect, test } from 'vitest';
import { inShort } from '../src/base/in-short.testing.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { Evaluator } from '../src/evidence/evaluate.ts';
import { resultOf } from '../src/evidence/result-of.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { builtinKernel } from '../src/kernels/builtin.ts';
import { parseCase } from '../src/problem/case.ts';
import { openGpu } from './device.ts';

/** The law: products of more rows or columns than a dispatch has workgroups are computed, or refused in a sentence. */
const { open } = await openGpu();
const evaluator = new Evaluator(exactProduct);

async function judged(text: string) {
  const value = parseCase(`input=integers;${text}`);
  const kernel = builtinKernel(value.kernel, open);
  return resultOf(value, kernel, await evaluator.attempt({ case: value, kernel }, open), defaultThresholds);
}

test.each(
  inShort(
    [
      'kernel=classical:tiled-1;m=65537;k=2;n=1',
      'kernel=classical:tiled-1;m=1;k=2;n=65537',
      'kernel=classical:tiled-1;m=2;k=1;n=65536;alpha=2;beta=-1',
      'kernel=classical:naive-1;m=65536;k=1;n=2;a=n+1;c=n+2',
      'kernel=strassen:tiled-2;levels=1;m=262150;k=2;n=2',
    ],
    5,
  ),
)('%s', async (text) => {
  expect(await judged(text)).toMatchObject({ verdict: 'pass', equalsModel: true });
});

test.each([
  'kernel=classical:tiled-1;m=1;k=2;n=65537;a=n@1',
  'kernel=strassen:tiled-1;levels=1;m=2;k=2;n=131074',
])('%s is refused', async (text) => {
  const { verdict, reason } = await judged(text);
  expect(verdict).toBe('inconclusive');
  expect(reason).toMatch(/ computes at most about \d+ columns here, but the product has \d+\. Choose /);
});
