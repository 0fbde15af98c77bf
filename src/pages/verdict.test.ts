import { expect, it } from 'vitest';
import type { Results } from '../run/results.ts';
import { tallySentence } from './verdict.ts';

const told = (equal: readonly boolean[]) =>
  tallySentence({
    seed: 1,
    summary: {
      ...{
        planned: equal.length,
        run: equal.length,
        pass: equal.length,
        fail: 0,
        inconclusive: 0,
        seconds: 1,
      },
      ...{ comparedWithModel: equal.length, equalToModel: equal.filter(Boolean).length, interrupted: false },
    },
    cases: equal.map((equalsModel, at) => ({ case: `kernel=mine;m=${at}`, equalsModel })),
  } as unknown as Results);

it('names a case that differs from the model, where one does', () => {
  expect(told([true, true])).toMatch(/2 of 2 equal the bit-exact model\.$/);
  expect(told([true, false, false])).toMatch(
    /1 of 3 equal the bit-exact model \(first difference: kernel=mine;m=1\)\.$/,
  );
});
