import { describe, expect, it } from 'vitest';
import {
  blocksOf,
  type GroupFunction,
  grouped,
  lanesOf,
  partsOf,
  restLast,
  type SumFunction,
  sorted,
  sumsIn,
  tilesOf,
  toBits,
} from '../lab/honest/sums.ts';
import { inShort, itWhole } from '../src/base/in-short.testing.ts';
import { stillClock } from '../src/base/time.ts';
import { contradictions, promisesOf } from '../src/inspect/contradictions.ts';
import { inspectKernel } from '../src/inspect/inspect-kernel.ts';
import type { Shape } from '../src/matrix/dense.ts';
import { bf16, f16, f32 } from '../src/precision/format.ts';
import type { SumPartition } from '../src/precision/sums.ts';
import { type CodedMaking, coded } from './coded-kernels.ts';
import { type Making, made } from './inspect-kernels.ts';

/**
 * The law: for sums in one sequence, in lanes of every so many-th term, or in parts of k, `inspect` reports their true properties.
 *
 * Why: a question of two terms concerns the sum in which they meet. For lanes and parts that is the last sum, which adds no products.
 */
const { sequential, fused, towardZero, kahan, atOnce, inBits } = sumsIn(f32);
const method = { levels: 0, fringe: 'pad', tail: 'mask' } as const;

/** Splits terms into four parts. Two have half as many terms as the third, and the third half as many as the fourth. */
const unlike: GroupFunction = (terms) =>
  [0, 1, 2, 4].map((from, at) =>
    terms.subarray(Math.ceil((terms.length * from) / 8), Math.ceil((terms.length * [1, 2, 4, 8][at]) / 8)),
  );

const narrow = ({ m, k, n }: Shape) => (m * k * n > 2 ** 19 ? 'it is kept small' : undefined);
const exact = (x: number, y: number) => x * y;

async function inspected(making: Making, until: string, quick = true) {
  const kernel = made('x', { refuses: narrow, ...making });
  return read(kernel, until, quick);
}

async function read(kernel: ReturnType<typeof made>, until: string, quick = true) {
  const told: string[] = [];
  const found = await inspectKernel(kernel, {
    clock: stillClock,
    ...{ quick, sizes: [16] },
    onFinding: ({ id }) => told.push(id),
    stop: () => told.includes(until),
  });
  const answer = (id: string) => found.findings.find((one) => one.id === id);
  return { ...found, answer, contradictions: contradictions(found, promisesOf(kernel, method)) };
}

/** Sums of groups of terms, where `inner` adds each group and binary32 adds their sums. */
const structures: readonly (readonly [string, (inner: SumFunction) => SumFunction])[] = [
  ['2 lanes', (inner) => grouped(lanesOf(2), inner, sequential)],
  ['one sum', (inner) => inner],
  ...[64, 3, 4, 8, 16, 32, 256].map(
    (count) =>
      [`${count} lanes`, (inner: SumFunction) => grouped(lanesOf(count), inner, sequential)] as const,
  ),
  ...[2, 64, 4, 8, 16, 32].map(
    (count) =>
      [`${count} parts`, (inner: SumFunction) => grouped(partsOf(count), inner, sequential)] as const,
  ),
];

describe.each(inShort(structures, 16))('of %s', (_, within) => {
  it('products that are added with one rounding are told', async () => {
    const { measures } = await inspected({ product: exact, sum: within(fused) }, 'product-rounding');
    expect(measures.fused).toBe(true);
  });

  itWhole('products are added with one rounding, or rounded before', async () => {
    for (const fma of ['once', 'twice'] as const) {
      const making = { product: exact, sum: within(fused), claims: { arithmetic: { fma } } };
      const one = await inspected(making, 'product-rounding');
      expect(one.answer('product-rounding')?.answer).toMatch(/^no: added with one rounding/);
      expect(one.measures.fused).toBe(true);
      expect(one.contradictions.length).toBe(fma === 'once' ? 0 : 1);
      const two = await inspected({ sum: within(sequential), claims: making.claims }, 'product-rounding');
      expect(two.answer('product-rounding')?.answer).toBe('yes, rounded to 24 bits, as sums are');
      expect(two.measures.fused).toBe(false);
      expect(two.contradictions.length).toBe(fma === 'twice' ? 0 : 1);
    }
  });

  itWhole('products of fewer bits are told in bits', async () => {
    const product = (x: number, y: number) => f16.round(x * y * 2 ** -10) * 2 ** 10;
    const found = await inspected({ product, sum: within(sequential) }, 'product-rounding');
    expect(found.measures).toMatchObject({ productBits: 11, fused: false });
  });

  itWhole('a sum that leaves the range does not come back', async () => {
    const found = await inspected({ sum: within(sequential) }, 'sum-range');
    expect(found.answer('sum-range')).toMatchObject({ value: false, answer: 'no' });
    const wide = (terms: Float64Array) => Math.fround(terms.reduce((sum, x) => sum + x, 0));
    const other = await inspected({ product: exact, sum: wide }, 'sum-range');
    expect(other.answer('sum-range')).toMatchObject({ value: true, confidence: 'measured' });
  });
});

describe('lanes of other sums than the last', () => {
  const lanes = [2, 4, 8, 16];

  itWhole.each(lanes)('that cut off, %i', async (count) => {
    const sum = grouped(lanesOf(count), towardZero, sequential);
    const found = await inspected({ sum }, 'accumulator-rounding');
    expect(found.answer('accumulator-rounding')?.answer).toMatch(
      /^not all alike: toward zero in sums of 2 terms/,
    );
    expect(found.answer('accumulator-rounding')?.answer).toMatch(/to nearest even in the last one$/);
    expect(found.measures.rounding).toBe('other');
    const alike = await inspected(
      { sum: grouped(lanesOf(count), towardZero, towardZero) },
      'accumulator-rounding',
    );
    expect(alike.measures.rounding).toBe('toward zero');
  });

  itWhole('that cut off are told apart in parts of a short k, too', async () => {
    const sum = grouped(partsOf(2), towardZero, sequential);
    const found = await inspected({ sum }, 'accumulator-rounding');
    expect(found.answer('accumulator-rounding')?.answer).toMatch(/to nearest even in the last one$/);
    expect(found.contradictions).toEqual([]);
  });

  itWhole.each(lanes)('that hide bits of entries, %i', async (count) => {
    const half = (terms: Float64Array) => terms.reduce((sum, x) => toBits(11)(sum + x), 0);
    const sum = grouped(lanesOf(count), half, sequential);
    const found = await inspected({ product: exact, sum }, 'unit');
    expect(found.measures).toMatchObject({ accumulatorBits: 11, operandBitsHidden: true });
    expect(found.answer('operand-bits')).toMatchObject({ confidence: 'likely' });
    expect(found.answer('unit')?.answer).toMatch(/less than f32 in its sums$/);
    expect(found.contradictions).not.toContainEqual(expect.stringContaining('products use operands of'));
  });
});

describe('parts of k', () => {
  const ways: readonly (readonly [string, GroupFunction, SumPartition | undefined])[] = [
    ['4 even ones', partsOf(4), 'even'],
    ['4 with the rest in the last', restLast(4), 'rest-last'],
    ['4 of tiles of 32', tilesOf(4, 32), { tile: 32 }],
    ['4 of tiles of 24', tilesOf(4, 24), { tile: 24 }],
    ['8 with the rest in the last', restLast(8), 'rest-last'],
    // Two parts with the rest in the last are even.
    ['2 with the rest in the last', restLast(2), 'even'],
    ['2 of tiles of 64', tilesOf(2, 64), { tile: 64 }],
    ['4 of k/8, k/8, k/4 and k/2', unlike, undefined],
  ];
  itWhole.each(ways)('are cut as they are: %s', async (name, groups, cut) => {
    const found = await inspected({ sum: grouped(groups, sequential, sequential) }, 'cut', false);
    const split = cut && { parts: Number(name[0]), cut };
    expect(found.measures.split).toEqual(split);
    expect(found.answer('cut')?.confidence).toBe(cut === undefined ? undefined : 'measured');
  });
});

describe('whole numbers', () => {
  const saturated = (terms: Float64Array) =>
    terms.reduce((sum, x) => Math.max(-(2 ** 15), Math.min(2 ** 15 - 1, sum + x)), 0);
  const total = (terms: Float64Array) => terms.reduce((sum, x) => sum + x, 0);
  const long = ({ m, k, n }: Shape) => (m * k * n > 2 ** 22 ? 'it is kept small' : undefined);
  const inLanes = (count: number): CodedMaking => ({
    precision: 'int8-i32',
    sum: grouped(lanesOf(count), saturated, total),
  });
  const inParts = (count: number): CodedMaking => ({
    precision: 'int8-i32',
    sum: grouped(partsOf(count), saturated, total),
  });

  it.each(
    inShort(
      [inLanes(1), inLanes(16), inLanes(64), inParts(2), inParts(8), inParts(64)].map(
        (making, at) => [at, making] as const,
      ),
      6,
    ),
  )('of 16 bits in lanes or parts, %i', async (_, making) => {
    const found = await read({ ...coded('x', making), refuses: long }, 'whole-sums');
    expect(found.answer('whole-sums')?.answer).toMatch(/beyond 2\^15 they saturate$/);
    expect(found.measures.wholeSums).toBe(15);
  });
});

describe('of terms that are sorted', () => {
  itWhole.each([1, -1])('neither bits nor fusing are told, %i', async (way) => {
    const found = await inspected({ sum: sorted(sequential, way) }, 'unit');
    expect(found.answer('accumulator-bits')).toMatchObject({ value: 24, confidence: 'likely' });
    expect(found.answer('accumulator-bits')?.answer).toBe(
      'at least 24, as results have; other sums are unknown',
    );
    expect(found.answer('product-rounding')).toMatchObject({ value: null, confidence: 'unknown' });
    expect(found.measures.fused).toBeUndefined();
    expect(found.answer('unit')?.answer).toContain('adds in at least 24-bit,');
    expect(found.answer('stored-rounding')).toBeUndefined();
  });

  itWhole('or parted by their signs, no order is told', async () => {
    const parted = (terms: Float64Array) =>
      Math.fround(sequential(terms.filter((x) => x >= 0)) + sequential(terms.filter((x) => x < 0)));
    const found = await inspected({ sum: parted }, 'unit');
    expect(found.answer('order')).toMatchObject({ value: null, confidence: 'unknown' });
    expect(found.answer('accumulator-bits')).toMatchObject({ value: 24, confidence: 'likely' });
    expect(found.measures.fused).toBeUndefined();
  });

  itWhole.each([1, -1])('within blocks, it is said, %i', async (way) => {
    const sum = grouped(blocksOf(8), sorted(sequential, way), sequential);
    const found = await inspected({ sum }, 'accumulator-bits');
    expect(found.answer('order')).toMatchObject({ confidence: 'likely' });
    expect(found.answer('order')?.answer).toMatch(/added one after the other, or sorted by size within;/);
    expect(found.answer('accumulator-bits')).toMatchObject({ confidence: 'likely' });
  });

  itWhole('compensated sums are not sure to be exact', async () => {
    const found = await inspected({ sum: sorted(kahan, -1) }, 'accumulator-bits');
    expect(found.answer('order')).toMatchObject({ value: 'exact', confidence: 'likely' });
    expect(found.answer('accumulator-bits')).toMatchObject({ confidence: 'likely' });
  });
});

itWhole('terms that are added at once do not tell how products are rounded', async () => {
  const { measures, answer } = await inspected(
    { product: exact, sum: atOnce(4, 24, Math.fround) },
    'product-rounding',
  );
  expect(answer('product-rounding')).toMatchObject({ value: null, confidence: 'unknown' });
  expect(answer('product-rounding')?.answer).toMatch(
    /^cannot be told: terms that are added at once are aligned/,
  );
  expect(measures.fused).toBeUndefined();
});

itWhole('errors that fewer bits explain entry by entry are said to be of these', async () => {
  const sums = await inspected({ sum: inBits(20) }, 'grade');
  expect(sums.answer('grade')).toMatchObject({
    value: 'none',
    answer: 'none: larger than the whole matrix explains in f32; sums of 20 bits explain it, entry by entry',
  });
  const operands = await inspected({ operand: toBits(8) }, 'grade');
  expect(operands.answer('grade')?.answer).toMatch(/; entries of 8 bits explain it, entry by entry$/);
});

itWhole('products in compensated sums are rounded to the bits that these have', async () => {
  const found = await inspected({ sum: kahan }, 'unit');
  expect(found.answer('product-rounding')?.answer).toBe('yes, rounded to 24 bits, as sums are');
  // Sums of as many bits as C has are not rounded again.
  expect(found.answer('stored-rounding')).toBeUndefined();
});

describe('subnormal entries', () => {
  itWhole('are kept where only products are flushed', async () => {
    const flushed = (x: number) => (Math.abs(x) < 2 ** -14 ? 0 : x);
    const sum = (terms: Float64Array) => terms.reduce((total, x) => flushed(f16.round(total + x)), 0);
    const found = await inspected(
      { precision: 'f16', product: (x, y) => flushed(f16.round(x * y)), sum },
      'subnormal-results',
    );
    expect(found.answer('subnormal-operands')?.answer).toBe('kept');
    expect(found.answer('subnormal-results')?.answer).toBe('flushed to zero');
  });

  itWhole('of a narrower format that is multiplied are its own', async () => {
    const kept = await inspected({ precision: 'f16-f32', operand: f16.round }, 'subnormal-results');
    expect(kept.answer('subnormal-operands')?.answer).toBe('kept');
    expect(kept.answer('subnormal-results')).toMatchObject({ value: null, confidence: 'unknown' });
    const operand = (x: number) => (Math.abs(f16.round(x)) < 2 ** -14 ? 0 : f16.round(x));
    const lost = await inspected({ precision: 'f16-f32', operand }, 'subnormal-results');
    expect(lost.answer('subnormal-operands')?.answer).toBe('flushed to zero');
  });

  itWhole('cannot all be told where entries have fewer bits than is claimed', async () => {
    const found = await inspected({ operand: bf16.round }, 'subnormal-results');
    expect(found.answer('subnormal-operands')).toMatchObject({ value: null, confidence: 'unknown' });
    expect(found.answer('subnormal-operands')?.answer).toMatch(/^cannot be told: 2\^-127 is kept/);
    expect(found.measures.flushesOperands).toBeUndefined();
  });

  itWhole('of sums are told apart from those of products', async () => {
    const flushed = (x: number) => (Math.abs(x) < 2 ** -126 ? 0 : x);
    const product = (x: number, y: number) => flushed(Math.fround(x * y));
    const found = await inspected({ product }, 'subnormal-results');
    expect(found.answer('subnormal-results')).toMatchObject({
      value: false,
      answer: 'products are flushed to zero, sums of larger ones kept',
    });
  });

  it('cannot be told where entries have fewer exponents than is claimed', async () => {
    const found = await inspected({ operand: f16.round }, 'subnormal-results');
    expect(found.answer('subnormal-operands')).toMatchObject({ value: null, confidence: 'unknown' });
  });
});
