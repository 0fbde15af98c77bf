import { describe, expect, it } from 'vitest';
import { cutIn, productsOf, type SumFunction, sumsIn } from '../lab/honest/sums.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { createRandom, type Random } from '../src/base/random.ts';
import { judgeProduct, type ProductOptions } from '../src/evidence/judge-product.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { matrix } from '../src/matrix/dense.ts';
import { type Format, f32 } from '../src/precision/format.ts';
import { precisions } from '../src/precision/precisions.ts';

/**
 * The law: a kernel that multiplies binary32 operands in parts keeps the bound and the expected errors of its precision, for every rounding
 * of the parts and every order of the products. A kernel that leaves out a product that it claims exceeds both.
 *
 * Why: remainders of the parts, and products that are left out, add to the errors of binary32. Before they were counted, honest kernels
 * failed.
 */
const precisionNames = ['tf32x3-f32', 'bf16x3-f32', 'bf16x6-f32', 'bf16x9-f32'];

type Cut = (of: Format, part: number) => (x: number) => number;
/** Ways to round parts: the last is CUTLASS's. */
const cuts: Readonly<Record<string, { readonly cut: Cut; readonly claims: Claims }>> = {
  'to nearest': { cut: (of) => of.round, claims: {} },
  'cut off': { cut: cutIn, claims: { arithmetic: { operands: { rounding: 'toward-zero' } } } },
  'cut off, the last to nearest': {
    cut: (of, part) => (part === 0 ? cutIn(of) : of.round),
    claims: { arithmetic: { operands: { rounding: 'toward-zero' } } },
  },
};

/** Returns the products of parts of a line, a row for each pair, the small ones first. */
function pairsOf(x: Float64Array, y: Float64Array, { cut, of, count, kept }: Parts): Float64Array[] {
  const parts = (values: Float64Array) => {
    let rest = values;
    return Array.from({ length: count }, (_, part) => {
      const own = rest.map(cut(of, part));
      rest = rest.map((value, p) => Math.fround(value - own[p]));
      return own;
    });
  };
  const [left, right] = [parts(x), parts(y)];
  return kept.map(([i, j]) => productsOf(left[i], right[j])).reverse();
}

interface Parts {
  readonly cut: Cut;
  readonly of: Format;
  readonly count: number;
  readonly kept: readonly (readonly [number, number])[];
}

const { sequential, pairwise, kahan } = sumsIn(f32);
const interleaved = (pairs: readonly Float64Array[]): Float64Array =>
  Float64Array.from({ length: pairs.length * pairs[0].length }, (_, at) => {
    const p = Math.floor(at / pairs.length);
    return pairs[at % pairs.length][p];
  });
const joined = (pairs: readonly Float64Array[]): Float64Array =>
  Float64Array.from(pairs.flatMap((pair) => [...pair]));

/** Ways to add the products of parts, each with its claim. */
const orders: Readonly<Record<string, { sum: (pairs: Float64Array[]) => number; claims: Claims }>> = {
  'by terms, the small ones first': { sum: (pairs) => sequential(interleaved(pairs)), claims: {} },
  'by terms, the large ones first': {
    sum: (pairs) => sequential(interleaved(pairs.toReversed())),
    claims: { order: 'sequential' },
  },
  'one pair after the other': { sum: (pairs) => sequential(joined(pairs)), claims: {} },
  'each pair by itself': {
    sum: (pairs) => sequential(Float64Array.from(pairs, sequential)),
    claims: {},
  },
  'in blocks of 32 terms': {
    sum: (pairs) => {
      const all = interleaved(pairs);
      const each = 32 * pairs.length;
      const blocks = Array.from({ length: Math.ceil(all.length / each) }, (_, b) =>
        sequential(all.subarray(b * each, (b + 1) * each)),
      );
      return sequential(Float64Array.from(blocks));
    },
    claims: { order: 'blocked', partition: 32 },
  },
  'in halves': {
    sum: (pairs) => pairwise(1)(interleaved(pairs)),
    claims: { order: 'pairwise', partition: 1 },
  },
  'by Kahan': {
    sum: (pairs) => (kahan as SumFunction)(interleaved(pairs)),
    claims: { arithmetic: { accumulator: { compensated: 'kahan' } } },
  },
};

const families: Readonly<Record<string, (random: Random) => number>> = {
  uniform: (random) => random.uniform(-1, 1),
  'uniform on [2, 5)': (random) => random.uniform(2, 5),
  'of many sizes': (random) => random.uniform(-1, 1) * 2 ** random.int(-20, 20),
  tiny: (random) => random.uniform(-1, 1) * 2 ** -60,
};

const SIDE = 4;
const LENGTHS = [1, 2, 7, 33, 300];

interface Made extends Omit<ProductOptions, 'alpha' | 'beta'> {
  readonly cut: Cut;
  readonly sum: (pairs: Float64Array[]) => number;
  readonly drops?: (i: number, j: number) => boolean;
}

/** Judges products of random entries of a length by such a kernel, in parts of a precision. */
function judged(family: string, k: number, parts: string, { cut, sum, drops, ...options }: Made) {
  const { split } = precisions.find(parts).multiplied;
  if (split === undefined) throw new Error(`${parts} has no parts`);
  const { of, count, products } = split;
  const all = Array.from({ length: count }, (_, i) =>
    Array.from({ length: count }, (__, j) => [i, j] as const),
  );
  const kept = all
    .flat()
    .sort(([i, j], [p, q]) => i + j - p - q)
    .slice(0, products)
    .filter(([i, j]) => drops?.(i, j) !== true);
  const random = createRandom(k, 5);
  const line = () => Float64Array.from({ length: k }, () => Math.fround(families[family](random)));
  const [rows, columns] = [Array.from({ length: SIDE }, line), Array.from({ length: SIDE }, line)];
  const c = rows.flatMap((row) =>
    columns.map((column) => sum(pairsOf(row, column, { cut, of, count, kept }))),
  );
  return judgeProduct(
    matrix(SIDE, SIDE, Float32Array.from(c)),
    matrix(SIDE, k, Float32Array.from(rows.flatMap((row) => [...row]))),
    matrix(
      k,
      SIDE,
      Float32Array.from({ length: k * SIDE }, (_, at) => columns[at % SIDE][Math.floor(at / SIDE)]),
    ),
    { precision: parts, ...options },
  );
}

const together = (...all: readonly Claims[]): Claims => {
  const arithmetic = Object.assign({}, ...all.map((claims) => claims.arithmetic));
  return { ...Object.assign({}, ...all), ...(Object.keys(arithmetic).length > 0 ? { arithmetic } : {}) };
};

describe.each(precisionNames)('in %s', (precision) => {
  const kernels = Object.entries(cuts).flatMap(([rounded, { cut, claims }]) =>
    Object.entries(orders).map(([ordered, { sum, claims: own }]) => ({
      ...{ rounded, ordered, cut, sum },
      claims: together(claims, own),
    })),
  );

  it.each(inShort(kernels, 4))('parts $rounded, added $ordered, keep to it', ({ cut, sum, claims }) => {
    const found = Object.keys(families).flatMap((family) =>
      LENGTHS.map((k) => {
        const { verdict, sigmas } = judged(family, k, precision, { cut, sum, claims, sigmas: 6 });
        return { family, k, verdict, isExpected: sigmas < 6 };
      }),
    );
    expect(found.filter(({ verdict, isExpected }) => verdict !== 'pass' || !isExpected)).toEqual([]);
  });

  it.each(Object.entries(cuts))('a product too few of parts %s fails', (_, { cut, claims }) => {
    const { sum } = orders['by terms, the small ones first'];
    const { verdict } = judged('uniform', 300, precision, {
      ...{ cut, sum, claims, sigmas: 6 },
      drops: (i, j) => i === 1 && j === 0,
    });
    expect(verdict).toBe('fail');
  });
});

it('as products of binary32, which they are not, they fail', () => {
  const { cut } = cuts['to nearest'];
  const { sum } = orders['by terms, the small ones first'];
  const verdicts = ['tf32x3-f32', 'bf16x3-f32'].map(
    (parts) => judged('uniform', 1, parts, { cut, sum, precision: 'f32' }).verdict,
  );
  expect(verdicts).toEqual(['fail', 'fail']);
});
