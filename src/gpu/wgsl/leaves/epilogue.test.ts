import { expect, test } from 'vitest';
import { PRODUCT, type Slot, type SlotTerm, type Update } from '../../../plan/plan.ts';
import { single } from '../../../precision/wgsl/numeric.ts';
import { type EpilogueInput, finishByParams, finishFunction, updatesWord } from './epilogue.ts';

const product = (factor: 1 | -1 = 1): SlotTerm => ({ factor, slot: PRODUCT });
const slot = (at: number, factor: 1 | -1 = 1): SlotTerm => ({ factor, slot: at });

/** Builds a step with the given updates. A slot is read if its update reads it. */
function step(...updates: readonly (readonly SlotTerm[])[]): EpilogueInput {
  const slots = updates.map(
    (terms, at) => ({ load: terms.some((term) => term.slot === at), store: true }) as Slot,
  );
  const made: Update[] = updates.map((terms, target) => ({ target, terms }));
  return { slots, updates: made };
}

test.each([
  ['C = P', step([product()]), 0],
  ['C = -P', step([product(-1)]), 0b10],
  ['C += P', step([product(), slot(0)]), 0b01],
  ['C -= P', step([slot(0), product(-1)]), 0b11],
  ['C = P, D -= P', step([product()], [slot(1), product(-1)]), 0b1100],
  ['C += P, D += P', step([product(), slot(0)], [product(), slot(1)]), 0b0101],
])('%s is read from the uniform', (_, one, word) => {
  expect(updatesWord(one)).toBe(word);
  const plain = one.slots.length === 1 ? step([product()]) : step([product()], [product()]);
  expect(finishByParams(one, single, 4)).toBe(finishByParams(plain, single, 4));
});

test.each([
  ['a slot is added to another', step([product(), slot(0)], [slot(0), slot(1)])],
  ['a slot stores the sum of another and the product', step([product(), slot(1)], [product(), slot(1)])],
  ['a slot is turned', step([product(), slot(0, -1)])],
  [
    'the product is added twice',
    { ...step([product()]), updates: [0, 0].map(() => step([product()]).updates[0]) },
  ],
])('where %s, the shader says so itself', (_, one) => {
  expect(updatesWord(one)).toBe(0);
  expect(finishByParams(one, single, 1)).toBe(finishFunction(one, single, 1));
});
