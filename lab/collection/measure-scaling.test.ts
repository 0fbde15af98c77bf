import { expect, it } from 'vitest';
import { findAlgorithm } from '../../src/algorithms/algorithms.ts';
import { measureScaling } from './measure-scaling.ts';

it('finds where scaling gives bits back, and never more error than its bound', async () => {
  const options = { size: 16, levels: 1, replicates: 1 };
  const found = await measureScaling(findAlgorithm('strassen'), options);
  const of = (scaled: string) => found.find((one) => one.scaled === scaled)?.bits;
  expect(of('rows of A')?.outside).toBeGreaterThan((of('rows of A')?.none ?? 99) + 10);
  expect(of('columns of A against rows of B')?.inside).toBeGreaterThan(
    (of('columns of A against rows of B')?.none ?? 99) + 10,
  );
  const all = of('rows, columns and inside');
  expect(all?.['repeated-outside-inside']).toBeGreaterThan((all?.none ?? 99) + 10);
  expect(Math.abs((of('no scaling')?.outside ?? 0) - (of('no scaling')?.none ?? 99))).toBeLessThan(2);
  for (const { used, bits } of found) {
    expect(used).toBeLessThan(1);
    expect(bits.classical).toBeGreaterThan(20);
  }
});
