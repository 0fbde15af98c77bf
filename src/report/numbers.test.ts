import { expect, it } from 'vitest';
import {
  formatCompact,
  formatDuration,
  formatMagnitude,
  formatPrecise,
  formatShort,
  formatTimes,
  worstNumber,
} from './numbers.ts';

it.each([
  [undefined, '–'],
  ['NaN', 'NaN'],
  ['Infinity', '∞'],
  ['-Infinity', '-∞'],
  [0, '0'],
  [33, '33'],
  [71.349, '71.3'],
  [0.0134567, '0.0135'],
  [6.12e-7, '6.12e-7'],
  [12345.6, '12346'],
  [4294967296, '4.29e+9'],
] as const)('says %s as %s', (value, text) => {
  expect(formatShort(value)).toBe(text);
});

it('gives NaN and infinities their rank', () => {
  expect(worstNumber([1, undefined, 3], 'largest')).toBe(3);
  expect(worstNumber([1, 'Infinity', 3], 'largest')).toBe('Infinity');
  expect(worstNumber([1, 'Infinity', 3], 'smallest')).toBe(1);
  expect(worstNumber([1, 'NaN', 3], 'largest')).toBe('NaN');
  expect(worstNumber(['NaN', 1], 'smallest')).toBe('NaN');
  expect(worstNumber([undefined], 'largest')).toBe(undefined);
  expect(worstNumber(new Array(300_000).fill(2), 'largest')).toBe(2);
});

it.each([
  [0, '0 s'],
  [2.1e-6, '2.1 µs'],
  [0.021, '21 ms'],
  [1.44, '1.4 s'],
  [59.6, '1 min'],
  [200, '3 min 20 s'],
  [7265, '2 h 1 min'],
])('says %d seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

it('tells neighbouring single-precision numbers apart', () => {
  expect(formatPrecise(Math.fround(0.1))).toBe('0.100000001');
  expect(formatPrecise('NaN')).toBe('NaN');
});

it.each([
  [undefined, '–'],
  ['NaN', 'NaN'],
  ['Infinity', '∞'],
  ['-Infinity', '-∞'],
  [0, '0'],
  [1.844, '1.84'],
  [-71.349, '-71.3'],
  [999.4, '999'],
  [999.6, '1000'],
  [1749, '1700'],
  [-1751, '-1800'],
  [9949, '9900'],
  [9951, '10⁴'],
  [16_800_000, '10⁷'],
  [-3.9e31, '-10³²'],
  [1e-9, '1.00e-9'],
] as const)('says how large %s is: %s', (value, text) => {
  expect(formatMagnitude(value)).toBe(text);
});

it('says how often', () => {
  expect(formatTimes(16_800_000)).toBe('10⁷ times');
  expect(formatTimes(1.5)).toBe('1.5 times');
  expect(formatTimes(Number.POSITIVE_INFINITY)).toBe('infinitely many times');
});

it.each([
  [-3_943_142, 9, '-3943142'],
  [-3_943_142, 3, '-3.94e6'],
  [0.125, 3, '0.125'],
  [1.1920929e-7, 3, '1.19e-7'],
  [1e20, 9, '1e20'],
  [-0, 3, '0'],
  ['NaN', 3, 'NaN'],
] as const)('writes %s in %i digits and few characters: %s', (value, digits, text) => {
  expect(formatCompact(value, digits)).toBe(text);
});
