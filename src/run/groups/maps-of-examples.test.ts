import { expect, it } from 'vitest';
import { syntheticCase } from '../../../browser/synthetic.ts';
import { withMapsOfExamples } from './maps-of-examples.ts';

it('keeps the pictures of examples alone', () => {
  const place = { algorithm: 'classical', levels: 0, input: 'uniform', seed: 1, maps: {} };
  const cases = [8, 9, 8, 10].map((n) => syntheticCase({ ...place, n }));
  const kept = withMapsOfExamples(cases, [{ example: cases[2].case, cases: [1, 2] }]);
  expect(kept.map((result) => 'maps' in result)).toEqual([false, false, true, false]);
  expect(kept[0]).toEqual({ ...cases[0], maps: undefined });
});
