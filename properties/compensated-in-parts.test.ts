import { describe, expect, it } from 'vitest';
import {
  blocksOf,
  type GroupFunction,
  grouped,
  lanesOf,
  partsOf,
  productsOf,
  restLast,
  type SumFunction,
  sumsIn,
} from '../lab/honest/sums.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { createRandom, type Random } from '../src/base/random.ts';
import { judgeProduct, type ProductOptions } from '../src/evidence/judge-product.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { matrix } from '../src/matrix/dense.ts';
import type { Format } from '../src/precision/format.ts';
import { precisions } from '../src/precision/precisions.ts';

/**
 * The law: sums that are compensated in lanes, parts, blocks or halves keep the bound of that claim and the errors expected of it, in
 * whatever way the sums of these are added. Without a claim of their parts they may exceed the bound of one compensated sum.
 *
 * Why: the sum of L lanes rounds L − 1 times more (Higham, *Accuracy and Stability of Numerical Algorithms*, §4.2 and §4.3).
 */
type Inner = 'kahan' | 'neumaier';
type Outer = 'sequential' | 'halves' | Inner;
interface Cut {
  readonly groups: GroupFunction;
  readonly outers: readonly Outer[];
  readonly claims: Claims;
}

const inLanes = (parts: number): Cut => ({
  groups: lanesOf(parts),
  outers: ['sequential', 'halves', 'kahan', 'neumaier'],
  claims: { order: 'split-k', parts, cut: 'even' },
});
const cuts: Readonly<Record<string, Cut>> = {
  ...Object.fromEntries([2, 4, 8, 16, 64].map((parts) => [`${parts} lanes`, inLanes(parts)])),
  '8 parts': { ...inLanes(8), groups: partsOf(8) },
  '8 parts, the rest in the last': {
    ...inLanes(8),
    groups: restLast(8),
    claims: { order: 'split-k', parts: 8, cut: 'rest-last' },
  },
  '8 parts, not said how they are cut': {
    ...inLanes(8),
    groups: restLast(8),
    claims: { order: 'split-k', parts: 8 },
  },
  'blocks of 32': {
    ...{ groups: blocksOf(32), outers: ['sequential', 'kahan'] },
    claims: { order: 'blocked', partition: 32 },
  },
  'halves down to 32': {
    ...{ groups: blocksOf(32), outers: ['halves'] },
    claims: { order: 'pairwise', partition: 32 },
  },
};

const families: Readonly<Record<string, (random: Random, p: number) => number>> = {
  uniform: (random) => random.uniform(-1, 1),
  'uniform on [0, 1)': (random) => random.uniform(0, 1),
  'of many sizes': (random) => random.uniform(-1, 1) * 2 ** random.int(-6, 6),
  'one large of each 64': (random, p) => random.uniform(0, 1) * (p % 64 === 0 ? 64 : 2 ** -6),
};

const SIDE = 4;

/** Judges the product of rows and columns of k entries by a kernel with such sums. */
function judged(
  sumOf: (format: Format) => SumFunction,
  of: Operands,
  { precision = 'f32', claims }: ProductOptions,
) {
  const { a, multiplied, accumulated } = precisions.find(precision);
  const [rows, columns] = [of.rows, of.columns].map((data) => data.map(a.round));
  const k = rows.length / SIDE;
  const line = (data: Float64Array, at: number) =>
    data.subarray(at * k, (at + 1) * k).map((x) => multiplied.round(x));
  const sum = sumOf(accumulated);
  const c = Float64Array.from({ length: SIDE ** 2 }, (_, e) =>
    sum(productsOf(line(rows, Math.floor(e / SIDE)), line(columns, e % SIDE))),
  );
  const b = columns.map((_, e) => columns[(e % SIDE) * k + Math.floor(e / SIDE)]);
  return judgeProduct(matrix(SIDE, SIDE, c), matrix(SIDE, k, rows), matrix(k, SIDE, b), {
    precision,
    claims,
  });
}

interface Operands {
  readonly rows: Float64Array;
  readonly columns: Float64Array;
}

function drawn(family: string, k: number): Operands {
  const random = createRandom(k, 3);
  const draw = () => Float64Array.from({ length: SIDE * k }, (_, at) => families[family](random, at % k));
  return { rows: draw(), columns: draw() };
}

const compensating = (compensated: Inner, claims: Claims = {}): Claims => ({
  ...claims,
  arithmetic: { accumulator: { compensated } },
});

const kernels = Object.entries(cuts).flatMap(([words, { groups, outers, claims }]) =>
  outers.flatMap((outer) =>
    (['kahan', 'neumaier'] as const).map((inner) => ({ words, groups, claims, outer, inner })),
  ),
);

describe.each(['f32', 'f16', 'f64', 'f16-f32'])('in %s', (precision) => {
  it.each(inShort(kernels, 5))('sums by $inner of $words, added by $outer', (kernel) => {
    const { groups, outer, inner } = kernel;
    const claims = compensating(inner, kernel.claims);
    const sumOf = (format: Format) => {
      const sums = sumsIn(format);
      return grouped(groups, sums[inner], outer === 'halves' ? sums.pairwise(1) : sums[outer]);
    };
    for (const family of Object.keys(families)) {
      for (const k of [3, 67, 1024]) {
        const found = judged(sumOf, drawn(family, k), { precision, claims });
        expect({ family, k, wrong: found.wrong }).toEqual({ family, k, wrong: 0 });
        expect(found.boundUsed).toBeLessThanOrEqual(1);
        expect(found.sigmas).toBeLessThan(6);
      }
    }
  });

  it('the worst sum of eight lanes is within their bound, and beyond that of one compensated sum', () => {
    const { unitRoundoff } = precisions.find(precision).accumulated;
    // Each addition of lanes loses half a unit; none underflows.
    const rows = Float64Array.from({ length: SIDE * 8 }, (_, at) => 64 * (at % 8 === 0 ? 1 : unitRoundoff));
    const operands = { rows, columns: new Float64Array(SIDE * 8).fill(64) };
    const sumOf = (format: Format) => grouped(lanesOf(8), sumsIn(format).kahan, sumsIn(format).sequential);
    const used = (claims: Claims) =>
      judged(sumOf, operands, { precision, claims: compensating('kahan', claims) }).boundUsed;
    expect(used({})).toBeGreaterThan(1.1);
    expect(used(inLanes(8).claims)).toBeLessThanOrEqual(1);
    expect(used(inLanes(8).claims)).toBeGreaterThan(0.5);
  });
});

describe('what is not compensated', () => {
  const inParts = Object.entries(cuts).filter(([, { claims }]) => claims.parts !== undefined);
  const operands = drawn('uniform on [0, 1)', 4096);

  it.each(inShort(inParts, 3))('exceeds six sigmas of what is, of %s', (_, { claims }) => {
    const found = judged((format) => sumsIn(format).sequential, operands, {
      claims: compensating('kahan', claims),
    });
    expect(found.sigmas).toBeGreaterThan(6);
  });
});
