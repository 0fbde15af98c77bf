import { expect, it } from 'vitest';
import { f32 } from '../precision/format.ts';
import { accuracies } from './accuracies.ts';
import { readEpilogue } from './chain.ts';
import { possibleResults } from './evaluate.ts';

const arithmetic = { format: f32, unit: f32.unitRoundoff, isNearest: true };

it.each(accuracies.items)('$name allows the error that it documents for quotients of sigmoid', (of) => {
  const epilogue = readEpilogue([{ step: 'sigmoid', accuracy: of.name }], { m: 1, n: 1, batch: 1 });
  // At x = 17, e^-x has no share, and the sum is rounded from near 1 + 2^-24.
  const { lo } = possibleResults(epilogue, arithmetic, () => ({ lo: 17, hi: 17 }))(0, 0);
  const least = 1 / (1 + Math.exp(-17)) / (1 + 2 ** -24);
  expect(lo).toBeLessThanOrEqual(least * (1 - 2 * of.quotientUlps * 2 ** -24));
});
