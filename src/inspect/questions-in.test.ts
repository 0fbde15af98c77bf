import { expect, test } from 'vitest';
import { inShort } from '../base/in-short.testing.ts';
import { createRandom } from '../base/random.ts';
import { f32 } from '../precision/format.ts';
import { precisions } from '../precision/precisions.ts';
import { madeOperand } from './made-operand.ts';
import { isRepresentable, type OperandFormat, sidesOf } from './operand-format.ts';
import { type EncodedEntry, putTerms } from './questions-in.ts';

const worth = ({ element, factor }: EncodedEntry) => element * factor;
const held = ({ element, factor }: EncodedEntry, side: OperandFormat): boolean =>
  isRepresentable(element, side) && (side.coding?.scales[0].format.round(factor) ?? 1) === factor;

test.each(
  inShort(
    ['e4m3-f32', 'e2m1-f32', 'int8-i32', 'uint8-i32', 'e4m3-row', 'mxfp4', 'nvfp4', 'q4_0', 'nbits4'],
    3,
  ),
)('terms of %s are put into what it holds, all times one power of two, or not at all', (name) => {
  const sides = sidesOf(precisions.find(name));
  const random = createRandom(3);
  const far = { near: 0, apart: 0 };
  for (let trial = 0; trial < 200; trial++) {
    const reach = trial % 50;
    const number = () => random.sign() * (1 + random.int(0, 1)) * 2 ** random.int(-reach, 0);
    const terms = { a: [number(), 0, number()], b: [number(), 1, number()] };
    for (const how of ['near', 'apart'] as const) {
      const put = putTerms(terms, sides, how === 'apart');
      if (put === undefined) continue;
      far[how]++;
      for (const [at, x] of terms.a.entries()) {
        expect(worth(put.a[at]) * worth(put.b[at])).toBe(x * terms.b[at] * 2 ** put.shift);
        expect(held(put.a[at], sides[0]) && held(put.b[at], sides[1])).toBe(true);
      }
      if (how === 'near') expect([...put.a, ...put.b].every(({ factor }) => factor === 1)).toBe(true);
    }
  }
  expect(far.near).toBeGreaterThan(10);
  expect(far.apart).toBeGreaterThanOrEqual(far.near);
});

test('numbers of a table are put as they stand, and as the element that is there where A is 0', () => {
  const sides = sidesOf(precisions.find('iq4_nl'));
  const put = putTerms({ a: [3, 2 ** -30, 0], b: [-19, 8, 5] }, sides, true);
  expect(put?.b.map(({ element }) => element)).toEqual([38, 1, 0]);
  expect(put?.a[0].element).toBeLessThan(0);
  expect(putTerms({ a: [1], b: [3] }, sides, true)).toBeUndefined();
  const { coded } = madeOperand(sides[1], { rows: 33, cols: 2 }, f32, (line, place) => line * place);
  expect(coded?.elements.data.slice(0, 4)).toEqual(Float32Array.of(1, 1, 1, 1));
  expect(coded?.elements.data[27]).toBe(13);
});

test('what no entries hold together is not put', () => {
  const far = { a: [1, 2 ** -40], b: [1, 1] };
  expect(putTerms(far, sidesOf(precisions.find('e4m3-row')), false)).toBeUndefined();
  expect(putTerms(far, sidesOf(precisions.find('mxfp4')), true)).toBeDefined();
  expect(putTerms({ a: [1.375], b: [1] }, sidesOf(precisions.find('mxfp4')), true)).toBeUndefined();
});
