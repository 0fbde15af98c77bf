import { expect, it } from 'vitest';
import { algorithmRegistry } from '../../algorithms/algorithms.ts';
import { addCollectionTables, isOfCollection } from './read-tables.ts';

it('adds tables that are named, and leaves the algorithms before as they are', () => {
  const before = algorithmRegistry.items;
  const found = addCollectionTables(algorithmRegistry, ['strassen', 'smirnov-3x3x3', 'smirnov-3x3x3']);
  expect(found.find('smirnov-3x3x3').u).toHaveLength(23);
  expect(found.items).toHaveLength(before.length + 1);
  expect(algorithmRegistry.items).toBe(before);
  const of = (kernel: string) => isOfCollection(kernel, found);
  expect(['smirnov-3x3x3:naive', 'strassen:naive', 'none'].map(of)).toEqual([true, false, false]);
  // Items of a config come first.
  const [strassen] = before.filter(({ name }) => name === 'strassen');
  const own = algorithmRegistry.with([{ ...strassen, name: 'smirnov-3x3x3' }]);
  expect(addCollectionTables(own, ['smirnov-3x3x3'])).toBe(own);
  expect(isOfCollection('smirnov-3x3x3:naive', own)).toBe(false);
});

it.each(['../algorithms/strassen-1969', 'Strassen-1969', 'strassen-1969.txt', '', 'nothing-such'])(
  'finds nothing by %j',
  (name) => expect(addCollectionTables(algorithmRegistry, [name])).toBe(algorithmRegistry),
);

it('refuses a table whose factors are not dyadic', () => {
  expect(() => addCollectionTables(algorithmRegistry, ['dps-2x2x2-accurate'])).toThrow(
    'is neither dyadic nor a fraction',
  );
});
