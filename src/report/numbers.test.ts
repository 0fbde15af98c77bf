import { expect, it } from 'vitest';
import { duration, precise, short, worst } from './numbers.ts';

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
  expect(short(value)).toBe(text);
});

it('gives NaN and infinities their rank', () => {
  expect(worst([1, undefined, 3], 'largest')).toBe(3);
  expect(worst([1, 'Infinity', 3], 'largest')).toBe('Infinity');
  expect(worst([1, 'Infinity', 3], 'smallest')).toBe(1);
  expect(worst([1, 'NaN', 3], 'largest')).toBe('NaN');
  expect(worst(['NaN', 1], 'smallest')).toBe('NaN');
  expect(worst([undefined], 'largest')).toBe(undefined);
  expect(worst(new Array(300_000).fill(2), 'largest')).toBe(2);
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
  expect(duration(seconds)).toBe(text);
});

it('tells neighbouring single-precision numbers apart', () => {
  expect(precise(Math.fround(0.1))).toBe('0.100000001');
  expect(precise('NaN')).toBe('NaN');
});
