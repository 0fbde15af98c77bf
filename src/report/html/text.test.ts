import { expect, it } from 'vitest';
import { asPrinted, fixed, percent, powerOfTen, scientific } from './text.ts';

it('writes measured numbers in one width, and printed ones in their own digits', () => {
  expect([7.9e-5, 0, 'NaN', 'Infinity', undefined].map((x) => scientific(x as number))).toEqual([
    '7.90e−5',
    '0',
    'NaN',
    '∞',
    '–',
  ]);
  expect([7.9e-5, 8.3e-2, 1, 1 / 3, 0].map(asPrinted)).toEqual(['7.9e−5', '8.3e−2', '1e+0', '3.33e−1', '0']);
});

it('writes shares, powers and negative numbers', () => {
  expect([percent(0.1067), percent('NaN'), percent(undefined)]).toEqual(['10.7', 'NaN', '–']);
  expect([fixed(-0.126, 2), fixed(1e9, 2), powerOfTen(-17)]).toEqual(['−0.13', '1.00e+9', '10⁻¹⁷']);
});
