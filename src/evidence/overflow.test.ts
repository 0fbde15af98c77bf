import { describe, expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { judgeProduct, type ProductOptions } from './judge-product.ts';
import { beyondRange, Range } from './overflow.ts';

const INF = Number.POSITIVE_INFINITY;
const HALF: ProductOptions = { precision: 'f16-f32-f16' };
const SATURATED: ProductOptions = { ...HALF, claims: { arithmetic: { result: { overflow: 'saturate' } } } };
/** Results with as wide a range as their sums. */
const BRAIN: ProductOptions = { ...SATURATED, precision: 'bf16-f32-bf16' };
const [H, BRAIN_LARGEST] = [2 ** 127, 2 ** 128 - 2 ** 120];
/** 140000 products of 127 by 127 are 2258060000. */
const BYTES: readonly number[] = new Array(140000).fill(127);
const wholes = (overflow: 'wraps' | 'saturate'): ProductOptions => ({
  precision: 'int8-i32',
  claims: { arithmetic: { result: { overflow } } },
});
const LARGEST = 3.4028234663852886e38;
/** Products whose terms matrix units add in binary32. */
const NARROW: ProductOptions = { precision: 'bf16-f32' };

/** Returns the verdict on a row times a column with claimed product x. */
function verdict(
  x: number,
  a: readonly number[],
  b: readonly number[],
  options: ProductOptions = {},
): string {
  const wide = options.precision === 'f64' || options.precision === 'int8-i32';
  const of = (rows: number, cols: number, data: readonly number[]): Matrix =>
    matrix(rows, cols, wide ? Float64Array.from(data) : Float32Array.from(data));
  return judgeProduct(of(1, 1, [x]), of(1, a.length, a), of(b.length, 1, b), options).verdict;
}

describe('an entry beyond the largest number', () => {
  it.each<[string, number, readonly number[], readonly number[], ProductOptions?]>([
    ['a product that overflows', INF, [3e38], [2]],
    ['a sum that overflows', -INF, [-3e38, -3e38], [1, 1]],
    ['partial sums that overflow in one order', INF, [3e38, 3e38, -3e38, -3e38], [1, 1, 1, 1]],
    ['in another', -INF, [3e38, 3e38, -3e38, -3e38], [1, 1, 1, 1]],
    ['in two partial sums', Number.NaN, [3e38, 3e38, -3e38, -3e38], [1, 1, 1, 1]],
    ['in none', 0, [3e38, 3e38, -3e38, -3e38], [1, 1, 1, 1]],
    ['a sum that may be rounded up to it', INF, [LARGEST, 2e31], [1, 1]],
    ['sums that are scaled last', INF, [3e38, 3e38], [1, 1], { alpha: 0.25 }],
    ['sums that are scaled first', 1.5e38, [3e38, 3e38], [1, 1], { alpha: 0.25 }],
    ['an infinity beside an overflow of the other sign', Number.NaN, [INF, -3e38, -3e38], [1, 1, 1]],
    ['an infinity beside numbers', INF, [INF, -3e38, -3e38], [1, 1, 1]],
    ['in binary64', INF, [1e308, 1e308, -1e308], [1, 1, 1], { precision: 'f64' }],
    ['in binary16', INF, [60000, 60000, -60000], [1, 1, 1], { precision: 'f16' }],
    ['in bfloat16, of sums in binary32', INF, [3e38, 3e38], [1, 1], { precision: 'bf16-f32' }],
    ['of operands that are rounded up', INF, [1.8443e19], [1.845e19], { precision: 'tf32-f32' }],
    ['a result that only its own format cannot hold', INF, [60000, 60000], [1, 1], HALF],
    ['the largest number where that is claimed', 65504, [60000, 60000], [1, 1], SATURATED],
    [
      'what saturates of sums that overflow on the way',
      BRAIN_LARGEST,
      [H, -H, H, -H, H],
      [1, 1, 1, 1, 1],
      BRAIN,
    ],
    ['the other way', -BRAIN_LARGEST, [H, -H, H, -H, H], [1, 1, 1, 1, 1], BRAIN],
    ['in none, of what saturates', H, [H, -H, H, -H, H], [1, 1, 1, 1, 1], BRAIN],
    ['NaN of two that would', Number.NaN, [H, -H, H, -H], [1, 1, 1, 1], BRAIN],
    [
      'what saturates of sums that are cut off, and infinite beyond',
      BRAIN_LARGEST,
      [H, -H, H],
      [1, 1, 1],
      {
        ...BRAIN,
        claims: { arithmetic: { rounding: 'toward-zero', result: { overflow: 'saturate' } } },
      },
    ],
    [
      'partial sums that only the format of results cannot hold',
      60000,
      [60000, 60000, -60000],
      [1, 1, 1],
      HALF,
    ],
    ['whole numbers that wrap as is claimed', 2258060000 - 2 ** 32, BYTES, BYTES, wholes('wraps')],
    ['whole numbers that saturate as is claimed', 2 ** 31 - 1, BYTES, BYTES, wholes('saturate')],
    ['of a fast algorithm', INF, [3e38, 3e38], [1, -1], { claims: { algorithm: 'strassen' } }],
    [
      'the largest number of narrow operands, whose sums a unit may cut off',
      LARGEST,
      [H, H, H],
      [1, 1, 1],
      NARROW,
    ],
    ['of a beta', LARGEST, [H, H], [1, 1], { ...NARROW, beta: 1, before: matrix(1, 1, Float32Array.of(H)) }],
    ['on the way', 2 ** 127 - 2 ** 104, [H, H, -H], [1, 1, 1], NARROW],
    ['infinity of such', INF, [H, H, H], [1, 1, 1], NARROW],
  ])('is right: %s', (_, ...given) => {
    expect(verdict(...given)).not.toBe('fail');
  });

  it.each<[string, number, readonly number[], readonly number[], ProductOptions?]>([
    [
      'an infinity where sums alone overflow the format of results',
      INF,
      [60000, 60000, -60000],
      [1, 1, 1],
      HALF,
    ],
    ['infinity where the largest number is claimed', INF, [60000, 60000], [1, 1], SATURATED],
    [
      'the largest number where sums alone overflow results',
      65504,
      [60000, 60000, -60000],
      [1, 1, 1],
      SATURATED,
    ],
    ['the largest number where no sum overflows', BRAIN_LARGEST, [H, -H], [1, 1], BRAIN],
    ['the largest number of the other sign', -BRAIN_LARGEST, [H, -H, H], [1, 1, 1], BRAIN],
    [
      'the largest number on the way where none is claimed',
      BRAIN_LARGEST,
      [H, -H, H],
      [1, 1, 1],
      { precision: 'bf16-f32-bf16' },
    ],
    ['the largest number of narrow operands where no sum comes to it', LARGEST, [H], [1], NARROW],
    [
      'the largest number of narrow operands whose sums are claimed to be to nearest',
      LARGEST,
      [H, H, H],
      [1, 1, 1],
      { ...NARROW, claims: { arithmetic: { rounding: 'nearest' } } },
    ],
    ['the largest number where none is claimed', 65504, [60000, 60000], [1, 1], HALF],
    ['an infinity of the wrong sign', -INF, [3e38], [2]],
    ['an infinity where no sum overflows, if by little', INF, [1.7e38, 1.7e38], [1, 1]],
    ['an infinity that no operand is rounded up to', INF, [1.83e19], [1.84e19], { precision: 'tf32-f32' }],
    ['NaN where sums of one sign overflow', Number.NaN, [3e38, 3e38], [1, 1]],
    ['the largest number where every order overflows', LARGEST, [3e38, 3e38], [1, 1]],
    ['a number beside an infinity', 1, [INF, 1], [1, 1]],
    ['the other infinity', -INF, [INF, 1], [1, 1]],
    ['an infinity beside NaN', INF, [Number.NaN, 3e38], [1, 2]],
    ['an infinity in binary64', INF, [1e307, 1e307], [1, 1], { precision: 'f64' }],
    [
      'an infinity of a fast algorithm far from it',
      INF,
      [1, 1],
      [1, -1],
      { claims: { algorithm: 'strassen' } },
    ],
  ])('is wrong: %s', (_, ...given) => {
    expect(verdict(...given)).toBe('fail');
  });

  itWhole.each<[string, number, ProductOptions]>([
    ['that saturate and claim to wrap', 2 ** 31 - 1, wholes('wraps')],
    ['that wrap and claim to saturate', 2258060000 - 2 ** 32, wholes('saturate')],
    ['that wrap and claim nothing', 2258060000 - 2 ** 32, { precision: 'int8-i32' }],
  ])('is wrong: whole numbers %s', (_, x, options) => {
    expect(verdict(x, BYTES, BYTES, options)).toBe('fail');
  });
});

it('is found of the entries that are compared, whatever was compared of the same product before', () => {
  const ones = matrix(2, 2, Float32Array.of(1, 1, 1, 1));
  const { evidence } = judgeProduct(matrix(2, 2, Float32Array.of(2, 2, 2, INF)), ones, ones);
  const { value, low, size, ...rest } = evidence.reference;
  const first = (of: Float64Array) => of.subarray(0, 1);
  const sample = { ...rest, value: first(value), low: first(low), size: first(size), at: Float64Array.of(0) };
  expect([...beyondRange({ ...evidence, reference: sample })]).toEqual([Range.within]);
  expect([...beyondRange(evidence)]).toEqual([0, 0, 0, Range.wrong]);
});
