import { expect, it } from 'vitest';
import { parseCase } from '../problem/case.ts';
import { isDecided } from './decided.ts';

const decided = (text: string) => isDecided(parseCase(`kernel=mine;${text}`));

it.each([
  'input=integers;m=9;k=3000;n=7',
  'input=integers;m=9;k=300;n=7;alpha=0.5;beta=-3',
  'input=uniform;m=9;k=69184;n=2;alpha=0.3333333333333333',
  'input=integers;m=9;k=300;n=7;precision=f16;alpha=0',
  'input=special-values;m=127;k=129;n=128',
  'input=wild-integers;m=8;k=3;n=7;precision=f16-f32-f16;beta=-3',
  'input=wild-integers;m=8;k=3;n=7;precision=bf16-f32-bf16;beta=1.7426578998565674',
  'input=integers;levels=2;m=64;k=64;n=64',
])('%s is decided', (text) => {
  expect(decided(text)).toBe(true);
});

// A correct kernel was once undecided on each of these.
it.each([
  'input=integers;m=1;k=69184;n=2;edit=near-largest',
  'input=integers;m=47;k=180;n=36;precision=f16;beta=1.7426578998565674',
  'input=wild-integers;m=8;k=3;n=7;precision=f16-f32-f16;beta=1.7426578998565674;seed=4',
  'input=integers;m=8;k=30;n=7;precision=e5m2-row-f32-f16;beta=0.3',
  'input=softmax;m=3;k=998;n=1149;precision=f16',
  'input=permutation;levels=2;m=271;k=377;n=469',
  'input=uniform;m=1;k=2;n=256;precision=f16;edit=patterned;alpha=0.022451627999544144',
])('%s is not', (text) => {
  expect(decided(text)).toBe(false);
});

it('sums of narrow parts decide less', () => {
  const value = parseCase('kernel=mine;input=uniform;m=2;k=256;n=896;precision=bf16-f32-bf16;edit=patterned');
  const claims = { order: 'split-k', parts: 32, partialSums: { format: 'bf16', added: 'bf16' } } as const;
  expect([{}, claims].map((one) => isDecided(value, undefined, one))).toEqual([true, false]);
});

it('sums of codes whose zero points are subtracted last decide less', () => {
  const [uniform, whole] = ['input=uniform;edit=patterned', 'input=integers'].map((entries) =>
    parseCase(`kernel=mine;${entries};m=64;k=64;n=1025;precision=int8-row-zeros`),
  );
  const claims = { arithmetic: { zeroPoints: 'last' } } as const;
  expect([{}, claims].map((one) => isDecided(uniform, undefined, one))).toEqual([true, false]);
  expect(isDecided(whole, undefined, claims)).toBe(isDecided(whole));
});
