import { describe, expect, it } from 'vitest';
import { algorithmRegistry } from '../src/algorithms/algorithms.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import { beyondRange, Range } from '../src/evidence/overflow.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { findWrongClaims } from '../src/kernels/wrong-claims.ts';
import { type Matrix, matrix } from '../src/matrix/dense.ts';
import type { ArithmeticClaims } from '../src/precision/arithmetic.ts';
import { roundingIn } from '../src/precision/claimed-rounding.ts';
import type { Precision } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';

/**
 * The law: a kernel that keeps its claims passes on all pairs of special values, wherever it multiplies by alpha. A kernel that loses an
 * infinity or a NaN, or makes one of ordinary numbers, fails.
 *
 * Why: a claim changes numbers on their way to a product. A number that becomes zero there makes NaN of an infinity. A number that becomes
 * infinite makes NaN of a zero.
 */
const CLAIMS: readonly ArithmeticClaims[] = [
  {},
  { operands: { subnormals: 'flushed' } },
  { operands: { rounding: 'toward-zero' } },
  { operands: { rounding: 'toward-zero', subnormals: 'flushed' } },
  { operands: { subnormals: 'flushed' }, subnormals: 'kept' },
  { subnormals: 'kept' },
  { subnormals: 'either' },
  { subnormals: { operands: true, below: 2 ** -126 } },
  { rounding: 'toward-zero' },
  { rounding: 'faithful' },
  { result: { overflow: 'saturate' } },
  { result: { rounding: 'toward-zero' } },
  { accumulator: { bits: 53 } },
  { accumulator: { bits: 26, terms: 16 } },
  { accumulator: { compensated: 'kahan' } },
  { accumulator: { compensated: 'neumaier' } },
  { fma: 'once' },
  { fma: 'twice' },
];

const INFINITY = Number.POSITIVE_INFINITY;
const PRECISIONS = ['f32', 'f16', 'f16-f32', 'bf16-f32', 'tf32-f32', 'f16-f32-f16', 'bf16-f32-bf16', 'f64'];

const held = PRECISIONS.map((name) => precisions.find(name)).flatMap((precision) =>
  CLAIMS.filter(
    (arithmetic) => findWrongClaims({ arithmetic }, precision, algorithmRegistry) === undefined,
  ).map((arithmetic) => ({
    precision,
    arithmetic,
    words: `${JSON.stringify(arithmetic)} in ${precision.name}`,
  })),
);

/** Returns zeros, numbers at both ends of the formats that are stored and multiplied, infinities and NaN. */
function specialsOf({ a, multiplied }: Precision): number[] {
  const sizes = [a, multiplied].flatMap(({ minSubnormal, minNormal, maxFinite }) => [
    ...[minSubnormal / 4, minSubnormal / 2, minSubnormal, minNormal / 2, minNormal, maxFinite],
    maxFinite * 2,
  ]);
  const numbers = [...new Set([...sizes, 1].map(a.round))].filter(Number.isFinite);
  return [...numbers.flatMap((x) => [x, -x]), INFINITY, -INFINITY, Number.NaN];
}

/** A way in which a kernel may keep its claims. */
interface Doing {
  readonly isFlushing: boolean;
  readonly alpha: number;
  /** The operand, or the sum, that alpha multiplies. */
  readonly by: 'a' | 'b' | 'sum';
}

/** Computes alpha times x·y + 1 as a kernel with these claims does. */
function computed({ a, multiplied, accumulated, d }: Precision, claims: ArithmeticClaims, doing: Doing) {
  const { operands = {}, subnormals = 'either', rounding = 'nearest', result = {} } = claims;
  const flushed = (x: number, least: number) => (Math.abs(x) < least ? x * 0 : x);
  const isFlushing = subnormals === 'either' ? doing.isFlushing : subnormals !== 'kept';
  const least = isFlushing ? accumulated.minNormal : 0;
  const toOperand = roundingIn(multiplied, operands.rounding ?? 'nearest').round;
  const enter = (x: number) =>
    multiplied === a
      ? x
      : toOperand(flushed(x, operands.subnormals === 'flushed' ? multiplied.minNormal : 0));
  const arithmetic = roundingIn(accumulated, rounding);
  const step = (x: number) => flushed(arithmetic.round(x), least);
  const times = (x: number, y: number) => step(flushed(x, least) * flushed(y, least));
  const scaled = (x: number, of: Doing['by']) =>
    doing.by === of && doing.alpha !== 1 ? times(doing.alpha, x) : x;
  const last = roundingIn(d, result.rounding ?? 'nearest').round;
  const stored = (x: number) =>
    result.overflow === 'saturate' && Math.abs(x) > d.maxFinite ? Math.sign(x) * d.maxFinite : last(x);
  return (x: number, y: number): number => {
    const one = scaled(enter(1), 'a');
    const product = times(scaled(enter(x), 'a'), scaled(enter(y), 'b'));
    return stored(scaled(step(product + times(one, scaled(enter(1), 'b'))), 'sum'));
  };
}

const wide = (rows: number, cols: number, data: readonly number[]): Matrix =>
  matrix(rows, cols, Float64Array.from(data));
const single = (rows: number, cols: number, data: readonly number[]): Matrix =>
  matrix(rows, cols, Float32Array.from(data));

const kind = (x: number) => (Number.isFinite(x) ? 0 : x);

/** Returns the NaN, infinities and numbers that are refused as results of each pair of values. */
function refused(
  precision: Precision,
  arithmetic: ArithmeticClaims,
  alpha: number,
  value: (x: number, y: number) => number,
  values = specialsOf(precision),
): string[] {
  const { length } = values;
  const of = precision.a.precision > 24 ? wide : single;
  const claims: Claims = { arithmetic };
  const c = values.flatMap((x) => values.map((y) => value(x, y)));
  const { evidence } = judgeProduct(
    of(length, length, c),
    of(
      length,
      2,
      values.flatMap((x) => [x, 1]),
    ),
    of(2, length, [...values, ...values.map(() => 1)]),
    { precision: precision.name, claims, alpha },
  );
  const ranges = beyondRange(evidence);
  const { round } = evidence.machine.precision.d;
  const isWrong = (e: number) =>
    ranges[e] === Range.within
      ? !Object.is(kind(c[e]), kind(round(evidence.reference.value[e])))
      : ranges[e] === Range.wrong;
  return c.flatMap((found, e) =>
    isWrong(e) ? [`${values[Math.floor(e / length)]}·${values[e % length]} + 1 gave ${found}`] : [],
  );
}

const ALPHAS = { f16: [2 ** -20, 2 ** 12], f64: [2 ** -1060, 2 ** 1000] } as const;
const alphasOf = ({ accumulated: { name } }: Precision) => [
  1,
  ...(name === 'f16' || name === 'f64' ? ALPHAS[name] : [2 ** -140, 2 ** 100]),
];

describe('special values', () => {
  it.each(inShort(held, 40))('are what $words may make of them', ({ precision, arithmetic }) => {
    for (const alpha of alphasOf(precision)) {
      for (const by of alpha === 1 ? (['sum'] as const) : (['a', 'b', 'sum'] as const)) {
        for (const isFlushing of [false, true]) {
          const value = computed(precision, arithmetic, { isFlushing, alpha, by });
          expect({ alpha, by, isFlushing, refused: refused(precision, arithmetic, alpha, value) }).toEqual({
            ...{ alpha, by, isFlushing, refused: [] },
          });
        }
      }
    }
  });

  it.each(inShort(held, 40))('that are others fail under $words', ({ precision, arithmetic }) => {
    const { minNormal } = precision.multiplied;
    const values = [0, 1, -1, minNormal, INFINITY, -INFINITY, Number.NaN];
    const right = computed(precision, arithmetic, { isFlushing: false, alpha: 1, by: 'sum' });
    const isSaturating = arithmetic.result?.overflow === 'saturate';
    for (const other of [1, INFINITY, -INFINITY, Number.NaN]) {
      const isPlanted = (x: number, y: number) =>
        !Object.is(kind(x * y), kind(other)) && !(isSaturating && Math.abs(other) === INFINITY);
      const planted = values.flatMap((x) => values.filter((y) => isPlanted(x, y)));
      const value = (x: number, y: number) => (isPlanted(x, y) ? other : right(x, y));
      expect(refused(precision, arithmetic, 1, value, values)).toHaveLength(planted.length);
    }
  });
});
