import { expect, it } from 'vitest';
import { strassen, winograd } from '../../src/algorithms/strassen.ts';
import { brentViolations } from '../../src/algorithms/verify-algorithm.ts';
import { emulated } from '../../src/precision/arithmetic.ts';
import { singleComputation } from '../../src/precision/single.ts';
import { illScaledPair } from './ill-scaled.ts';
import { measureBases } from './measure-bases.ts';
import { basisAdditions, composedTable, inSparseBasis } from './sparse-basis.ts';
import { sparseProduct } from './sparse-product.ts';

it.each([strassen, winograd])(
  '$name: 12 additions a level in the recursion, and the same algorithm',
  (table) => {
    const sparse = inSparseBasis(table);
    if (sparse === undefined) expect.fail('no basis');
    // Karstadt and Schwartz 2017: 12 additions instead of 18 and 15.
    expect(basisAdditions(sparse).core).toBe(12);
    expect(composedTable(sparse)).toMatchObject({ base: table.base, u: table.u, v: table.v, w: table.w });
    expect(brentViolations(composedTable(sparse))).toEqual([]);
    // The core alone is no matrix product.
    expect(brentViolations(sparse.core)).not.toEqual([]);
  },
);

it.each([strassen, winograd])('$name: products come out, at every number of levels', (table) => {
  const sparse = inSparseBasis(table);
  if (sparse === undefined) expect.fail('no basis');
  const { a, b } = illScaledPair('no scaling', { m: 16, k: 8, n: 24 }, 1);
  for (const levels of [0, 1, 2, 3]) {
    const { data } = sparseProduct(sparse, { a, b }, levels, singleComputation(emulated));
    for (let i = 0; i < 16; i++)
      for (let j = 0; j < 24; j++) {
        let sum = 0;
        for (let k = 0; k < 8; k++) sum += a.data[i * 8 + k] * b.data[k * 24 + j];
        expect(Math.abs(data[i * 24 + j] - sum)).toBeLessThan(1e-4);
      }
  }
});

it('tries no more sets than it has time for', () => {
  const row = (at: number) => Array.from({ length: 16 }, (_, i) => (i === at % 16 ? 1 : 0));
  const rows = Array.from({ length: 48 }, (_, r) => row(r));
  const base = { m: 4, k: 4, n: 4 };
  const doubled = rows.map((one) => one.map((x, i) => (i === 0 ? 3 : x)));
  expect(inSparseBasis({ base, u: doubled, v: rows, w: rows })).toBeUndefined();
});

it('loses about as much in its basis as without', () => {
  const found = measureBases(winograd, { size: 32, levels: 2, replicates: 3 });
  expect(found?.additions).toMatchObject({ plain: 24, core: 12 });
  for (const [at, { mean }] of (found?.sparse ?? []).entries())
    expect(Math.abs(mean - (found?.plain[at].mean ?? 99))).toBeLessThan(1);
});
