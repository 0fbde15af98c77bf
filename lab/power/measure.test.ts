import { expect, it } from 'vitest';
import { isWhole } from '../../src/base/in-short.testing.ts';
import { powerGroups } from './faults.ts';
import { measurePower } from './measure.ts';
import { PowerProduct } from './product.ts';

const shape = { m: 4, k: 8, n: 4 };

it.runIf(isWhole)('finds the smallest faults that are seen, by k and entries', async () => {
  const cells = await measurePower({ most: 128 });
  const found = (fault: string, inputs: 'uniform' | 'gate') =>
    cells.find((cell) => cell.fault === fault && cell.inputs === inputs);
  expect(found('bits of the accumulator', 'uniform')).toMatchObject({
    k: 8,
    entries: 16,
    seeds: 3,
    said: '20',
  });
  expect(found('bits of the accumulator', 'gate')?.said).toBe('21');
  expect(found('one entry, in ulps', 'gate')).toMatchObject({ found: 1 });
  expect(found('one term lost of every entry', 'uniform')?.said).toBe('100 %');
  expect(found('ties away from zero', 'gate')?.said).toBe('missed');
});

it('stops when it is asked to', async () => {
  expect(await measurePower({ stop: () => true })).toEqual([]);
});

it.each(powerGroups.map(({ faults, ...group }) => [faults[0].name, group] as const))(
  'begins with an honest product: %s',
  async (_, { precision, claims }) => {
    const product = await PowerProduct.of({ shape, precision, claims, input: 'uniform', seed: 1 });
    expect(await product.fails(product.honest)).toBe(false);
    expect(await product.fails(product.but(3, product.honest[3] * 1.5))).toBe(true);
  },
);
