import { expect, it } from 'vitest';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { ours } from '../../src/collection/figures.ts';
import { readTable } from '../../src/collection/node/read-tables.ts';
import { figuresOf, plainAdditions, sharedAdditions } from './figures.ts';

const figures = (name: string) => figuresOf(ours.find((one) => one.name === name) ?? readTable(name));

itWhole('are those that papers print', () => {
  // Dumas, Pernet, Sedoglavic 2024, and Smirnov's of 2025.
  const norms = (name: string) => figures(name).norms.toFixed(3);
  expect(norms('winograd')).toBe('17.853');
  expect(norms('strassen')).toBe('14.828');
  expect(norms('found-2x2x2-norms')).toBe('12.203');
  expect(norms('dps-2x2x2-accurate')).toBe('12.066');
  expect(norms('smirnov-3x3x6')).toBe('395.029');
  // By the same authors, 2025, Table 1, as the README of their repository prints it.
  const exponent = (name: string) => figures(name).outputExponent.toFixed(4);
  expect(exponent('winograd')).toBe('3.0000');
  expect(exponent('strassen')).toBe('2.7716');
  expect(exponent('dps-2x2x2-intermediate')).toBe('2.5754');
  expect(exponent('smirnov-3x3x6')).toBe('4.0976');
  // Higham, section 23.2; Ballard et al. 2016.
  expect(figures('strassen')).toMatchObject({
    rank: 7,
    growth: 12,
    prefactor: 8,
    nonzeros: 36,
    isDyadic: true,
  });
  expect(figures('winograd').growth).toBe(18);
  expect(figures('strassen').exponent).toBeCloseTo(Math.log2(7), 12);
  expect(figures('strassen').errorExponent).toBeCloseTo(Math.log2(12), 12);
  expect(figures('classical')).toMatchObject({ exponent: 3, growth: 2, errorExponent: 1, additions: 4 });
});

it('count 18 additions for Strassen and 15 for Winograd, whose sums are shared', () => {
  expect(figures('strassen')).toMatchObject({ additions: 18, sharedAdditions: 18 });
  expect(figures('winograd')).toMatchObject({ additions: 24, sharedAdditions: 15 });
});

it('share what sums have in common up to a factor, and nothing else', () => {
  const rows = [
    [1, 1, 0, 1],
    [-2, -2, 1, 0],
    [1, -1, 0, 0],
    [0, 0, 0, 0],
  ];
  expect(plainAdditions(rows)).toBe(5);
  expect(sharedAdditions(rows)).toBe(4);
  expect(sharedAdditions([])).toBe(0);
});
