import { expect, it } from 'vitest';
import { matrix } from '../matrix/dense.ts';
import { exponentsOf, uniteRanges } from './coverage.ts';

const of = (...entries: number[]) => exponentsOf(matrix(1, entries.length, Float64Array.from(entries)));

it('are those of the finite entries other than zero', () => {
  expect(of(0, -0.75, 8, 7.99, Number.POSITIVE_INFINITY, Number.NaN)).toEqual({ least: -1, largest: 3 });
  expect(of(2 ** -149, 1 - 2 ** -53)).toEqual({ least: -149, largest: -1 });
  expect(of(0, -0)).toBeUndefined();
});

it('are joined', () => {
  expect(uniteRanges(of(1), of(16))).toEqual({ least: 0, largest: 4 });
  expect(uniteRanges(undefined, of(2))).toEqual({ least: 1, largest: 1 });
});
