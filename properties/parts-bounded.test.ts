import { describe, expect, it } from 'vitest';
import { type GroupFunction, lanesOf, partsOf, restLast, tilesOf } from '../lab/honest/sums.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { matrix } from '../src/matrix/dense.ts';

/**
 * The law: a kernel that cuts k into parts as it claims keeps its bound, on operands that lose half an ulp in every addition. A kernel that
 * claims parts without their cut keeps it for every cut. A kernel whose largest part is longer than claimed fails.
 *
 * Why: a term goes through as many additions as its part has terms, and as there are other parts. The largest part counts. Parts that are
 * rounded up to tiles, or leave the rest to the last, do not have ⌈k/parts⌉ terms.
 */
const U = 2 ** -24;

/** Splits terms into parts of equal length, up to one term. */
const balanced =
  (count: number): GroupFunction =>
  (products) =>
    Array.from({ length: Math.min(count, products.length) }, (_, at, of = Math.min(count, products.length)) =>
      products.subarray(
        Math.floor((at * products.length) / of),
        Math.floor(((at + 1) * products.length) / of),
      ),
    );

/** Deals tiles of so many terms to parts in turn. */
const turns =
  (count: number, tile: number): GroupFunction =>
  (products) =>
    Array.from({ length: count }, (_, part) =>
      products.filter((__, p) => Math.floor(p / tile) % count === part),
    );

const TILE = 8;
const ways: Readonly<Record<string, readonly [(parts: number) => GroupFunction, Claims['cut']]>> = {
  'even, the last shorter': [partsOf, 'even'],
  'even, some longer by one': [balanced, 'even'],
  'even, interleaved': [lanesOf, 'even'],
  'the rest in the last': [restLast, 'rest-last'],
  'whole tiles': [(parts) => tilesOf(parts, TILE), { tile: TILE }],
  'whole tiles in turn': [(parts) => turns(parts, TILE), { tile: TILE }],
};

/** Returns the places along k of each part. */
const placesOf = (groups: GroupFunction, k: number): number[][] =>
  groups(Float64Array.from({ length: k }, (_, p) => p))
    .map((part) => [...part])
    .filter((part) => part.length > 0);

/**
 * Judges a sum of one and half an ulps. The one stands in the largest part. Half an ulp stands at each other place of that part, and at one
 * place of each other part. Each half is lost to the even neighbor when it is added to the one: the sum is one.
 */
function judged(groups: GroupFunction, k: number, claims: Claims): string {
  const parts = placesOf(groups, k).sort((x, y) => y.length - x.length);
  const entries = new Float32Array(k);
  for (const p of parts[0]) entries[p] = U;
  for (const part of parts) entries[part[0]] = U;
  entries[parts[0][0]] = 1;
  const ones = new Float32Array(k).fill(1);
  return judgeProduct(matrix(1, 1, Float32Array.of(1)), matrix(1, k, entries), matrix(k, 1, ones), { claims })
    .verdict;
}

const SIZES = [1, 2, 3, 7, 9, 15, 16, 31, 64, 100, 129, 1000];
const COUNTS = [1, 2, 3, 4, 7, 8, 32, 100];

describe.each(Object.entries(ways))('parts cut: %s', (_, [groupsOf, cut]) => {
  it.each(inShort(SIZES, 1))(
    'keep to the bound that is claimed, and to that of parts cut in any way, of k = %i',
    (k) => {
      for (const parts of COUNTS) {
        for (const claims of [{ cut }, {}]) {
          const verdict = judged(groupsOf(parts), k, { order: 'split-k', parts, ...claims });
          expect({ parts, claims, verdict }).toEqual({ parts, claims, verdict: 'pass' });
        }
      }
    },
  );
});

it('parts that are longer than claimed fail', () => {
  const claims = { order: 'split-k', parts: 4 } as const;
  expect(judged(restLast(4), 7, { ...claims, cut: 'even' })).toBe('fail');
  expect(judged(tilesOf(4, 32), 100, { ...claims, cut: 'even' })).toBe('fail');
  expect(judged(tilesOf(4, 32), 100, { ...claims, cut: 'rest-last' })).toBe('fail');
  expect(judged(tilesOf(4, 64), 100, { ...claims, cut: { tile: 32 } })).toBe('fail');
});
