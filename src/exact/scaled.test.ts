import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { lowestBit } from '../base/binary64.ts';
import { inShort } from '../base/in-short.testing.ts';
import { matrix } from '../matrix/dense.ts';
import { exactProduct } from './exact.ts';
import { scaledEntries } from './scaled.ts';

const Wide = Decimal.clone({ precision: 2000 });

/** Returns all digits of a double: its text has only as many as distinguish it from others. */
function wide(x: number) {
  if (x === 0) return new Wide(0);
  const exponent = lowestBit(x);
  return new Wide(x / 2 ** exponent).times(new Wide(2).pow(exponent));
}

/** Computes alpha·(row·column) + beta·c in decimal numbers that hold it exactly. */
function gold(row: ArrayLike<number>, column: ArrayLike<number>, alpha: number, beta: number, c: number) {
  let sum = new Wide(0);
  for (let p = 0; p < row.length; p++) sum = sum.plus(wide(row[p]).times(wide(column[p])));
  return sum.times(wide(alpha)).plus(wide(beta).times(wide(c)));
}

function entry(row: readonly number[], column: readonly number[], alpha: number, beta: number, c: number) {
  const k = row.length;
  const [a, b] = [matrix(1, k, Float64Array.from(row)), matrix(k, 1, Float64Array.from(column))];
  const { product, low, certificate } = exactProduct(a, b);
  const before = matrix(1, 1, Float64Array.of(c));
  const scaled = { a, b, c: before, alpha, beta };
  const found = scaledEntries({ value: product.data, low }, certificate, scaled, () => [0, 0]);
  return { value: found.value[0], low: found.low[0] };
}

/** Draws whole numbers times a power of two, of binary32 or binary64, near each other or far apart. */
const numbers = (bits: number, spread: number) =>
  fc
    .tuple(fc.integer({ min: -(2 ** bits), max: 2 ** bits }), fc.integer({ min: -spread, max: spread }))
    .map(([whole, exponent]) => whole * 2 ** exponent);

describe('alpha·A·B + beta·C', () => {
  test.each(
    inShort(
      [
        [24, 3],
        [24, 40],
        [53, 3],
        [53, 60],
      ],
      2,
    ),
  )('of entries of %i bits, exponents up to %i apart, is the exact one, rounded once', (bits, spread) => {
    const some = numbers(bits, spread);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(some, some), { maxLength: 12 }),
        some,
        some,
        some,
        (pairs, alpha, beta, c) => {
          const [row, column] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
          const exact = gold(row, column, alpha, beta, c);
          const { value, low } = entry(row, column, alpha, beta, c);
          expect(value).toBe(exact.toNumber() + 0);
          expect(low).toBeCloseTo(
            exact.minus(wide(value)).toNumber(),
            -Math.log10(Math.abs(value) * 1e-28 + 1e-300),
          );
        },
      ),
    );
  });

  it('is what cancellation leaves, to the last bit', () => {
    // A·B rounded to a double, then subtracted: the rounding error remains.
    const [row, column] = [
      [1 / 3, 2 ** -30, 3e7],
      [1 / 7, 1 / 11, -1e-9],
    ];
    const product = gold(row, column, 1, 0, 0);
    const { value } = entry(row, column, 1, -1, product.toNumber());
    expect(value).toBe(product.minus(wide(product.toNumber())).toNumber());
    expect(value).not.toBe(0);
    expect(entry(row, column, 3, -3, product.toNumber()).value).toBe(
      product.minus(wide(product.toNumber())).times(3).toNumber(),
    );
  });

  it('has a tie broken by what is below the doubles that are summed', () => {
    // The remainder of A·B is no more than half an ulp of the first sum's remainder.
    const [row, column] = [
      [2 ** 24, 2 ** -30],
      [1, 1],
    ];
    expect(entry(row, column, 1, 1, 2 ** 77).value).toBe(2 ** 77 + 2 ** 25);
    expect(entry(row, [1, -1], 1, 1, 2 ** 77).value).toBe(2 ** 77);
    expect(entry(row, column, -1, -1, 2 ** 77).value).toBe(-(2 ** 77 + 2 ** 25));
  });

  it('of a wrong A·B is refused, at the first entry and at every 4096th after it', () => {
    const [a, b] = [matrix(1, 1, Float64Array.of(3)), matrix(1, 4097, new Float64Array(4097).fill(1))];
    const scaled = { a, b, alpha: 2, beta: 0 };
    const sum = (wrong: number) => {
      const value = new Float64Array(4097).fill(3);
      value[wrong] = 3 + 2 ** -51;
      const entries = { value, low: new Float64Array(4097) };
      return scaledEntries(entries, { worstAbsolute: 0 }, scaled, (e) => [0, e]);
    };
    expect(() => sum(0)).toThrow(
      'entry (0, 0) of 2·A·B + 0·C is 6.000000000000001 with the remainder 0, but computed alone 6 with 0',
    );
    expect(() => sum(4096)).toThrow('entry (0, 4096)');
    expect(sum(1).value[1]).toBe(6 + 2 ** -50);
  });

  it('of a wrong remainder of A·B is refused, beyond what that may be off by', () => {
    const [a, b] = [
      matrix(1, 2, Float64Array.of(1, 2 ** -60)),
      matrix(2, 1, Float64Array.of(1, 1 + 2 ** -52)),
    ];
    const sum = (more: number, worstAbsolute: number) => {
      const low = Float64Array.of(2 ** -60 + 2 ** -112 + more);
      const scaled = { a, b, alpha: 3, beta: 0 };
      return () => scaledEntries({ value: Float64Array.of(1), low }, { worstAbsolute }, scaled, () => [0, 0]);
    };
    const refused = /with the remainder \S+, but computed alone 3 with \S+\./;
    expect(sum(2 ** -90, 0)).toThrow(refused);
    expect(sum(2 ** -90, 2 ** -92)).toThrow(refused);
    expect(sum(2 ** -90, 2 ** -90)()).toEqual({
      value: Float64Array.of(3),
      low: Float64Array.of(3 * (2 ** -60 + 2 ** -112 + 2 ** -90)),
    });
    expect(sum(0, 0)).not.toThrow();
  });

  it('of complex entries takes the other part of both, rounded once', () => {
    const some = numbers(53, 40);
    const line = fc.array(some, { minLength: 3, maxLength: 3 });
    const all = fc.record({
      ...{ re: line, im: line, column: line, before: fc.tuple(some, some) },
      ...{ alpha: fc.tuple(some, some), beta: fc.tuple(some, some) },
    });
    fc.assert(
      fc.property(all, ({ re, im, column, before, alpha, beta }) => {
        const a = matrix(2, 3, Float64Array.from([...re, ...im]));
        const b = matrix(3, 1, Float64Array.from(column));
        const { product, low, certificate } = exactProduct(a, b);
        const scaled = {
          ...{ a, b, c: matrix(2, 1, Float64Array.from(before)), alpha: alpha[0], beta: beta[0] },
          imaginary: { alpha: alpha[1], beta: beta[1] },
        };
        const { value } = scaledEntries({ value: product.data, low }, certificate, scaled, (e) => [e, 0]);
        const own = gold(re, column, alpha[0], beta[0], before[0]);
        const turned = gold(im, column, alpha[1], beta[1], before[1]);
        expect(value[0]).toBe(own.minus(turned).toNumber() + 0);
        const other = gold(im, column, alpha[0], beta[0], before[1]);
        const crossed = gold(re, column, alpha[1], beta[1], before[0]);
        expect(value[1]).toBe(other.plus(crossed).toNumber() + 0);
      }),
    );
  });

  it('keeps what would underflow on the way', () => {
    const tiny = 3 * 2 ** -1074;
    expect(entry([tiny], [2 ** 70], 0.5, 0, 0).value).toBe(gold([tiny], [2 ** 70], 0.5, 0, 0).toNumber());
    expect(entry([tiny, 1], [2 ** 70, -1], 0.1, 1, 0.1).value).toBe(
      gold([tiny, 1], [2 ** 70, -1], 0.1, 1, 0.1).toNumber(),
    );
    expect(entry([2 ** 1000], [2 ** 100], 2 ** -200, 1, -(2 ** 900)).value).toBe(0);
  });

  it('reads A and B with alpha = 0 as little as C with beta = 0', () => {
    expect(entry([Number.NaN], [1], 0, 2, 3)).toEqual({ value: 6, low: 0 });
    expect(entry([2], [5], 3, 0, Number.NaN)).toEqual({ value: 30, low: 0 });
    expect(entry([], [], 3, -1, 4)).toEqual({ value: -4, low: 0 });
  });

  it('has NaN and infinities where IEEE 754 puts them', () => {
    expect(entry([Infinity], [1], -2, 1, 5).value).toBe(-Infinity);
    expect(entry([Infinity], [1], 1, 1, -Infinity).value).toBeNaN();
    expect(entry([1], [1], 1, 1, Number.NaN).value).toBeNaN();
    expect(entry([-0.3], [Infinity], -0.7, 1, 1).value).toBe(Infinity);
    expect(entry([0], [Infinity], -0.7, 1, 1).value).toBeNaN();
    expect(entry([1e200], [1e200], 1e-200, 1, 1).value).toBe(1e200);
  });
});
