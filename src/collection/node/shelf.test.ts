import { afterAll, beforeAll, expect, it } from 'vitest';
import { algorithmRegistry } from '../../algorithms/algorithms.ts';
import { isOfCollection, shelveCollection } from './shelf.ts';

// Files share one registry.
beforeAll(() => {
  algorithmRegistry.adopt([]);
  algorithmRegistry.shelve(() => undefined);
});
afterAll(() => algorithmRegistry.adopt([]));

it('has tables found by their names, and changes no list before', () => {
  const before = algorithmRegistry.items;
  expect(() => algorithmRegistry.find('smirnov-3x3x3')).toThrow('Unknown algorithm');
  shelveCollection();
  expect(algorithmRegistry.items).toEqual(before);
  expect(algorithmRegistry.find('smirnov-3x3x3').u).toHaveLength(23);
  expect(algorithmRegistry.items).toHaveLength(before.length + 1);
  expect(['smirnov-3x3x3:naive', 'strassen:naive', 'none'].map(isOfCollection)).toEqual([true, false, false]);
  // What a config brings is asked before, and what was taken in is found again.
  algorithmRegistry.adopt([]);
  expect(algorithmRegistry.items).toEqual(before);
  expect(algorithmRegistry.has('smirnov-3x3x3')).toBe(true);
});

it.each(['../algorithms/strassen-1969', 'Strassen-1969', 'strassen-1969.txt', '', 'nothing-such'])(
  'finds nothing by %j',
  (name) => expect(algorithmRegistry.has(name)).toBe(false),
);

it('refuses a table whose factors are not dyadic', () => {
  expect(() => algorithmRegistry.find('dps-2x2x2-accurate')).toThrow('is no dyadic number');
});
