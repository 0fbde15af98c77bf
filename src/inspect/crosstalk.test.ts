import { describe, expect, it } from 'vitest';
import type { Algorithm } from '../algorithms/algorithm.ts';
import { classical } from '../algorithms/classical.ts';
import { strassen, winograd } from '../algorithms/strassen.ts';
import { type Crosstalk, candidatesFor, expectedCrosstalk, type Spot } from './crosstalk.ts';

const corners: readonly Spot[] = (['A', 'B'] as const).flatMap((operand) =>
  [0, 15].flatMap((row) => [0, 15].map((col) => ({ operand, row, col }))),
);

/** Lists the blocks of C, 2 by 2, that a corner of A or B reaches beside its own row or column. */
function blocks(algorithm: Algorithm, spot: Spot): string[] {
  const flags = expectedCrosstalk(algorithm, 1, 16, spot) as Uint8Array;
  return [0, 1].flatMap((i) =>
    [0, 1].flatMap((j) => {
      const any = flags.some((flag, at) => flag === 1 && at >> 7 === i && ((at >> 3) & 1) === j);
      return any ? [`C${i + 1}${j + 1}`] : [];
    }),
  );
}

const seenOf = (algorithm: Algorithm, levels: number): Crosstalk[] =>
  corners.map((spot) => ({
    spot,
    n: 16,
    changed: expectedCrosstalk(algorithm, levels, 16, spot) as Uint8Array,
    largest: 1e-6,
  }));

describe('what one entry does to others', () => {
  it('follows from the table: by hand for Strassen and Winograd, nothing for classical', () => {
    const a = corners.filter(({ operand }) => operand === 'A');
    // M1 = (A11 + A22)(…) and M6 = (A21 − A11)(…) bring A11 into C22, M1, M4 and M7 bring A22 into C11.
    expect(a.map((spot) => blocks(strassen, spot))).toEqual([['C22'], [], [], ['C11']]);
    // M2 = A11·B11 is in all of C; M1 = (A21 + A22 − A11)(…) and M6 in C12.
    expect(a.map((spot) => blocks(winograd, spot))).toEqual([['C21', 'C22'], [], ['C12'], ['C12']]);
    for (const spot of corners) expect(blocks(classical, spot)).toEqual([]);
  });

  it('tells the algorithm and its levels apart from all others', () => {
    for (const algorithm of [strassen, winograd]) {
      for (const levels of [1, 2, 3]) {
        expect(candidatesFor(seenOf(algorithm, levels))).toEqual([{ algorithm: algorithm.name, levels }]);
      }
    }
    expect(candidatesFor(seenOf(classical, 1))).toEqual([]);
  });

  it('recognises a table that is added, and none that is not', () => {
    const flipped: Algorithm = {
      ...strassen,
      name: 'flipped',
      u: strassen.u.map(([x, y, z, w]) => [z, w, x, y]),
      w: strassen.w.map(([x, y, z, w]) => [z, w, x, y]),
    };
    expect(candidatesFor(seenOf(flipped, 2))).toEqual([]);
    expect(candidatesFor(seenOf(flipped, 2), [strassen, flipped])).toEqual([
      { algorithm: 'flipped', levels: 2 },
    ]);
  });

  it('is not asked of sizes that the levels do not divide', () => {
    expect(expectedCrosstalk(strassen, 5, 16, corners[0])).toBeUndefined();
  });
});
